-- The tables of a run: rows of the reports, with their repository. `every_NAME` has the rows of all runs.
CREATE VIEW repositories AS SELECT * FROM every_repositories WHERE run = $run;
CREATE VIEW every_rows AS
SELECT r.run, r.repository, r.commit, t.* EXCLUDE (filename)
FROM reported t JOIN every_repositories r ON r.report <> '' AND suffix(t.filename, '/' || r.report);

CREATE VIEW every_claims AS
SELECT run, repository, commit, path, line, id, section, claim, tier, rule, reason, kind, memory_type, source, operation, citations
FROM every_rows WHERE type = 'decision';
CREATE VIEW every_evidence AS
SELECT run, repository, commit, path, line, id, c.kind, c.target, c.verdict, c.reason
FROM (SELECT * EXCLUDE (kind, reason), unnest(citations) AS c FROM every_claims);
CREATE VIEW every_findings AS
SELECT run, repository, commit, path, line, claim, rule, message, severity
FROM every_rows WHERE type = 'finding';

CREATE VIEW claims AS SELECT * FROM every_claims WHERE run = $run;
CREATE VIEW evidence AS SELECT * FROM every_evidence WHERE run = $run;
CREATE VIEW findings AS SELECT * FROM every_findings WHERE run = $run;

-- Claims of several repositories with equal sets of words, at least five.
CREATE VIEW repetitions AS
SELECT
  min(claim) AS claim, count(*)::INTEGER AS claims, count(DISTINCT repository)::INTEGER AS repositories,
  list_slice(list_sort(list(DISTINCT repository)), 1, 20) AS named, min(repository || ':' || path) AS place
FROM (SELECT *, list_sort(list_distinct(regexp_extract_all(lower(claim), '[\pL\pN]+'))) AS words FROM claims)
WHERE len(words) >= 5
GROUP BY words HAVING count(DISTINCT repository) > 1;
