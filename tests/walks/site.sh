#!/bin/sh
# The documentation site, built in an environment of its own and asked for as a reader does.
# site.sh CLONE.
clone="$(cd "$1" && pwd)"
. "$(dirname "$0")/job.sh"
python3 -m venv "$walk/venv"
"$walk/venv/bin/pip" install --quiet "$clone[site]"
(cd "$clone" && SITE_DIR="$walk/site" "$walk/venv/bin/mkdocs" build --quiet)
"$walk/venv/bin/python" -u -m http.server --bind 127.0.0.1 --directory "$walk/site" 0 > "$walk/served" 2>&1 &
server=$!
trap 'kill "$server"; rm -rf "$walk"' EXIT
until address="$(sed -n 's/.*(\(http[^)]*\)).*/\1/p' "$walk/served" | grep .)"; do
  kill -0 "$server"
  sleep 0.1
done
ask() { "$walk/venv/bin/python" -c 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())' "$address$1"; }
ask '' | grep -qF '<title>Overview - grounded-ingest</title>'
ask rules/refuted-citation/ | grep -qF 'id="refuted-citation"'
ask search/search_index.json | grep -qF '"rules/refuted-citation/"'
