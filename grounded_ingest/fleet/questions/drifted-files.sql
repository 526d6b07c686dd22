-- Instruction files that are no longer what other repositories have, and which side moved.
SELECT ancestor, repository, path, side, versions_since, moved_at, files, moved
FROM drift ORDER BY files DESC, ancestor, side, repository, path
