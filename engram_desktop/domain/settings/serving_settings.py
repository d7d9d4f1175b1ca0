"""The settings of the local server: where it listens, and what it does with a request."""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import setting
from engram_desktop.domain.settings.update_settings import UpdateSettings
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class ServingSettings(UpdateSettings):
    """A part of `Settings`."""

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
        low=0,
        high=65_535,
    )
    serve_network: bool = setting(
        "serve.network",
        False,
        _T("settings", "Memory server: open to the network"),
        _T(
            "settings",
            "Other machines of your network can reach it, a phone for instance. Whoever has the key"
            " can then read your memories and use your endpoint; what is sent is not encrypted.",
        ),
    )
    serve_allowance: int = setting(
        "serve.allowance",
        400,
        _T("settings", "Memory server: time for memory (ms)"),
        _T("settings", "A request that would wait longer goes on without memory."),
        low=50,
        high=10_000,
    )
    serve_place: str = setting(
        "serve.place",
        "system",
        _T("settings", "Memory server: where memory stands"),
        _T(
            "settings",
            "system: after the system prompt. depth: so many messages before the end. last: before"
            " the last message. A placeholder {{engramSummaries}} in the prompt wins.",
        ),
        choices=("system", "depth", "last"),
        per_chat=True,
    )
    serve_depth: int = setting(
        "serve.depth",
        4,
        _T("settings", "Memory server: messages between memory and the end"),
        _T("settings", "Where memory stands at a depth."),
        low=0,
        high=1000,
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
            "What is older and told by memory already is left out of the request. 0: nothing is.",
        ),
        low=0,
        high=10_000,
        per_chat=True,
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
