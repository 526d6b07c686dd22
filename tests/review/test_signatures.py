"""Signed approvals in a range: real keys of ssh-keygen and gpg, and those that do not count."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from reviewrepo import ANN, BOB, EVE, FIRST, LOG, NOTES, SECOND, THIRD, Clone, forged, page, team

from grounded_ingest.records.signatures import TOO_NEW

SIGNERS, KEYS = ".grounded/allowed_signers", ".grounded/allowed_keys.asc"
RANGE = ("--range", "origin/main..HEAD")
NEW = "Search runs on an index that is rebuilt at night."
ssh = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="needs ssh-keygen")
gpg = pytest.mark.skipif(not shutil.which("gpg"), reason="needs gpg")


class Key(NamedTuple):
    """An SSH key: its file and its line for allowed signers."""

    file: str
    allowed: str


def ssh_key(repo: Clone, who: str) -> Key:
    file = repo.root.parent / f"key-{who}"
    if not file.exists():
        made = repo.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", who, "-f", str(file))
        assert made.code == 0, made.err
    public = Path(f"{file}.pub").read_text().split()
    return Key(str(file), f'{who} namespaces="git" {public[0]} {public[1]}\n')


def sign_with(repo: Clone, key: str, form: str = "ssh") -> None:
    repo.git("config", "gpg.format", form)
    repo.git("config", "user.signingKey", key)


def work(tmp_path: Path, keys: dict[str, str]) -> Clone:
    """Eve's branch with a new claim; base holds the files of keys."""
    eve, _ = team(tmp_path)
    for path, text in keys.items():
        eve.write(path, text)
    if keys:
        eve.commit("keys")
        eve.git("push", "-q", "origin", "main")
    eve.git("switch", "-q", "-c", "work")
    eve.put(NOTES, page(FIRST, SECOND, THIRD, NEW))
    return eve


def approved_by(eve: Clone, who: str, *options: str) -> Clone:
    ann = eve.of(who)
    ann.approve(f"{NOTES}:9")
    ann.commit("Approve", *options)
    return ann


def told(repo: Clone, *scope: str) -> tuple[str, str]:
    """Returns the rule of the new claim, and why its approval does not count; by default in the
    range of the branch."""
    report = repo.report(*(scope or RANGE))
    (rule,) = [d["rule"] for d in report["decisions"] if d["claim"] == NEW]
    said = [p["message"] for p in report["problems"] if p["rule"] == "advisory-approval"]
    return rule, "; ".join(said).partition(": ")[2]


@ssh
def test_an_approval_signed_by_a_key_of_base_counts(tmp_path: Path) -> None:
    """A signed approval counts before it lands, in a range and before a push."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    sign_with(eve, key.file)
    ann = approved_by(eve, ANN, "-S")
    assert told(ann) == ("approved", "")
    start, end = eve.git("rev-parse", "origin/main"), eve.git("rev-parse", "HEAD")
    ran = eve.ask("check", "--staged", "--offline", "--output-format", "json",
                  PRE_COMMIT_FROM_REF=start, PRE_COMMIT_TO_REF=end)  # fmt: skip
    assert [d["rule"] for d in ran.json["decisions"] if d["claim"] == NEW] == ["approved"]


@ssh
def test_an_approval_that_is_not_signed_is_advisory(tmp_path: Path) -> None:
    """Without a signature it has to land first."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    assert told(approved_by(eve, ANN)) == (
        "ungrounded",
        "the approval is not signed with a key that the base branch lists",
    )


@ssh
def test_a_wrong_key_is_no_signature(tmp_path: Path) -> None:
    """A key that base does not list signs nothing."""
    key, other = ssh_key(Clone(tmp_path / "x"), ANN), ssh_key(Clone(tmp_path / "x"), EVE)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    sign_with(eve, other.file)
    assert told(approved_by(eve, ANN, "-S")) == (
        "ungrounded",
        "the approval is not signed with a key that the base branch lists",
    )


@ssh
def test_a_key_that_only_the_head_lists_is_none_of_base(tmp_path: Path) -> None:
    """A change cannot bring the key that approves it."""
    key, other = ssh_key(Clone(tmp_path / "x"), ANN), ssh_key(Clone(tmp_path / "x"), EVE)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    eve.put(SIGNERS, key.allowed + other.allowed.replace(EVE, ANN))
    eve.git("config", "gpg.ssh.allowedSignersFile", str(eve.root / SIGNERS))
    sign_with(eve, other.file)
    assert told(approved_by(eve, ANN, "-S"))[0] == "ungrounded"


