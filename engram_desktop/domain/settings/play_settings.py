"""The settings of play: how a turn is judged, and what a reply is asked for with."""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import setting
from engram_desktop.domain.settings.recall_settings import RecallSettings
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class PlaySettings(RecallSettings):
    """A part of `Settings`; each can be set for one chat."""

    play_triage: str = setting(
        "play.triage",
        "rules",
        _T("settings", "Play: who says what a turn is"),
        _T(
            "settings",
            "rules: at once, without a request. model: one short request before each reply; where"
            " it fails, rules.",
        ),
        choices=("rules", "model"),
        per_chat=True,
    )
    play_tools: str = setting(
        "play.tools",
        "auto",
        _T("settings", "Play: how a reply changes the state"),
        _T(
            "settings",
            "tools: by calling functions. tags: by marks in its text. auto: tools, and tags where"
            " the endpoint takes none.",
        ),
        choices=("auto", "tools", "tags"),
        per_chat=True,
    )
    play_history: int = setting(
        "play.history",
        8000,
        _T("settings", "Play: history in the prompt (tokens)"),
        _T("settings", "The newest messages that fit; what is older comes back by recall."),
        low=500,
        high=500_000,
        per_chat=True,
    )
