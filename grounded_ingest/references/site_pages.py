"""Finds the file of a page or asset of a web site, by the rules of the site's generator.

A generator builds the page `/guides/set-up/` from a file such as `content/guides/Set-up.md`. The
configuration is often a program, which is never run, so the usual folders of each generator are
roots. Only a configuration that is data, and not a program, can show that a page does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, normpath
from types import MappingProxyType

from msgspec import Struct

from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.text.lexicon.paths import LANGUAGES
from grounded_ingest.text.patterns import compiled

SITE_ROOT = "@site/"
"""The prefix of links that Docusaurus resolves from the folder of its configuration."""

_SCRIPTS = ("js", "mjs", "cjs", "ts", "mts")
_DATA = ("yml", "yaml", "toml", "json")


def _scripts(name: str, roots: str) -> dict[str, str]:
    return {f"{name}.{ending}": roots for ending in _SCRIPTS}


def _data(name: str, roots: str) -> dict[str, str]:
    return {f"{name}.{ending}": roots for ending in _DATA}


_GENERATORS: Mapping[str, str] = MappingProxyType({
    **_scripts("astro.config", "src/content/docs src/content src/pages public"),
    **_scripts("docusaurus.config", ". docs src/pages static blog"),
    **_scripts(".vitepress/config", ". public src docs"),
    **_scripts(".vitepress/config/index", ". public src docs"),
    **_scripts(".vuepress/config", ". .vuepress/public"),
    **_scripts("next.config", "content content/docs docs src/content pages src/pages app public"),
    **_scripts("nuxt.config", "content pages docs public"),
    **_scripts("gatsby-config", "content src/pages docs static"),
    **_scripts("vocs.config", "docs/pages docs/public"),
    **_scripts("rspress.config", "docs docs/public"),
    **_scripts("eleventy.config", ". src content"),
    ".eleventy.js": ". src content", "_config.ts": ". src", "_config.js": ". src",
    **_data("hugo", "content static assets"),
    **_data("config/_default/hugo", "content static assets"),
    **_data("config/_default/config", "content static assets"),
    **_data("config", "content static assets"), "_config.yml": ". _posts", "book.toml": "src",
    "mkdocs.yml": "docs", "mkdocs.yaml": "docs", "zensical.toml": "docs", "docs.json": ".",
    "mint.json": ".", "_quarto.yml": ".", "conf.py": ".", ".gitbook.yaml": "docs",
})  # fmt: skip
"""Maps the file name of a configuration to the site's folders of pages and assets. The folders are
relative to the folder of the configuration."""

_NAMED_FOLDERS = compiled(
    r"\b(?:docs_?[dD]ir|content[dD]ir|src[dD]ir|static[dD]ir|path|root|src)[\"']?\s*[:=]\s*"
    r"[\"']?([\w./-]+)"
)
"""Matches a setting that names a folder: `docs_dir: site`, `path: '../docs'`."""
_GENERIC_NAMES = ("docs.json", "conf.py", *_data("config", ""), "_config.ts", "_config.js")
_GENERIC = compiled(
    r"\"navigation\"|^extensions\s*=|\bsphinx[._]|^\W*base[uU][rR][lL]\W*[=:]|[\"'/]lume\b",
    re.MULTILINE,
)
"""Matches the content of a configuration whose file name other tools use, too: a `docs.json` of
Mintlify, a `conf.py` of Sphinx, a `config.toml` of Hugo, a `_config.ts` of Lume."""
_THEME = compiled(r"^theme\s*[:=]\s*[\"']?([\w-]+)", re.MULTILINE)
"""Matches the theme of a Hugo site, whose `static` folder is a folder of the site."""
_SHOWS_PAGES = compiled(r"(?i)nextra|fumadocs|mdx|markdown|contentlayer|velite")
"""Matches the configuration of a Next.js site whose pages are documents. Other Next.js
applications do not publish their `docs` folder."""
_PAGE_ENDING = compiled(r"\.(?:mdx?|markdown|mdoc|rst|ipynb|adoc|astro|[jt]sx|vue|html?)$", re.I)
_INDEX = compiled(r"(?:^|/)(?:_?index|readme|page|route)$", re.I)
_ORDER = compiled(r"(?:^|(?<=/))(?:\d{4}-\d\d-\d\d-|\d+[-_.]+(?=\D)|\([\w-]+\)/|_(?=\w+/))")
"""Matches the parts of a path that its address omits: a number for the order, a date, a group
`(x)/`, and the underscore of a Jekyll collection such as `_docs/`."""
_LOCALE = compiled(r"/?[a-z]{2}(?:[-_][A-Za-z]{2,4})?/")


class WebSite(Struct, frozen=True):
    """A web site in the tree. `config` is the path of the site's configuration, and `text` is its
    content. `home` is the folder of the configuration, and `roots` are the folders of pages and
    assets. Each folder ends in a slash; the root of the repository is an empty string. An `app` is
    an application whose pages are code."""

    config: str
    text: str
    home: str
    roots: tuple[str, ...]
    app: bool = False


@lru_cache(maxsize=4)
def sites(tree: Tree) -> tuple[WebSite, ...]:
    """Returns the web sites in a tree, deepest first."""
    found = []
    for name, folders in _GENERATORS.items():
        for config in tree.ending_with(name):
            text, home = _text_of_config(config, tree), config.removesuffix(name)
            if name not in _GENERIC_NAMES or _GENERIC.search(text):
                app = name.startswith("next.config") and not _SHOWS_PAGES.search(text)
                own = folders.replace(" docs ", " ") if app else folders
                roots = tuple(_roots(text, home, own.split(), tree))
                found.append(WebSite(config, text, home, roots, app))
    return tuple(sorted(found, key=lambda s: -len(s.home)))


def _text_of_config(config: str, tree: Tree) -> str:
    """Returns the text of a configuration, with the files beside it if it is an `index`."""
    folder, _, name = config.rpartition("/")
    beside = (p for p in tree.below(folder) if p.endswith(_SCRIPTS))
    files = beside if name.startswith("index.") else (config,)
    return "\n".join(text_of(tree, path) or "" for path in files)


def _roots(text: str, home: str, folders: list[str], tree: Tree) -> Iterator[str]:
    named = (m[1] for m in _NAMED_FOLDERS.finditer(text))
    themes = (f"themes/{m[1]}/static" for m in _THEME.finditer(text))
    plain = dict.fromkeys((*named, *folders, *themes))
    for folder in (*plain, *(f"{folder}/en" for folder in plain)):
        path = normpath(join(home, folder))
        if path == "." or tree.is_dir(path):
            yield "" if path == "." else f"{path}/"


@lru_cache(maxsize=16)
def sites_of(document: str, tree: Tree) -> tuple[WebSite, ...]:
    """Returns the sites that may contain a document, nearest first. The documents of a site in
    `website/` are often in a folder beside `website/`."""
    around = ((s, () if s.app else (s.home, _beside(s.home))) for s in sites(tree))
    found = (s for s, homes in around if document.startswith((*homes, *s.roots)))
    return tuple(sorted(found, key=lambda s: not document.startswith((s.home, *s.roots))))


def is_site_page(document: str, tree: Tree) -> bool:
    """Returns whether a document is a page or a source of a web site, as every MDX file is. Readers
    of a web site may have another version of the code. Files for agents, guides for contributors,
    and the README beside the site's package.json are about the site's own code."""
    name, home = basename(document), document.removesuffix(basename(document))
    if name in _NO_PAGES or (name == "README.md" and tree.has(f"{home}package.json")):
        return False
    folders = {folder for s in sites(tree) for folder in (s.home, *s.roots)} - {""}
    return document.startswith(tuple(folders)) or document.lower().endswith(".mdx")


_NO_PAGES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", "CONTRIBUTING.md")
_SITE_ALONE = ("docusaurus.config", "hugo.", "config/_default/", "config.toml", "conf.py")
"""Beginnings of the names of configurations at the root of repositories with only a web site."""
_CODE = (
    "Makefile",
    "pyproject.toml",
    "setup.py",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
)
"""Files at the root of repositories that contain more than a web site."""


def is_of_site_alone(document: str, tree: Tree) -> bool:
    """Returns whether a document is a page in a repository that contains only a web site. The
    commands and files on such a page are those of a product elsewhere, or of a reader's project."""
    alone = (s for s in sites(tree) if not s.home and s.config.startswith(_SITE_ALONE))
    found = [s for s in alone if document.startswith(s.roots)]
    built = "Makefile" if any(s.config == "conf.py" for s in found) else ""  # Sphinx has one
    return bool(found) and not any(tree.has(path) for path in _CODE if path != built)


