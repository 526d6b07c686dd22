-- Sentences in memory files that several repositories share, the most frequent first. Sentences of the same repositories are one row.
SELECT repositories, count(*) AS texts, min(place) AS place, min(text) AS text
FROM repetitions r SEMI JOIN claims c ON c.said = r.said AND c.class = 'memory'
GROUP BY repositories, named ORDER BY repositories * texts DESC, place LIMIT 20
