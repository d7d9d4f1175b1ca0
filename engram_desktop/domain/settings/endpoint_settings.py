"""The settings of the models that are asked. Keys are never among them: see `keys.storage`."""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import address, setting
from engram_desktop.domain.settings.play_settings import PlaySettings
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class EndpointSettings(PlaySettings):
    """A part of `Settings`."""

    llm_base_url: str = address(
        "llm.base_url",
        _T("settings", "Chat endpoint: base URL"),
        _T("settings", "For example https://host/v1. Empty: no model is asked."),
    )
    llm_model: str = setting("llm.model", "", _T("settings", "Chat endpoint: model"))
    llm_timeout: int = setting(
        "llm.timeout", 180, _T("settings", "Chat endpoint: time-out (s)"), low=5, high=1800
    )
    llm_parallel: int = setting(
        "llm.parallel", 2, _T("settings", "Chat endpoint: requests at once"), low=1, high=16
    )
    llm_daily_tokens: int = setting(
        "llm.daily_tokens",
        0,
        _T("settings", "Most tokens a day"),
        _T("settings", "No request is begun that would pass it; 0 is no limit."),
        low=0,
        high=1_000_000_000,
    )
    llm_price_in: float = setting(
        "llm.price_in",
        0.0,
        _T("settings", "Price of a million prompt tokens"),
        _T("settings", "0: unknown, no cost is shown."),
        low=0.0,
        high=1_000_000.0,
    )
    llm_price_out: float = setting(
        "llm.price_out",
        0.0,
        _T("settings", "Price of a million answer tokens"),
        low=0.0,
        high=1_000_000.0,
    )
    llm_currency: str = setting(
        "llm.currency", "¥", _T("settings", "Currency"), _T("settings", "Shown beside costs.")
    )
    embed_base_url: str = address(
        "embed.base_url",
        _T("settings", "Embedding endpoint: base URL"),
        _T("settings", "Empty: the built-in embedder runs on this computer."),
    )
    embed_model: str = setting("embed.model", "", _T("settings", "Embedding endpoint: model"))
    embed_local: str = setting(
        "embed.local", "use", _T("settings", "Built-in embedder"), choices=("use", "hash")
    )
    rerank_base_url: str = address("rerank.base_url", _T("settings", "Rerank endpoint: base URL"))
    rerank_model: str = setting("rerank.model", "", _T("settings", "Rerank endpoint: model"))
