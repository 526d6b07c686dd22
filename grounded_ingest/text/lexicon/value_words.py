"""Words of values: phrases that give a setting a number, and names of settings in code."""

_LINK = (
    r"(?:(?: (?:is|are))?(?: (?:set|limited|capped|fixed))?(?: (?:of|to|at))?| defaults? to|:| =)"
)
_START = r"(?:^|[.;:(|] |\b(?:[Tt]he|[Aa]n?|[Oo]ur|[Ii]ts|with|has|have|uses?) )"
VALUE_FORMS = (
    ("", _START + r"(?P<words>[A-Za-z]+(?:[ -][A-Za-z]+){1,5}?)" + _LINK + " {n}"),
    ("", r"\b(?:[Aa]n?|[Tt]he) {n}(?P<words>(?: [A-Za-z]+){1,3})"),
    ("max", r"\b(?:[Aa]t most|[Uu]p to|[Nn]o more than|maximum of) {n}(?P<words>(?: [A-Za-z]+){1,3})"),
    ("max_retries", r"\b[Rr]etr(?:y|ies|ied)\b[^.;]{0,30}? {n} times"),
    ("line_length", r"^(?:All |Code )?[Ll]ines (?:are|must|should|may|have)\b[^.;]{0,40}? {n} (?:characters|columns)\b"),
    ("port", r"\bport(?: is| defaults to|:)? {n}"),
)  # fmt: skip
"""Patterns for a number, which stands for `{n}`. The name of what has the number is the first text
and the `words`."""
VALUE_STOPS = "the a an our its of for number value total count each every"
"""Words that the name in code leaves out."""
VAGUE = r"(?:max|min|default)_(?:length|size|width|height|limit|items)"
"""Matches names that mean too many things."""
SHORT_FORMS = {"maximum": "max", "minimum": "min"}
UNIT_ENDINGS = {
    "time": "ms millis seconds secs sec s minutes mins hours days",
    "size": "bytes kilobytes megabytes kb mb",
}
"""Ends of names that give the unit of the value, by dimension."""
SETTINGS = {
    "line_length": "line-length line_length max-line-length max_line_length printWidth lineWidth max_width",
    "coverage_threshold": "fail_under fail-under minimum_coverage",
    "port": "PORT DEFAULT_PORT default_port defaultPort DefaultPort",
}
"""Names of settings that code and configuration files call by other words."""
WRITTEN_AMOUNT = (
    r"(?:std::time::)?Duration(?:\.of|::from_)([A-Za-z]+)\((\d[\d_]*)\)$"
    r"|(?:datetime\.)?timedelta\(([a-z]+)=(\d[\d_.]*)\)$|(\d[\d_]*)\.([a-z]+)$"
)
"""Matches a number and its unit, in either order, as Java, Rust, Python and Ruby write it."""
