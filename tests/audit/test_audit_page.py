"""History as the HTML report shows it: the page of now, above every commit's share."""

from __future__ import annotations

import json
import re
from pathlib import Path

from auditing import DOCUMENT, ask, json_of
from repos import Repo


def test_the_page_holds_the_knowledge_base_and_its_history(repo: Repo, tmp_path: Path) -> None:
    page = (repo.root / DOCUMENT).read_text() if (repo.root / DOCUMENT).exists() else "# Notes\n"
    repo.commit({DOCUMENT: f"{page}\nInvoices are rounded once, at the very end.\n"})
    file = tmp_path / "report.html"
    done = ask(repo, "--history", "--output-format", "html", "--output-file", str(file))
    assert done.returncode == 0, done.stderr
    (found,) = re.findall(r'id="data">(.*)</script>', file.read_text("utf-8"))
    data = json.loads(found)
    points = json_of(ask(repo, "--history", "--output-format", "json"))["points"]
    assert data["history"] == points
    assert data["scope"]["mode"] == "all"
    assert data["summary"]["claims"] == len(data["claims"]) == points[-1]["claims"] > 0


def test_a_page_without_history_is_of_check(repo: Repo) -> None:
    done = ask(repo, "--output-format", "html")
    assert done.returncode == 2
    assert b"check --all --output-format html" in done.stderr
