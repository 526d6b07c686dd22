-- Sentences that several repositories share, the most frequent first. Sentences of the same repositories are one row.
SELECT repositories, count(*) AS texts, min(place) AS place, min(claim) AS claim
FROM repetitions GROUP BY repositories, named ORDER BY repositories * texts DESC, place LIMIT 20
