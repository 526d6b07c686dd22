"""Numbers, months and days as words: every list of them in the package is made of these."""

UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "dozen": 12,
}  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}  # fmt: skip
CARDINALS = {**UNITS, **TENS}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1000000, "billion": 1000000000}
FRACTIONS = {"half": 0.5, "quarter": 0.25, "once": 1, "twice": 2, "thrice": 3}
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
    "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "hundredth": 100,
}  # fmt: skip
MONTH_NAMES = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
    "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
MONTHS_CUT = {"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sept": 9, "sep": 9, "oct": 10, "nov": 11, "dec": 12}  # fmt: skip
MONTHS = {**MONTH_NAMES, **MONTHS_CUT}
WEEKDAY_NAMES = {"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 7}  # fmt: skip
WEEKDAYS = {**WEEKDAY_NAMES, "mon": 1, "tues": 2, "tue": 2, "wed": 3, "thurs": 4, "thur": 4, "thu": 4, "fri": 5}  # fmt: skip
WEEKDAY_WORDS = " ".join(WEEKDAY_NAMES)
# As parts of regular expressions: longer names stand before those they begin with.
MONTH = "|".join(MONTHS)
WEEKDAY = "|".join(WEEKDAYS)
