"""Every rule a report can name: the rows of the decision table in order, then the problems."""

from __future__ import annotations

from msgspec import Struct

from grounded_ingest.model.claims import Tier


class Rule(Struct, frozen=True):
    """`tier` is the default one, 0 for what is said and not counted. A `fixed` rule cannot be moved
    by a policy. `summary` says when it applies, `way_out` what to do."""

    id: str
    tier: int
    fixed: bool
    summary: str
    way_out: str

    @property
    def actions(self) -> tuple[str, ...]:
        """What a policy may make of it."""
        if self.fixed:
            return ()
        return ("block", "review") if self.tier == Tier.BLOCK else ("block", "review", "off")


_TABLE = (
    Rule(
        "rejected",
        3,
        True,
        "A reviewer rejected this claim.",
        "Remove or correct it. If the reviewer was wrong, a later line in the document's review log"
        " (`.grounded/reviews/`) takes the rejection back.",
    ),
    Rule(
        "speculation",
        3,
        False,
        "The author is guessing: a personal guess, an admitted doubt, or a suggestion (“I think”,"
        " “not sure if”, “maybe we should”).",
        "Find out and state it with its source, or label it as open (“Open questions:”,"
        " “Hypothesis:”). Wording it more firmly without a source only moves it to review.",
    ),
    Rule(
        "conflicting-update",
        3,
        False,
        "The claim repeats a grounded one with one number, version or negation changed, and does"
        " not say that it changed.",
        "If the value changed, say so (“changed from X to Y”) or correct the older claim in the"
        " same commit. If it did not, remove this one.",
    ),
    Rule(
        "duplicate",
        3,
        False,
        "The claim says what a grounded memory already says.",
        "Remove it, or refer to the memory that holds it. To revise that memory, edit it in place.",
    ),
    Rule(
        "approved",
        1,
        True,
        "A person approved this claim, and the approval is on record.",
        "Nothing to do. The approval ends when the claim is changed or removed.",
    ),
    Rule(
        "check-failed",
        2,
        True,
        "A check of this claim could not run, so nothing is known in its favour.",
        "Remove the cause named in the message and run the check again.",
    ),
    Rule(
        "contradicted-by-source",
        2,
        False,
        "The source this claim cites exists and seems to say something else.",
        "Read the quoted passage and correct the claim, or cite the source that really says it. If"
        " the passage speaks of something else, a reviewer can approve the claim.",
    ),
    Rule(
        "contradiction",
        2,
        False,
        "The claim contradicts another one and does not say so.",
        "Keep the one that is true. If the fact changed, disclose it: “is now Y, previously X”.",
    ),
    Rule(
        "technical-hedge",
        2,
        False,
        "The claim qualifies itself (“usually”, “roughly”, “unclear”), so what it states is open.",
        "State the exact condition or value with its source, or leave it for a reviewer.",
    ),
    Rule(
        "repeat",
        2,
        False,
        "The same text already stands elsewhere in the knowledge base.",
        "Keep one and link to it. If the documents are copies on purpose, name them in `mirrors`.",
    ),
    Rule(
        "refuted-citation",
        2,
        False,
        "Something this claim cites does not exist, or no longer holds.",
        "Correct the citation. If the thing is gone on purpose, say so (“removed `x`”), or cite"
        " what replaced it.",
    ),
    Rule(
        "ignored",
        2,
        True,
        "An ignore comment keeps this claim from being blocked; it waits for a person instead.",
        "Have it reviewed, or correct the claim and remove the comment.",
    ),
    Rule(
        "contamination",
        2,
        False,
        "A memory is not what its source is: a value changed, a reason invented, an event made a"
        " rule, an old version left, types mixed.",
        "Say what the source says, date the event, store apart what is mixed, or correct the old"
        " version in the same commit.",
    ),
    Rule(
        "hidden-text",
        2,
        False,
        "Agents read this text, but a person who looks at the rendered page does not see it.",
        "Make it visible, or remove it.",
    ),
    Rule(
        "unsupported",
        2,
        False,
        "The cited source exists but says nothing about this claim.",
        "Cite the place that says it, with lines for a file, or state only what the source says.",
    ),
    Rule(
        "unverified-citation",
        2,
        False,
        "Whether the citation holds could not be found out; the reason stands beside it.",
        "Do what the reason asks for (fetch the full history, set a token, go online), cite what"
        " can be looked up, or have the claim reviewed.",
    ),
    Rule(
        "verified-citation",
        1,
        True,
        "The claim cites a source that was looked up and holds.",
        "Nothing to do.",
    ),
    Rule(
        "trusted-source",
        1,
        True,
        "The document comes from a source that this repository's configuration trusts.",
        "Nothing to do. See `sources` and `trusted_sources` in the configuration.",
    ),
    Rule(
        "stated-decision",
        1,
        True,
        "A decision taken from a conversation, in a document that the configuration names as such.",
        "Nothing to do. See `sources` in the configuration.",
    ),
    Rule(
        "stated-preference",
        1,
        True,
        "A preference stated in a conversation or chat, in a document that the configuration names"
        " as such.",
        "Nothing to do. See `sources` in the configuration.",
    ),
    Rule(
        "ungrounded",
        2,
        True,
        "Nothing shows yet where this claim comes from.",
        "Cite what it rests on (`src/x.py:12`, an ADR, a commit, an issue, a URL), or have a"
        " reviewer approve it in the document's review log (`.grounded/reviews/`).",
    ),
)

