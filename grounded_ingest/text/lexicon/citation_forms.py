"""Patterns of citations, and of the words that introduce them, such as "see"."""

NUMBER = r"\d{1,4}[a-z]?(?:-\d+)?"
"""Matches the number of a decision record (ADR), or a range of numbers."""
LINK = r"!?\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)"
CITED = (
    r"(?i)\bADRs?[-\s_#]{0,2}\d{1,4}\b(?![\w.-]*\.md\b)(?:\s?(?:–|-|to)\s?\d+|(?:/\d{1,4}\b)+|(?:,\s?0\d{2,3}\b)*(?:,?\sand\s0\d{2,3}\b)?)|\b(?:commits?|sha)\s+`?[0-9a-f]{7,40}\b`?|https?://[^\s)>\]`\";\0]*[^\s)>\]`\";\0.,:!?]"
    r"|`[0-9a-f]{7,40}`|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|(?:(?<![\w&.-])[\w.-]+/[\w.-]+|(?<![\w&]))#\d+\b|\bGH-\d+\b|(?<=\()\d{4}-\d\d-\d\d(?=\))|\[\d+\]|\[\^[^\]]*\]|§\s?[\d.]*\d|\b(?:PR|MR)\s?\d+\b|\blines?\s[~≈]?\d+(?:\s?[-–]\s?\d+)?"
)
LINES = (
    r"(?:(?::|#L|\s?[,/+&]\s?:?(?=\d+\b[^\s]))\d+(?:[-–]L?\d+)?)*`?(?:\s?[,/]\s?`?:\d+(?:-\d+)?`?)*"
)

_MARK = r"[`*_\[<]{0,4}\0[`*_\]>]{0,4}"
_MARKS = rf"{_MARK}(?:(?:[ ,;:&+/–-]|\b(?:and|or)\b){{0,8}}{_MARK})*"
_LEAD = r"(?:\b(?:see also|also see|see|per|cf)\b[.,:]? ?){0,2}"
_LOOSE = r"(?:\b(?:see|also|per|cf|as of|since|in|with|by|via|at|from|under|and|commits?|ref)\b[.,:]? ?){0,4}"
_ASIDE = r"(?:[ `,;:&+–*_\[\]<>\0-]|\b(?:see|per|cf\.?|also|in|via|at|by|and|or|ref|lines?|[A-Z]{1,5}-\d+|\d+[-–]\d+)\b)"
_OPENS = r"(?:^|(?<=[.:;] ))"
# `\0` stands for a citation. The alternatives match, in this order: parentheses with only
# citations; the end of other parentheses; a whole sentence or its beginning; the end of a sentence,
# except the space behind a label; any other citation, except a "See" that is the verb of its
# sentence.
LEFT_OUT = (
    rf"(?i) ?\((?=[^()]*\0){_ASIDE}*\)|[,;:]? ?{_LOOSE}{_MARKS}(?= ?\))"
    rf"|{_OPENS}{_LOOSE}{_MARKS} ?(?:, ?|\.(?= |$))|{_OPENS}(?:(?:per|in|as of|since|by|under|from|with) )?{_MARKS}"
    rf"|(?:(?<![.:;]) )?{_LOOSE}{_MARKS}(?= ?(?:[.,;]|$))|(?<!^)(?<![.:;] ){_LEAD}{_MARKS}|{_MARKS}"
)
