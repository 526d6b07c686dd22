#!/bin/sh
# pip and a wheel, in an environment of its own. wheel.sh DIRECTORY: where the wheel lies.
dist="$(cd "$1" && pwd)"
. "$(dirname "$0")/job.sh"
python3 -m venv "$walk/venv"
"$walk/venv/bin/pip" install --quiet "$dist"/*.whl
judge "$walk/venv/bin/grounded-ingest"
