"""Sources, what a memory truly says of them, and what it must not make of them.

Written before the detectors of contamination. {} stands for the citation.
"""

from __future__ import annotations

from typing import NamedTuple


class Told(NamedTuple):
    """A source with faithful and contaminated memories of it."""

    source: str
    faithful: tuple[str, ...]
    contaminated: tuple[str, ...]


DECISIONS = (
    Told(
        "The ledger is exported to object storage every night at 02:00. The export is encrypted with the key of the finance team.",
        (
            "The ledger is exported to object storage every night at 02:00 ({}).",
            "The ledger export is encrypted with the key of the finance team ({}).",
        ),
        (
            "The ledger is exported to object storage every night because the auditors demanded it ({}).",
            "The ledger export is encrypted with the key of the finance team, since the platform team does not trust the storage provider ({}).",
        ),
    ),
    Told(
        "Parcel labels are printed by a separate print service. The print service retries a failed label twice.",
        (
            "Parcel labels are printed by a separate print service ({}).",
            "A failed label is retried twice by the print service ({}).",
        ),
        (
            "Parcel labels are printed by a separate print service because the old printer driver leaked memory ({}).",
            "The print service retries a failed label twice in order to survive network outages at the depots ({}).",
        ),
    ),
    Told(
        "Feature flags are read from a file at start-up. A change of a flag needs a restart of the service.",
        (
            "Feature flags are read from a file at start-up ({}).",
            "Changing a feature flag needs a restart of the service ({}).",
        ),
        (
            "Feature flags are read from a file at start-up to avoid paying for a hosted flag provider ({}).",
            "A change of a flag needs a restart of the service, since the team prefers simple deployments ({}).",
        ),
    ),
    Told(
        "Partner clients are limited to 120 requests per minute. Requests over the limit are answered with 429.",
        (
            "Partner clients are limited to 120 requests per minute ({}).",
            "Requests over the limit of partner clients are answered with 429 ({}).",
        ),
        (
            "Partner clients are limited to 120 requests per minute because a competitor once took the API down ({}).",
            "Requests over the limit are answered with 429 so that partners buy the premium plan ({}).",
        ),
    ),
    Told(
        "Computed routes are cached in memory for ten minutes. The cache is cleared when a road closes.",
        (
            "Computed routes are cached in memory for ten minutes ({}).",
            "The route cache is cleared when a road closes ({}).",
        ),
        (
            "Computed routes are cached in memory for ten minutes due to slow answers of the map vendor ({}).",
            "The cache is cleared when a road closes, because the city of Hamburg complained about detours ({}).",
        ),
    ),
    Told(
        "Addresses are checked against the national register before a delivery is accepted. An address that is not in the register is rejected, except for military post.",
        (
            "Addresses are checked against the national register before a delivery is accepted ({}).",
            "Except for military post, an address that is not in the register is rejected ({}).",
        ),
        (
            "Addresses are checked against the national register because of a lawsuit by a customer ({}).",
            "Every address that is not in the register is always rejected ({}).",
        ),
    ),
    Told(
        "Traces are sampled at 5 percent in production. Staging samples some requests in full.",
        (
            "Traces are sampled at 5 percent in production ({}).",
            "Staging samples some requests in full ({}).",
        ),
        (
            "Traces are sampled at 5 percent in production to save storage costs ({}).",
            "Staging always samples all requests in full ({}).",
        ),
    ),
    Told(
        "The driver app is released on the first Monday of a month. Some fixes are released in between after approval by the release manager.",
        (
            "The driver app is released on the first Monday of a month ({}).",
            "Some fixes of the driver app are released in between after approval by the release manager ({}).",
        ),
        (
            "The driver app is released on the first Monday of a month because store reviews take longer at weekends ({}).",
            "All fixes of the driver app are always released in between after approval by the release manager ({}).",
        ),
    ),
    Told(
        "Access logs are kept for 90 days. Some partners may ask for a longer retention.",
        (
            "Access logs are kept for 90 days ({}).",
            "A partner may ask for a longer retention of access logs ({}).",
        ),
        (
            "Access logs are kept for 90 days because the data protection officer insisted on it ({}).",
            "All partners always ask for a longer retention ({}).",
        ),
    ),
    Told(
        "Webhooks are signed with HMAC-SHA256. Receivers may skip the check in test environments.",
        (
            "Webhooks are signed with HMAC-SHA256 ({}).",
            "In test environments receivers may skip the check of webhooks ({}).",
        ),
        (
            "Webhooks are signed with HMAC-SHA256 because customers were attacked with replayed calls ({}).",
            "All receivers always skip the check in test environments ({}).",
        ),
    ),
    Told(
        "Database backups are taken hourly. A backup is restored once a quarter as a drill, since an unrestored backup proves nothing.",
        (
            "Database backups are taken hourly ({}).",
            "A backup is restored once a quarter as a drill, since an unrestored backup proves nothing ({}).",
        ),
        (
            "Database backups are taken hourly because of the data loss in the Berlin depot ({}).",
            "A backup is restored once a quarter as a drill to satisfy the insurance company ({}).",
        ),
    ),
    Told(
        "Timestamps are stored in UTC, because daylight saving broke the tour plans. The driver app shows them in the time zone of the depot.",
        (
            "Timestamps are stored in UTC because daylight saving broke the tour plans ({}).",
            "The driver app shows timestamps in the time zone of the depot ({}).",
        ),
        (
            "Timestamps are stored in UTC since the founders live in several countries ({}).",
            "The driver app shows timestamps in the time zone of the depot to prevent fines for late tours ({}).",
        ),
    ),
)
"""Decisions; the contaminated memories infer what the source does not say."""

