"""Words between a statement and what a wordier one adds to it, and words by which that restricts it."""

ADDING = r"[,;:.]\s+|\s+[–—-]+\s+|\s+(?=(?:and|because|since|which|via|using|thus|hence|thereby|so that|as it|as they|as this)\s)"
"""What a wordier claim adds begins behind one of these."""

RESTRICTING = (
    "if when whenever unless only except but until till while before after during instead however may might could should would must can "
    "usually mostly often sometimes rarely formerly previously was were used longer though although where whereas for otherwise optionally "
    "optional partly depending provided assuming or than yet either both starting from once later"
)
"""One of these, or a denial, in what is added may take back, bound or change what stands before it."""

PLACING = "in on at for under of to within inside by with across per as"
"""Without a verb of its own, what begins with one of these belongs to the statement before it."""

BINDING = "only either both between all any every each"
"""With one of these, or a denial, what is added behind `and` or a comma belongs to the statement itself."""
