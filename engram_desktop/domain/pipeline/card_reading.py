"""From a card somebody edited back to the fields it was rendered of."""

from __future__ import annotations

from engram_desktop.domain.pipeline.render import CARDS
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class CardFields:
    """What a card says. A text that is no card is all summary."""

    summary: str
    timestamp: str = ""
    location: str = ""
    keywords: tuple[str, ...] = ()
    details: str = ""


def read_card(text: str, own_template: str = "") -> CardFields:
    """Read a card of ``own_template`` or a built-in one, lines in any order, some missing.

    The summary must have a line of its own before it, which tells the templates apart.
    """
    lines = text.strip().splitlines()
    for template in (own_template, *CARDS.values()):
        labels = _labels(template)
        heading = labels.get("summary")
        if heading and any(line.strip() == heading for line in lines):
            return _read(lines, labels)
    return CardFields(text.strip())


def _labels(template: str) -> dict[str, str]:
    """What stands before each field: a whole line for the summary, the line's beginning else."""
    labels = {}
    for before, line in zip(["", *template.splitlines()], template.splitlines(), strict=False):
        head, opened, rest = line.partition("{{")
        if opened:
            labels[rest.partition("}}")[0]] = head.strip() or before.strip()
    return labels


def _read(lines: list[str], labels: dict[str, str]) -> CardFields:
    names = ("timestamp", "location", "keywords")
    heads = {name: labels[name] for name in names if labels.get(name)}
    values = dict.fromkeys(names, "")
    summary: list[str] = []
    details: list[str] = []
    quote, is_summary = labels.get("details", ""), False
    for line in lines:
        plain = line.strip()
        named = next((name for name, head in heads.items() if plain.startswith(head)), "")
        if plain == labels["summary"]:
            is_summary = True
        elif is_summary and quote and plain.startswith(quote):
            details.append(plain.removeprefix(quote).strip())
        elif named:
            values[named] = plain.removeprefix(heads[named]).strip()
        elif is_summary:
            summary.append(line)
    words = (word.strip() for word in values["keywords"].replace("，", ",").split(","))
    return CardFields(
        "\n".join(summary).strip(),
        values["timestamp"],
        values["location"],
        tuple(word for word in words if word),
        "\n".join(details),
    )