EPISODES = (
    Told(
        "Restore the old map\n\nOn 2026-02-11 the route planner ran out of memory after the map update. Ben restored the old map by hand.",
        ("On 2026-02-11 the route planner ran out of memory after the map update (commit {}).",),
        (
            "The route planner always runs out of memory after a map update (commit {}).",
            "Restore the old map by hand whenever the route planner runs out of memory (commit {}).",
        ),
    ),
    Told(
        "Restart the label printer\n\nThe label printer in depot 4 lost its queue on Tuesday, and a restart fixed it.",
        ("The label printer in depot 4 lost its queue on a Tuesday (commit {}).",),
        (
            "The label printer in depot 4 loses its queue every Tuesday (commit {}).",
            "A restart always fixes the queue of the label printer (commit {}).",
        ),
    ),
    Told(
        "Enlarge the pool for the sale\n\nDuring the spring sale on 2026-03-20 the connection pool was exhausted for 12 minutes.",
        ("The connection pool was exhausted for 12 minutes during the spring sale (commit {}).",),
        (
            "The connection pool is always exhausted during a sale (commit {}).",
            "The connection pool gets exhausted for 12 minutes whenever there is a sale (commit {}).",
        ),
    ),
    Told(
        "Pin the clock in the upload test\n\nBen fixed the flaky upload test yesterday by pinning the clock.",
        ("Ben fixed the flaky upload test by pinning the clock (commit {}).",),
        (
            "Flaky tests are always fixed by pinning the clock (commit {}).",
            "Ben usually fixes flaky upload tests by pinning the clock (commit {}).",
        ),
    ),
    Told(
        "Free space before the deploy\n\nThe deploy of 2026-01-15 failed because the disk was full.",
        ("The deploy of 2026-01-15 failed because the disk was full (commit {}).",),
        (
            "The deploy always fails because the disk is full (commit {}).",
            "Deploys fail every time because the disk is full (commit {}).",
        ),
    ),
    Told(
        "Take in the addresses of Nordpost\n\nLast week Nordpost sent its addresses in Latin-1, and the import rejected 40 of them.",
        (
            "Nordpost once sent its addresses in Latin-1, and the import rejected 40 of them (commit {}).",
        ),
        (
            "Nordpost always sends its addresses in Latin-1 (commit {}).",
            "The import rejects addresses whenever Nordpost sends them (commit {}).",
        ),
    ),
    Told(
        "Renew the certificate\n\nThe certificate of the staging host expired on 2026-04-02, and Ana renewed it by hand.",
        ("The certificate of the staging host expired on 2026-04-02 (commit {}).",),
        (
            "The certificate of the staging host expires every month (commit {}).",
            "Ana always renews the certificate of the staging host by hand (commit {}).",
        ),
    ),
    Told(
        "Note the full queue\n\nOn Friday the delivery queue reached its limit for the first time, during the depot strike.",
        (
            "The delivery queue reached its limit for the first time during the depot strike (commit {}).",
        ),
        (
            "The delivery queue usually reaches its limit on a Friday (commit {}).",
            "The delivery queue reaches its limit every time a depot strikes (commit {}).",
        ),
    ),
    Told(
        "Ship the hotfix\n\nWe skipped the integration tests once on 2026-05-06 to ship the hotfix.",
        (
            "The integration tests were skipped once, on 2026-05-06, to ship the hotfix (commit {}).",
        ),
        (
            "Integration tests are skipped to ship a hotfix (commit {}).",
            "Always skip the integration tests to ship a hotfix (commit {}).",
        ),
    ),
    Told(
        "Guard against double deliveries\n\nA customer in Oslo received a parcel twice on 2026-05-19 after a retry.",
        ("A customer in Oslo received a parcel twice after a retry on 2026-05-19 (commit {}).",),
        (
            "Customers always receive a parcel twice after a retry (commit {}).",
            "A retry generally delivers a parcel to the customer twice (commit {}).",
        ),
    ),
    Told(
        "Prepare the demo\n\nAna chose SQLite for the demo on 2026-06-01 because the venue had no network.",
        ("Ana chose SQLite for the demo on 2026-06-01 (commit {}).",),
        (
            "Ana always chooses SQLite for a demo (commit {}).",
            "Demos use SQLite because a venue has no network (commit {}).",
        ),
    ),
    Told(
        "Wait longer for object storage\n\nThe nightly export was late on 2026-06-14 because object storage was slow.",
        ("The nightly export was late on 2026-06-14 because object storage was slow (commit {}).",),
        (
            "The nightly export is usually late because object storage is slow (commit {}).",
            "The nightly export is always late (commit {}).",
        ),
    ),
)
"""Commits that tell of one event; the contaminated memories make a rule of it."""

