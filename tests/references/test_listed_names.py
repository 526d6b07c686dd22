"""Lists and tables of names below a directory that a heading, a label or a lead-in names."""

from __future__ import annotations

from repos import Repo

PAGE = "docs/map.md"
FILES = {
    "api/src/routes/users.ts": "export const a = 1;\n",
    "api/src/routes/orders.ts": "export const b = 1;\n",
    "api/src/routes/admin/roles.ts": "export const c = 1;\n",
    "api/src/tools/seed.ts": "export const d = 1;\n",
    "web/routes/home.ts": "export const e = 1;\n",
}


COMMITS = (FILES,)


def listed(*names: str) -> str:
    return "\n".join(f"- `{name}`: one part of the interface" for name in names)


def rows(*names: str) -> str:
    return "| Part | Path |\n|---|---|\n" + "\n".join(f"| One part | `{name}` |" for name in names)


THERE = ("users.ts", "orders.ts")


LISTS = (
    (f"## Routes (`api/src/routes/`)\n\n{listed(*THERE, 'carts.ts')}", "carts.ts"),
    (f"## api/src/routes/\n\nIn short.\n\n{listed(*THERE, 'carts.ts')}", "carts.ts"),
    (f"**Path:** `api/src/routes/`\n\n{rows(*THERE, 'carts.ts')}", "carts.ts"),
    (f"The files in `api/src/routes`:\n\n{listed(*THERE, 'carts.ts')}", "carts.ts"),
    # A directory below a directory. The first folder of a name shows where the name belongs.
    (f"## `api/`\n\n### `src/routes/`\n\n{listed(*THERE, 'admin/keys.ts')}", "admin/keys.ts"),
    (f"## `api/src/`\n\n{rows('routes/old/keys.ts', 'routes/users.ts')}", "routes/old/keys.ts"),
    (f"## `api/src/routes/`\n\n{listed(*THERE)}", ""),
    (f"## `api/src/routes/`\n\n{listed(*THERE, 'seed.ts')}", ""),  # it is in another folder
    (f"## `api/src/routes/`\n\n{listed(*THERE, 'lib/keys.ts')}", ""),  # perhaps of the root
    (
        f"## `api/src/routes/`\n\n{listed('a1.ts', 'b2.ts', 'users.ts')}",
        "",
    ),  # too few are there
    (f"## `api/src/routes/` and `web/routes/`\n\n{listed(*THERE, 'carts.ts')}", ""),
    (
        f"## `api/src/routes/users.ts`\n\n{listed(*THERE, 'carts.ts')}",
        "",
    ),  # a file is no folder
    (f"## Add to `api/src/routes/`\n\n{listed(*THERE, 'carts.ts')}", ""),
    (f"## `api/src/routes/`\n\n{listed(*THERE)}\n- `carts.ts`: generated", ""),
    (f"## `api/src/routes/`\n\n## Other\n\n{listed(*THERE, 'carts.ts')}", ""),
)


def test_a_listed_name_is_looked_up_below_the_named_directory(repo: Repo) -> None:
    pages = {f"docs/map{n}.md": f"# Map\n\n{text}\n" for n, (text, _) in enumerate(LISTS)}
    repo.stage({**pages})
    problems = [p for p in repo.check().report.problems if p.rule == "refuted-citation[path]"]
    repo.git("rm", "-q", "-f", *pages)
    for (path, text), (_, wrong) in zip(pages.items(), LISTS, strict=True):
        found = [p.message.partition(": ")[0] for p in problems if p.path == path]
        assert [name.partition("routes/")[2] for name in found] == (
            [wrong.removeprefix("routes/")] * bool(wrong)
        ), text


def test_the_lead_in_names_the_root_of_a_drawing(repo: Repo) -> None:
    drawing = "```\n.\n├── users.ts\n├── orders.ts\n└── {}\n```"
    for entry, count in (("carts.ts", 1), ("admin/", 0)):
        text = f"# Map\n\nAll routes are in `api/src/routes/`.\n\n{drawing.format(entry)}\n"
        repo.stage({PAGE: text})
        rules = [p.rule for p in repo.check().report.problems]
        assert rules.count("refuted-citation[path]") == count


def test_a_list_of_folders_in_a_guide_at_the_root(repo: Repo) -> None:
    """`mute/` stood among 14 folders of alertmanager, in its AGENTS.md, and did not exist."""
    for names, wrong in (
        (("api/", "web/", "docs/", "mail/"), ["mail/: no such directory"]),
        (("api/", "web/", "docs/", "dist/"), []),  # programs create it
        (("api/", "mail/", "post/"), []),  # a layout of another project
    ):
        repo.stage({"AGENTS.md": f"# Agents\n\n{listed(*names)}\n", "docs/a.md": "# A\n"})
        problems = repo.check().report.problems
        assert [p.message for p in problems if p.path == "AGENTS.md"] == wrong
    repo.git("rm", "-q", "-f", "AGENTS.md", "docs/a.md")
