"""The same document in repositories of every kind and on names of every kind: one decision."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from hookrepo import BLOCKED, DOCUMENT, SOURCE, Repo, claims, page
from repos import Repo as Checked

from grounded_ingest.model.claims import Verdict
from grounded_ingest.records.evidence import evidence_path

pytestmark = pytest.mark.parametrize("driver", ["bare"], indirect=True)
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="names that only Linux lets stand")

CLAIMS = (
    "See `src/app.py:2`.",
    "The worker is started by `src/worker.py`.",
    "The limit of uploads stands in `src/app.py:40`.",
)
MENDED = (CLAIMS[0], "Please refer to `src/app.py`.", "More details are in `src/app.py:1`.")
"""Pointers, so that each has a line of evidence."""
DECIDED = [
    (CLAIMS[0], 1, [Verdict.CONFIRMED]),
    (CLAIMS[1], 2, [Verdict.REFUTED]),
    (CLAIMS[2], 2, [Verdict.REFUTED]),
    (BLOCKED, 3, []),
]


def decided(repo: Repo, mode: str) -> list[tuple[str, int, list[Verdict]]]:
    return [
        (d.place.claim.text, d.tier.value, [e.verdict for e in d.own_evidence])
        for d in Checked(repo.root).decisions(mode)
    ]


def judged_alike(repo: Repo, document: str = DOCUMENT, end: str = "\n") -> None:
    """`check --staged`, `check --all` and the hook say of it what they say in a plain
    repository."""
    repo.stage(document, page(*CLAIMS, BLOCKED).replace("\n", end))
    for mode in ("staged", "all"):
        assert decided(repo, mode) == DECIDED, mode
    refused = repo.commit()
    assert refused.code == 1, refused.out
    found = ("5:1: refuted-citation[path]", "7:1: refuted-citation[line]", "9:1: speculation")
    assert [f for f in found if f"{document}:{f}: " not in refused.out] == []
    repo.stage(document, page(*MENDED).replace("\n", end))
    repo.expect_commit()
    assert recorded(repo, document) == list(MENDED)
    assert repo.status() == []


def recorded(repo: Repo, document: str) -> list[str]:
    """The claims of its evidence in HEAD."""
    ran = repo.run("git", "cat-file", "blob", f"HEAD:{evidence_path(document)}")
    return claims(page(*MENDED), ran.out if ran.code == 0 else "")


def another(repo: Repo, *init: str) -> Repo:
    """A repository with the same hook and file, made with options of `git init`."""
    (repo.root.parent / "other").mkdir()
    other = Repo(repo.root.parent / "other", repo.env)
    if (ran := other.run("git", "init", "--quiet", "--template=", *init)).code:
        pytest.skip(f"this git says: {ran.out}")
    shutil.copytree(repo.root / ".git" / "hooks", other.root / ".git" / "hooks")
    other.bypass("src/app.py", SOURCE)
    return other


def cloned(repo: Repo, *how: str) -> Repo:
    """A clone that can ask its origin nothing more."""
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.bypass("docs/more.md", "More.\n")
    repo.git("clone", "--quiet", "--template=", *how, f"file://{repo.root}", "../clone")
    clone = Repo(repo.root.parent / "clone", repo.env)
    shutil.copytree(repo.root / ".git" / "hooks", clone.root / ".git" / "hooks")
    clone.git("remote", "set-url", "origin", f"file://{repo.root}-gone")
    return clone


def linked(repo: Repo) -> Repo:
    repo.git("worktree", "add", "--quiet", "-b", "side", "../linked")
    return Repo(repo.root.parent / "linked", repo.env)


def inside(repo: Repo) -> Repo:
    """The work tree of a submodule."""
    outer = another(repo)
    outer.git("submodule", "--quiet", "add", str(repo.root), "lib")
    hooks = outer.root / ".git/modules/lib/hooks"
    shutil.copytree(repo.root / ".git" / "hooks", hooks, dirs_exist_ok=True)
    return Repo(outer.root / "lib", repo.env)


def configured(*settings: str) -> Callable[[Repo], Repo]:
    def make(repo: Repo) -> Repo:
        for setting in settings:
            repo.git("config", *setting.split(" ", 1))
        return repo

    return make


def watched(repo: Repo) -> Repo:
    """core.fsmonitor is a program that says that all has changed."""
    script = repo.root.parent / "monitor"
    script.write_text("#!/bin/sh\nprintf 'token\\0/\\0'\n")
    script.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(script))
    return repo


def sparse(repo: Repo) -> Repo:
    repo.git("sparse-checkout", "set", "--cone", "memory-bank")
    assert not (repo.root / "src").exists()
    return repo


KINDS: dict[str, Callable[[Repo], Repo]] = {
    "plain": lambda repo: repo,
    "sha256": lambda repo: another(repo, "--object-format=sha256"),
    "reftable": lambda repo: another(repo, "--ref-format=reftable"),
    "worktree": linked,
    "submodule": inside,
    "sparse": sparse,
    "shallow": lambda repo: cloned(repo, "--depth=1"),
    "partial": lambda repo: cloned(repo, "--filter=blob:none"),
    "treeless": lambda repo: cloned(repo, "--filter=tree:0"),
    "fsmonitor": configured("core.fsmonitor true", "core.untrackedCache true"),
    "fsmonitor-hook": watched,
    "ignorecase": configured("core.ignorecase true", "core.precomposeunicode true"),
    "windows": configured("core.protectNTFS true", "core.symlinks false", "core.filemode false"),
}


@pytest.mark.parametrize("make", [pytest.param(make, id=kind) for kind, make in KINDS.items()])
def test_kinds_of_repositories(repo: Repo, make: Callable[[Repo], Repo]) -> None:
    judged_alike(make(repo))


@pytest.mark.parametrize("setting", ["core.autocrlf true", "core.autocrlf false"])
def test_line_ends_of_windows(repo: Repo, setting: str) -> None:
    configured(setting)(repo)
    judged_alike(repo, end="\r\n")


NAMES = {
    "windows": "memory-bank/con.d/a:b. /c\\d?./aux .md",
    "composed": "memory-bank/caf\u00e9.md",
    "decomposed": "memory-bank/cafe\u0301.md",
    "long": f"memory-bank/{'deep/' * 60}notes.md",
    "widest": f"memory-bank/{'n' * 252}.md",
}


@LINUX
@pytest.mark.parametrize("document", [pytest.param(name, id=kind) for kind, name in NAMES.items()])
def test_names_that_a_system_refuses(repo: Repo, document: str) -> None:
    judged_alike(repo, document)
    below = [p for p in repo.tree() if p.startswith(".grounded/evidence/")]
    assert below
    for part in {part for path in below for part in path.split("/")}:
        assert not set(part) & set('<>:"|?*\\'), part
        assert not part.endswith((" ", ".")), part
        assert part.split(".")[0].strip().lower() not in ("aux", "con"), part


@LINUX
def test_a_path_that_leaves_no_room_for_evidence(repo: Repo) -> None:
    """The document can be opened, its evidence cannot."""
    left = os.pathconf("/", "PC_PATH_MAX") - len(f"{repo.root}/memory-bank//notes.md") - 10
    folders = "/".join(["d" * 200] * (left // 201) + ["d" * (left % 201)])
    repo.stage(f"memory-bank/{folders}/notes.md", page(CLAIMS[0]))
    assert [tier for _, tier, _ in decided(repo, "staged")] == [1]
    refused = repo.commit()
    assert refused.code == 1
    assert "evidence cannot be written: " in refused.out
    assert "File name too long" in refused.out


def test_what_a_sparse_checkout_leaves_out_is_there(repo: Repo) -> None:
    """Whatever names it: a link, a definition, a word of its code, an import."""
    document = page(
        "See [the application](../src/app.py).",
        "The constant `GATEWAY_PORT` holds it.",
        "It stands in `src/app.py::GATEWAY_PORT`.",
        "Sources lie in `src/`.",
    )
    repo.bypass(DOCUMENT, document)
    before = decided(repo, "all")
    assert [d.rule for d in Checked(repo.root).decisions("all")].count("refuted-citation") == 0
    sparse(repo)
    assert decided(repo, "all") == before
    assert decided(repo, "worktree") == []


@pytest.fixture
def folding(repo: Repo) -> Iterator[Repo]:
    """The repository on a file system that folds case: the system's own, else a mounted one."""
    (repo.root.parent / "fold").touch()
    if (repo.root.parent / "FOLD").exists():
        yield repo
        return
    image, mounted = repo.root.parent / "image", repo.root.parent / "mounted"
    mounted.mkdir()
    with image.open("wb") as file:
        file.truncate(16 << 20)
    mount = ["lowntfs-3g", "-o", "windows_names,ignore_case", str(image), str(mounted)]
    for command in (["mkfs.ntfs", "-q", "-F", "-f", str(image)], mount):
        if not shutil.which(command[0]) or repo.run(*command).code:
            pytest.skip(f"no file system that folds case here: {command[0]}")
    try:
        shutil.copytree(repo.root, mounted / "work")
        made = Repo(mounted / "work", repo.env)
        yield configured("core.ignorecase true", "core.filemode false")(made)
    finally:
        subprocess.run(["umount", str(mounted)], check=True)


def test_a_document_renamed_in_case_alone(folding: Repo) -> None:
    judged_alike(folding)
    renamed = DOCUMENT.replace("progress", "Progress")
    entry = f"100644,{folding.git('rev-parse', f'HEAD:{DOCUMENT}').strip()},{renamed}"
    folding.git("rm", "--quiet", "--cached", DOCUMENT)
    folding.git("-c", "core.ignorecase=false", "update-index", "--add", "--cacheinfo", entry)
    folding.expect_commit()
    assert recorded(folding, renamed) == list(MENDED)
    assert recorded(folding, DOCUMENT) == []
    assert folding.status() == []


@LINUX
def test_names_that_differ_in_case_alone(repo: Repo) -> None:
    for document, claim in zip(("memory-bank/A.md", "memory-bank/a.md"), MENDED, strict=False):
        repo.stage(document, page(claim))
    repo.expect_commit()
    assert repo.evidence("memory-bank/A.md") == [MENDED[0]]
    places = {p for p in repo.tree() if p.startswith(".grounded/evidence/")}
    assert len({p.lower() for p in places}) == 2
