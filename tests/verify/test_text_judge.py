"""`verify --source`: what sources bear out, what they contradict, and what they do not say.

Each true claim has a false twin that differs in one thing, so that a rule which calls everything
supported, or nothing, fails.
"""

from __future__ import annotations

import pytest

from grounded_ingest.text.names import word_stem
from grounded_ingest.verify.source_words import opposites, read_words
from grounded_ingest.verify.text_judge import (
    NamedSource,
    check_text,
    split_claims,
    type_of_claim,
)

TERMS = """\
# Terms

Payment shall be made within thirty (30) days of receipt. A late fee of 1.5% per month is charged.
The supplier may terminate the contract with 60 days notice.
Confidential information must not be disclosed to third parties.
"""
SERVICE = """\
# Deploy

The staging cluster runs in Frankfurt and is rebuilt each Sunday night. Backups are encrypted with
AES-256 and kept for 90 days. Only administrators can delete a tenant. The gateway refuses uploads
larger than 25 MB. Alice owns the billing service.
"""
ACCESS = """\
Passwords are hashed with argon2id on the server. Sessions expire after 20 minutes of inactivity.
The public API requires an API key; the internal API uses mutual TLS. Failed logins are never logged
with the password.
"""
RELEASE = """\
## Build

- Run `make test` before every release.
- The linter is optional on feature branches, but required on main.
- Python 3.11 is the minimum version.
- Releases are tagged by the release bot, not by hand.
"""
CODE = "PORT = 8443\nREQUEST_TIMEOUT_SECONDS = 30\nMAX_RETRIES = 5\n"

S, U, C = "supported", "unsupported", "contradicted"


def status(claim: str, source: str) -> str:
    (checked,) = check_text(claim, [NamedSource("source.md", source)]).claims
    return checked.status


@pytest.mark.parametrize(
    ("source", "true", "false", "said"),
    [
        # numbers with their units, strictly
        (TERMS, "Payment is due within 30 days.", "Payment is due within 60 days.", C),
        (TERMS, "The late fee is 1.5% per month.", "The late fee is 5%.", C),
        ("1.5%", "1.5%", "5%", C),
        ("thirty (30) days", "30 days", "60 days", C),
        ("A build takes 60 seconds.", "A build takes a minute.", "A build takes 60 minutes.", C),
        (SERVICE, "Backups are kept for 90 days.", "Backups are kept for 30 days.", C),
        (ACCESS, "Sessions expire after 20 minutes.", "Sessions expire after 20 hours.", C),
        (CODE, "The request timeout is 30 seconds.", "The request timeout is 60 seconds.", C),
        ("He was born in May 1970.", "He was born in 1970.", "He was born in 1972.", C),
        # a permission is no duty
        ("Clients may use TLS.", "Clients may use TLS.", "Clients must use TLS.", C),
        # negation
        (TERMS, "Confidential information must not be disclosed.",
         "Confidential information may be disclosed.", C),
        (SERVICE, "Backups are encrypted.", "Backups are not encrypted.", C),
        # opposites and other values of one kind
        (SERVICE, "The gateway refuses large uploads.", "The gateway accepts large uploads.", C),
        (RELEASE, "Run `make test` before a release.", "Run `make test` after a release.", C),
        (RELEASE, "The linter is required on main.", "The linter is optional on main.", C),
        ("The novel is Polish.", "The novel is Polish.", "The novel is Danish.", C),
        ("Caching is disabled by default and can be enabled.", "Caching is disabled by default.",
         "Caching is enabled by default.", C),
        ("Store it below 25 degrees.", "Store it below 25 degrees.", "Store it above 25 degrees.", C),
        ("The parser raises an error instead of ignoring unknown keys.",
         "The parser raises an error.", "The parser is ignoring unknown keys.", C),
        # names and subjects
        (SERVICE, "The staging cluster runs in Frankfurt.", "The staging cluster runs in Dublin.", C),
        (SERVICE, "Alice owns the billing service.", "Bert owns the billing service.", U),
        (ACCESS, "The internal API uses mutual TLS.", "The internal API requires an API key.", U),
        ("Ana reviews code and Tom writes docs.", "Ana reviews code.",
         "Tom reviews code and Ana writes docs.", C),
        # words that say more than the source
        (SERVICE, "Administrators can delete a tenant.", "All users can delete a tenant.", U),
        ("Guests may read it, unless it is sealed.", "Guests may read it, unless it is sealed.",
         "Guests may read it.", U),
        # a false half does not hide behind a true one
        ("The queue is bounded.", "The queue is bounded.",
         "The queue is bounded, and the cache expires daily.", U),
    ],
)  # fmt: skip
def test_a_true_claim_is_supported_and_its_false_twin_is_not(
    source: str, true: str, false: str, said: str
) -> None:
    assert (status(true, source), status(false, source)) == (S, said)


