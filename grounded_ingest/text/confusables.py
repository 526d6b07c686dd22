"""Text as a reader sees it: lookalike letters, invisible characters, typographic marks undone."""

from __future__ import annotations

_LOOKALIKES = {
    "a": "аαАΑɑ", "b": "ВΒЬ", "c": "сСϲ", "d": "ԁ", "e": "еЕΕєε", "g": "ɡ", "h": "һНΗ",
    "i": "іІΙıİι", "j": "јЈ", "k": "кКΚκ", "l": "ӏⅼ", "m": "мМΜ", "n": "ոΝп", "o": "оОΟοօσ",
    "p": "рРΡρ", "q": "ԛ", "r": "г", "s": "ѕЅ", "t": "тТΤτ", "u": "υս", "v": "ѵν", "w": "ѡԝ",
    "x": "хХΧχ", "y": "уУΥү", "'": "’‘ʼ′`´＇", '"': "“”„‟″＂",
}  # fmt: skip


class _Table(dict[int, str | None]):
    """Filled as characters are met: most texts need a handful of them."""

    def __missing__(self, code: int) -> str | None:
        import unicodedata

        char = chr(code)
        if code < 128:
            folded: str | None = char
        elif unicodedata.category(char) in ("Cf", "Mn", "Me"):
            folded = None
        elif char.isspace():
            folded = " "
        elif char.isalpha():
            folded = unicodedata.normalize("NFKD", char)[0]
        else:
            folded = char
        self[code] = folded
        return folded


_TABLE = _Table((ord(c), plain) for plain, row in _LOOKALIKES.items() for c in row)
_TABLE[0x115F] = _TABLE[0x1160] = _TABLE[0x3164] = None  # fillers: letters that show nothing


def fold(text: str) -> tuple[str, list[int] | None]:
    """Lower-case text, and for each of its characters where it came from (None: same places)."""
    folded = text.translate(_TABLE).lower()
    if len(folded) == len(text):
        return folded, None
    kept = [i for i, char in enumerate(text) if _TABLE[ord(char)] is not None]
    return folded, kept