def _beside(home: str) -> str:
    above = dirname(home.rstrip("/"))
    return f"{above}/" if above else ""


def find_page(document: str, link: str, tree: Tree) -> str:
    """Returns the file or folder that a link leads to, if the link is an address in a web site, or
    begins with `@site/`. Returns an empty string if there is none."""
    if link.startswith(SITE_ROOT):
        homes = [s.home for s in sites_of(document, tree)] or [""]
        return _first_entry((normpath(h + link.removeprefix(SITE_ROOT)) for h in homes), tree)
    pages = _pages(tree)
    for address in _addresses(document, link, tree):
        if found := _entry(address, tree) or pages.get(_address_of(address), ""):
            return found
    ends = _pages_ending_with(link, tree) if link.startswith("/") else ()
    return pages[ends[0]] if len(ends) == 1 else ""


_BASE = compiled(
    r"\b(?:(?:site_?|base_?|og)?url|site|location|hostname)\b[\"']?\s*[:=]\s*"
    r"(?:new URL\()?[\"']?"
    r"(?P<base>https?://(?!(?:\w+\.)?git(?:hub|lab)\.)[\w.-]+\.\w+[\w./~-]*)",
    re.IGNORECASE,
)


def page_of_url(url: str, tree: Tree) -> str:
    """Returns the file of a page if a URL is its address on a web site of the tree. A site's
    configuration names the site's address. Returns "" otherwise."""
    page = re.sub(r"[?#].*", "", url)
    for config, base in _bases(tree):
        rest = page.removeprefix(base).strip("/") if page.startswith(base) else ""
        if rest and (found := find_page(config, "/" + re.sub(r"\.html$", "", rest), tree)):
            return found
    return ""


