-- Contradicting values of one property, if the subject has the name of a repository in the fleet.
SELECT slot, subject, value, repositories, claims, repository, path, line
FROM contradictions WHERE shared ORDER BY slot, subject, repositories DESC, value
