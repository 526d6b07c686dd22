-- The texts that most repositories have.
SELECT repositories, claims, text FROM repetitions ORDER BY repositories DESC, claims DESC, text LIMIT 20
