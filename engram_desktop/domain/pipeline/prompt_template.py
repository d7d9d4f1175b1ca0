"""Prompts for a model: templates, their variables, and the cards of events."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.macros import fill
from engram_desktop.domain.macros.scope import CHAT_MACROS
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass

# Prompt templates: the text of a task for a model, and its variables. Values only.


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
# The variables of each task; `chat_macros` are available in all of them.
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
        "chatHistory": _T("prompts", "The messages of these events, if they are to be read"),
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
    """Return all variables of a task with their meanings, the task's own first."""
    return VARIABLES[task] | {n: t for n, t in CHAT_MACROS.items() if n not in VARIABLES[task]}


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """The prompt of one task in one language. ``output`` is the requested form of the answer."""

    task: PromptTask
    language: Language
    system: str
    user: str
    output: Output = "json"


@dataclass(frozen=True, slots=True)
class ModelOverride:
    """Another model for one task, possibly on another server; empty fields are unchanged."""

    base_url: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A template in use, beside the built-in one. ``unknown`` are macros without a meaning."""

    template: PromptTemplate
    default: PromptTemplate
    override: ModelOverride
    unknown: tuple[str, ...] = ()

    @property
    def is_own(self) -> bool:
        return self.template != self.default


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """The exact request of a task: role and text of each message, and its estimated tokens."""

    messages: tuple[tuple[str, str], ...]
    tokens: int
    model: str
    url: str
    unknown: tuple[str, ...] = ()


# StoryRenderer: the card of an extraction, for readers and models (design note 000 §4.1).


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
    """Renders by template; lines without values are left out."""

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
    """Return ``card`` rendered by ``template``, if it is the card of a built-in template.

    A card of the user's own template, or of another tool, stays as it is.
    """
    others = (other for other in CARDS.values() if other != template)
    if any(
        _heading(other) in card and StoryRenderer(other).render(data) == card for other in others
    ):
        return StoryRenderer(template).render(data)
    return card


def renderer_like(card: str) -> StoryRenderer:
    """Return the renderer with the labels of ``card``."""
    same = (template for template in CARDS.values() if _heading(template) in card)
    return StoryRenderer(next(same, CARD_ZH))


def _heading(template: str) -> str:
    """Return the line that identifies a template, so that cards need not be rendered."""
    return next(line for line in template.splitlines() if line.startswith("📜"))


# From an edited card back to its fields.


@dataclass(frozen=True, slots=True)
class CardFields:
    """The fields of a card. A text that is not a card is all summary."""

    summary: str
    timestamp: str = ""
    location: str = ""
    keywords: tuple[str, ...] = ()
    details: str = ""


def read_card(text: str, own_template: str = "") -> CardFields:
    """Parse a card of ``own_template`` or a built-in one, with lines in any order or missing.

    The summary must have its own line before it, which identifies the template.
    """
    lines = text.strip().splitlines()
    for template in (own_template, *CARDS.values()):
        labels = _labels(template)
        heading = labels.get("summary")
        if heading and any(line.strip() == heading for line in lines):
            return _read(lines, labels)
    return CardFields(text.strip())


def _labels(template: str) -> dict[str, str]:
    """Return the label of each field: a whole line for the summary, else the line's beginning."""
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
