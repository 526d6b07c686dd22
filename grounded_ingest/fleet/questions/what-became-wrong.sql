-- Errors that are new since the last run before $since (such as 20261116T000000Z).
SELECT repository, path, line, rule, message
FROM findings f
WHERE severity = 'error' AND NOT EXISTS (
  SELECT 1 FROM every_findings b
  WHERE b.run = (SELECT max(run) FROM every_repositories WHERE run < $since)
    AND (b.repository, b.path, b.rule, b.message) = (f.repository, f.path, f.rule, f.message)
)
ORDER BY repository, path, line
