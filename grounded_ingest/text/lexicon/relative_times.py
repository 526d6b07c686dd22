"""Words of times that mean another day when they are read later."""

NAMED = {"the day before yesterday": -2, "the day after tomorrow": 2, "yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}  # fmt: skip

PARTS = ("morning", "afternoon", "evening", "night")

AMOUNTS = {"a couple of": 2, "a": 1, "an": 1}
"""Amounts that are no number words."""
