"""Reads the names that build files define: tasks of rake, lanes of fastlane, modules of Maven,
services of Docker Compose."""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.code.manifest_entries import NOTHING, Entry, Include, Offer
from grounded_ingest.code.manifest_facts import mapping_at, with_lines, yaml_value
from grounded_ingest.text.lexicon import manifest_words
from grounded_ingest.text.patterns import compiled

_TASK = compiled(
    r"(?m)^([ \t]*)(?:(namespace)|(?:multi)?task|(file|directory))\b[ (]*"
    r"(?::?([\"'])(?P<quoted>[\w:./-]+)\4|:(?P<symbol>\w+)|(?P<key>\w+):(?!:)|(?=[\w\"']))"
)
_TASK_CLASS = compiled(r"(?m)^([ \t]*)([\w:]*Task)\.(?:new|create)\b(?:[ (]*[:\"'][\"']?([\w:]+))?")
"""Matches a library's class that defines tasks: `RuboCop::RakeTask.new(:lint)`."""
_GLOB = compiled(
    r"(?m)^Dir(?:\.glob\(|\[)[\"']([\w./*-]+\.rake)[\"'][\])]\.(?:sort\.)?each *"
    r"(?:\{|do) *\|\w+\| *(?:load|import)[ (]+\w+\)? *(?:\}|end)$"
)
"""Matches a line that loads the files of a folder: `Dir.glob("x/*.rake").each { |f| load f }`."""
_MORE_TASKS = compiled(
    r"(?m)^[ \t]*(?:load|import)\b|\bload_tasks\b|\badd_rakelib\b"
    r"|^[ \t]*require(?:_relative)?[ (]+[\"']"
    rf"(?!(?:{manifest_words.RAKE_LIBRARIES})[\"'])[^\"'\n]*(?:rake|task)"
)


def rake_tasks(text: str) -> Offer:
    """Returns the tasks in a Rakefile.

    `whole` is false in the result if other files may define tasks, or if a name outside of
    namespaces is computed. A class of a library may define more tasks than the one with its name
    (`rubocop:autocorrect`)."""
    entries: dict[str, Entry] = {}
    spaces: list[tuple[int, str]] = []
    free = manifest_words.RAKE_TASKS.split()
    includes = tuple(Include(path, "", optional=False) for path in _GLOB.findall(text))
    whole = not _MORE_TASKS.search(_GLOB.sub("", text))
    namespaces: list[tuple[int, int, str]] = []
    for line, found in with_lines(_TASK.finditer(text), text):
        depth = len(found[1].expandtabs())
        spaces = [(d, name) for d, name in spaces if d < depth]
        name = found["quoted"] or found["symbol"] or found["key"]
        if not name:
            within = ":".join(n for _, n in spaces)
            free += [f"{within}:%"] * bool(within)
            whole = whole and bool(within or found[3])
        elif found[2]:
            spaces.append((depth, name))
            namespaces.append((line, depth, name))
        else:
            entries[":".join((*(n for _, n in spaces), name))] = Entry(line)
    for line, found in with_lines(_TASK_CLASS.finditer(text), text):
        above = _around(line, len(found[1].expandtabs()), namespaces)
        name = ":".join((*above, found[3] or _default_name(found[2])))
        entries.setdefault(name, Entry(line))
        free.append(f"{name}:%")
    return Offer(entries, whole, includes=includes, free=free)


def _around(line: int, depth: int, namespaces: Iterable[tuple[int, int, str]]) -> list[str]:
    """Returns the names of the namespaces that enclose a line with this indentation, `depth`. The
    namespaces are given as (line, depth, name)."""
    spaces: list[tuple[int, str]] = []
    for start, at, name in namespaces:
        if start < line:
            spaces = [*((d, n) for d, n in spaces if d < at), (at, name)]
    return [name for at, name in spaces if at < depth]


def _default_name(of: str) -> str:
    """Returns the name of a task without a name: `test` for `Rake::TestTask`."""
    parts = of.lower().removesuffix("task").removesuffix("rake").split("::")
    return parts[-1] or parts[0]


_LANE = compiled(r"(?m)^[ \t]*(?:private_|override_)?lane[ (]+[:\"'](\w+)")
_MORE_LANES = compiled(r"(?m)^[ \t]*import(?:_from_git)?\b|\blane[ (]+[^:\"' ]")


def fastlane_lanes(text: str) -> Offer:
    """Returns the lanes in a Fastfile."""
    lanes = with_lines(_LANE.finditer(text), text)
    return Offer({found[1]: Entry(line) for line, found in lanes}, not _MORE_LANES.search(text))


_MODULE = compiled(r"<module>\s*([^<\s]+)\s*</module>")


def maven_modules(text: str) -> Offer:
    """Returns the modules in a pom.xml. Their folders may have modules, too."""
    return _offer(_MODULE.findall(text), whole="<modules>" in text)


def compose_services(text: str) -> Offer:
    """Returns the services in a Compose file."""
    read = yaml_value(text)
    services = mapping_at(read, "services")
    return _offer(services, whole="include" not in mapping_at(read)) if services else NOTHING


def _offer(names: Iterable[object], *, whole: bool) -> Offer:
    return Offer({str(name): Entry(0) for name in names}, whole)
