-- Memory files that once had the same text in several repositories, and whether a file has changed since.
SELECT ancestor[:12] AS ancestor, repository, path, side, versions_since, moved_at, files, moved
FROM drift ORDER BY files DESC, ancestor, side, repository, path
