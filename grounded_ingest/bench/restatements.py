"""A slot's fact in other words and with another value; written without the engine it is to test."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from grounded_ingest.bench.sentences import inside_sentence
from grounded_ingest.bench.world import Plant, Seed, World, citing

_AMOUNT = r"(?P<value>\d[\d,_]*(?:\.\d+)?)(?P<unit>(?: (?!with\b|and\b|per\b)[A-Za-z]+)?)"
_WHO = r"(?P<who>(?:The |An? |Every |Our )?[\w' -]{2,40}?)"
_SAID: Sequence[tuple[str, tuple[str, ...]]] = (
    (
        rf"^{_WHO} (?:listens?|runs?|(?:are|is) (?:served|exposed|available)) on port "
        r"(?P<value>\d{2,5})(?P<unit>)\.?$",
        (
            "The port of {who} is {value}.",
            "{Who} uses port {value}.",
            "{Who} can be reached on port {value}.",
        ),
    ),
    (
        rf"^{_WHO} times? out after {_AMOUNT}\.?$",
        ("The timeout of {who} is {value}.", "{Who} has a timeout of {value}."),
    ),
    (
        rf"^{_WHO} (?:is|are) retried (?:at most |up to )?(?P<value>\d+)(?P<unit>) times\b.*$",
        ("The retry limit of {who} is {value}.", "{Who} has a maximum of {value} retries."),
    ),
    (
        rf"^{_WHO} (?:is|are) (?:kept|stored|retained) for {_AMOUNT}\.?$",
        ("The retention period of {who} is {value}.", "{Who} have a retention of {value}."),
    ),
    (
        rf"^{_WHO} (?:is|are) valid for {_AMOUNT}\.?$",
        ("The lifetime of {who} is {value}.", "{Who} expires after {value}."),
    ),
    (
        rf"^{_WHO} lives? for {_AMOUNT}\.?$",
        ("The lifetime of {who} is {value}.", "{Who} expire after {value}."),
    ),
    (
        rf"^{_WHO} (?:holds?|takes?|accepts?) at most {_AMOUNT}\.?$",
        ("The size limit of {who} is {value}.", "{Who} has a limit of {value}."),
    ),
    (
        rf"^{_WHO} (?:runs?|starts?) (?:with|as) (?P<value>\d+)(?P<unit>) "
        r"(?P<noun>replicas|workers)\.?$",
        ("The number of {noun} of {who} is {value}.", "{Who} has {value} {noun}."),
    ),
    (
        r"^(?P<who>The [\w -]{2,40}?) (?:is|are)(?: set to| always)? "
        r"(?P<value>v?\d[\d.,_]*|[A-Z]\w+(?: \d[\d.]*)?)(?P<unit>(?: [a-z]+)?)\.?$",
        ("{Value} is {who}.", "{Who} has been set to {value}.", "{Bare}: {value}."),
    ),
    (
        r"^(?P<who>We|The [\w -]{2,30}?) uses? (?P<value>[A-Z]\w+(?: \d[\d.]*)?)(?P<unit>)\.?$",
        ("{Who} is built on {value}.", "{Value} is what {who} uses."),
    ),
)  # fmt: skip
_RIVALS = {
    "PostgreSQL": "MySQL", "MySQL": "PostgreSQL", "SQLite": "PostgreSQL", "MongoDB": "PostgreSQL",
    "Redis": "Memcached", "Memcached": "Redis", "Kafka": "RabbitMQ", "RabbitMQ": "Kafka",
    "React": "Vue", "Vue": "React", "Django": "Flask", "FastAPI": "Flask", "Flask": "Django",
    "Dolt": "SQLite", "pytest": "unittest", "npm": "pnpm", "pnpm": "yarn", "Jest": "Vitest",
    "Vitest": "Jest", "MIT": "Apache-2.0", "Prisma": "TypeORM", "SQLAlchemy": "Peewee",
    "Angular": "React", "Svelte": "React", "Express": "Fastify", "Next.js": "Nuxt",
    "Fastify": "Express", "NestJS": "Express",
}  # fmt: skip


def restated(text: str, rng: random.Random) -> str | None:
    """A sentence that states another value of the slot that the text states one of."""
    for pattern, templates in _SAID:
        match = re.match(pattern, text)
        value = other_value(match["value"], rng) if match else None
        if match and value:
            return _filled(rng.choice(templates), match, value + match["unit"])
    return None


def _filled(template: str, match: re.Match[str], value: str) -> str:
    who = inside_sentence(match["who"], ())
    text = template.format(
        who=who,
        Who=who[:1].upper() + who[1:],
        Bare=re.sub(r"^the ", "", who).capitalize(),
        value=value,
        Value=value[:1].upper() + value[1:],
        noun=match.groupdict().get("noun", ""),
    )
    return text[:1].upper() + text[1:]


def other_value(value: str, rng: random.Random) -> str | None:
    """Another value of the same shape, far enough that no rounding makes them one."""
    name, _, version = value.partition(" ")
    if name in _RIVALS:
        return _RIVALS[name]
    digits = re.sub(r"[,_]", "", name.removeprefix("v"))
    if version or not re.fullmatch(r"\d+(?:\.\d+)*", digits):
        return None
    first, dot, rest = digits.partition(".")
    larger = str(int(first) * rng.choice([2, 3]) + rng.choice([1, 2]))
    return ("v" if value[0] == "v" else "") + larger + dot + rest


def slot(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    """Another value of a slot in other words, with the true claim's citation or without any."""
    text = restated(seed.bare, rng) if seed.bare else None
    if not text:
        return None
    return Plant(citing(seed, text, world.adrs) if rng.random() < 0.5 else text)


def reversed_claim(seed: Seed, world: World, rng: random.Random) -> Plant | None:
    """That the slot has not the value which the true claim states, in other words."""
    del rng, world
    match = re.match(
        r"^(?P<who>The [\w -]{2,40}?) (?:is|are) (?P<value>[A-Z]\w+(?: \d\w*)?|v?\d\w*)\.?$",
        seed.bare,
    )
    if not match:
        return None
    value, who = match["value"], inside_sentence(match["who"], ())
    return Plant(f"{value[:1].upper()}{value[1:]} is not {who}.")
