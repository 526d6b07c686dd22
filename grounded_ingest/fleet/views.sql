-- Views that join the rows of all repositories in a run: the tables `JOINED` in tables.py.

CREATE VIEW repetitions AS
SELECT
  said, min(text) AS text, sum(claims)::INTEGER AS claims, count(*)::INTEGER AS repositories,
  list_slice(list_sort(list(repository)), 1, 20) AS named, min(place) AS place
FROM (
  SELECT said, repository, min(text) AS text, count(*) AS claims, min(repository || ':' || path) AS place
  FROM claims WHERE said <> 0 GROUP BY said, repository
)
GROUP BY said HAVING count(*) > 1;
