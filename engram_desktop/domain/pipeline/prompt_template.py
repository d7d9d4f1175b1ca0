"""Prompt templates: what a task says to a model, and the variables it may use. Values only."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.macros.chat_macros import CHAT_MACROS
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass

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
