"""The settings of what is found again and put into prompts."""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.confidence import CONFIDENCES
from engram_desktop.domain.setting import setting
from engram_desktop.domain.settings.pipeline_settings import PipelineSettings
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class RecallSettings(PipelineSettings):
    """A part of `Settings`; all but the index can be set for one chat."""

    recall_top_k: int = setting(
        "recall.top_k", 10, _T("settings", "Memories per recall"), low=1, high=100, per_chat=True
    )
    recall_expand: bool = setting(
        "recall.expand",
        False,
        _T("settings", "Let the model reword questions"),
        _T(
            "settings",
            "Before a recall for a prompt, the chat model says what “her” and “that thing” mean."
            " One short request each time.",
        ),
        per_chat=True,
    )
    recall_freshness: float = setting(
        "recall.freshness",
        0.0,
        _T("settings", "Prefer what is recent"),
        _T("settings", "The newest memories gain so much of their score; the oldest lose it."),
        low=0.0,
        high=0.1,
        per_chat=True,
    )
    inject_tokens: int = setting(
        "inject.tokens",
        6000,
        _T("settings", "Injection budget (tokens)"),
        _T("settings", "Always-visible text and recalled memories together."),
        low=100,
        high=200_000,
        per_chat=True,
    )
    inject_confidence: str = setting(
        "inject.confidence",
        CONFIDENCES[0],
        _T("settings", "Inject only what is at least"),
        _T("settings", "imported: everything; then extracted, said by a model, confirmed by you."),
        choices=CONFIDENCES,
        per_chat=True,
    )
    inject_unrelated: bool = setting(
        "inject.unrelated",
        False,
        _T("settings", "Inject what hardly fits too"),
        _T(
            "settings",
            "Off, nothing is recalled into a prompt for greetings, noise, and questions that the"
            " chat has no answer to.",
        ),
        per_chat=True,
    )
    inject_snippets: int = setting(
        "inject.snippets",
        6,
        _T("settings", "Injection: snippets"),
        _T("settings", "At most so many recalled messages, each shortened to three sentences."),
        low=0,
        high=50,
        per_chat=True,
    )
    inject_neighbours: int = setting(
        "inject.neighbours",
        1,
        _T("settings", "Injection: messages around a snippet"),
        _T("settings", "A short recalled message is quoted with so many before and after it."),
        low=0,
        high=3,
        per_chat=True,
    )
    inject_entities: int = setting(
        "inject.entities", 6, _T("settings", "Injection: entities"), low=0, high=50, per_chat=True
    )
    inject_relations: int = setting(
        "inject.relations", 8, _T("settings", "Injection: relations"), low=0, high=50, per_chat=True
    )
    inject_recent_floors: int = setting(
        "inject.recent_floors",
        4,
        _T("settings", "Floors the chat still sends"),
        _T("settings", "So many newest messages are in the prompt anyway and are not repeated."),
        low=0,
        high=10_000,
        per_chat=True,
    )
    inject_order: str = setting(
        "inject.order",
        "stable",
        _T("settings", "Injection: order"),
        _T(
            "settings",
            "stable: what was recalled follows what is always visible, so that prompt caches"
            " stay good. story: both in one line of story order.",
        ),
        choices=("stable", "story"),
        per_chat=True,
    )
    inject_triage: bool = setting(
        "inject.triage",
        False,
        _T("settings", "Ask first how much memory a message needs"),
        _T(
            "settings",
            "One short request each time. A greeting gets only what is always visible, talk the"
            " usual, a turning point world books too.",
        ),
        per_chat=True,
    )
    index_backend: str = setting(
        "index.backend",
        "auto",
        _T("settings", "Vector index"),
        _T("settings", "auto: exact search while the chat is small or the index is behind."),
        choices=("auto", "chroma", "exact"),
    )
    index_server: str = setting(
        "index.server",
        "",
        _T("settings", "Chroma server"),
        _T("settings", "Address of a Chroma server; empty uses the embedded one."),
    )
