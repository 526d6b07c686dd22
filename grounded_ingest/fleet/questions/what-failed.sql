-- Repositories that could not be read, with the reason.
SELECT repository, state, reason, seconds, peak_mb
FROM repositories WHERE state NOT IN ('ok', 'empty') ORDER BY state, repository
