-- Sentences for agents that several repositories have in the same words, most frequent first; one row for all sentences of the same repositories.
SELECT repositories, count(*) AS texts, min(place) AS place, min(text) AS text
FROM repetitions r SEMI JOIN claims c ON c.said = r.said AND c.class = 'memory'
GROUP BY repositories, named ORDER BY repositories * texts DESC, place LIMIT 20
