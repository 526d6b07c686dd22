"""Memory records in JSON, JSON Lines and YAML, and the knowledge-graph memory format."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from grounded_ingest.extract.claims import Collector
from grounded_ingest.extract.hidden_text import invisible, reads_as_prose, reported
from grounded_ingest.extract.inner_markdown import take_in
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
)
from grounded_ingest.extract.yaml_notes import wordy_name, yaml_notes
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
    """Turns the records of one file into claims."""

    def __init__(self, source: bytes, doc_class: DocClass, role: str) -> None:
        self.text = source.decode()
        self.lines = LineIndex(source)
        self.memory = wary = doc_class is DocClass.MEMORY
        self.collector = Collector(self.lines.position, wary=wary, role=role)
        self.tier = int(Tier.BLOCK if wary else Tier.REVIEW)
        self.offset = Offsets(self.text)
        self.repeated: list[tuple[int, str]] = []
        # By id, and held: the next document's values would get the ids of those let go of.
        self._seen: dict[int, Any] = {}
        self._told: dict[int, Any] = {}
        self._smuggled: list[tuple[int, str]] = []

    def line(self, at: int) -> int:
        return self.lines.line(self.offset(at))

    def broken(self, at: int, message: str) -> None:
        self.collector.problem(self.line(at), "broken-record", message, self.tier)

    def walk(self, value: Any, name: str = "", depth: int = 0, under: str = "") -> bool:
        """Take in every record at or below a value, framed by the keys above it, and every text
        that speaks to its reader; whether there was one."""
        if isinstance(value, TextValue):
            return self.speaks(value, name, under)
        if not isinstance(value, list | Mapping) or id(value) in self._seen:
            return False
        if depth > 2 * DEPTH:
            raise FieldError(f"nested more than {2 * DEPTH} levels deep")
        self._seen[id(value)] = value
        if isinstance(value, list):
            return self.walk_list(value, name, depth, under)
        if self.record(value, under):
            self.repeated += ((value.at, key) for key in value.repeated)
            return True
        taken = [self.walk(former, name, depth + 1, under) for former in value.former]
        for key, child in value.items():
            taken.append(self.walk(child, key, depth + 1, self.under(key, child, under)))
        keys = value.places.items()
        taken += [self.speaks(TextValue.placed(key, at), "", under) for key, at in keys]
        return any(taken)

    def under(self, key: str, child: Any, frame: str) -> str:
        """The frame of what stands below a key: the key in its own."""
        if not isinstance(child, TextValue | list | Mapping):
            return frame
        return self.collector.frames.add("key", str(key), frame)

    def speaks(self, text: TextValue, name: str, under: str) -> bool:
        """Take in a text that stands where no record is, if it is one for a reader."""
        if not self.memory or not reads_as_prose(text):
            return False
        if id(text) in self._told:  # what aliases share is written once
            return True
        self._told[id(text)] = text
        self.statement("", text, {"section": name, "record_id": "", "context": under})
        return True

    def walk_list(self, values: list[Any], name: str, depth: int, under: str) -> bool:
        taken = []
        for value in values:
            said = isinstance(value, TextValue) and name in LIST_KEYS and " " in value
            if said:
                self.statement("", value, {"section": str(name), "record_id": "", "context": under})
            taken.append(said or self.walk(value, name, depth + 1, under))
        for value, found in zip(values, taken, strict=True):
            if not found and any(taken) and isinstance(value, Mapping):
                self.unknown(value)
        return any(taken)

    def unknown(self, value: Mapping) -> None:
        line = self.line(value.at)
        self.collector.skip(line, line, "an object that is no memory record")

    def record(self, value: Mapping, under: str) -> bool:
        """Take in one record; False where the object is none."""
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
        said = {id(text) for _, text in statements}
        beside = _beside(value, said)
        fields["context"] = self.collector.frames.add("fields", beside, under) if beside else under
        for prefix, text in statements:
            self.statement(prefix, text, fields)
        self.beside(value, {id(text) for _, text in statements}, fields)
        return True

    def beside(self, value: Mapping, said: set[int], fields: dict[str, Any]) -> None:
        """Take in what a record says beside its statements; names are part of those."""
        told = _NAMES if not self.memory else frozenset(_told(value))
        for key, text in texts(value, seen=self._told):
            if id(text) in said or key in told or len(text.split()) < _WORDS:
                continue
            if key not in _NAMES or reads_as_prose(text):
                self.statement("", text, fields)
        if self.memory:
            for key in filter(reads_as_prose, all_keys(value)):
                self.statement("", key, fields)

    def note(self, lines: list[TextValue]) -> None:
        """Take in a comment of one or more lines, if it speaks to its reader."""
        if not self.memory or not reads_as_prose(" ".join(lines)):
            return
        excerpt = Excerpt()
        for line in lines:
            excerpt.add(f"{line}\n", self.offset(line.at))
        fields = {"section": "#", "record_id": "", "block": 1, "form": Form.RECORD}
        take_in(self.collector, excerpt, fields, self.lines.position)

    def smuggling(self, value: Any) -> None:
        """Note what escapes write that no person sees."""
        if self.memory and "\\" in self.text:
            for text in (*(text for _, text in texts(value)), *all_keys(value)):
                self._smuggled += ((self.line(text.at), said) for _, _, said in invisible(text))

    def statement(self, prefix: str, text: TextValue, fields: dict[str, Any]) -> None:
        """Take in a record's text. Its claims stand where they are read, or, where the file writes
        the text otherwise, all at its beginning."""
        at = self.offset(text.at)
        first = self.lines.position(at)
        verbatim = self.text.startswith(text, text.at)
        lead = at - len(prefix.encode())

        def locate(offset: int) -> tuple[int, int]:
            return self.lines.position(max(at, offset)) if verbatim else first

        excerpt = Excerpt()
        excerpt.add(f"{prefix}{text}", lead)
        if not text.strip():
            self.collector.skip(first[0], first[0], "an empty record")
        fields = {**fields, "block": 1, "form": Form.RECORD}
        take_in(self.collector, excerpt, fields, locate, stated=len(text.split()) <= _SHORT)

    @property
    def found(self) -> Extraction:
        if self.collector.claims:
            for at, key in self.repeated:
                self.broken(at, f"the key {key!r} stands twice in one object")
        elif not (self.collector.problems or self.collector.skipped) and self.text.strip():
            self.collector.skip(1, self.line(len(self.text)), "no memory records")
        return reported(self.collector.found, self._smuggled)


def _told(value: Mapping) -> Iterator[str]:
    """The keys whose texts a record's statements hold."""
    if "observations" in value:
        yield from ("name", "entityName")
    if set(_RELATION) <= value.keys():
        yield from _RELATION


