-- Claims that name a version of a runtime: for example, $runtime is node and $version is 16.
SELECT DISTINCT repository, path, line, value
FROM "references"
WHERE kind = 'version' AND subject = $runtime
  AND (value = $version OR value LIKE $version || '.%')
ORDER BY repository, path, line