@ssh
def test_a_line_names_who_signed_it(tmp_path: Path) -> None:
    """Bob's key is listed, and he may not write approvals in Ann's name."""
    ann, bob = ssh_key(Clone(tmp_path / "x"), ANN), ssh_key(Clone(tmp_path / "x"), BOB)
    eve = work(tmp_path, {SIGNERS: ann.allowed + bob.allowed})
    sign_with(eve, bob.file)
    rule, why = told(approved_by(eve, ANN, "-S"))
    assert (rule, why) == ("ungrounded", f"the approval is signed by {BOB}, not by its reviewer")


@ssh
def test_a_later_signature_does_not_sign_what_stood_before(tmp_path: Path) -> None:
    """The commit that adds the line has to be signed."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    approved_by(eve, ANN)
    sign_with(eve, key.file)
    eve.of(ANN).commit("something else", "-S")
    assert told(eve)[0] == "ungrounded"


@ssh
def test_an_agent_that_commits_with_a_persons_key_approves_nothing(tmp_path: Path) -> None:
    """Agents often have access to the keys of their users."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    sign_with(eve, key.file)
    rule, why = told(
        approved_by(eve, ANN, "-S", "-m", "Co-authored-by: Claude <noreply@anthropic.com>")
    )
    assert rule == "ungrounded"
    assert why.startswith("the commit with the approval names an agent")


@ssh
def test_a_signer_who_is_no_reviewer_of_the_path_does_not_count(tmp_path: Path) -> None:
    """A listed key is not enough: its person has to own the document."""
    key = ssh_key(Clone(tmp_path / "x"), BOB)
    config = f'reviewers: {{"memory-bank/**": ["{ANN}"]}}\n'
    eve = work(tmp_path, {SIGNERS: key.allowed, ".grounded-ingest.yaml": config})
    eve.write(LOG, forged(eve, BOB, NEW))
    sign_with(eve, key.file)
    eve.of(BOB).commit("Approve", "-S")
    rule, why = told(eve)
    assert (rule, "may not approve claims in this document (reviewers[memory-bank/**])" in why) == (
        "ungrounded",
        True,
    )


@ssh
def test_the_author_does_not_sign_for_the_claim_where_others_may(tmp_path: Path) -> None:
    """Four eyes, if the document has other owners."""
    key = ssh_key(Clone(tmp_path / "x"), EVE)
    eve = work(tmp_path, {SIGNERS: key.allowed, "CODEOWNERS": f"* {ANN} {EVE}\n"})
    eve.write(LOG, forged(eve, EVE, NEW))
    sign_with(eve, key.file)
    eve.commit("Approve", "-S")
    rule, why = told(eve)
    assert (rule, "wrote the claim, so another owner has to approve it" in why) == (
        "ungrounded",
        True,
    )


@ssh
@pytest.mark.parametrize("way", ["rebase", "squash"])
def test_what_rewrites_commits_takes_signatures_away(tmp_path: Path, way: str) -> None:
    """Rebased and squashed commits are not those that were signed."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    sign_with(eve, key.file)
    approved_by(eve, ANN, "-S")
    assert told(eve)[0] == "approved"
    if way == "rebase":
        eve.git("rebase", "-q", "--force-rebase", "--no-gpg-sign", "origin/main")
    else:
        eve.git("reset", "-q", "--soft", "origin/main")
        eve.commit("squashed")
    assert told(eve)[0] == "ungrounded"


@ssh
def test_a_merge_keeps_signatures_and_forges_none(tmp_path: Path) -> None:
    """A line counts by the commit that added it, not by the merge."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    sign_with(eve, key.file)
    approved_by(eve, ANN, "-S")
    eve.git("switch", "-q", "-c", "other", "origin/main")
    eve.put("docs/other.md", page("Billing events arrive through a signed webhook."))
    eve.git("merge", "-q", "--no-ff", "--no-gpg-sign", "-m", "Merge work", "work")
    assert told(eve)[0] == "approved"


