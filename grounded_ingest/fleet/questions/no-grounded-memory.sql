-- Repositories whose memory has claims that can be checked, and none that is grounded.
SELECT repository, sum(checkable) AS checkable
FROM documents WHERE class = 'memory'
GROUP BY repository HAVING sum(checkable) > 0 AND sum(grounded) = 0
ORDER BY checkable DESC, repository
