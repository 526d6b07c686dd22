-- Findings that something is wrong that the last run before $since (20261116T000000Z) had not.
WITH before AS (
  SELECT repository, path, rule, message FROM every_findings f
  SEMI JOIN every_repositories r ON r.repository = f.repository AND r.surveyed_in = f.run
    AND r.run = (SELECT max(run) FROM every_repositories WHERE run < $since)
)
SELECT repository, path, line, rule, message
FROM findings f
WHERE severity = 'error' AND NOT EXISTS (
  SELECT 1 FROM before b
  WHERE (b.repository, b.path, b.rule, b.message) = (f.repository, f.path, f.rule, f.message)
)
ORDER BY repository, path, line