def test_twenty_attacks_on_five_sources_all_fail() -> None:
    """Values, verbs, negations and subjects that are changed; none may be called supported."""
    attacks = {
        TERMS: ["The supplier must terminate the contract with 60 days notice.",
                "The customer may terminate the contract with 60 days notice.",
                "The late fee is 15% per month.", "Payment shall be made within 3 days."],
        SERVICE: ["The production cluster runs in Frankfurt.", "Backups are encrypted with DES.",
                  "Alice left the billing service.", "Alice deletes the billing service.",
                  "The gateway refuses uploads smaller than 25 MB."],
        ACCESS: ["Passwords are hashed with bcrypt on the server.",
                 "Passwords are hashed with argon2id on the client.",
                 "The internal API requires an API key.", "Failed logins are logged.",
                 "The public API uses mutual TLS."],
        RELEASE: ["Python 3.9 is the minimum version.", "Releases are tagged by hand.",
                  "Python 3.11 is the maximum version.", "The linter is forbidden on main."],
        CODE: ["MAX_RETRIES is 3.", "The service listens on port 9102."],
    }  # fmt: skip
    passed = [c for source, claims in attacks.items() for c in claims if status(c, source) == S]
    assert sum(map(len, attacks.values())) == 20
    assert passed == []


def test_every_source_is_read_and_one_is_enough() -> None:
    """A second source used to replace the first."""
    sources = [NamedSource("terms.txt", TERMS), NamedSource("access.md", ACCESS)]
    text = "Payment is due within 30 days. Sessions expire after 20 minutes."
    result = check_text(text, sources)
    assert [(c.status, c.source, c.source_line) for c in result.claims] == [
        (S, "terms.txt", 3),
        (S, "access.md", 1),
    ]
    assert result.should_return


def test_a_text_may_be_returned_only_if_every_claim_is_supported() -> None:
    """The confidence of the seed stays beside it: 0.8 is lost by what is contradicted, 0.3 by what
    is unsupported; below 0.5, or with a contradiction, a text counts as hallucinated."""
    source = [NamedSource("terms.txt", TERMS)]
    expected = {
        "Payment is due within 30 days.": (1.0, False, True),
        "The moon is full of green cheese.": (0.7, False, False),
        "Payment is due within 30 days. The late fee is 5%.": (0.6, True, False),
        "The late fee is 5%.": (0.2, True, False),
        "": (1.0, False, False),
    }
    for text, figures in expected.items():
        result = check_text(text, source)
        got = (result.confidence_score, result.is_hallucinated, result.should_return)
        assert got == pytest.approx(figures), text


def test_the_json_names_the_method_and_the_place() -> None:
    built = check_text(
        "# Terms\n\nThe late fee is 5%.\n", [NamedSource("terms.txt", TERMS)]
    ).as_json
    differs = "the source says 1.5%, the claim 5%"
    assert built == {
        "schema": "grounded-ingest/support/1",
        "method": "by words",
        "claims": [
            {
                "text": "The late fee is 5%.",
                "type": "quantitative",
                "found_in_source": False,
                "source_quote": "A late fee of 1.5% per month is charged.",
                "status": C,
                "source": "terms.txt",
                "source_line": 3,
                "differs": differs,
            }
        ],
        "confidence_score": 0.2,
        "is_hallucinated": True,
        "should_return": False,
        "summary": "1 claim compared by words: 1 contradicted",
        "reasoning": f"'The late fee is 5%.': contradicted, {differs}",
    }


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The fee is 5%.", "quantitative"),
        ("It holds 10 items for 3 days.", "quantitative"),
        ("Payment is due within 30 days.", "temporal"),
        ("Reports must be sent weekly.", "temporal"),
        ("Clients must use TLS.", "obligation"),
        ("Third-party code must be reviewed.", "obligation"),
        ("The queue is bounded.", "general"),
    ],
)
def test_the_first_type_that_fits_is_taken(text: str, kind: str) -> None:
    assert type_of_claim(text) == kind


def test_headings_and_code_are_no_claims() -> None:
    text = "# Title\n\nOne is so. Two is\nso.\n\n- Three is so.\n\n```\nx = 1\n```\n"
    assert split_claims(text) == ["One is so.", "Two is so.", "Three is so."]


def test_the_lists_of_opposites_can_be_read_and_no_word_is_its_own_opposite() -> None:
    assert word_stem("after") in opposites()[word_stem("before")]
    assert [w for w, others in opposites().items() if w in others] == []


def test_words_know_where_they_stand_and_numbers_what_they_count() -> None:
    read = read_words("It is paid within thirty (30) days, twice.")
    assert [(w.text, w.start, w.end) for w in read.words] == [("paid", 6, 10)]
    assert [(a.text, a.value, a.kind) for a in read.amounts] == [
        ("30 days", 2592000.0, "time"),
        ("twice", 2.0, ""),
    ]
