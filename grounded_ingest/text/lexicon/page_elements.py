"""Elements of an HTML page, grouped by how their text is read. The names are from the HTML Living
Standard."""

from __future__ import annotations

LEFT_OUT = (
    "script style template noscript nav head title iframe object embed applet svg math canvas audio "
    "video picture map select datalist textarea button dialog menu frameset noframes del s strike search"
)
"""HTML elements that are hidden, do not contain prose, or are struck out."""

LEFT_OUT_ROLES = "navigation search menu menubar toolbar dialog banner"

UNSEEN_CLASSES = "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only headerlink linenos linenodiv lineno blob-num"
"""HTML classes with which common frameworks hide text, and HTML classes of paragraph signs and line
numbers."""

BLOCKS = (
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hgroup hr html legend "
    "li main ol p section summary table caption tbody tfoot thead tr ul h1 h2 h3 h4 h5 h6 pre listing xmp td th"
)

AROUND = "footer aside"
"""HTML elements whose text is not read if they are beside the main text."""

CODE = "code kbd samp tt var"
PREFORMATTED = "pre listing xmp"
NO_ROW = "table, pre, ul, ol, dl, h1, h2, h3, h4, h5, h6"
"""HTML elements that make a table row layout: a row with such an element is not read as data."""

MAIN = ("main", '[role="main"]', "article")
"""Selectors for the main text of a page. The first element that is not empty is used."""

UNSEEN_STYLE = (
    r"(?<![\w-])(?:display\s*:\s*none|(?:content-)?visibility\s*:\s*(?:hidden|collapse)"
    r"|(?:opacity|font-size|(?:max-)?(?:height|width))\s*:\s*0(?:\.0*)?(?:px|r?em|pt|%)?\s*(?:!|;|$)"
    r"|(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}|transform\s*:\s*scale[xy]?\(\s*0\s*[,)]"
    r"|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]|clip-path\s*:\s*inset\(\s*(?:50|100)%|color\s*:\s*transparent)"
)
UNSEEN_CHARACTERS = (
    r"[\x00-\x08\x0b\x0e-\x1f\x7f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
