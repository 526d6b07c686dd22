"""Makes the modules beside this one (`servers`) importable for the tests below."""

from __future__ import annotations

import signal

# Shells start background jobs with SIGINT ignored, and what the tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
