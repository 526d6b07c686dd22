"""Work that loses its worker, of a module that workers can import."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path


def lost_once(text: str) -> str:
    """Do the work of a job and, where its mark is not there yet, die with the answer unsaid."""
    job = json.loads(text)
    answer = getattr(import_module(job["module"]), job["name"])(job["job"])
    with suppress(FileExistsError):
        Path(job["mark"]).touch(exist_ok=False)
        os.kill(os.getpid(), signal.SIGKILL)
    return str(answer)


def as_told(text: str) -> str:
    """Answer, raise, or die each time."""
    if text == "raise":
        raise ValueError("as told")
    if text == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    return text.upper()


def where(text: str) -> str:
    """Answer the node, after waiting for the end on the one that is told."""
    import ray

    job = json.loads(text)
    node = str(ray.get_runtime_context().get_node_id())
    if node == job["stay"]:
        Path(job["mark"]).touch()
        time.sleep(600)
    return node
