"""Every setting, declared once: the dialog, the command line, the docs and the checks use this.

A field of `Settings` is a setting; its metadata holds a `Setting`. Keys are ``section.name``. API
keys are never among them: see `llm.keys`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.event import CONFIDENCES
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.pipeline_settings import PipelineSettings
from engram_desktop.domain.setting import Setting, address, setting
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class Settings(PipelineSettings):
    """All values. Immutable: `replaced` returns a changed copy.

    The order of the fields, those of the base classes first, is that of the dialog and of the docs.
    """

    # recall and injection
    recall_top_k: int = setting(
        "recall.top_k", 10, _T("settings", "Memories per recall"), bounds=(1, 100), per_chat=True
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
        bounds=(0.0, 0.1),
        per_chat=True,
    )
    inject_tokens: int = setting(
        "inject.tokens",
        6000,
        _T("settings", "Injection budget (tokens)"),
        _T("settings", "Always-visible text and recalled memories together."),
        bounds=(100, 200_000),
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
        _T("settings", "Injection: how memories are worded"),
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
            "This many of the newest messages are in the prompt anyway and are not repeated, if"
            " nothing says which are. The memory server, the companion and play always know.",
        ),
        bounds=(0, 10_000),
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
    index_server: str = address(
        "index.server",
        _T("settings", "Chroma server"),
        _T(
            "settings", "Address of a Chroma server (http:// or https://); empty: on this computer."
        ),
    )

    # play and what characters know
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
        bounds=(500, 500_000),
        per_chat=True,
    )

    # endpoints
    llm_base_url: str = address(
        "llm.base_url",
        _T("settings", "Chat endpoint: base URL"),
        _T("settings", "For example https://host/v1. Empty: no model is asked."),
    )
    llm_model: str = setting("llm.model", "", _T("settings", "Chat endpoint: model"))
    llm_timeout: int = setting(
        "llm.timeout",
        180,
        _T("settings", "Chat endpoint: time-out (s)"),
        _T("settings", "Raise it for a model on this computer that takes long to answer."),
        bounds=(5, 1800),
    )
    llm_parallel: int = setting(
        "llm.parallel",
        2,
        _T("settings", "Chat endpoint: requests at once"),
        _T("settings", "More is quicker, unless the server refuses some or answers one by one."),
        bounds=(1, 16),
    )
    llm_daily_tokens: int = setting(
        "llm.daily_tokens",
        0,
        _T("settings", "Most tokens a day"),
        _T("settings", "No request is started that would exceed it; 0 is no limit."),
        bounds=(0, 1_000_000_000),
    )
    llm_price_in: float = setting(
        "llm.price_in",
        0.0,
        _T("settings", "Price of a million prompt tokens"),
        _T("settings", "0: unknown, no cost is shown."),
        bounds=(0.0, 1_000_000.0),
    )
    llm_price_out: float = setting(
        "llm.price_out",
        0.0,
        _T("settings", "Price of a million answer tokens"),
        bounds=(0.0, 1_000_000.0),
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
        "embed.local",
        "use",
        _T("settings", "Built-in embedder"),
        _T(
            "settings",
            "Used without an endpoint. Hashes need less memory and find the same letters only, not"
            " the same meaning. After a change all memories get new vectors.",
        ),
        choices=("use", "hash"),
    )
    rerank_base_url: str = address("rerank.base_url", _T("settings", "Rerank endpoint: base URL"))
    rerank_model: str = setting("rerank.model", "", _T("settings", "Rerank endpoint: model"))

    # newer versions
    update_check: bool = setting(
        "update.check",
        False,
        _T("settings", "Ask for newer versions"),
        _T(
            "settings",
            "Once a day, some time after the program has started. Nothing of yours is sent, and"
            " nothing is installed by itself.",
        ),
    )
    update_address: str = address(
        "update.address",
        _T("settings", "Address asked for newer versions"),
        _T("settings", "Empty: the address this copy was built with; “About” shows it."),
    )

    # the memory server
    serve_on_start: bool = setting(
        "serve.on_start",
        False,
        _T("settings", "Start the memory server with the program"),
        _T("settings", "Other programs on this computer can then be given memory."),
    )
    serve_port: int = setting(
        "serve.port",
        8642,
        _T("settings", "Memory server: port"),
        _T("settings", "0 takes a free one each time."),
        bounds=(0, 65_535),
    )
    serve_network: bool = setting(
        "serve.network",
        False,
        _T("settings", "Memory server: open to the network"),
        _T(
            "settings",
            "Other machines of your network can reach it, a phone for instance. Anyone with the key"
            " can then read your memories and use your endpoint; what is sent is not encrypted.",
        ),
    )
    serve_allowance: int = setting(
        "serve.allowance",
        400,
        _T("settings", "Memory server: time for memory (ms)"),
        _T("settings", "A request that would wait longer goes on without memory."),
        bounds=(50, 10_000),
    )
    serve_place: str = setting(
        "serve.place",
        "apart",
        _T("settings", "Memory server: where memory stands"),
        _T(
            "settings",
            "apart: the story so far after the system prompt, what is recalled before the last"
            " message, so that a model's server need not read the chat between them again."
            " system: all after the system prompt. depth: so many messages before the end. last:"
            " before the last message. A placeholder {{engramSummaries}} in the prompt wins.",
        ),
        choices=("apart", "system", "depth", "last"),
        per_chat=True,
    )
    serve_depth: int = setting(
        "serve.depth",
        4,
        _T("settings", "Memory server: messages between memory and the end"),
        _T("settings", "Where memory stands at a depth."),
        bounds=(0, 1000),
        per_chat=True,
    )
    serve_keep: bool = setting(
        "serve.keep",
        True,
        _T("settings", "Memory server: keep what is said"),
        _T(
            "settings",
            "A chat that comes through the server becomes a chat of the library. One that is"
            " followed in a SillyTavern folder is left to its file.",
        ),
    )
    serve_window: int = setting(
        "serve.window",
        0,
        _T("settings", "Memory server: newest floors sent word for word"),
        _T(
            "settings",
            "Older messages that memory already covers are left out of the request. 0: none.",
        ),
        bounds=(0, 10_000),
        per_chat=True,
    )
    serve_context: int = setting(
        "serve.context",
        0,
        _T("settings", "Memory server: context of the model (tokens)"),
        _T(
            "settings",
            "What a request, its reply and memory may take together. Where it is full, the oldest"
            " messages that memory tells already are left out, and memory is shortened. 0: as the"
            " model's server says when it refuses a request.",
        ),
        bounds=(0, 2_000_000),
    )
    serve_endpoints: str = setting(
        "serve.endpoints",
        "",
        _T("settings", "Memory server: further endpoints"),
        _T(
            "settings",
            "One a line: name = base URL, and the beginnings of the model names it is asked for."
            " “name/model” asks it for any model. All else goes to the chat endpoint.",
        ),
    )
    serve_origins: str = setting(
        "serve.origins",
        "",
        _T("settings", "Memory server: web pages that may use it"),
        _T(
            "settings",
            "One a line, as https://example.org. Pages of this computer may; programs that are no"
            " page are not asked. The key is needed in any case.",
        ),
    )
    serve_mcp_writes: bool = setting(
        "serve.mcp_writes",
        False,
        _T("settings", "MCP: allow tools that write"),
        _T("settings", "Note an event, set a state. Each is a step that can be undone."),
    )

    # the library and the window

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
    ui_language: str = setting(
        "ui.language", "system", _T("settings", "Language"), choices=("system", "zh_CN", "ja", "en")
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
    ui_motion: str = setting(
        "ui.motion",
        "system",
        _T("settings", "Motion"),
        _T("settings", "What opens and closes is seen to move, for a seventh of a second."),
        choices=("system", "on", "off"),
    )
    ui_event_sort: str = setting(
        "ui.event_sort",
        "story",
        _T("settings", "Order of events"),
        choices=(
            "story",
            "newest",
            "significance",
            "created",
            "updated",
            "summary",
            "status",
            "tokens",
        ),
        per_chat=True,
    )
    ui_event_reversed: bool = setting(
        "ui.event_reversed", False, _T("settings", "Order of events turned round"), per_chat=True
    )
    ui_entry_sort: str = setting(
        "ui.entry_sort",
        "file",
        _T("settings", "Order of world book entries"),
        choices=("file", "title", "tokens", "depth", "order", "uid"),
    )
    ui_zoom: int = setting(
        "ui.zoom",
        100,
        _T("settings", "Zoom in percent"),
        _T("settings", "Times the scale of the screen. From the next start on."),
        bounds=(80, 200),
    )
    ui_notify: bool = setting(
        "ui.notify",
        True,
        _T("settings", "Notify when a long task ends while the window is away"),
        _T(
            "settings",
            "After more than ten seconds, by a notification of the system: the name of the task and"
            " how it ended, nothing of a chat.",
        ),
    )
    card_template: str = setting(
        "card.template",
        "",
        _T("settings", "Card template"),
        _T("settings", "How an event reads; empty is the built-in card."),
    )
    net_proxy: str = setting(
        "net.proxy",
        "system",
        _T("settings", "Proxy"),
        _T(
            "settings",
            "For everything that is asked over the network; servers on this computer are always"
            " asked directly. The system's is that of HTTPS_PROXY, ALL_PROXY or its own settings.",
        ),
        choices=("system", "none", "own"),
    )
    net_proxy_url: str = address(
        "net.proxy_url",
        _T("settings", "Address of the proxy"),
        _T("settings", "For example http://127.0.0.1:7890"),
    )
    keys_storage: str = setting(
        "keys.storage",
        "keyring",
        _T("settings", "API keys are kept in"),
        choices=("keyring", "session", "file"),
    )
    library_wait: float = setting(
        "library.wait",
        10.0,
        _T("settings", "Seconds that a program waits for another one that writes"),
        _T(
            "settings",
            "The window, the command line, the memory server and MCP; then they say which program"
            " holds the library. 0 does not wait.",
        ),
        bounds=(0, 3600),
    )
    backup_hours: int = setting(
        "backup.hours",
        24,
        _T("settings", "Hours between automatic backups"),
        _T("settings", "Kept: all of two days, then one a day, then one a month. 0 is never."),
        bounds=(0, 720),
    )
    undo_steps: int = setting(
        "undo.steps",
        200,
        _T("settings", "Undo steps kept, for each chat and for the library"),
        bounds=(10, 5000),
    )

    def replaced(self, values: Mapping[str, object]) -> Settings:
        """Return a copy with ``values`` by key; unknown keys, of a newer version, are ignored."""
        if not values:
            return self
        known = {
            name: DECLARED[key].parse(v)
            for key, v in values.items()
            if (name := FIELD_OF.get(key)) is not None
        }
        return Settings(**{**{f.name: getattr(self, f.name) for f in fields(self)}, **known})

    def get(self, key: str) -> Any:
        """Return the value of ``key``. Raises NotFound."""
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


# Settings of the environment override those stored in the library or for a chat.


OF_ENVIRONMENT = {"MEMORY_MODE": "memory.mode"}


def from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings in environment variables, by key. Raises BadSetting."""
    held: dict[str, Any] = {}
    for variable, key in OF_ENVIRONMENT.items():
        if value := environ.get(variable, "").strip():
            held[key] = replace(declared(key), key=variable).check(value)
    return held


# Settings of safe mode, which override all stored ones: nothing runs by itself.


HELD: dict[str, Any] = {
    "auto.enabled": False,
    "reflect.auto": False,
    "native.regex": False,
    "native.ejs": False,
    "tavern.follow": "off",
    "serve.on_start": False,
    "update.check": False,
}