@lru_cache(maxsize=4)
def _bases(tree: Tree) -> tuple[tuple[str, str], ...]:
    """Returns the addresses of the sites in a tree, each as (configuration, address)."""
    found = (
        (s.config, m["base"].rstrip("/") + "/") for s in sites(tree) for m in _BASE.finditer(s.text)
    )
    return tuple(dict.fromkeys(found))


def find_source(document: str, link: str, tree: Tree) -> str:
    """Returns the file that a link to a file means, if the site generator also looks outside the
    document's folder. Returns an empty string if no file is found.

    Docusaurus and Eleventy look for `api/store.md` in their content folders, too. Sites of Astro
    resolve links by their own code, which may map `tools.md` to `tools.mdx` or to
    `tools/index.mdx`. Nuxt may map it to `2.tools.md`. mdBook calls each `README.md` `index.md`. A
    browser resolves `<img src>` from the address of the page, `a/b/` for `a/b.md`.
    """
    there = sites_of(document, tree)
    for site in there:
        name = site.config.removeprefix(site.home)
        eleventy = "eleventy" in name and not link.startswith("..")
        if eleventy or (name.startswith("docusaurus") and not link.startswith(".")):
            return _first_entry((normpath(root + link) for root in site.roots), tree)
        if name == "book.toml" and basename(link) == "index.md":
            return _entry(normpath(join(dirname(document), dirname(link), "README.md")), tree)
        if name.startswith(("astro", "nuxt")):
            return find_page(document, _PAGE_ENDING.sub("", link), tree)
    asset = bool(there) and not _PAGE_ENDING.search(link)
    return _first_entry(_served_at(document, link, there), tree) if asset else ""


def _served_at(document: str, link: str, there: Iterable[WebSite]) -> Iterator[str]:
    """Yields the paths that an asset may have if a browser resolves its link. The site serves its
    folders of pages and assets at one address."""
    page = _own_folder(document)
    yield normpath(join(page, link))
    for site in there:
        for home in (root for root in site.roots if page.startswith(root)):
            address = normpath(join("/", page.removeprefix(home), link)).lstrip("/")
            yield from (root + address for root in site.roots)


_ASSET = compiled(r"\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|mp3|pdf)$", re.I)


def _own_folder(document: str) -> str:
    """Returns the folder from which a browser resolves the links of a page: `a/b` for `a/b.md`."""
    here, _, name = document.rpartition("/")
    stem = name.partition(".")[0]
    return here if _INDEX.search(stem) else join(here, stem)


def _entry(path: str, tree: Tree) -> str:
    if path.startswith(("../", "/")):
        return ""
    return path if tree.has(path) else f"{path}/" if tree.is_dir(path) else ""


def _first_entry(paths: Iterable[str], tree: Tree) -> str:
    return next((found for path in paths if (found := _entry(path, tree))), "")


