"""A SARIF file of each repository that was read, for a forge to take as that repository's own."""

from __future__ import annotations

from grounded_ingest.fleet.queries import answer_query
from grounded_ingest.version import __version__
from tests.fleet.conftest import Example
from tests.report import consumers

WRONG = "SELECT repository, path, line, rule FROM findings WHERE rule LIKE 'refuted-citation%' ORDER BY ALL"


def test_sarif_of_each_repository_says_what_the_tables_say(example: Example) -> None:
    found = []
    files = sorted((example.out / "sarif").iterdir())
    assert [f.stem for f in files] == [
        "checkout",
        "gateway",
        "invoices",
        "ledger",
        "shop",
        "standards",
    ]
    for file in files:
        (run,) = consumers.sarif(file.read_text("utf-8"))["runs"]
        assert run["tool"]["driver"]["semanticVersion"] == __version__
        for result in run["results"]:
            at = result["locations"][0]["physicalLocation"]
            path, line = at["artifactLocation"]["uri"], at["region"]["startLine"]
            text = (example.base / "repositories" / file.stem / path).read_text("utf-8")
            assert line <= len(text.splitlines())
            if result["ruleId"].startswith("refuted-citation"):
                found.append((file.stem, path, line, result["ruleId"]))
    assert sorted(found) == sorted(answer_query(str(example.out), WRONG, {}).rows)
