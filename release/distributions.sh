#!/usr/bin/env bash
# dist/ with sdist and wheel of this version, and sbom.cdx.json of what the wheel brings along.
# distributions.sh VERSION
set -euo pipefail
python -m venv "${TMPDIR:-/tmp}/release-tools"
tools="${TMPDIR:-/tmp}/release-tools/bin"
"$tools/pip" install --quiet build twine 'cyclonedx-bom>=7,<8'
rm -rf dist
"$tools/python" -m build --outdir dist .
"$tools/twine" check --strict dist/*
[ -f "dist/grounded_ingest-$1-py3-none-any.whl" ]
python -m venv "${TMPDIR:-/tmp}/release-venv"
"${TMPDIR:-/tmp}/release-venv/bin/pip" install --quiet dist/*.whl
"$tools/cyclonedx-py" environment --pyproject pyproject.toml --output-reproducible \
  --output-format JSON --output-file sbom.cdx.json "${TMPDIR:-/tmp}/release-venv"