def _addresses(document: str, link: str, tree: Tree) -> Iterator[str]:
    """Yields the paths without file endings that a link may mean. GitHub resolves a link from the
    document's folder. A browser resolves a link from the page's address, `a/b/` for `a/b.md`."""
    if not link.startswith("/"):
        bases = (dirname(document), _own_folder(document))
        yield from dict.fromkeys(normpath(join(base, link)) for base in bases)
        return
    for site in sites_of(document, tree):
        below = link.strip("/")
        first, _, rest = below.partition("/")
        # `base: '/manual/'`, or a site in `docs/` that a proxy serves below `/docs`.
        is_base = f"/{first}" in site.text or site.home.endswith((f"/{first}/", f"{first}/"))
        based = rest if is_base else below
        for place in dict.fromkeys((below, _LOCALE.sub("", below, count=1), based)):
            yield from (normpath(root + place) for root in site.roots)


def _address_of(path: str) -> str:
    plain = _INDEX.sub("", _PAGE_ENDING.sub("", path.rstrip("/").lower()))
    return re.sub(r"[\s_.]+", "-", _ORDER.sub("", plain))


@lru_cache(maxsize=4)
def _pages(tree: Tree) -> Mapping[str, str]:
    pages = (path for path in tree.files if _PAGE_ENDING.search(path))
    return {_address_of(path): path for path in pages}


_FORMER_ENDINGS = (
    ".md",
    ".mdx",
    "/index.md",
    "/index.mdx",
    ".rst",
    ".astro",
    "/index.astro",
    ".adoc",
)


def former_files(document: str, link: str, tree: Tree) -> list[str]:
    """Returns the paths that the source file of a linked page or asset may have had in earlier
    commits."""
    if _ASSET.search(link):
        return [a for a in dict.fromkeys(_addresses(document, link, tree)) if a[:3] != "../"]
    addresses = dict.fromkeys(_PAGE_ENDING.sub("", a) for a in _addresses(document, link, tree))
    return [a + ending for a in addresses if a[:3] != "../" for ending in _FORMER_ENDINGS]


def may_be_elsewhere(link: str, tree: Tree) -> bool:
    """Returns whether a link without a file may still lead to a page: it may be redirected, or
    another page has an address with the same end. Only the site's own program knows."""
    return may_redirect(link, tree) or bool(_pages_ending_with(link, tree))


def is_alias(link: str, tree: Tree) -> bool:
    """Returns whether a page of Hugo lists an address with the same last part in `aliases`, so that
    a link without a file may lead to this page."""
    return link.rstrip("/").rpartition("/")[2] in _aliases(tree)


@lru_cache(maxsize=4)
def _aliases(tree: Tree) -> frozenset[str]:
    heads = ((text_of(tree, path) or "")[:_HEAD] for path in tree.files if path.endswith(".md"))
    lists = (found[1] for head in heads for found in _ALIASES.finditer(head))
    named = (row.split(" #")[0].strip(" -[]'\"/") for rows in lists for row in _ROW.split(rows))
    return frozenset(name.rpartition("/")[2] for name in named)


_HEAD = 5000
"""Number of characters at the start of a page in which its aliases are looked for."""
_ALIASES = compiled(r"(?m)^aliases: *(\[[^\]]*\]|\n(?: *- .*\n)+)", needs=("aliases:",))
_ROW = compiled(r"[\n,]")


def _pages_ending_with(link: str, tree: Tree) -> list[str]:
    own = "/" + _address_of(normpath(link).strip("./"))
    named = _pages_by_name(tree).get(own.rpartition("/")[2], ())
    return [address for address in named if f"/{address}".endswith(own)]


@lru_cache(maxsize=4)
def _pages_by_name(tree: Tree) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for address in _pages(tree):
        found.setdefault(address.rpartition("/")[2], []).append(address)
    return found


def denies_page(document: str, link: str, tree: Tree) -> bool:
    """Returns whether the configuration of a site shows that the site has no page at an address.

    Only Mintlify sites are judged, because only their configuration is data that lists all
    redirects. A Mintlify site that makes pages from an OpenAPI file, or splits its configuration
    into several files, is not judged either."""
    path, _, _ = link.partition("#")
    name, site = path.rpartition("/")[2], mintlify_site(document, tree)
    if site is None:
        return False
    known = _GENERATED_PAGES.search(site.text) or f'"{path.strip("/")}"' in site.text
    return not (known or "." in name or name == "mcp" or may_be_elsewhere(path, tree))


