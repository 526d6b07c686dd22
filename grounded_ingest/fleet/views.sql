-- Views that join the rows of all repositories in a run: the tables `JOINED` in tables.py.

CREATE VIEW repetitions AS
SELECT
  said, min(text) AS text, sum(claims)::INTEGER AS claims, count(*)::INTEGER AS repositories,
  list_slice(list_sort(list(repository)), 1, 20) AS named, min(place) AS place
FROM (
  SELECT said, repository, min(text) AS text, count(*) AS claims, min(repository || ':' || path) AS place
  FROM claims WHERE said <> 0 GROUP BY said, repository
)
GROUP BY said HAVING count(*) > 1;

-- The ancestor of a file is its newest version that a file in another repository also has or had.
-- All files that ever had this text are compared. So if a shared standard changed twice, the
-- repositories with its first version are still found.
CREATE VIEW drift AS
WITH texts AS (
  SELECT
    repository, path, position, blob,
    coalesce(lag(written_at) OVER (PARTITION BY repository, path ORDER BY position), '') AS left_at
  FROM versions
  -- The blob of an empty file (SHA-1 and SHA-256) does not count as a shared text.
  WHERE blob NOT IN (
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
    '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813'
  )
  -- A file that returned to an earlier text did not move.
  QUALIFY row_number() OVER (PARTITION BY blob, repository, path ORDER BY position) = 1
), shared AS (
  SELECT *, count(*) OVER t AS files, count(*) FILTER (position > 0) OVER t AS moved
  FROM texts
  WINDOW t AS (PARTITION BY blob)
  QUALIFY min(repository) OVER t <> max(repository) OVER t
)
SELECT
  blob AS ancestor, repository, path, blob,
  if(position = 0, 'stayed', 'moved') AS side, position AS versions_since, left_at AS moved_at,
  files::INTEGER AS files, moved::INTEGER AS moved
FROM shared
QUALIFY row_number() OVER (PARTITION BY repository, path ORDER BY position) = 1 AND moved > 0;

CREATE MACRO words_of(name) AS regexp_replace(lower(name), '[^a-z0-9]+', ' ', 'g');

CREATE MACRO numbers_of(version) AS
  list_transform(string_split(rtrim(version, '+'), '.'), lambda n: n::BIGINT);

-- Returns whether two runtime versions contradict each other. "22+" means "22 or later".
CREATE MACRO versions_differ(one, other) AS CASE
  WHEN ends_with(one, '+') AND ends_with(other, '+') THEN one <> other
  WHEN ends_with(one, '+') THEN
    numbers_of(other) < list_slice(numbers_of(one), 1, len(numbers_of(other)))
  WHEN ends_with(other, '+') THEN
    numbers_of(one) < list_slice(numbers_of(other), 1, len(numbers_of(one)))
  ELSE
    list_slice(numbers_of(one), 1, len(numbers_of(other)))
    <> list_slice(numbers_of(other), 1, len(numbers_of(one)))
END;

-- Returns whether two values of one property contradict each other: two different stated values, or
-- one value that is both stated and denied.
CREATE MACRO exclude(slot, one, one_polarity, other, other_polarity) AS CASE
  WHEN slot = 'runtime version' THEN versions_differ(one, other)
  ELSE (one <> other) = (one_polarity AND other_polarity) AND (one_polarity OR other_polarity)
END;

-- The names below are common words: "the API" in one repository is not "the API" in another.
CREATE VIEW distinctive_names AS
SELECT DISTINCT words_of(parse_filename(if(origin = '', repository, origin))) AS name
FROM repositories
WHERE name NOT IN (
  'api', 'app', 'application', 'backend', 'cache', 'cli', 'client', 'code', 'codebase', 'command',
  'config', 'configuration', 'console', 'container', 'daemon', 'dashboard', 'database', 'db',
  'default', 'deployment', 'dev server', 'development', 'docs', 'documentation', 'environment',
  'frontend', 'host', 'http server', 'image', 'language', 'library', 'local server', 'note',
  'overview', 'package', 'page', 'platform', 'port', 'process', 'product', 'program', 'project',
  'repo', 'repository', 'rule', 'runtime', 'script', 'server', 'service', 'setting', 'setup',
  'site', 'stack', 'storybook', 'system', 'test', 'tool', 'ui', 'web', 'web app', 'web server',
  'website', 'worker'
);

CREATE VIEW contradictions AS
WITH by_repository AS (
  SELECT
    about, slot, subject, normal, polarity, repository, min(value) AS value, count(*) AS claims,
    min({'repository': repository, 'path': path, 'line': line}) AS place
  FROM "references" WHERE kind = 'fact' AND NOT many
  GROUP BY about, slot, subject, normal, polarity, repository
  -- One repository cannot make the join quadratic: only its hundred most frequent values count.
  QUALIFY row_number() OVER (PARTITION BY about, repository ORDER BY claims DESC, normal) <= 100
), stated AS (
  SELECT
    about, slot, subject, normal, polarity, min(value) AS value, sum(claims)::INTEGER AS claims,
    count(*)::INTEGER AS repositories, list_sort(list(repository)) AS holders, min(place) AS place
  FROM by_repository GROUP BY about, slot, subject, normal, polarity
)
SELECT
  about, slot, subject,
  slot NOT IN ('testing', 'runtime version') AND EXISTS (
    SELECT 1 FROM distinctive_names n
    WHERE contains(' ' || words_of(one.subject) || ' ', ' ' || n.name || ' ')
  ) AS shared,
  value, normal, polarity, claims, repositories, place.repository, place.path, place.line
FROM stated one
-- If one text states two values, copies of the text do not contradict each other.
WHERE EXISTS (
  SELECT 1 FROM stated other
  WHERE other.about = one.about AND other.holders <> one.holders
    AND exclude(one.slot, one.normal, one.polarity, other.normal, other.polarity)
);
