"""An approval is of what was read: the claim, all that frames it, and nobody else's word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import Repo
from reviewrepo import ANN, BOB, EVE, FIRST, LOG, NOTES, SECOND

from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Decision, DocClass
from grounded_ingest.records.review_log import SCHEME, digest_of
from grounded_ingest.review.desk import Desk, QueueFilter, QueueState

SAID = "The port of the gateway is 8443."
STATES: tuple[QueueState, ...] = ("pending", "open")


def approve(repo: Repo, path: str = NOTES, *, by: str = ANN, text: str = SAID) -> None:
    """What `review approve` does, with somebody before the terminal."""
    with Opened(str(repo.root), own=False) as opened:
        desk = Desk(opened, online=False, environ={"GIT_AUTHOR_EMAIL": by})
        found = [
            d
            for d in desk.find(QueueFilter(paths=(path,), states=STATES))
            if d.place.claim.text.startswith(text)
        ]
        assert len(found) == 1
        assert not desk.act("approve", found).refused
        desk.close()


def landed(tmp_path: Path, document: str, path: str = NOTES) -> Repo:
    """A repository on whose base an approval of the claim stands."""
    repo = Repo(tmp_path / "repo")
    repo.commit({path: document})
    approve(repo, path)
    repo.commit(message="review")
    assert decision(repo).rule == "approved"
    return repo


def decision(repo: Repo, mode: str = "all", text: str = SAID) -> Decision:
    (found,) = [d for d in repo.decisions(mode) if d.place.claim.text.startswith(text)]
    return found


def said(found: Decision) -> str:
    return next((f.message for f in found.findings if f.rule == "advisory-approval"), "")


FRAMED = {
    "lead-in": (
        f"In staging:\n\n- {SAID}\n",
        f"In production:\n\n- {SAID}\n",
        "the lead-in around the claim changed from “In staging:” to “In production:”",
    ),
    "lead-in of paragraphs": (
        f"In staging:\n\n{SECOND}\n\n{SAID}\n",
        f"In production:\n\n{SECOND}\n\n{SAID}\n",
        "the lead-in around the claim changed from “In staging:” to “In production:”",
    ),
    "sentence before a list": (
        f"This is so in staging only.\n\n- {SAID}\n",
        f"This is so wherever it runs.\n\n- {SAID}\n",
        "the lead-in around the claim changed from “This is so in staging only.”",
    ),
    "bold label": (
        f"**Staging**\n\n{SAID}\n", f"**Production**\n\n{SAID}\n",
        "the lead-in around the claim changed from “Staging” to “Production”",
    ),
    "label that is gone": (
        f"**Staging**\n\n{SAID}\n", f"{SAID}\n", "the lead-in “Staging” around the claim was removed",
    ),
    "label that is new": (
        f"{SAID}\n", f"Not any more:\n\n{SAID}\n", "the claim has a new lead-in around it: “Not any more:”",
    ),
    "parent item": (
        f"- Staging\n  - On nodes\n    - {SAID}\n", f"- Production\n  - On nodes\n    - {SAID}\n",
        "the item around the claim changed from “Staging” to “Production”",
    ),
    "item before its paragraph": (
        f"- Staging\n\n  {SAID}\n", f"- Production\n\n  {SAID}\n",
        "the item around the claim changed from “Staging” to “Production”",
    ),
    "header row": (
        f"| Staging |\n|---|\n| {SAID} |\n", f"| Production |\n|---|\n| {SAID} |\n",
        "the header around the claim changed from “Staging” to “Production”",
    ),
    "lead-in of a table": (
        f"For staging\n\n| Fact |\n|---|\n| {SAID} |\n",
        f"For production\n\n| Fact |\n|---|\n| {SAID} |\n",
        "the lead-in around the claim changed from “For staging” to “For production”",
    ),
    "footnote": (
        f"{SAID}[^1]\n\n[^1]: In staging.\n", f"{SAID}[^1]\n\n[^1]: In production.\n",
        "the footnote around the claim changed from “[^1]: In staging.” to “[^1]: In production.”",
    ),
    "sentence before": (
        f"This is the staging network. {SAID}\n", f"This is the production network. {SAID}\n",
        "the paragraph around the claim changed from “This is the staging network. The port",
    ),
    "sentence behind": (
        f"{SAID} This holds in staging only.\n", f"{SAID} This holds everywhere.\n",
        "the paragraph around the claim changed from",
    ),
    "check box": (
        f"- [x] {SAID}\n", f"- {SAID}\n", "the check box",
    ),
    "quotation": (
        f"Bob is wrong to say\n\n> {SAID}\n", f"Bob is right to say\n\n> {SAID}\n",
        "the lead-in around the claim changed from “Bob is wrong to say”",
    ),
    "html": (
        f"<p>Staging</p>\n<p>{SAID}</p>\n", f"<p>Production</p>\n<p>{SAID}</p>\n",
        "the lead-in around the claim changed from “Staging” to “Production”",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "why"), FRAMED.values(), ids=FRAMED)
def test_an_approval_does_not_survive_another_frame(
    tmp_path: Path, before: str, after: str, why: str
) -> None:
    """An approval is bound to everything that gives the sentence its meaning."""
    repo = landed(tmp_path, f"# Notes\n\n{before}")
    repo.stage({NOTES: f"# Notes\n\n{after}"})
    found = decision(repo)
    assert (found.rule, said(found)[: len(f"approved by {ANN}: {why}")]) == (
        "ungrounded", f"approved by {ANN}: {why}",
    )  # fmt: skip
    problems = [p for p in repo.check().report.problems if p.rule == "advisory-approval"]
    assert why in problems[0].message
    repo.commit()
    assert decision(repo).rule == "ungrounded"
    approve(repo)
    repo.commit()
    assert decision(repo).rule == "approved"


RECORDS = {
    "field": ('{"env": "staging"}', '{"env": "production"}', "the fields around the claim changed"),
    "list": (
        '{"tags": ["staging", "old"]}',
        '{"tags": ["production"]}',
        "the fields around the claim changed",
    ),
    "when it was touched": ('{"timestamp": "2026-01-01"}', '{"timestamp": "2026-01-02"}', ""),
}


@pytest.mark.parametrize(("before", "after", "why"), RECORDS.values(), ids=RECORDS)
def test_a_record_is_read_with_its_fields(
    tmp_path: Path, before: str, after: str, why: str
) -> None:
    """Fields of a record are context, except times of access."""
    path = "memory/facts.json"
    was, now = (json.dumps([{"id": "a", "text": SAID} | json.loads(f)]) for f in (before, after))
    repo = landed(tmp_path, was, path)
    repo.stage({path: now})
    assert why in said(decision(repo))
    assert decision(repo).rule == ("ungrounded" if why else "approved")


def test_a_record_is_read_with_the_keys_above_it(tmp_path: Path) -> None:
    """So are the keys that it is nested under."""
    path = "memory/facts.json"
    repo = landed(tmp_path, json.dumps({"staging": {"facts": [SAID]}}), path)
    repo.stage({path: json.dumps({"production": {"facts": [SAID]}})})
    assert "the key around the claim changed from “staging” to “production”" in said(decision(repo))


@pytest.mark.parametrize(
    "after",
    [
        f"In staging:\n\n- {SECOND}\n- {SAID}\n- {FIRST}\n",
        f"{FIRST}\n\nIn staging:\n\n- {SAID}\n\n## Next\n\n{SECOND}\n",
        f"{FIRST}\n\nIn production:\n\n- {SECOND}\n\nIn staging:\n\n- {SAID}\n",
        f"**In   staging:**\n\n* {SAID}\n",
    ],
    ids=["another item", "another section", "another list", "another way to write it"],
)
def test_an_approval_survives_what_does_not_frame_it(tmp_path: Path, after: str) -> None:
    """Edits elsewhere, moves and other Markdown for the same thing keep an approval."""
    repo = landed(tmp_path, f"# Notes\n\nIn staging:\n\n- {SAID}\n")
    repo.commit({NOTES: f"# Notes\n\n{after}"})
    assert decision(repo).rule == "approved"


def test_a_frame_that_changes_and_comes_back_ends_the_approval(tmp_path: Path) -> None:
    """Base's history is read for contexts too."""
    document = f"# Notes\n\nIn staging:\n\n- {SAID}\n"
    repo = landed(tmp_path, document)
    repo.commit({NOTES: document.replace("staging", "production")})
    repo.commit({NOTES: document})
    assert (
        said(decision(repo))
        == f"approved by {ANN}: the claim's context changed on the base branch, which ended the approval: approve again"
    )


