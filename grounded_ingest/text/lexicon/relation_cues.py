"""Words that state how a claim is related to the claim before or after it. Each entry has a
relation, a word and a pattern. The pattern matches the beginning of a claim, in lower or upper
case. The word gives the direction of the relation. `before`: from the previous claim to this one.
`this`: from this claim to the previous one. `next`: from this claim to the next one."""

DISCOURSE = (
    (
        "leads_to", "before",
        r"(?:and )?(?:therefore|thus|hence|consequently|accordingly|as a (?:result|consequence)|"
        r"because of (?:this|that)|for (?:this|that) reason|due to (?:this|that)|"
        r"which is why|that is why|this is why|that's why|"
        r"(?:this|that) (?:leads? to|led to|caused|causes|resulted in|results in|means that))\b",
    ),
    (
        "instance_of", "this",
        r"(?:for (?:example|instance)|e\.g\.|(?:an|one) example:|example:|a case in point)(?![\w-])",
    ),
    (
        "elaborates", "this",
        r"(?:specifically|in particular|in other words|that is(?: to say)?,|i\.e\.|more precisely|"
        r"in detail|concretely|namely|to be (?:precise|specific|clear))(?![\w-])",
    ),
    (
        "derived_from", "this",
        r"(?:based on (?:this|that|these|the above)|"
        r"from (?:this|that|these)(?:,| we| it| one| follows)|"
        r"it follows(?: from (?:this|that))? that|we (?:conclude|inferred|concluded)|"
        r"(?:this|that|which) (?:shows|suggests|implies|indicates) that|conclusion:|lesson(?: learned)?:)",
    ),
    (
        "supports", "this",
        r"(?:evidence(?: for (?:this|that))?:|proof:|measured:|"
        r"(?:this|that) (?:is|was|has been) (?:confirmed|borne out|backed|shown|proven|verified) by\b|"
        r"(?:the )?(?:tests?|logs?|measurements?|benchmarks?) (?:confirm|confirmed|show|showed) (?:this|that|it)\b)",
    ),
    ("context_for", "next", r"(?:background|context|for context|to set the scene)\b[:,]"),
    (
        "contradicts", "this",
        r"(?:contrary to (?:this|that|the above)|(?:this|that) contradicts (?:this|that|the above)|"
        r"in contradiction to (?:this|that|the above))\b",
    ),
)  # fmt: skip

SUPERSEDES = (
    r"\W*(?:\b(?:status|this (?:adr|decision|record|document)|it|accepted|approved|active|final|and|"
    r"which|is|was|has|been)\b[\W\d]+)*"
    r"(?P<verb>supersedes?|replaces|obsoletes|superseding|replacing|"
    r"super[sc]eded(?: (?:on|in) [\d-]+)?(?: by)?:?|replaced by:?|obsoleted by:?)(?=\W)"
)
PARTLY = r"\b(?:part(?:ly|ial|ially)?|in part|amend(?:s|ed|ment)?|clause|section \d)\b"

RECORD_TYPES = {
    "supports": "supports evidences backs confirms proves informs validates",
    "instance_of": "instance_of is_instance_of example_of is_a isa is_an occurrence_of",
    "derived_from": "derived_from concluded_from inferred_from based_on follows_from learned_from",
    "leads_to": "leads_to causes caused triggers triggered results_in resulted_in led_to",
    "context_for": "context_for background_for",
    "elaborates": "elaborates details refines specifies elaborates_on clarifies",
    "contradicts": "contradicts conflicts_with supersedes replaces updates revises disagrees_with",
}
INVERTED_TYPES = {
    "supports": "supported_by evidenced_by confirmed_by backed_by informed_by",
    "instance_of": "has_instance has_example",
    "derived_from": "source_of",
    "leads_to": "caused_by results_from resulted_from triggered_by",
    "context_for": "has_context in_the_context_of",
    "elaborates": "elaborated_by detailed_by specified_by",
    "contradicts": "contradicted_by superseded_by replaced_by updated_by revised_by",
}
"""Relation types of the knowledge-graph format in snake case. The types in the second table have
the opposite direction. Other types are not relations."""
