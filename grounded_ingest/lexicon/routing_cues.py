"""How questions ask for what was done, what holds and what is to be done: word sequences.

`START` stands at the beginning of a question, `ANYWHERE` anywhere in it. Each cue counts once.
"""

START = {
    "procedural": (
        "how to", "how do i", "how do you", "how do we", "how do people", "how does one", "how can i",
        "how can we", "how can you", "how should", "how must", "how is one to", "which command",
        "what command", "what commands", "which commands", "which steps", "what steps", "what should",
        "what must", "what do i", "what do we do", "what do you do", "what has to", "what needs to",
        "what is the procedure", "what is the way to", "what are the steps", "should", "must", "may i",
        "may we", "can i", "can we", "am i allowed", "are we allowed", "is it allowed", "is it ok",
        "who has to", "who must", "who should", "when should", "when must", "when do i", "when do we",
        "when may", "where should", "where do i put", "where must", "which rule", "what rule",
        "what rules", "do i need", "do we need", "run", "use",
    ),
    "episodic": (
        "when did", "when was", "when were", "when has", "what happened", "what was done", "what changed",
        "what has changed", "what did", "why did", "why was", "why were", "who did", "who added",
        "who wrote", "who changed", "who removed", "who decided", "which commit", "what commit", "which pr",
        "which release", "how did", "how was", "how were", "how come", "did", "was", "were", "has", "have",
        "since when", "what broke", "what failed", "what went",
    ),
    "semantic": (
        "what is", "what are", "what does", "what kind", "what type", "which", "where is", "where are",
        "where does", "where do", "who is", "who are", "who owns", "how many", "how much", "how long",
        "how large", "how big", "how often", "how far", "how is", "how are", "how does", "why is",
        "why are", "why does", "why do", "is", "are", "does", "do",
    ),
}  # fmt: skip

ANYWHERE = {
    "procedural": (
        "command", "step by step", "steps", "procedure", "runbook", "rule", "policy", "guideline",
        "allowed", "forbidden", "before i", "before we", "before you", "before committing",
        "before merging", "should i", "should we", "must i", "must we", "supposed to", "have to",
        "need to", "make sure", "convention", "workflow", "checklist",
    ),
    "episodic": (
        "last week", "last month", "last year", "yesterday", "today", "recently", "lately", "ago",
        "history", "happened", "incident", "outage", "postmortem", "changelog", "previously",
        "used to", "originally", "at first", "back then", "so far", "last time", "first time",
        "introduced", "removed", "added", "changed", "migrated", "renamed", "fixed", "broke", "session",
    ),
    "semantic": (
        "default", "defined", "located", "stored", "responsible", "meaning", "difference", "value",
        "version", "port", "limit", "owner", "format", "schema",
    ),
}  # fmt: skip

START_WEIGHT = 2.0
ANYWHERE_WEIGHT = 1.0
EACH = 1.0
"""What every type has before any cue: none is ever shut out by the form of a question."""
