#!/bin/sh
# Builds the repository of docs/systems.md in a new directory: sh examples/systems.sh DIR
set -eu
mkdir "$1"
cd "$1"
mkdir -p src docs/adr docs/manual memory team

cat > src/settings.py <<'END'
GATEWAY_PORT = 8443
REQUEST_TIMEOUT_SECONDS = 30
UPLOAD_LIMIT_MB = 20
END
cat > docs/adr/0003-ledger.md <<'END'
# 3. Keep the ledger in PostgreSQL

Status: accepted

## Decision

We keep the ledger in PostgreSQL. We keep audits for 90 days.
END
echo 'OAuth2 is required for every endpoint.' > docs/manual/auth.md
cat > memory/facts.md <<'END'
# Facts

- Per ADR-3, the ledger is kept in PostgreSQL.
- The request timeout is 30 seconds (`src/settings.py:2`).
- Uploads are limited to 20 MB (`src/settings.py:3`).
- The deploy failed on Monday, so the disk is always too small.

We drained the queue on 2026-03-04 (`src/settings.py:2`). Therefore, workers restarted.

Never commit a secret (`src/settings.py:1`).
END
cat > memory/notes.md <<'END'
# Facts

- `src/settings.py::GATEWAY_PORT = 8443`

# Decisions

Per ADR-3, we keep audits for 90 days.
END
cat > memory/keys.jsonl <<'END'
{"text": "The beta key opens every region.", "valid_until": "2026-02-01", "source": "user"}
{"text": "We rotated the beta key yesterday.", "timestamp": "2026-01-20", "memory_type": "episodic"}
END
cat > team/CLAUDE.md <<'END'
# Team

Deployments run from the main branch every Tuesday. See `src/gone.py`.
END
cat > .grounded-ingest.yaml <<'END'
sources: {"docs/manual/**": documentation}
trusted_sources: [documentation]
reviewers: {"team/**": [bob@example.org]}
END
cat > memories.json <<'END'
[{"id": "m1", "text": "User works at Nokia", "trust": 0.9, "timestamp": "2025-01-01"},
 {"id": "m2", "text": "User works at Ericsson", "trust": 0.9, "timestamp": "2026-01-01"},
 {"id": "m3", "text": "User lives in Turin"},
 {"id": "m4", "text": "User speaks French"},
 {"id": "m5", "text": "User speaks German"}]
END
cat > terms.txt <<'END'
Payment shall be made within thirty (30) days of receipt.
A late fee of 1.5% per month is charged.
The supplier must not disclose prices.
END
echo 'Confidentiality lasts three (3) years.' > annex.txt

export GIT_AUTHOR_DATE='2026-01-05T12:00:00+0000' GIT_COMMITTER_DATE='2026-01-05T12:00:00+0000'
git init --quiet --template= --initial-branch=main
git config user.name Ada
git config user.email ada@example.org
git add --all
git -c commit.gpgsign=false commit --quiet --no-verify --message Start

# The change that the commands check.
sed -i.old 's/ = 20/ = 25/' src/settings.py
rm src/settings.py.old
cat > memory/new.md <<'END'
# New

- I think the cache is shared between all workers.
- The server may time out under load.
- Per ADR-999, we use magic for the storage layer.
- The request timeout is 60 seconds.
- Per ADR-3, the ledger is kept in PostgreSQL.
- `src/settings.py::GATEWAY_PORT = 9000`
- The upload limit is 20 MB (`src/settings.py:40`).
- The service answers in JSON.
- Per ADR-3, sessions are kept in Redis.
- Maybe we should drop Redis. <!-- grounded: ignore[speculation] reason="quoted from a meeting" -->
- I prefer short functions.
- The request timeout is 60 seconds (changed from 30 seconds).

Open questions:

- Maybe the queue is shared.
END
git add --all
