"""Prompts for a model: templates, and what is written into them."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.macros import fill
from engram_desktop.domain.macros.scope import CHAT_MACROS
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass

# Prompt templates: what a task says to a model, and the variables it may use. Values only.


PromptTask = Literal["summary", "trim", "entity", "expand", "triage", "reflect"]
Language = Literal["zh", "en"]
Output = Literal["json", "text"]
TASKS: tuple[PromptTask, ...] = ("summary", "trim", "entity", "expand", "triage", "reflect")
LANGUAGES: tuple[Language, ...] = ("zh", "en")
_T = QT_TRANSLATE_NOOP
TITLES: dict[PromptTask, str] = {
    "summary": _T("prompts", "Summaries"),
    "trim": _T("prompts", "Outlines (trim)"),
    "entity": _T("prompts", "Profiles of entities"),
    "expand": _T("prompts", "Rewording of questions"),
    "triage": _T("prompts", "What a message asks for (triage)"),
    "reflect": _T("prompts", "Reflection"),
}

_FIRST = _T("prompts", "First floor")
_LAST = _T("prompts", "Last floor")
# What each task fills in itself; `chat_macros` are there for all of them.
VARIABLES: dict[PromptTask, dict[str, str]] = {
    "summary": {
        "chatHistory": _T("prompts", "The messages to summarise"),
        "knownEntities": _T("prompts", "Names known so far"),
        "engramSummaries": _T("prompts", "What happened before"),
        "standingClaims": _T("prompts", "What was said before and still stands"),
        "worldbookContext": _T("prompts", "What world books say of them"),
        "lastMessage": _T("prompts", "The last of the messages"),
        "first": _FIRST,
        "last": _LAST,
    },
    "trim": {
        "engramSummaries": _T("prompts", "The events to merge"),
        "events": _T("prompts", "The same, with floors, time and place"),
        "count": _T("prompts", "How many events"),
        "limit": _T("prompts", "Most characters of the outline"),
        "first": _FIRST,
        "last": _LAST,
    },
    "entity": {
        "chatHistory": _T("prompts", "The messages these events tell of, if they are to be read"),
        "events": _T("prompts", "The events since the last time"),
        "entities": _T("prompts", "Profiles of whom they name"),
        "first": _FIRST,
        "last": _LAST,
    },
    "expand": {
        "chatHistory": _T("prompts", "The newest messages"),
        "userInput": _T("prompts", "What the player is about to send"),
    },
    "triage": {
        "chatHistory": _T("prompts", "The newest messages"),
        "userInput": _T("prompts", "What the player is about to send"),
    },
    "reflect": {
        "chatHistory": _T("prompts", "The messages to think over"),
        "engramSummaries": _T("prompts", "What is remembered of them already"),
        "characters": _T("prompts", "Whose thoughts may be noted"),
        "privateLogs": _T("prompts", "Their newest private logs"),
        "worldbookContext": _T("prompts", "What world books say of them"),
        "first": _FIRST,
        "last": _LAST,
    },
}


def variables_of(task: PromptTask) -> dict[str, str]:
    """Every variable of a task with its meaning, those of the task first."""
    return VARIABLES[task] | {n: t for n, t in CHAT_MACROS.items() if n not in VARIABLES[task]}


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """The prompt of one task in one language. ``output`` is how the answer is asked for."""

    task: PromptTask
    language: Language
    system: str
    user: str
    output: Output = "json"


@dataclass(frozen=True, slots=True)
class ModelOverride:
    """Another model for one task, perhaps of another server; what is empty stays as it is set."""

    base_url: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A template as it is used now, beside the built-in one. ``unknown`` macros mean nothing."""

    template: PromptTemplate
    default: PromptTemplate
    override: ModelOverride
    unknown: tuple[str, ...] = ()

    @property
    def is_own(self) -> bool:
        return self.template != self.default


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """The very request a task would send: role and text of each message, and about its tokens."""

    messages: tuple[tuple[str, str], ...]
    tokens: int
    model: str
    url: str
    unknown: tuple[str, ...] = ()


# StoryRenderer: from an extraction to the card a reader and a model see (design note 000 §4.1).


CARD_ZH = """---
📅 时间: {{timestamp}}
📍 地点: {{location}}
🔑 关键词: {{keywords}}
---
📜 **事件摘要**:
{{summary}}

> {{details}}"""

CARD_EN = """---
📅 Time: {{timestamp}}
📍 Place: {{location}}
🔑 Keywords: {{keywords}}
---
📜 **What happened**:
{{summary}}

> {{details}}"""

CARDS = {"zh": CARD_ZH, "en": CARD_EN}


@dataclass(frozen=True, slots=True)
class StoryRenderer:
    """Renders by template; lines with nothing to say are left out."""

    template: str = CARD_ZH

    def render(self, data: PlotExtraction) -> str:
        values = {
            "timestamp": data.timestamp,
            "location": data.location,
            "keywords": ", ".join(data.keywords),
            "summary": data.summary,
            "details": data.details.replace("\n", "\n> "),
        }
        return fill.expand_lines(self.template, values)


def relabelled(card: str, data: PlotExtraction, template: str) -> str:
    """Return ``card`` as ``template`` makes it, if one of the built-in templates had made it.

    A card of the user's own template, or of another tool, stays as it is.
    """
    others = (other for other in CARDS.values() if other != template)
    if any(
        _heading(other) in card and StoryRenderer(other).render(data) == card for other in others
    ):
        return StoryRenderer(template).render(data)
    return card


def renderer_like(card: str) -> StoryRenderer:
    """Return what makes cards with the labels of ``card``."""
    same = (template for template in CARDS.values() if _heading(template) in card)
    return StoryRenderer(next(same, CARD_ZH))


def _heading(template: str) -> str:
    """The line of a template that no other has: it tells cards apart without rendering them."""
    return next(line for line in template.splitlines() if line.startswith("📜"))


# From a card somebody edited back to the fields it was rendered of.


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
