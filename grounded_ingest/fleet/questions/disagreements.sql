-- Values of one property that exclude each other, for things named after a repository of the fleet.
SELECT slot, subject, value, repositories, claims, repository, path, line
FROM contradictions WHERE shared ORDER BY slot, subject, repositories DESC, value