_PROBLEMS = (
    Rule(
        "scope",
        0,
        True,
        "The run looked at something else than was asked for, and says at what.",
        "Nothing to do, unless the scope surprises you.",
    ),
    Rule(
        "not-granted",
        0,
        True,
        "The configuration asks for an address or a secret that the user of this machine did not"
        " grant. It is ignored.",
        "Ignore it, or grant it outside the work tree:"
        ' `git config --add grounded-ingest.grant "tracker URL VARIABLE"`.',
    ),
    Rule(
        "judge",
        0,
        True,
        "The configured judge of support was not asked, or could not be.",
        "Do what the message asks for. What waits for the judge's opinion is unknown until then.",
    ),
    Rule(
        "lost-source",
        0,
        True,
        "This change removes or moves something that an existing claim cites.",
        "Correct the citing claim: cite what took the place of its source, or remove it.",
    ),
    Rule(
        "unreadable",
        3,
        True,
        "A document could not be read, so none of its text was judged. It blocks in class `memory`,"
        " where agents will read it anyway, and waits for review elsewhere.",
        "Repair the document (UTF-8, size and nesting within the limits), or list it in `exclude`.",
    ),
    Rule(
        "unread",
        2,
        True,
        "Agents can read a text in a memory place that no claim was taken from: a format that is"
        " not read, a link or import out of the repository, a submodule, characters nobody sees.",
        "Write it where it is read (Markdown, text, records), list it in `exclude` when no agent"
        " reads it, or look at it yourself. `preset: strict` makes it fail.",
    ),
    Rule(
        "broken-record",
        3,
        True,
        "A record of a readable file could not be understood, so it was not judged. It blocks in"
        " class `memory` and waits for review elsewhere.",
        "Correct the record at the line named.",
    ),
    Rule(
        "stale-sidecar",
        0,
        True,
        "The evidence file of a document is missing, broken or behind its text. With `--locked` it"
        " makes the run fail.",
        "Run `grounded-ingest check --write` on the document and commit its evidence file.",
    ),
    Rule(
        "config-change",
        0,
        True,
        "This change alters the configuration. It was judged by the one on base; the new one holds"
        " once it has landed.",
        "Review the differences listed as you would review code.",
    ),
    Rule(
        "advisory-approval",
        0,
        True,
        "Claims have an approval on record that does not count, or not yet.",
        "Let it land, have the approving commit signed by a key base lists, or have the head commit"
        " reviewed by somebody who may approve.",
    ),
    Rule(
        "queue-full",
        0,
        True,
        "More claims wait for review than the configuration lets wait.",
        "Review some (`grounded-ingest review`), cite sources so that fewer wait, or raise the"
        " limits under `review`.",
    ),
    Rule(
        "unused-ignore",
        0,
        True,
        "An ignore comment suspends nothing.",
        "Remove it.",
    ),
    Rule(
        "ignore-without-reason",
        0,
        True,
        "An ignore comment gives no reason and has no effect.",
        'Add one: `<!-- grounded: ignore[rule] reason="…" -->`, or remove the comment.',
    ),
)

ROWS: tuple[str, ...] = tuple(r.id for r in _TABLE)
PROBLEMS: tuple[str, ...] = tuple(r.id for r in _PROBLEMS)
RULES: dict[str, Rule] = {r.id: r for r in (*_TABLE, *_PROBLEMS)}
