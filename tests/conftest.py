"""Makes the modules beside this one (`servers`) importable for the tests below."""

from __future__ import annotations

import os
import signal

# Shells start background jobs with SIGINT ignored, and what the tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A CI system names its own default branch; that of a test's repository is another.
for told in ("GITHUB_EVENT_PATH", "GITHUB_BASE_REF", "CI_DEFAULT_BRANCH"):
    os.environ.pop(told, None)
