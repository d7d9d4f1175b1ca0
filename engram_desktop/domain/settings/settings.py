"""Every setting, declared once: the dialog, the command line, the docs and the checks read this.

A field of `Settings` is a setting; its metadata holds a `Setting`. Keys are ``section.name``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.confidence import CONFIDENCES
from engram_desktop.domain.setting import Setting, address, setting
from engram_desktop.domain.settings.reading_settings import ReadingSettings
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class Settings(ReadingSettings):
    """All values. Immutable: `replaced` gives a changed copy."""

    # --- pipeline: each can be set for one chat ---
    summary_interval: int = setting(
        "summary.interval",
        25,
        _T("settings", "Floors per summary"),
        _T("settings", "How many messages one summary covers."),
        low=5,
        high=200,
        per_chat=True,
    )
    summary_newest: int = setting(
        "summary.newest",
        10,
        _T("settings", "Newest floors left alone"),
        _T("settings", "They may still be rerolled or edited."),
        low=0,
        high=200,
        per_chat=True,
    )
    buffer_events: int = setting(
        "buffer.events",
        10,
        _T("settings", "Buffer: events"),
        _T("settings", "Consolidate when so many events wait; 0 is never."),
        low=0,
        high=1000,
        per_chat=True,
    )
    buffer_tokens: int = setting(
        "buffer.tokens",
        4000,
        _T("settings", "Buffer: tokens"),
        _T("settings", "Consolidate when the waiting events cost so much; 0 is never."),
        low=0,
        high=1_000_000,
        per_chat=True,
    )
    visible_tokens: int = setting(
        "visible.tokens",
        4096,
        _T("settings", "Limit of always-visible text (tokens)"),
        _T("settings", "Above it, old events are merged into outlines."),
        low=256,
        high=1_000_000,
        per_chat=True,
    )
    visible_newest: int = setting(
        "visible.newest",
        3,
        _T("settings", "Newest events told in full"),
        _T(
            "settings",
            "Automatic consolidation leaves so many in the buffer; the story so far tells them in"
            " full.",
        ),
        low=0,
        high=100,
        per_chat=True,
    )
    outline_extractor: str = setting(
        "outline.extractor",
        "auto",
        _T("settings", "Outlines are written"),
        _T(
            "settings",
            "auto: by the model, if one is set up, one request for about ten events;"
            " extractive: by choosing sentences, without a request.",
        ),
        choices=("auto", "extractive"),
        per_chat=True,
    )
    memory_mode: str = setting(
        "memory.mode",
        "graph",
        _T("settings", "Memory mode"),
        _T("settings", "off: nothing is summarised or injected."),
        choices=("off", "vector", "graph"),
        per_chat=True,
    )
    # --- entities ---
    graph_entities_per_message: float = setting(
        "graph.entities_per_message",
        2.0,
        _T("settings", "New entities per message, at most"),
        _T("settings", "Keeps a bad answer from flooding the graph; known entities are free."),
        low=0,
        high=100,
        per_chat=True,
    )
    graph_relations_per_message: float = setting(
        "graph.relations_per_message",
        3.0,
        _T("settings", "New relations per message, at most"),
        _T("settings", "As above, for the edges between entities."),
        low=0,
        high=100,
        per_chat=True,
    )
    entities_interval: int = setting(
        "entities.interval",
        50,
        _T("settings", "Floors per update of profiles"),
        _T("settings", "How often a model is asked what is new about entities; 0 is never."),
        low=0,
        high=1000,
        per_chat=True,
    )
    entities_dialogue: bool = setting(
        "entities.dialogue",
        False,
        _T("settings", "Profiles from the messages too"),
        _T(
            "settings",
            "An update of profiles reads the messages themselves, not only the events made of them:"
            " looks and habits that no event tells of, for about as many tokens as the messages"
            " have.",
        ),
        per_chat=True,
    )
    # --- automation ---
    auto_enabled: bool = setting(
        "auto.enabled",
        True,
        _T("settings", "Summarise, consolidate and trim automatically"),
        _T(
            "settings",
            "As messages arrive. A backlog of more than three blocks, or without a model of 500 "
            "floors, is never begun without asking first.",
        ),
        per_chat=True,
    )
    review_enabled: bool = setting(
        "review.enabled",
        True,
        _T("settings", "Review before saving"),
        _T("settings", "What a model wrote waits until you have looked through it."),
        per_chat=True,
    )
    # --- recall ---
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
    # --- endpoints; keys live in the keyring ---
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
    # --- SillyTavern's folder ---
    tavern_folder: str = setting(
        "tavern.folder",
        "",
        _T("settings", "SillyTavern folder"),
        _T("settings", "Its own folder, or “data” inside of it. It is only read."),
    )
    tavern_follow: str = setting(
        "tavern.follow",
        "chosen",
        _T("settings", "Follow chats in it"),
        _T(
            "settings",
            "chosen: those you ticked, and their branches. all: every chat, new ones too."
            " off: none.",
        ),
        choices=("off", "chosen", "all"),
    )
    tavern_scan: bool = setting(
        "tavern.scan",
        True,
        _T("settings", "Scan world books as SillyTavern does"),
        _T(
            "settings",
            "Its depth, budget and other rules are taken along with the folder and when they change"
            " there. A rule you set here yourself stays.",
        ),
    )
    # --- appearance ---
    ui_language: str = setting(
        "ui.language", "system", _T("settings", "Language"), choices=("system", "zh_CN", "en")
    )
    ui_theme: str = setting(
        "ui.theme", "system", _T("settings", "Theme"), choices=("system", "light", "dark")
    )
    ui_density: str = setting(
        "ui.density",
        "comfortable",
        _T("settings", "Event cards"),
        choices=("comfortable", "compact"),
    )
    card_template: str = setting(
        "card.template",
        "",
        _T("settings", "Card template"),
        _T("settings", "How an event reads; empty is the built-in card."),
    )
    keys_storage: str = setting(
        "keys.storage",
        "keyring",
        _T("settings", "API keys are kept in"),
        choices=("keyring", "session", "file"),
    )
    backup_hours: int = setting(
        "backup.hours",
        24,
        _T("settings", "Hours between automatic backups"),
        _T("settings", "Kept: all of two days, then one a day, then one a month. 0 is never."),
        low=0,
        high=720,
    )
    undo_steps: int = setting(
        "undo.steps",
        200,
        _T("settings", "Undo steps kept, for each chat and for the library"),
        low=10,
        high=5000,
    )

    def replaced(self, values: Mapping[str, object]) -> Settings:
        """Return a copy with ``values`` by key. Unknown keys are ignored: a newer version's."""
        known = {
            name: DECLARED[key].parse(v)
            for key, v in values.items()
            if (name := FIELD_OF.get(key)) is not None
        }
        return Settings(**{**{f.name: getattr(self, f.name) for f in fields(self)}, **known})

    def get(self, key: str) -> Any:
        """Value of ``key``. Raises NotFound."""
        if key not in FIELD_OF:
            raise NotFound("setting", key)
        return getattr(self, FIELD_OF[key])


FIELD_OF: dict[str, str] = {f.metadata["setting"].key: f.name for f in fields(Settings)}
DECLARED: dict[str, Setting] = {
    f.metadata["setting"].key: f.metadata["setting"] for f in fields(Settings)
}


def declared(key: str) -> Setting:
    """Return the declaration of ``key``. Raises NotFound."""
    if key not in DECLARED:
        raise NotFound("setting", key)
    return DECLARED[key]