def _statements(value: Mapping) -> Iterator[tuple[str, TextValue]]:
    """(prefix, text) of what a record states. Raises FieldError where it is broken."""
    observations = value.get("observations")
    if isinstance(observations, TextValue | list):
        yield from _observed(value, observations)
    elif value.get("type") == "relation" or set(_RELATION) <= value.keys():
        words = [value.get(key) for key in _RELATION]
        if not all(isinstance(word, TextValue) for word in words):
            raise FieldError("a relation needs the texts 'from', 'to' and 'relationType'")
        begin, end, relation = words
        yield "", TextValue.placed(f"{begin} {relation} {end}", begin.at if begin else 0)
    else:
        yield from (("", text) for text in _texts_of(value))


def _observed(value: Mapping, observations: Any) -> Iterator[tuple[str, TextValue]]:
    name = value.get("name", value.get("entityName", ""))
    for observation in [observations] if isinstance(observations, TextValue) else observations:
        text = observation.get("content") if isinstance(observation, Mapping) else observation
        if not isinstance(text, TextValue):
            raise FieldError("an observation is not a text")
        yield (f"{name}: " if name else ""), text


def _texts_of(value: Mapping) -> list[TextValue]:
    """The texts of a record: of a memory any, of another only what is more than a word."""
    memory = bool(MEMORY_KEYS & value.keys())
    for key in (k for k in TEXT_KEYS if k in value):
        text = value[key]
        parts = text if isinstance(text, list) else [text]
        said = [p for p in parts if isinstance(p, TextValue) and (memory or " " in p.strip())]
        if said:
            return said
        if memory and isinstance(text, int | float | None):
            raise FieldError(f"{key!r} is not a text")
    return []


def _beside(value: Mapping, said: Collection[int]) -> str:
    """The short values of a record beside what it states: a reader takes them for its
    circumstances. When it was last touched is none."""
    found = []
    for key, one in value.items():
        parts = one if isinstance(one, list) else [one]
        short = [p for p in parts if not isinstance(p, list | dict) and id(p) not in said]
        words = [str(p) for p in short if p is not None and len(str(p).split()) < _WORDS]
        if words and key not in _PASSING:
            found.append(f"{key}: {', '.join(words)}")
    return "; ".join(found)


def extract_json(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Records of a JSON text."""
    return _whole(RecordReader(source, doc_class, role), read_json)


def extract_yaml(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Records of a YAML text, and what it says beside its values."""
    return _whole(RecordReader(source, doc_class, role), read_yaml, _take_in_notes)


def _take_in_notes(reader: RecordReader, text: str) -> None:
    if not reader.memory:
        return
    for note in yaml_notes(text):
        if note.named:
            name = note.lines[0]
            reader.collector.problem(reader.line(name.at), *wordy_name(name))
        else:
            reader.note(note.lines)


def _whole(
    reader: RecordReader,
    read: Callable[[str], Any],
    beside: Callable[[RecordReader, str], None] = lambda *_: None,
) -> Extraction:
    # A blank keeps the offsets behind a byte order mark right.
    text = " " + reader.text[1:] if reader.text.startswith("\ufeff") else reader.text
    if not text.strip():
        return Extraction()
    try:
        value = read(text)
        reader.walk(value)
        reader.smuggling(value)
        beside(reader, text)
    except FieldError as error:
        line = reader.line(error.offset)
        reader.collector.problem(line, "unreadable", str(error), reader.tier)
    return reader.found


def extract_json_lines(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Records of a JSON Lines text; a broken line loses no other."""
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
            reader.smuggling(value)
            taken.append(reader.walk(value))
            values.append(value)
        except FieldError as error:
            reader.broken(start + error.offset, str(error))
    for value, found in zip(values, taken, strict=True):
        if not found and any(taken) and isinstance(value, Mapping):
            reader.unknown(value)
    return reader.found


def _shift(value: Any, by: int) -> None:
    """Move the places of a value and all below it."""
    if isinstance(value, TextValue | Mapping):
        value.at += by
    if isinstance(value, Mapping):
        value.places = {key: at + by for key, at in value.places.items()}
        value = [*value.values(), *value.former]
    for child in value if isinstance(value, list) else ():
        _shift(child, by)
