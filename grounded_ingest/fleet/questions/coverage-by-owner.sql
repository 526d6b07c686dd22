-- What share of what can be checked is grounded, by owner.
SELECT owner, count(*) AS repositories, sum(claims) AS claims, sum(checkable) AS checkable,
  round(sum(grounded) / nullif(sum(checkable), 0), 3) AS coverage
FROM repositories
WHERE state = 'ok'
GROUP BY owner
ORDER BY coverage NULLS LAST, owner