def mintlify_site(document: str, tree: Tree) -> WebSite | None:
    """Returns the site of Mintlify that contains a document, or None."""
    site = next((s for s in sites_of(document, tree) if document.startswith(s.home)), None)
    return site if site and site.config.endswith(("docs.json", "mint.json")) else None


def other_language(page: str, tree: Tree) -> str:
    """Returns the same page in another language, such as `docs/en/news.md` for `docs/de/news.md`.
    Many site generators show it in place of a page that is not translated. Returns an empty string
    if there is none, and on sites of VitePress, which do not."""
    parts = page.split("/")
    for at in (n for n, part in enumerate(parts[:-1]) if _LOCALE.fullmatch(f"{part}/")):
        above, rest = "".join(f"{part}/" for part in parts[:at]), "/".join(parts[at + 1 :])
        for other in tree.ending_with(rest):
            middle = other.removesuffix(rest).removeprefix(above)
            if _LOCALE.fullmatch(middle) and not tree.is_dir(f"{above}.vitepress"):
                return other
    return ""


_LANGUAGE = compiled(r"(?<=/)[a-z]{2}(?:[-_][a-zA-Z]{2,4})?(?=/)")
_STAGED = compiled(r"(?:^|/)(?:i18n|locales?|translations?)/$")
"""Matches the folder of translations that a site lays over its `docs`."""


def is_translation(page: str, tree: Tree) -> bool:
    """Returns whether a page is the translation of another page of the tree: `docs/ja/a.md` beside
    `docs/en/a.md` or `docs/a.md`. `docs/go/` is no language."""
    for found in _LANGUAGE.finditer(page):
        above, below = page[: found.start()], page[found.end() + 1 :]
        spoken = found[0][:2] in LANGUAGES.split()
        if spoken and (tree.has(f"{above}en/{below}") or tree.has(above + below)):
            return found[0] != "en"
    return False


def possible_originals(page: str, tree: Tree) -> Iterator[str]:
    """Yields the paths that the original may have if a page is a translation."""
    for found in _LANGUAGE.finditer(page):
        above, below = page[: found.start()], page[found.end() + 1 :]
        if found[0] != "en":
            yield f"{above}en/{below}"
        if sites_of(page, tree):
            yield f"{above}{below}"
        if _STAGED.search(above):
            folders = below.split("/")
            yield from (join("docs", *folders[n:]) for n in range(len(folders)))


def is_embedded(document: str, tree: Tree) -> bool:
    """Returns whether Go code in the folder of a document embeds it. A program makes a page from
    this text and others, and links in it may lead to the others."""
    folder, name = dirname(document), basename(document)
    beside = (p for p in tree.below(folder) if dirname(p) == folder and p.endswith(".go"))
    return any(f"//go:embed {name}\n" in (text_of(tree, p) or "") for p in beside)


_GENERATED_PAGES = compiled(r"\"(?:openapi|asyncapi|\$ref)\"")
_REDIRECTS = compiled(
    r"redirect|config|(?:^|/)(?:docs|mint|vercel)\.json$|netlify|middleware|nginx"
)
"""Matches the paths of files that often redirect addresses of pages."""


_SOURCE = compiled(r"/[\w.~%/-]{1,300}[:*(\[{]?")
"""Matches the address in a redirect, up to the first variable part: `/old/:` of `/old/:slug*`."""


def may_redirect(address: str, tree: Tree) -> bool:
    """Returns whether a file of the tree redirects an address: by the address itself, or by a
    pattern for a folder above it, such as `/old/:slug*` or `/old/(.*)`."""
    whole = "/" + normpath(address).strip("./")
    above = [whole, *(whole[:at] for at, c in enumerate(whole) if c == "/" and at)]
    named = _redirected_addresses(tree)
    return whole in named or any(f"{folder}/*" in named for folder in above)


@lru_cache(maxsize=4)
def _redirected_addresses(tree: Tree) -> frozenset[str]:
    """Returns the addresses in files that redirect, and `/old/*` for all addresses below a folder.
    A redirect may begin with the site's base path, so the ends of each address are included."""
    found = set[str]()
    for path in tree.files:
        if not _REDIRECTS.search(path) or _PAGE_ENDING.search(path) or tree.size(path) > LARGEST:
            continue
        for source in set(_SOURCE.findall(text_of(tree, path) or "")):
            address = re.sub(r"/[:*(\[{]$", "/*", source).rstrip(":([{/.")
            address = _PAGE_ENDING.sub("", address)
            found.update(address[at:] for at, c in enumerate(address) if c == "/")
    return frozenset(found)
