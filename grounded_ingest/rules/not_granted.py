"""The configuration wants what the user of this machine did not grant."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="not-granted",
    tier=0,
    fixed=True,
    severity="note",
    summary=(
        "The configuration asks for an address or a secret that the user of this machine did not"
        " grant. It is ignored."
    ),
    way_out=(
        "Ignore it, or grant it in your own git configuration: `git config --global --add"
        ' grounded-ingest.grant "tracker URL VARIABLE"`.'
    ),
)


_TRACKER = 'tracker: {kind: github, url: "http://127.0.0.1:8080/api"}'

EXAMPLES = (
    Examples(
        flags=(
            Example("The gateway listens on port 8443.", config=_TRACKER, online=True),
            Example(
                "The gateway listens on port 8443.",
                config="tracker: {kind: github, repository: a/b, token_env: AWS_TOKEN}",
                online=True,
            ),
            Example(
                "The gateway listens on port 8443.",
                config="network: {allow: [localhost]}",
                online=True,
            ),
        ),
        passes=(
            Example("The gateway listens on port 8443.", config=_TRACKER),
            Example(
                "The gateway listens on port 8443.",
                config='tracker: {kind: github, url: "https://api.github.com"}',
                online=True,
            ),
            Example(
                "The gateway listens on port 8443.",
                config="network: {deny: [localhost]}",
                online=True,
            ),
        ),
    ),
)
