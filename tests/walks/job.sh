# Read by the walks: the repository of a stranger, and what has to be said of it.
set -eu
walk="$(mktemp -d)"
trap 'rm -rf "$walk"' EXIT
export HOME="$walk/home" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
unset PYTHONPATH XDG_CONFIG_HOME XDG_CACHE_HOME
mkdir "$HOME" "$walk/repository"
cd "$walk/repository"
git init --quiet --initial-branch=main
echo 'PORT = 8443' > app.py
git add app.py
git commit --quiet -m Start
printf '# Notes\n\n- PORT is 8443 (`app.py:1`).\n- The limit is 20 MB (`app.py:40`).\n' > CLAUDE.md
git add CLAUDE.md
WRONG='CLAUDE.md:4:3: refuted-citation[line]: app.py:40: app.py has 1 line.'

# The command checks this repository: it names the one sentence that is wrong, and passes without it.
judge() {
  code=0
  said="$("$@" check --offline --fail-on review)" || code=$?
  printf '%s\n' "$said"
  [ "$code" = 1 ] && printf '%s\n' "$said" | grep -qF "$WRONG"
  sed -i.before '$d' CLAUDE.md
  "$@" check --offline --fail-on review CLAUDE.md
}
