#!/usr/bin/env bash
# dist/ with sdist and wheel, and sbom.cdx.json of what the wheel brings along; nothing where
# they are not of this version. distributions.sh VERSION
set -euo pipefail
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
python -m venv "$place/tools"
"$place/tools/bin/pip" install --quiet --require-hashes --only-binary :all: \
  -r constraints-build.txt
"$place/tools/bin/pip" install --quiet build twine 'cyclonedx-bom>=7,<8'
rm -rf dist
"$place/tools/bin/python" -m build --no-isolation --outdir dist .
"$place/tools/bin/twine" check --strict dist/*
python -m venv --without-pip "$place/installed"
"$place/tools/bin/pip" --python "$place/installed/bin/python" install --quiet \
  --require-hashes --only-binary :all: -r constraints.txt
"$place/tools/bin/pip" --python "$place/installed/bin/python" install --quiet --no-deps \
  "dist/grounded_ingest-$1-py3-none-any.whl"
sed "s/^dynamic = .*/version = \"$1\"/" pyproject.toml > "$place/pyproject.toml"
"$place/tools/bin/cyclonedx-py" environment --pyproject "$place/pyproject.toml" \
  --output-reproducible --output-format JSON --output-file sbom.cdx.json "$place/installed"
