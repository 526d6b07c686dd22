"""The author guesses. The words stand in `lexicon/speculation.py`."""

from __future__ import annotations

from grounded_ingest.model.claims import DocClass
from grounded_ingest.rules.rule import Case, Example, Examples, Rule
from grounded_ingest.statements.hedges import detect as detect

META = Rule(
    id="speculation",
    tier=3,
    fixed=False,
    severity="error",
    summary=(
        "The author is guessing: a personal guess, an admitted doubt, or a suggestion (“I think”,"
        " “not sure if”, “maybe we should”)."
    ),
    way_out="Find out and state it with its source, or label it as open (“Open questions:”).",
    yields_in=(DocClass.DOCS,),
)


def applies(case: Case) -> bool:
    return case.shows(META)


EXAMPLES = (
    Examples(
        group="own-guess",
        flags=(
            "I think the cache is shared.",
            "I THINK the cache is shared, definitely.",
            "We believe the queue is bounded.",
            "We still don't believe the lock is needed.",
            "I'd guess the limit is 5.",
            "I'm assuming the worker retries.",
            "We assume the cache is shared.",
            "The worker retries, I suppose.",
            "I doubt the worker retries.",
            "I wonder if the worker retries.",
            "Suspect it's the cache.",
            "The port is 8443, a wild guess.",
            "We can only guess at the cause.",
            "I’m guessing the limit is 5.",
            "I th\u200bink the cache is shared.",
            Example(
                "I think the cache is shared.",
                path="docs/manual/cache.md",
                config="sources: {docs/manual/**: manual}\ntrusted_sources: [manual]\n",
            ),
            "I thіnk the cache is shared.",
        ),
        passes=(
            "We can think of a union as a set.",
            "Think step by step.",
            "The built-in path means parsing imports, guessing the location, and reading by hand.",
            "Assume the role of a reviewer.",
            "Do not assume the cache is warm.",
            "Users think the queue is slow.",
            "When we assume that the cache is warm, the worker starts.",
            "If you think the test is wrong, say so.",
            Example("Run a review if any of these apply:\n\n- I think the design is unclear"),
            "We label issues that we think are a good start.",
            "The guide forbids the phrase “I think” in notes.",
            "The guide forbids the phrase 'I think' in notes.",
            "Do not say I think or I believe in a decision.",
            "I think the cache is shared, is it not?",
            Example("I think the cache is shared.", path="docs/cache.md"),
        ),
    ),
    Examples(
        group="own-view",
        flags=(
            "In my opinion the queue is too slow.",
            "My best guess is a race.",
            "My theory is that the pool is exhausted.",
            "It's my understanding that the port is 8443.",
            "I have a hunch that Redis drops the key.",
            "I feel like the limit is 5.",
            "The queue is too slow, IMO.",
            "Something tells me the lock is taken twice.",
        ),
        passes=(
            "The IMO benchmark has 30 problems.",
            "The user's opinion is stored as a preference.",
            "A theory is a set of sentences.",
        ),
    ),
    Examples(
        group="own-knowledge",
        flags=(
            "As far as I know, the port is 8443.",
            "As far as we can tell the worker retries.",
            "IIRC the port is 8443.",
            "The port is 8443 (AFAIK).",
            "If I remember correctly, the port is 8443.",
            "To the best of my knowledge the worker retries.",
            "I seem to remember the port being 8443.",
        ),
        passes=(
            "The cache counts as far as the limit is concerned.",
            "Orient from memory.",
            "Four calls, five if I remember to open the reference.",
            "Remember the port of the last run.",
        ),
    ),
    Examples(
        group="own-ignorance",
        flags=(
            "I don't know whether retries are enabled.",
            "We don't know yet why the worker dies.",
            "I can't tell whether the worker retries.",
            "I'm not sure which port the worker listens on.",
            "Not sure if the cache is shared.",
            "The test fails on Windows, not sure why.",
            "Unsure whether the worker retries.",
            "No idea why the worker dies.",
            "I have no clue what this flag does.",
            "I haven't figured out how the lock is freed.",
            "Don't know why this fails.",
        ),
        passes=(
            "Don't know yet what you need? Let the agent look around.",
            "Don't know exactly what you need: look around first.",
            "If you are not sure, ask.",
            "Ask a maintainer if not sure.",
            "Not sure which port to use: ask the owner.",
            "A library does not know the size of its input.",
            "Because we don't know how much memory is free, the size is checked.",
            "Tell the user you are not sure.",
            "The user has no idea which port is used.",
            "I am sure the port is 8443.",
        ),
    ),
    Examples(
        group="own-error",
        flags=(
            "I could be wrong, but the cache lives in Redis.",
            "Might be wrong here: the port is 8443.",
            "I may have misread the log.",
            "Correct me if the port is another.",
            "Take this with a grain of salt: the limit is 5.",
        ),
        passes=(
            "The wrong port stops the worker.",
            "An invalid token is mistaken for an expired one.",
        ),
    ),
    Examples(
        group="own-confidence",
        flags=(
            "I'm pretty sure the port is 8443.",
            "Pretty sure the lock is never freed.",
            "We are fairly certain the worker retries.",
            "I'm 90% sure the port is 8443.",
        ),
        passes=(
            "Make quite sure the token is set.",
            "We make sure the token is set.",
        ),
    ),
    Examples(
        group="suggestion",
        flags=(
            "For the queue maybe we should take Kafka.",
            "We could perhaps use Redis.",
            "For the queue perhaps we could take Kafka.",
        ),
        passes=(
            "We should add a cache.",
            "The team could not agree on Redis.",
        ),
    ),
    Examples(
        group="sentence-adverb",
        flags=(
            "Maybe the cache is stale.",
            "Perhaps, the worker is misconfigured.",
            "- maybe use Redis for sessions",
            "Maybe `port` is empty.",
            "The worker died; maybe it ran out of memory.",
        ),
        passes=(
            "Maybe 30 minutes of downtime are planned.",
            "It takes maybe 30 minutes.",
            "Answer yes, no or maybe.",
            "Maybe monads are lazy.",
            "`Maybe` wraps a value.",
            "Never write maybe in a decision.",
        ),
    ),
)
