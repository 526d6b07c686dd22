"""Words of times that mean another day when they are read later."""

NAMED = {
    "the day before yesterday": -2, "the day after tomorrow": 2, "yesterday": -1, "today": 0,
    "tonight": 0, "tomorrow": 1,
}  # fmt: skip

WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
}  # fmt: skip

PARTS = ("morning", "afternoon", "evening", "night")

AMOUNTS = {
    "a couple of": 2, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
