"""How a text obliges, forbids, leaves free or promises, as regular expressions."""

MUST = r"\b(?:must|shall|required|requires?|mandatory|(?:has|have|needs?) to|obliged)\b"
MUST_NOT = r"\b(?:(?:must|shall|may) (?:not|never)|mustn['’]t|shan['’]t|prohibited|forbidden|not (?:allowed|permitted))\b"
MAY = (
    r"\b(?:may|optional(?:ly)?|(?:is|are) allowed to|permitted|(?:not|isn['’]t|aren['’]t) (?:required|mandatory|obliged)|sometimes|at (?:its|their|his|her) discretion"
    r"|(?:do|does)(?:n['’]t| not) (?:have|need) to|need not|needn['’]t|no need to)\b"
)
PROMISED = r"\bwill\b"
# The verb that is obliged, forbidden or left free, where one is.
GOVERNED = r"\b(?:must|shall|may)(?: not| never)? ([a-z]+)|\b(?:required|optional|mandatory|forbidden|prohibited|permitted)\b"
