-- Instruction files that several repositories once had in the same words, and which of them changed since.
SELECT ancestor[:12] AS ancestor, repository, path, side, versions_since, moved_at, files, moved
FROM drift ORDER BY files DESC, ancestor, side, repository, path
