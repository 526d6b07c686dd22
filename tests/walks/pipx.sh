#!/bin/sh
# pipx, itself from PyPI. pipx.sh DIRECTORY: where the wheel lies.
dist="$(cd "$1" && pwd)"
. "$(dirname "$0")/job.sh"
python3 -m venv "$walk/venv"
"$walk/venv/bin/pip" install --quiet pipx
"$walk/venv/bin/pipx" install --quiet "$dist"/*.whl
judge "$HOME/.local/bin/grounded-ingest"
