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
    inject_manner: str = setting(
        "inject.manner",
        "plain",
        _T("settings", "Injection: how memories are told"),
        _T(
            "settings",
            "plain: what was said, when and by whom. attributed: how long ago, and who said it."
            " light: the model is asked to let it colour the reply and to recite nothing.",
        ),
        choices=("plain", "attributed", "light"),
        per_chat=True,
    )
    inject_rotate: bool = setting(
        "inject.rotate",
        True,
        _T("settings", "Let memories rest that were just used"),
        _T(
            "settings",
            "What stood in the prompts of the last three replies yields to other memories, unless"
            " the question asks for it.",
        ),
        per_chat=True,
    )
    inject_recent_floors: int = setting(
        "inject.recent_floors",
        0,
        _T("settings", "Floors the chat still sends"),
        _T(
            "settings",
            "So many newest messages are in the prompt anyway and are not repeated, where nobody"
            " says which are. The memory server, the companion and play always know.",
        ),
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
