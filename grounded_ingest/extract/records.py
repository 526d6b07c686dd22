"""Reads memory records in JSON, JSON Lines and YAML, including knowledge graphs of memories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from grounded_ingest.extract.claims import Collector, add_excerpt
from grounded_ingest.extract.hidden_text import invisible_runs, reads_as_prose, with_invisible
from grounded_ingest.extract.positions import Excerpt, LineIndex, Offsets
from grounded_ingest.extract.value_tree import (
    DEPTH,
    FieldError,
    Mapping,
    TextValue,
    all_keys,
    read_json,
    read_yaml,
    record_fields,
    texts,
    wordy_name,
    yaml_notes,
)
from grounded_ingest.model.claims import DocClass, Extraction, Form, Tier
from grounded_ingest.text.patterns import compiled

TEXT_KEYS = ("text", "content", "memory", "fact", "claim")
MEMORY_KEYS = frozenset(
    ("id", "source", "memory_type", "trust", "timestamp", "owner", "valid_until")
)
LIST_KEYS = frozenset(("memories", "facts", "claims", "observations"))
_RELATION = ("from", "to", "relationType")
_NAMES = frozenset((*MEMORY_KEYS, *_RELATION, "name", "entityName", "entityType", "type", "kind"))
_LINE = compiled(r"[^\r\n]*(?:\r\n|\n|\r|$)")
_PASSING = frozenset(("id", "name", "entityName", "timestamp", *TEXT_KEYS))
_WORDS = 4
_SHORT = 12


class RecordReader:
    """Reads the memory records in a file and collects their claims."""

    def __init__(self, source: bytes, doc_class: DocClass, role: str) -> None:
        self.text = source.decode()
        self.lines = LineIndex(source)
        self.memory = wary = doc_class is DocClass.MEMORY
        self.collector = Collector(self.lines.position, wary=wary, role=role)
        self.tier = int(Tier.BLOCK if wary else Tier.REVIEW)
        self.offset = Offsets(self.text)
        self.repeated: list[tuple[int, str]] = []
        # Maps the Python id of a value to the value. A stored value stays alive, so that no value
        # in the next document gets the same id.
        self._seen: dict[int, Any] = {}
        self._read: dict[int, Any] = {}
        self._invisible: list[tuple[int, str]] = []

    def line(self, at: int) -> int:
        """Returns the line (1-based) of the character at offset `at`."""
        return self.lines.line(self.offset(at))

    def broken(self, at: int, message: str) -> None:
        """Adds a problem `broken-record` on the line of the character at offset `at`."""
        self.collector.problem(self.line(at), "broken-record", message, self.tier)

    def walk(self, value: Any, name: str = "", depth: int = 0, under: str = "") -> bool:
        """Adds the claims in all records and prose texts in a value, including nested values.
        `name` is the key of the value. `under` is the digest in `Frames` of the keys that enclose
        it. Returns whether a record or a prose text was found. Raises FieldError if the value is
        nested too deeply."""
        if isinstance(value, TextValue):
            return self._prose(value, name, under)
        if not isinstance(value, list | Mapping) or id(value) in self._seen:
            return False
        if depth > 2 * DEPTH:
            raise FieldError(f"the value is nested more than {2 * DEPTH} levels deep")
        self._seen[id(value)] = value
        if isinstance(value, list):
            return self._walk_list(value, name, depth, under)
        if self._record(value, under):
            self.repeated += ((value.at, key) for key in value.repeated)
            return True
        read = [self.walk(former, name, depth + 1, under) for former in value.former]
        for key, child in value.items():
            nested = isinstance(child, TextValue | list | Mapping)
            frame = self.collector.frames.add("key", str(key), under) if nested else under
            read.append(self.walk(child, key, depth + 1, frame))
        keys = value.places.items()
        read += [self._prose(TextValue.placed(key, at), "", under) for key, at in keys]
        return any(read)

    def _prose(self, text: TextValue, name: str, under: str) -> bool:
        """Adds the claims in a text outside of records and returns true, if the text is prose."""
        if not self.memory or not reads_as_prose(text):
            return False
        if id(text) in self._read:  # several YAML aliases can share a text, which is read once
            return True
        self._read[id(text)] = text
        self._statement("", text, {"section": name, "record_id": "", "context": under})
        return True

    def _walk_list(self, values: list[Any], name: str, depth: int, under: str) -> bool:
        read = []
        fields = {"section": str(name), "record_id": "", "context": under}
        for value in values:
            states = isinstance(value, TextValue) and name in LIST_KEYS and " " in value
            if states:
                self._statement("", value, fields)
            read.append(states or self.walk(value, name, depth + 1, under))
        self.skip_unread(values, read)
        return any(read)

    def skip_unread(self, values: list[Any], read: list[bool]) -> None:
        """Records the objects in a list that are not memory records as skipped lines. Does nothing
        if the list has no memory record.

        `read` says for every value whether the value is a record."""
        for value, found in zip(values, read, strict=True):
            if not found and any(read) and isinstance(value, Mapping):
                line = self.line(value.at)
                self.collector.skip(line, line, "the object is not a memory record")

    def _record(self, value: Mapping, under: str) -> bool:
        try:
            statements = list(_statements(value))
            if not statements:
                return False
            fields = record_fields(value)
        except FieldError as error:
            self.broken(value.at, str(error))
            return True
        if set(_RELATION) <= value.keys():
            begin, end, relation = (str(value[key]) for key in _RELATION)
            self.collector.links.append((begin, end, relation))
        identity = str(value.get("id", value.get("name", value.get("entityName", ""))))
        fields = {**fields, "section": identity, "record_id": identity}
        stated = {id(text) for _, text in statements}
        short = _short_values(value, stated)
        fields["context"] = self.collector.frames.add("fields", short, under) if short else under
        for prefix, text in statements:
            self._statement(prefix, text, fields)
        said = " ".join(f"{prefix}{text}" for prefix, text in statements)
        context = self.collector.frames.add("content", said, fields["context"])
        beside = {**fields, "context": context}
        for proof in _proofs(value):
            stated.add(id(proof))
            self._statement("", TextValue.placed(f"`{proof}`", proof.at), beside)
        self._other_texts(value, stated, fields)
        return True

    def _other_texts(self, value: Mapping, stated: set[int], fields: dict[str, Any]) -> None:
        """Adds the claims in the texts of a record that are not its statements. Skips names, which
        the statements already contain."""
        names = _NAMES if not self.memory else frozenset(_keys_in_statements(value))
        for key, text in texts(value, seen=self._read):
            if id(text) in stated or key in names or len(text.split()) < _WORDS:
                continue
            if key not in _NAMES or reads_as_prose(text):
                self._statement("", text, fields)
        if self.memory:
            for key in filter(reads_as_prose, all_keys(value)):
                self._statement("", key, fields)

    def note(self, lines: list[TextValue]) -> None:
        """Adds the claims in a YAML comment of one or more lines if the comment is prose."""
        if not self.memory or not reads_as_prose(" ".join(lines)):
            return
        excerpt = Excerpt()
        for line in lines:
            excerpt.add(f"{line}\n", self.offset(line.at))
        fields = {"section": "#", "record_id": "", "block": 1, "form": Form.RECORD}
        add_excerpt(self.collector, excerpt, fields, self.lines.position)

    def escaped_characters(self, value: Any) -> None:
        """Collects the invisible characters that the file writes as escapes such as `\u200b`, in a
        value and its nested values."""
        if self.memory and "\\" in self.text:
            for text in (*(text for _, text in texts(value)), *all_keys(value)):
                runs = invisible_runs(text)
                self._invisible += ((self.line(text.at), words) for _, words in runs)

    def _statement(self, prefix: str, text: TextValue, fields: dict[str, Any]) -> None:
        """Adds the claims in a text of a record, each with its own position in the file. If the
        file writes the text with escapes, all claims get the position where the text begins."""
        at = self.offset(text.at)
        first = self.lines.position(at)
        verbatim = self.text.startswith(text, text.at)
        lead = at - len(prefix.encode())

        def locate(offset: int) -> tuple[int, int]:
            return self.lines.position(max(at, offset)) if verbatim else first

        excerpt = Excerpt(f"{prefix}{text}", lead)
        if not text.strip():
            self.collector.skip(first[0], first[0], "an empty record")
        fields = {**fields, "block": 1, "form": Form.RECORD}
        add_excerpt(self.collector, excerpt, fields, locate, stated=len(text.split()) <= _SHORT)

    @property
    def found(self) -> Extraction:
        """Returns the claims, skipped lines and problems of the file."""
        if self.collector.claims:
            for at, key in self.repeated:
                self.broken(at, f"the key {key!r} occurs twice in the same object")
        elif not (self.collector.problems or self.collector.skipped) and self.text.strip():
            self.collector.skip(1, self.line(len(self.text)), "the file has no memory records")
        return with_invisible(self.collector.found, self._invisible)


def _keys_in_statements(value: Mapping) -> Iterator[str]:
    if "observations" in value:
        yield from ("name", "entityName")
    if set(_RELATION) <= value.keys():
        yield from _RELATION


def _statements(value: Mapping) -> Iterator[tuple[str, TextValue]]:
    """Yields the statements in a record as pairs (text to put before it, statement). Raises
    FieldError if a statement has the wrong type."""
    observations = value.get("observations")
    if isinstance(observations, TextValue | list):
        yield from _observed(value, observations)
    elif value.get("type") == "relation" or set(_RELATION) <= value.keys():
        words = [value.get(key) for key in _RELATION]
        if not all(isinstance(word, TextValue) for word in words):
            raise FieldError("a relation needs texts for 'from', 'to' and 'relationType'")
        begin, end, relation = words
        yield "", TextValue.placed(f"{begin} {relation} {end}", begin.at if begin else 0)
    else:
        yield from (("", text) for text in _texts_of(value))


def _proofs(value: Mapping) -> list[TextValue]:
    field = value.get("proofs")
    proofs = field if isinstance(field, list) else [field]
    return [p for p in proofs if isinstance(p, TextValue) and "`" not in p]


def _observed(value: Mapping, observations: Any) -> Iterator[tuple[str, TextValue]]:
    name = value.get("name", value.get("entityName", ""))
    for observation in [observations] if isinstance(observations, TextValue) else observations:
        text = observation.get("content") if isinstance(observation, Mapping) else observation
        if not isinstance(text, TextValue):
            raise FieldError("a value in 'observations' is not a text")
        yield (f"{name}: " if name else ""), text


def _texts_of(value: Mapping) -> list[TextValue]:
    """Returns the texts under the main text key of an object; only those with several words if the
    object has no key of a memory record."""
    memory = bool(MEMORY_KEYS & value.keys())
    for key in (k for k in TEXT_KEYS if k in value):
        text = value[key]
        parts = text if isinstance(text, list) else [text]
        found = [p for p in parts if isinstance(p, TextValue) and (memory or " " in p.strip())]
        if found:
            return found
        if memory and isinstance(text, int | float | None):
            raise FieldError(f"the value of {key!r} is not a text")
    return []


def _short_values(value: Mapping, stated: Collection[int]) -> str:
    """Returns the short values in a record as `key: value; key: value`, as context of its
    statements, without ids, names and timestamps."""
    found = []
    for key, one in value.items():
        parts = one if isinstance(one, list) else [one]
        short = [p for p in parts if not isinstance(p, list | dict) and id(p) not in stated]
        words = [str(p) for p in short if p is not None and len(str(p).split()) < _WORDS]
        if words and key not in _PASSING:
            found.append(f"{key}: {', '.join(words)}")
    return "; ".join(found)


def extract_json(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Returns the claims in the records of a JSON text."""
    return _read_whole(RecordReader(source, doc_class, role), read_json)