STANDING = (
    ("The gateway listens on port {}.", "8080", "8081"),
    ("The request timeout of the gateway is {} seconds.", "30", "45"),
    ("The scheduler starts {} workers at boot.", "4", "6"),
    ("The upload limit for parcel photos is {} MB.", "10", "25"),
    ("The mail service is written in {}.", "Python", "Go"),
    ("The search index is kept in {}.", "Elasticsearch", "Meilisearch"),
    ("Driver tokens are valid for {} days.", "7", "30"),
    ("The depot API requires version {} of the client.", "2.4", "3.0"),
    ("The archive is stored in {}.", "Frankfurt", "Dublin"),
    ("The tour planner is owned by {}.", "Ana", "Ben"),
    ("The cache of the gateway holds {} entries.", "5000", "20000"),
    ("The ledger is replicated to {} regions.", "2", "3"),
    ("Price lists are loaded every {} hours.", "6", "12"),
    ("The label service runs on {}.", "Kubernetes", "Nomad"),
    ("The import job has a memory limit of {} MB.", "512", "1024"),
    ("The staging database is refreshed every {} days.", "7", "14"),
    ("The webhook sender retries a call {} times.", "3", "8"),
    ("The mobile app supports Android {} and later.", "9", "11"),
    ("The depot screens are rendered with {}.", "Svelte", "React"),
    ("The audit log is kept for {} years.", "7", "10"),
    ("The invoice number has {} digits.", "8", "10"),
    ("The tour export is written as {}.", "CSV", "Parquet"),
    ("The connection pool of the gateway holds {} connections.", "20", "40"),
    ("The scanner firmware is pinned to version {}.", "1.8", "2.1"),
)
"""Memories that stand in two documents, with the value before and after."""
