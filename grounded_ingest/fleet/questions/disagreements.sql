-- Values of one thing that cannot all hold: of a repository of the fleet, or in copies of one set of rules.
SELECT slot, subject, value, repositories, claims, repository, path, line
FROM contradictions WHERE shared ORDER BY slot, subject, setting, family, repositories DESC, value