def old(repo: Repo) -> None:
    """The log as former versions wrote it."""
    rows = [json.loads(row) for row in (repo.root / LOG).read_text("utf-8").splitlines()]
    kept = [{k: v for k, v in r.items() if k not in ("digest", "context", "owner")} for r in rows]
    repo.write({LOG: "".join(f"{json.dumps(row)}\n" for row in kept)})


def test_a_line_without_a_context_holds_while_base_never_changed_it(tmp_path: Path) -> None:
    """Logs of former versions count, with history in place of a digest."""
    document = f"# Notes\n\nIn staging:\n\n- {SAID}\n"
    repo = Repo(tmp_path / "repo")
    repo.commit({NOTES: document})
    approve(repo)
    old(repo)
    found = decision(repo)
    assert (found.rule, said(found).partition(": ")[2]) == (
        "ungrounded",
        "the review log lacks the text around the claim: approve the claim again",
    )  # fmt: skip
    repo.commit()
    repo.commit({NOTES: f"{document}\n## More\n\n{SECOND}\n"})
    assert decision(repo).rule == "approved"
    repo.stage({NOTES: document.replace("staging", "production")})
    assert "and this text changed: approve again" in said(decision(repo))
    repo.commit()
    assert decision(repo).rule == "ungrounded"
    repo.commit({NOTES: document})
    assert decision(repo).rule == "ungrounded"
    approve(repo)
    repo.commit()
    assert decision(repo).rule == "approved"