@ssh
def test_only_signed_approvals_count_where_the_configuration_says_so(tmp_path: Path) -> None:
    """With `require_signed` landing is not enough."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    config = "review: {require_signed: true}\n"
    eve = work(tmp_path, {SIGNERS: key.allowed, ".grounded-ingest.yaml": config})
    approved_by(eve, ANN)
    eve.git("push", "-q", "origin", "HEAD:main")
    eve.git("fetch", "-q", "origin")
    assert eve.rules()[NEW] == "ungrounded"
    eve.of(ANN).review("revoke", f"{NOTES}:9")
    eve.of(ANN).approve(f"{NOTES}:9")
    sign_with(eve, key.file)
    eve.of(ANN).commit("Approve", "-S")
    eve.git("push", "-q", "origin", "HEAD:main")
    eve.git("fetch", "-q", "origin")
    assert eve.rules()[NEW] == "approved"


SIGNED_ONLY = {".grounded-ingest.yaml": "review: {require_signed: true}\n"}


def landed(eve: Clone, way: str, branch: str = "work") -> None:
    """Bring a branch to main as a forge does, and push it."""
    eve.git("switch", "-q", "main")
    eve.git("merge", "-q", way, "--no-gpg-sign", "-m", f"Merge {branch}", branch)
    eve.git("push", "-q", "origin", "main")


def brings(eve: Clone, key: Key, before: str) -> None:
    """Commit a key to the branch: in a commit of its own, or with the approval that it signs."""
    eve.write(SIGNERS, (eve.read(SIGNERS) if (eve.root / SIGNERS).exists() else "") + key.allowed)
    if before == "before":
        eve.commit("key")


@ssh
@pytest.mark.parametrize("others", [True, False], ids=["base has keys", "base has none"])
@pytest.mark.parametrize("when", ["before", "with"])
def test_a_key_that_lands_with_the_approval_it_signs_does_not_count(
    tmp_path: Path, when: str, others: bool
) -> None:
    """Otherwise anybody who can land a change could approve in any name."""
    bob, own = ssh_key(Clone(tmp_path / "x"), BOB), ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, SIGNED_ONLY | ({SIGNERS: bob.allowed} if others else {}))
    brings(eve, own, when)
    sign_with(eve, own.file)
    approved_by(eve, ANN, "-S")
    landed(eve, "--no-ff")
    assert told(eve, "--all") == ("ungrounded", TOO_NEW)


@ssh
def test_an_approval_that_lands_before_its_key_does_not_count(tmp_path: Path) -> None:
    """A key added later vouches for nothing that is on base already."""
    own = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, SIGNED_ONLY)
    sign_with(eve, own.file)
    approved_by(eve, ANN, "-S")
    landed(eve, "--no-ff")
    eve.put(SIGNERS, own.allowed)
    eve.git("push", "-q", "origin", "main")
    assert told(eve, "--all") == ("ungrounded", TOO_NEW)


@ssh
@pytest.mark.parametrize("way", ["--no-ff", "--ff"])
def test_a_key_that_landed_first_counts(tmp_path: Path, way: str) -> None:
    """Also where the branch of the approval began before the key landed, and other keys follow."""
    bob, own = ssh_key(Clone(tmp_path / "x"), BOB), ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, SIGNED_ONLY)
    eve.git("switch", "-q", "main")
    eve.git("switch", "-q", "-c", "key")
    brings(eve, own, "before")
    landed(eve, way, "key")
    eve.git("switch", "-q", "work")
    sign_with(eve, own.file)
    approved_by(eve, ANN, "-S")
    landed(eve, "--no-ff")
    eve.put(SIGNERS, own.allowed + bob.allowed)
    eve.git("push", "-q", "origin", "main")
    assert told(eve, "--all") == ("approved", "")


@ssh
def test_after_its_key_has_landed_an_approval_can_be_given_again(tmp_path: Path) -> None:
    """The way out of TOO_NEW works."""
    own = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, SIGNED_ONLY)
    brings(eve, own, "before")
    sign_with(eve, own.file)
    approved_by(eve, ANN, "-S")
    landed(eve, "--no-ff")
    assert told(eve, "--all")[0] == "ungrounded"
    eve.git("switch", "-q", "-c", "again")
    approved_by(eve, ANN, "-S")
    landed(eve, "--no-ff", "again")
    assert told(eve, "--all") == ("approved", "")


@gpg
def test_a_gpg_key_that_lands_with_the_approval_it_signs_does_not_count(tmp_path: Path) -> None:
    """The rule applies to both key files."""
    home = tmp_path / "g"
    mine, armored = gpg_key(home, Clone(tmp_path / "x"), ANN)
    _, others = gpg_key(home, Clone(tmp_path / "x"), BOB)
    eve = work(tmp_path, SIGNED_ONLY | {KEYS: others})
    eve.put(KEYS, others + armored)
    sign_with(eve, mine, "openpgp")
    ann = eve.of(ANN)
    ann.env["GNUPGHOME"] = str(home)
    ann.approve(f"{NOTES}:9")
    ann.commit("Approve", "-S")
    landed(eve, "--no-ff")
    assert told(eve, "--all") == ("ungrounded", TOO_NEW)


def gpg_key(home: Path, env: Clone, who: str) -> tuple[str, str]:
    """A key of gpg in a home of its own: fingerprint and armored public key."""
    home.mkdir(mode=0o700, exist_ok=True)
    gnupg = {"GNUPGHOME": str(home)}
    name = who.partition("@")[0].title()
    made = env.run(
        "gpg", "--batch", "--passphrase", "", "--quick-gen-key", f"{name} <{who}>", "ed25519",
        "sign", "never", **gnupg,
    )  # fmt: skip
    assert made.code == 0, made.err
    listed = env.run("gpg", "--with-colons", "--list-keys", who, **gnupg).out
    print_ = next(row.split(":")[9] for row in listed.splitlines() if row.startswith("fpr"))
    return print_, env.run("gpg", "--armor", "--export", print_, **gnupg).out


@gpg
def test_an_approval_signed_with_gpg(tmp_path: Path) -> None:
    """A listed key counts for its own identity, another key of the signer's keyring does not."""
    home = tmp_path / "g"
    mine, armored = gpg_key(home, Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {KEYS: armored})
    sign_with(eve, mine, "openpgp")
    eve.env["GNUPGHOME"] = str(home)
    ann = eve.of(ANN)
    ann.env["GNUPGHOME"] = str(home)
    ann.approve(f"{NOTES}:9")
    ann.commit("Approve", "-S")
    assert told(eve.of(BOB)) == ("approved", "")
    other, _ = gpg_key(home, ann, "other@example.org")
    sign_with(eve, other, "openpgp")
    ann.commit("Approve", "-S", "--amend")
    assert told(ann) == (
        "ungrounded",
        "the approval is not signed with a key that the base branch lists",
    )
    bob, both = gpg_key(home, ann, BOB)
    ann.git("switch", "-q", "main")
    ann.put(KEYS, armored + both)
    ann.git("push", "-q", "origin", "main")
    ann.git("switch", "-q", "work")
    ann.git("merge", "-q", "--no-gpg-sign", "main")
    ann.review("revoke", f"{NOTES}:9")
    ann.approve(f"{NOTES}:9")
    sign_with(eve, bob, "openpgp")
    ann.commit("Approve", "-S")
    assert told(ann)[1] == f"the approval is signed by {BOB}, not by its reviewer"


@ssh
def test_the_repositorys_configuration_runs_no_program(tmp_path: Path) -> None:
    """A clone cannot choose the program that verifies signatures."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    sign_with(eve, key.file)
    approved_by(eve, ANN, "-S")
    mark = tmp_path / "ran"
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
    evil.chmod(0o755)
    for name in ("gpg.program", "gpg.ssh.program", "gpg.openpgp.program", "gpg.x509.program"):
        eve.git("config", name, str(evil))
    assert told(eve)[0] == "approved"
    assert not mark.exists()


@ssh
def test_a_revocation_needs_no_signature(tmp_path: Path) -> None:
    """Taking back is always allowed."""
    key = ssh_key(Clone(tmp_path / "x"), ANN)
    eve = work(tmp_path, {SIGNERS: key.allowed})
    sign_with(eve, key.file)
    approved_by(eve, ANN, "-S")
    eve.of(BOB).review("revoke", f"{NOTES}:9")
    eve.commit("revoke")
    assert told(eve) == ("ungrounded", "")
