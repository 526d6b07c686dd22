"""Renders the HTML report about a fleet (docs/fleet.md). Each list on the page has a limited number
of rows.
"""

from __future__ import annotations

from typing import Any

from grounded_ingest.fleet.tables import FleetTables, open_tables
from grounded_ingest.report.as_html import HtmlAssets, describe_rules, html_page
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import family

REPOSITORIES, FINDINGS, FAILURES, RUNS = 2_000, 2_000, 200, 60
"""Maximum number of rows in each list on the page. The page also states how many rows it does not
show.
"""
GROUPS, MEMBERS = 50, 8
"""`GROUPS` is the maximum number of contradictions, of repeated texts and of shared files.
`MEMBERS` is the maximum number of places listed for each of these.
"""
_LONGEST = 400
"""Maximum number of characters of a text on the page."""
_ASSETS = HtmlAssets(
    "fleet.html", ("style.css", "fleet.css"), ("text.js", "parts.js", "among.js", "fleet.js")
)
Row = dict[str, Any]
_LOADED = ("findings", "every_findings", "claims", "references", "versions")

_WITH_WRONG = """
WITH before AS (
  SELECT DISTINCT repository, path, rule, message FROM every_findings
  WHERE run = $before AND severity = 'error'
), wrong AS (
  SELECT f.repository, f.path, f.line, f.rule, f.message, b.rule IS NULL AS fresh
  FROM findings f LEFT JOIN before b USING (repository, path, rule, message)
  WHERE f.severity = 'error'
)
"""


def fleet_page(out: str, run: str = "") -> str:
    """Returns the HTML page for a run, compared with the run before. The default is the newest run.

    Raises GroundedIngestError if there is no such run, or if DuckDB is not installed.
    """
    with open_tables(out, run, _LOADED) as tables:
        data = _FleetData(tables).collect()
    now = data["series"][-1]
    counts = f"{now['repositories']} repositories, {now['wrong']} findings of severity error"
    return html_page(_ASSETS, counts, data)


