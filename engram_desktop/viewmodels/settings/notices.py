"""Read what other people's work this program contains, and under which licences.

`packaging/third_party.py` writes the file: packages as `## name version` with a list of facts, then
every text of a licence once as `## Text number`, indented, so that none of its lines is a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram_desktop.domain.values import dataclass
from engram_desktop.shipped import resource

_HEADING = re.compile(r"^## (.+) (\S+)$", re.MULTILINE)
_FACT = re.compile(r"^- (\w+): (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LicenceNotice:
    """One package. ``contains`` says what in it is of others; ``text`` is its licences."""

    name: str
    version: str
    licence: str
    home: str
    contains: tuple[str, ...]
    remark: str
    text: str


def read_notices() -> list[LicenceNotice]:
    """Return every package in the order of their names. Raises NotFound."""
    sections = list(_sections(resource("THIRD_PARTY.md").read_text("utf-8")))
    texts = {number: _dedented(body) for name, number, body in sections if name == "Text"}
    return [
        _notice(name, version, body, texts) for name, version, body in sections if name != "Text"
    ]


def _sections(document: str) -> Iterator[tuple[str, str, str]]:
    """Yield (name, version or number, body)."""
    _introduction, *parts = _HEADING.split(document)
    yield from zip(parts[::3], parts[1::3], parts[2::3], strict=True)


def _notice(name: str, version: str, body: str, texts: dict[str, str]) -> LicenceNotice:
    about = body.partition("# Texts\n")[0]
    pairs = _FACT.findall(about)
    facts = dict(pairs)
    numbers = facts.get("Texts", "").split(", ")
    return LicenceNotice(
        name,
        version,
        facts["Licence"],
        facts.get("Home", ""),
        tuple(what for fact, what in pairs if fact == "Contains"),
        _FACT.sub("", about).strip(),
        "\n\n".join(texts[number] for number in numbers if number),
    )


def _dedented(body: str) -> str:
    lines = body.strip("\n").split("\n")
    return "\n".join(line.removeprefix("    ") for line in lines)