@pytest.mark.parametrize("moved", ["with", "before"])
def test_a_line_without_a_context_is_followed_through_a_move(tmp_path: Path, moved: str) -> None:
    """Also if the document and its log were renamed since."""
    document = f"# Notes\n\nIn staging:\n\n- {SAID}\n- {FIRST}\n- {SECOND}\n"
    repo = Repo(tmp_path / "repo")
    repo.commit({NOTES: document})
    approve(repo)
    old(repo)
    repo.commit()
    path, log = "memory-bank/other.md", LOG.replace("notes", "other")
    repo.git("mv", NOTES, path)
    repo.git("mv", LOG, log)
    repo.commit({} if moved == "before" else {path: document.replace("staging", "production")})
    assert (decision(repo).rule == "approved") is (moved == "before")
    repo.commit({path: document.replace("staging", "production")})
    assert decision(repo).rule == "ungrounded"


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        (
            "claim",
            "The port of the gateway is 80.",
            "the review log has another text for this claim: approve it again",
        ),
        ("claim", "", "the review log lacks the claim's text: approve it again"),
        ("digest", f"{SCHEME}:{'0' * 64}", "its context changed"),
    ],
)
def test_a_line_of_other_words_approves_nothing(
    tmp_path: Path, field: str, value: str, why: str
) -> None:
    """An id is 64 bits: another text that has it can be made."""
    repo = landed(tmp_path, f"# Notes\n\n{SAID}\n")
    line = json.loads((repo.root / LOG).read_text("utf-8")) | {field: value}
    repo.commit({LOG: json.dumps(line) + "\n"})
    found = decision(repo)
    assert (found.rule, said(found)) == ("ungrounded", f"approved by {ANN}: {why}")


@pytest.mark.parametrize("mode", ["staged", "all"])
@pytest.mark.parametrize(
    ("guard", "by", "counts"),
    [
        ({".grounded-ingest.yaml": f"reviewers: {{'memory-bank/**': [{ANN}]}}\n"}, EVE, False),
        ({".grounded-ingest.yaml": f"reviewers: {{'memory-bank/**': [{ANN}]}}\n"}, ANN, True),
        ({".grounded-ingest.yaml": f"reviewers: {{'docs/**': [{ANN}]}}\n"}, EVE, True),
        ({"CODEOWNERS": f"* {BOB}\n"}, EVE, False),
        ({"CODEOWNERS": "* @org/team\n"}, EVE, True),
        ({"CODEOWNERS": "* @eve\n"}, "eve@users.noreply.github.com", True),
    ],
)
def test_base_asks_who_approved(
    tmp_path: Path, mode: str, guard: dict[str, str], by: str, counts: bool
) -> None:
    """An approval counts only if base's owners let its reviewer decide."""
    repo = Repo(tmp_path / "repo")
    repo.commit({NOTES: f"# Notes\n\n{SAID}\n"})
    approve(repo, by=by)
    repo.commit(dict(guard))
    repo.stage({NOTES: f"# Notes\n\n{SAID}\n\n{SECOND}\n"})
    found = next(d for d in repo.check(mode).report.decisions if d.place.claim.text == SAID)
    assert (found.rule == "approved") is counts
    assert counts or f"approved by {by}: {by} may not approve claims in this document (" in said(
        found
    )


