-- What agents are told in the same words in several repositories, most first; one row for all that the same ones have.
SELECT repositories, count(*) AS texts, min(place) AS place, min(text) AS text
FROM repetitions r SEMI JOIN claims c ON c.said = r.said AND c.class = 'memory'
GROUP BY repositories, named ORDER BY repositories * texts DESC, place LIMIT 20
