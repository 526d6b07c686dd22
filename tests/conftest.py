"""Makes the modules beside this one (`servers`) importable for the tests below."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

# Shells start background jobs with SIGINT ignored, and what the tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A CI system names its own default branch; that of a test's repository is another.
for told in ("GITHUB_EVENT_PATH", "GITHUB_BASE_REF", "CI_DEFAULT_BRANCH"):
    os.environ.pop(told, None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look at a page are slow ones: the package playwright takes 165 MB."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, for tests that look at a page."""
    from tests.browserpage import CHROMIUM

    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=CHROMIUM)
        yield started
        started.close()