def test_a_name_on_the_forge_is_kept_with_the_approval(tmp_path: Path) -> None:
    """CODEOWNERS names logins, commits have addresses: the log keeps the login."""
    repo = Repo(tmp_path / "repo")
    repo.commit({NOTES: f"# Notes\n\n{SAID}\n", "CODEOWNERS": "* @ann-on-hub\n"})
    repo.git("config", "github.user", "ann-on-hub")
    approve(repo)
    assert json.loads((repo.root / LOG).read_text("utf-8"))["owner"] == "@ann-on-hub"
    repo.commit()
    assert decision(repo).rule == "approved"


def test_an_edited_claim_says_that_its_approval_ends(tmp_path: Path) -> None:
    """Whoever edits an approved claim is told."""
    repo = landed(tmp_path, f"# Notes\n\n{SAID}\n")
    repo.stage({NOTES: f"# Notes\n\n{SAID.replace('8443', '80')}\n"})
    told = [p.message for p in repo.check().report.problems if p.rule == "advisory-approval"]
    assert told == [f"1 approval ends, because this change edits or removes the claim: “{SAID}”"]
    repo.commit()
    assert not [p for p in repo.check("all").report.problems if p.rule == "advisory-approval"]


def test_reviewers_see_the_context_that_the_digest_covers(tmp_path: Path) -> None:
    """The reviewer sees exactly the context that the digest covers."""
    note = "[^1]: Measured in staging."
    repo = Repo(tmp_path / "repo")
    repo.commit({NOTES: f"# Notes\n\nIn staging:\n\n- Gateways\n  - {SAID}[^1]\n\n{note}\n"})
    shown = [("lead-in", "In staging:"), ("item", "Gateways"), ("footnote", note)]
    with Opened(str(repo.root), own=False) as opened:
        desk = Desk(opened, online=False, environ={"GIT_AUTHOR_EMAIL": ANN})
        (found,) = [
            d for d in desk.find(QueueFilter(states=STATES)) if d.place.claim.text.startswith(SAID)
        ]
        assert list(desk.context(found)) == shown
        line = desk.entry("approve", found, "").line
        assert list(line.context) == shown
        assert line.digest == digest_of(found.place.claim.text, found.place.claim.context)
        desk.close()


def test_every_output_shows_the_context(tmp_path: Path) -> None:
    """List, show and JSON have the context of a claim."""
    from reviewrepo import Clone

    repo = Repo(tmp_path / "repo")
    repo.commit({NOTES: f"# Notes\n\nIn staging:\n\n- {SAID}\n"})
    ann = Clone(repo.root, ANN)
    assert "      lead-in: In staging:\n" in ann.review("list", "--state", "open").out
    assert "  read with  lead-in: In staging:\n" in ann.review("show", f"{NOTES}:5").out
    (told,) = [
        c
        for c in ann.review("list", "--state", "open", "--json").json["claims"]
        if c["claim"] == SAID
    ]
    assert told["context"] == [{"kind": "lead-in", "text": "In staging:"}]


def test_the_scheme_of_digests_is_pinned() -> None:
    """Where this fails, documents that did not change yield other contexts than before, and all
    approvals of them end. Raise SCHEME with it: former lines are then held against history."""
    from grounded_ingest.model.digests import sha256

    found = sha256()
    for before, after, _ in FRAMED.values():
        for text in (before, after):
            extraction = extract(f"# Notes\n\n{text}".encode(), NOTES, DocClass.MEMORY)
            for claim in extraction.claims:
                found.update(f"{claim.text} {claim.context}\n".encode())
    assert (SCHEME, found.hexdigest()[:16]) == ("1", "4c065abb7b2f60c2")
