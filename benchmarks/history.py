"""`python -m benchmarks.history CLONE...`: what reading a history for removals costs.

Prints commits, and CPU seconds with git's for files and for names, nothing kept before.
"""

from __future__ import annotations

import sys
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from grounded_ingest.git.history import RemovalHistory
from grounded_ingest.git.repository import Repo
from grounded_ingest.references.removal_history import _reader


def cpu() -> float:
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def main() -> None:
    for clone in sys.argv[1:]:
        with Repo(clone, own=False) as repo:
            history, head = RemovalHistory(repo), repo.head()
            began = cpu()
            history.removed_files(head, ["never there"])
            files = cpu()
            history.removed_names(head, ["never_there"], _reader())
            commits = repo.run("rev-list", "--count", "HEAD").decode().strip()
            names = cpu() - files
            print(f"{clone}: {commits} commits, files {files - began:.1f} s, names {names:.1f} s")


if __name__ == "__main__":
    main()
