"""A page in Debian's Chromium, as tests of HTML reports look at it."""

from __future__ import annotations

import os
import shutil
from typing import Any

CHROMIUM = shutil.which("chromium")
AXE = os.environ.get("AXE_CORE", "node_modules/axe-core/axe.min.js")


class Shown:
    """A page that is open, what it asked the network for and what it complained about."""

    def __init__(self, page: Any) -> None:
        self.page, self.complaints, self.requests = page, [], []
        page.on("console", lambda m: self.complaints.append(m.text))
        page.on("pageerror", lambda e: self.complaints.append(str(e)))
        page.on("request", lambda r: self.requests.append(r.url))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)
