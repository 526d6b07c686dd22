#!/bin/sh
# pre-commit, itself from PyPI, and the hook at a tag: a commit is stopped, and lands once it is
# mended; `pre-commit try-repo` says the same. hook.sh CLONE TAG.
clone="$(cd "$1" && pwd)" tag="$2"
. "$(dirname "$0")/job.sh"
python3 -m venv "$walk/venv"
"$walk/venv/bin/pip" install --quiet pre-commit
PATH="$walk/venv/bin:$PATH"
echo 'preset: strict' > .grounded-ingest.yaml
git add .grounded-ingest.yaml
git commit --quiet -m 'Be strict' -- .grounded-ingest.yaml
code=0
said="$(pre-commit try-repo "file://$clone" grounded-ingest-offline --ref "$tag" --verbose)" || code=$?
printf '%s\n' "$said"
[ "$code" = 1 ]
printf '%s\n' "$said" | grep -qF "$WRONG"
cat > .pre-commit-config.yaml <<YAML
repos:
  - repo: file://$clone
    rev: $tag
    hooks:
      - id: grounded-ingest-offline
YAML
git add .pre-commit-config.yaml
pre-commit install
if git commit --quiet -m 'Write it down'; then exit 1; fi
sed -i.before '$d' CLAUDE.md
git add CLAUDE.md
git commit --quiet -m 'Write it down'
git ls-files --error-unmatch CLAUDE.md