def extract_yaml(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Returns the claims in the records and comments of a YAML text.

    Also reports anchors and tags that hide prose."""
    return _read_whole(RecordReader(source, doc_class, role), read_yaml, _read_notes)


def _read_notes(reader: RecordReader, text: str) -> None:
    for note in yaml_notes(text) if reader.memory else ():
        if note.named:
            name = note.lines[0]
            reader.collector.problem(reader.line(name.at), *wordy_name(name))
        else:
            reader.note(note.lines)


def _read_whole(
    reader: RecordReader,
    read: Callable[[str], Any],
    also: Callable[[RecordReader, str], None] = lambda *_: None,
) -> Extraction:
    # A space replaces the byte order mark, so that all later offsets stay right.
    text = " " + reader.text[1:] if reader.text.startswith("\ufeff") else reader.text
    if not text.strip():
        return Extraction()
    try:
        value = read(text)
        reader.walk(value)
        reader.escaped_characters(value)
        also(reader, text)
    except FieldError as error:
        line = reader.line(error.offset)
        reader.collector.problem(line, "unreadable", str(error), reader.tier)
    return reader.found


def extract_json_lines(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Returns the claims in the records of a JSON Lines text.

    A line that is not valid JSON becomes a problem, and the other lines are still read."""
    reader = RecordReader(source, doc_class, role)
    values, taken = [], []
    for m in _LINE.finditer(reader.text):
        text = m[0].removeprefix("\ufeff")
        if not text.strip():
            continue
        start = m.end() - len(text)
        try:
            value = read_json(text.rstrip("\r\n"))
            _shift(value, start)
            reader.escaped_characters(value)
            taken.append(reader.walk(value))
            values.append(value)
        except FieldError as error:
            reader.broken(start + error.offset, str(error))
    reader.skip_unread(values, taken)
    return reader.found


def _shift(value: Any, by: int) -> None:
    if isinstance(value, TextValue | Mapping):
        value.at += by
    if isinstance(value, Mapping):
        value.places = {key: at + by for key, at in value.places.items()}
        value = [*value.values(), *value.former]
    for child in value if isinstance(value, list) else ():
        _shift(child, by)
