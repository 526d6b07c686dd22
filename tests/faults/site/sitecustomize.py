"""Of processes that are told a listed environment: they begin anew, with faults (injection.py)."""

import json
import os
import sys

if "PYTHONFAULTS" in os.environ and "LD_PRELOAD" not in os.environ:
    told = json.loads(os.environ["PYTHONFAULTS"])
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | told)
