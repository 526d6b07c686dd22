#!/bin/sh
# pip and the source distribution. sdist.sh DIRECTORY: where it lies.
dist="$(cd "$1" && pwd)"
. "$(dirname "$0")/job.sh"
python3 -m venv "$walk/venv"
"$walk/venv/bin/pip" install --quiet "$dist"/*.tar.gz
judge "$walk/venv/bin/grounded-ingest"