class _FleetData:
    """The queries for the data on the page. `before` is the name of the previous run, or empty."""

    def __init__(self, tables: FleetTables) -> None:
        self._tables = tables
        self.before = max((r for r in tables.runs if r < tables.run), default="")

    def collect(self) -> Row:
        rules = self._rows(
            f"{_WITH_WRONG} SELECT rule, count(*) AS findings,"
            " count(DISTINCT repository) AS repositories, count(*) FILTER (fresh) AS fresh"
            " FROM wrong GROUP BY rule ORDER BY findings DESC, rule",
            before=self.before,
        )
        return {
            "run": self._tables.run, "before": self.before, "series": self._series(),
            "owners": self._owners(), "repositories": self._repositories(),
            "failures": self._failures(), "byRule": rules,
            "rules": describe_rules([r["rule"] for r in rules]), "findings": self._findings(),
            "mended": self._mended(), "contradictions": self._contradictions(),
            "drift": self._drift(), "repetitions": self._repetitions(),
            "elsewhere": self._elsewhere(), "totals": self._totals(),
        }  # fmt: skip

    def _rows(self, sql: str, **given: str) -> list[Row]:
        rows = self._tables.answer(sql, given).as_dicts()
        return [{name: _shortened(value) for name, value in row.items()} for row in rows]

    def _series(self) -> list[Row]:
        """Returns the summary of each run up to the reported run, oldest first."""
        found = self._rows(
            "SELECT run, count(*) AS repositories, count(DISTINCT owner) AS owners,"
            " count(*) FILTER (state NOT IN ('ok', 'empty')) AS failed,"
            " sum(claims) AS claims, sum(wrong) AS wrong FROM every_repositories"
            f" WHERE run <= $run GROUP BY run ORDER BY run DESC LIMIT {RUNS}",
            run=self._tables.run,
        )
        return found[::-1]

    def _owners(self) -> list[Row]:
        return self._rows(
            "SELECT owner, count(*) AS repositories, sum(wrong) AS wrong,"
            f" sum(change) AS change FROM ({_BESIDE}) GROUP BY owner"
            f" ORDER BY sum(wrong) DESC, owner LIMIT {REPOSITORIES}",
            before=self.before,
        )

    def _repositories(self) -> list[Row]:
        return self._rows(
            f"FROM ({_BESIDE}) ORDER BY wrong DESC, blocked DESC, repository LIMIT {REPOSITORIES}",
            before=self.before,
        )

    def _failures(self) -> list[Row]:
        return self._rows(
            "SELECT repository, owner, state, reason FROM repositories"
            f" WHERE state NOT IN ('ok', 'empty') ORDER BY state, repository LIMIT {FAILURES}"
        )

    def _findings(self) -> list[Row]:
        """Returns findings, new findings first. Takes findings from every repository and every rule
        in turn, so that the limit does not drop a repository or rule completely.
        """
        found = self._rows(
            f"{_WITH_WRONG} SELECT * FROM wrong ORDER BY least("
            "row_number() OVER (PARTITION BY repository ORDER BY NOT fresh, rule, path, line),"
            " row_number() OVER (PARTITION BY rule ORDER BY NOT fresh, repository, path, line)),"
            f" NOT fresh, repository, rule, path, line LIMIT {FINDINGS}",
            before=self.before,
        )
        for row in found:  # the page prints the rule's summary once, above its findings
            rule = EVERY_RULE.get(family(row["rule"]))
            row["message"] = row["message"].removeprefix(rule.summary if rule else "").strip()
        return found

    def _mended(self) -> int:
        """Returns the number of findings from the previous run that are fixed. Only repositories
        that were read in this run are counted."""
        ((mended,),) = self._tables.answer(
            f"{_WITH_WRONG} SELECT count(*) FROM before b SEMI JOIN repositories r"
            " ON r.repository = b.repository AND r.state = 'ok' ANTI JOIN wrong w"
            " ON (w.repository, w.path, w.rule, w.message) = (b.repository, b.path, b.rule,"
            " b.message)",
            {"before": self.before},
        ).rows
        return int(mended)

    def _contradictions(self) -> list[Row]:
        return self._rows(
            "SELECT slot, subject, count(*) AS stated,"
            " list({'value': value, 'polarity': polarity, 'repositories': repositories,"
            " 'repository': repository, 'path': path, 'line': line}"
            f" ORDER BY repositories DESC, value)[:{MEMBERS}] AS members FROM contradictions"
            " WHERE shared GROUP BY about, slot, subject"
            f" ORDER BY sum(repositories) DESC, slot, subject LIMIT {GROUPS}"
        )

    def _drift(self) -> list[Row]:
        return self._rows(
            "SELECT files, moved, list({'repository': repository, 'path': path, 'side': side,"
            " 'moved_at': moved_at}"
            f" ORDER BY side DESC, repository, path)[:{MEMBERS}] AS members, count(*) AS listed,"
            " count(*) FILTER (side = 'moved') AS apart FROM drift GROUP BY ancestor, files, moved"
            f" ORDER BY files DESC, moved DESC, ancestor LIMIT {GROUPS}"
        )

    def _repetitions(self) -> list[Row]:
        return self._rows(
            "SELECT min(text) AS text, count(*) AS texts, repositories,"
            f" named[:{MEMBERS}] AS named FROM ({_REPEATED}) GROUP BY repositories, named"
            f" ORDER BY repositories * texts DESC, text LIMIT {GROUPS}"
        )

    def _elsewhere(self) -> list[Row]:
        return self._rows(
            "SELECT repository, path, line, there, cited, reason FROM elsewhere_verdicts"
            f" WHERE verdict = 'refuted' ORDER BY repository, path, line LIMIT {GROUPS}"
        )

    def _totals(self) -> Row:
        """Returns the total number of rows for each list. The page itself shows only the first
        rows.
        """
        (found,) = self._rows(
            "SELECT (SELECT count(*) FROM repositories) AS repositories,"
            " (SELECT count(*) FROM findings WHERE severity = 'error') AS findings,"
            " (SELECT count(DISTINCT about) FROM contradictions WHERE shared) AS contradictions,"
            " (SELECT count(DISTINCT ancestor) FROM drift) AS drift,"
            f" (SELECT count(DISTINCT (repositories, named)) FROM ({_REPEATED})) AS repetitions,"
            " (SELECT count(*) FROM elsewhere_verdicts WHERE verdict = 'refuted') AS elsewhere"
        )
        return found


_REPEATED = (
    "SELECT * FROM repetitions r SEMI JOIN claims c ON c.said = r.said AND c.class = 'memory'"
)
"""SQL for repeated texts in memory files, as in the query `most-repeated`. Repeated texts in other
documents are mostly licences and badges."""
_BESIDE = (
    "SELECT r.repository, r.owner, r.state, r.reason, r.claims, r.blocked,"
    " r.wrong, r.wrong - b.wrong AS change FROM repositories r LEFT JOIN every_repositories b"
    " ON b.repository = r.repository AND b.run = $before AND b.state = 'ok' AND r.state = 'ok'"
)
"""SQL for all repositories, with the change in their number of errors since the previous run."""


def _shortened(value: Any) -> Any:
    """Returns a value in which strings with more than `_LONGEST` characters are cut."""
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[: _LONGEST - 1]}…"
    if isinstance(value, list):
        return [_shortened(v) for v in value]
    if isinstance(value, dict):
        return {n: _shortened(v) for n, v in value.items()}
    return value
