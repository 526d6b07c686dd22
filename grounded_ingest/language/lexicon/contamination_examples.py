"""What each kind of contamination flags and passes: (source, memory), or texts of a memory alone.

The source is the decision of an accepted ADR, or the message of a commit; `{}` is its citation.
"""

OF_DECISIONS: dict[str, tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]] = {
    "abstraction_error": (
        (
            ("A failed upload is retried 3 times.", "A failed upload is retried 5 times ({})."),
            ("The gateway is written in Python.", "The gateway is written in Rust ({})."),
            ("Exports are encrypted with a team key.", "Exports are not encrypted with a team key ({})."),
            ("Clients log in at the gateway with OAuth2.", "Clients log in at the gateway with Kerberos ({})."),
        ),
        (
            ("A failed upload is retried 3 times.", "A failed upload is retried three times ({})."),
            ("A failed upload is retried 3 times.", "A failed upload is retried ({})."),
            ("Exports are never sent without encryption.", "Exports are not sent without encryption ({})."),
        ),
    ),
    "hallucinated_memory_write": (
        (
            ("Labels are printed by a print service.", "The ledger is replicated to two regions ({})."),
            ("Tours start at the depot.", "Webhooks must be signed with a shared secret ({})."),
        ),
        (
            ("The ledger is kept in PostgreSQL.", "The ledger is replicated to two regions ({})."),
            ("Labels are printed by a print service.", "The {} rule holds for every replicated ledger of a region."),
            ("Labels are printed by a print service.", "Das Hauptbuch wird in zwei Regionen repliziert ({})."),
        ),
    ),
    "spurious_inference_stored": (
        (
            ("Tours are planned at night.", "Tours are planned at night because traffic reports arrive late ({})."),
            ("Invoices are sent as PDF files.", "Invoices are sent as PDF files to satisfy the tax office ({})."),
            ("Receivers may skip the check of a signature.", "All receivers always skip the check of a signature ({})."),
            ("Some parcels are weighed twice at the depot.", "All parcels are weighed twice at the depot ({})."),
        ),
        (
            ("Tours are planned at night, because traffic is low.", "Tours are planned at night because traffic is low ({})."),
            ("Tours are planned at night.", "Tours are planned at night ({})."),
            ("Parcels are weighed twice at the depot.", "All parcels are weighed twice at the depot ({})."),
            ("Some parcels are weighed twice at the depot.", "Some parcels are weighed twice at the depot ({})."),
        ),
    ),
}  # fmt: skip

OF_EVENTS: dict[str, tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]] = {
    "generalization_error": (
        (
            ("The import failed on 2026-03-04 after the map update.", "The import always fails after a map update (commit {})."),
            ("Last week the scanner lost its pairing in depot 2.", "The scanner loses its pairing every week in depot 2 (commit {})."),
            ("Ana restarted the mail service by hand on Monday.", "Ana usually restarts the mail service by hand (commit {})."),
        ),
        (
            ("The import failed on 2026-03-04 after the map update.", "The import failed on 2026-03-04 after the map update (commit {})."),
            ("The import always fails after a map update.", "The import always fails after a map update (commit {})."),
            ("Imports are retried every night.", "Imports are retried every night (commit {})."),
            ("The import failed on 2026-03-04 after the map update.", "The map is updated by the import (commit {})."),
        ),
    ),
}  # fmt: skip

UPDATES = {
    "update_error": (
        (
            ("The upload limit is 10 MB.", "The upload limit is 25 MB."),
            ("The gateway is written in Python.", "The gateway is written in Go."),
            ("The ledger is not replicated to other regions.", "The ledger is replicated to other regions."),
        ),
        (
            ("The upload limit is 10 MB.", "The upload limit is 25 MB (changed from 10 MB)."),
            ("The upload limit is 10 MB.", "The limit of an upload is 10 MB."),
            ("The release of the app was on 2026-03-04.", "The release of the app was on 2026-04-04."),
            ("Use port 80 for it.", "Use port 81 for it."),
        ),
    ),
}  # fmt: skip
"""A memory that stands in two documents, and what this change makes of it in one of them."""

MIXED = {
    "mixed": (
        (
            "The build broke on 2026-03-01, which shows that the cache is unsafe.",
            "We moved to Fly.io last week because it is cheaper for small teams.",
            "Redis stores the sessions; PostgreSQL keeps the ledger.",
        ),
        (
            "The build broke on 2026-03-01.",
            "The cache is unsafe; never share it between jobs.",
            "Ana owns the billing module and the gateway.",
            "We moved to Fly.io because it is cheaper for small teams.",
        ),
    ),
}
