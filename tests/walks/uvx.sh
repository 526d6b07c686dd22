#!/bin/sh
# uvx, and uv from PyPI. uvx.sh DIRECTORY: where the wheel lies.
dist="$(cd "$1" && pwd)"
. "$(dirname "$0")/job.sh"
python3 -m venv "$walk/venv"
"$walk/venv/bin/pip" install --quiet uv
judge "$walk/venv/bin/uvx" --quiet --from "$(echo "$dist"/*.whl)" grounded-ingest
