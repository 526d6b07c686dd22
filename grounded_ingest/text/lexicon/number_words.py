"""Numbers, months, days and units as words."""

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
# As parts of regular expressions. A longer name comes before a shorter one that it begins with.
MONTH = "|".join(MONTHS)
WEEKDAY = "|".join(WEEKDAYS)

# Maps each dimension to its units: their names, and their size in the dimension's first unit.
DIMENSIONS = {
    "time": (
        ("ms msec msecs millisecond milliseconds millis", 0.001), ("us µs microsecond microseconds", 0.000001),
        ("ns nanosecond nanoseconds", 0.000000001), ("s sec secs second seconds", 1.0), ("min mins minute minutes", 60.0),
        ("h hr hrs hour hours", 3600.0), ("d day days night nights", 86400.0), ("w wk wks week weeks", 604800.0),
        ("fortnight fortnights", 1209600.0), ("mo month months", 2629746.0), ("quarter quarters", 7889238.0),
        ("y yr yrs year years", 31556952.0),
    ),
    "size": (
        ("bit bits", 0.125), ("b byte bytes", 1.0), ("kb kilobyte kilobytes", 1000.0), ("kib kibibyte kibibytes ki", 1024.0),
        ("mb megabyte megabytes meg megs", 1000000.0), ("mib mebibyte mebibytes mi", 1048576.0),
        ("gb gigabyte gigabytes gig gigs", 1000000000.0), ("gib gibibyte gibibytes gi", 1073741824.0),
        ("tb terabyte terabytes", 1000000000000.0), ("tib tebibyte tebibytes", 1099511627776.0),
        ("pb petabyte petabytes", 1000000000000000.0),
    ),
    "percent": (("% percent pct percentage", 1.0), ("pp", 1.0), ("basis-points bps", 0.01)),
    "length": (
        ("mm millimeter millimeters millimetre millimetres", 0.001), ("cm centimeter centimeters centimetre centimetres", 0.01),
        ("m meter meters metre metres", 1.0), ("km kilometer kilometers kilometre kilometres", 1000.0), ("in inch inches", 0.0254),
        ("ft foot feet", 0.3048), ("mi-length mile miles", 1609.344),
    ),
    "mass": (
        ("g gram grams", 0.001), ("kg kgs kilogram kilograms kilo kilos", 1.0), ("lb lbs pound-mass pounds-mass", 0.45359237),
        ("oz ounce ounces", 0.028349523125),
    ),
    "frequency": (("hz hertz", 1.0), ("khz", 1000.0), ("mhz", 1000000.0), ("ghz", 1000000000.0)),
    "cpu": (("millicpu millicores", 0.001), ("vcpu vcpus core cores cpu cpus", 1.0)),
    "pixel": (("px pixel pixels", 1.0),),
    "dollar": (("$ usd dollar dollars bucks", 1.0), ("cent cents", 0.01)),
    "euro": (("€ eur euro euros", 1.0),),
    "pound": (("£ gbp pound pounds quid", 1.0),),
    "yen": (("¥ jpy yen", 1.0),),
}  # fmt: skip

# Nouns that are counted in a rate: `requests per minute`, `100 rps`, `req/s`.
COUNTED = {
    "request": "request requests req reqs call calls query queries hit hits", "message": "message messages msg msgs event events",
    "token": "token tokens", "transaction": "transaction transactions", "user": "user users",
    "attempt": "attempt attempts retry retries try tries time times", "job": "job jobs task tasks",
    "connection": "connection connections conn conns",
}  # fmt: skip
RATES = {"rps": ("request", 1.0), "qps": ("request", 1.0), "tps": ("transaction", 1.0), "rpm": ("request", 60.0), "mbps": ("mbit", 1.0)}  # fmt: skip
# Further units of time besides DIMENSIONS, which are only read after "per".
PER = {"m": 60.0, "annum": 31556952.0, "secondly": 1.0, "minutely": 60.0}
# One unit as an adverb or adjective: `weekly` is every week.
EVERY = {
    "hourly": 3600.0, "daily": 86400.0, "nightly": 86400.0, "weekly": 604800.0, "fortnightly": 1209600.0, "biweekly": 1209600.0,
    "monthly": 2629746.0, "quarterly": 7889238.0, "yearly": 31556952.0, "annually": 31556952.0, "annual": 31556952.0,
}  # fmt: skip
MAGNITUDES = {"k": 1000.0, "m": 1000000.0, "mn": 1000000.0, "b": 1000000000.0, "bn": 1000000000.0}
