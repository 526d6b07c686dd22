"""How agents really go wrong: each mutation makes a falsehood of a sentence of the repository.

It returns None where the sentence or the repository has nothing for it. Those of existence, form
and authority must never be written back; those of content need the source's content to be seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from grounded_ingest.bench import false_content as content
from grounded_ingest.bench import false_forms as forms
from grounded_ingest.bench import false_sources as sources
from grounded_ingest.bench import restatements as restated
from grounded_ingest.bench import sentences
from grounded_ingest.bench.false_forms import Mutation

Group = Literal["existence", "form", "authority", "content"]


class Way(NamedTuple):
    """One way to go wrong. `cited`: it starts from a claim with its citation."""

    group: Group
    make: Mutation
    cited: bool = False


MUTATIONS: Mapping[str, Way] = {
    "commit-digit": Way("existence", sources.commit_digit),
    "commit-foreign": Way("existence", sources.commit_foreign),
    "commit-ref-name": Way("existence", sources.commit_of_a_name),
    "commit-unreachable": Way("existence", sources.commit_unreachable),
    "adr-absent": Way("existence", sources.adr_absent),
    "adr-superseded": Way("existence", sources.adr_superseded),
    "adr-ambiguous": Way("existence", sources.adr_ambiguous),
    "adr-range": Way("existence", sources.adr_range),
    "path-absent": Way("existence", sources.path_absent),
    "path-moved": Way("existence", sources.path_moved),
    "path-deleted": Way("existence", sources.path_deleted),
    "line-out-of-range": Way("existence", sources.line_out_of_range),
    "dead-url": Way("existence", sources.dead_url),
    "in-heading": Way("form", forms.in_heading),
    "in-heading-sentence": Way("form", forms.in_form("heading")),
    "in-fence": Way("form", forms.in_form("fence")),
    "in-comment": Way("form", forms.cited_in("comment")),
    "in-hidden-element": Way("form", forms.cited_in("hidden")),
    "in-table": Way("form", forms.in_form("table")),
    "in-record": Way("form", forms.in_form("record")),
    "in-graph-record": Way("form", forms.in_form("graph")),
    "in-import": Way("form", forms.in_form("import")),
    "in-front-matter": Way("form", forms.in_form("front matter")),
    "in-footnote": Way("form", forms.in_form("footnote")),
    "in-html": Way("form", forms.in_form("html")),
    "changed-copy": Way("form", forms.changed_copy),
    "same-change-adr": Way("authority", sources.same_change_adr),
    "same-change-prose": Way("authority", sources.same_change_prose),
    "same-change-comment": Way("authority", sources.same_change_comment),
    "two-commit-adr": Way("authority", sources.two_commit_adr),
    "two-commit-memory": Way("authority", sources.two_commit_memory),
    "inherited-citation": Way("authority", sources.inherited),
    "declared-trust": Way("authority", forms.in_form("trusted record")),
    "declared-front-matter": Way("authority", forms.in_form("trusted front matter")),
    "ignore-comment": Way("authority", forms.ignored),
    "dressed-hedge": Way("authority", forms.dressed_hedge),
    "number": Way("content", content.changed(sentences.number), cited=True),
    "port": Way("content", content.changed(sentences.port), cited=True),
    "version": Way("content", content.changed(sentences.version), cited=True),
    "date": Way("content", content.changed(sentences.date), cited=True),
    "unit": Way("content", content.changed(sentences.unit), cited=True),
    "negation": Way("content", content.changed(sentences.negation), cited=True),
    "obligation": Way("content", content.changed(sentences.obligation), cited=True),
    "entity": Way("content", content.entity, cited=True),
    "contradiction-slot": Way("content", restated.slot, cited=True),
    "contradiction-reversed": Way("content", restated.reversed_claim, cited=True),
    "citation-moved": Way("content", content.citation_moved, cited=True),
    "false-half": Way("content", content.false_half, cited=True),
    "line-of-something-else": Way("content", content.line_of_something_else, cited=True),
    "adr-swapped": Way("content", content.adr_swapped),
    "issue-of-another-topic": Way("content", content.issue_of_another_topic),
}
"""By name, in the order of reports."""
