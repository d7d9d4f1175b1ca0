"""The page of the memory server with requests of made-up programs, for `screenshots`."""

from __future__ import annotations

from collections.abc import Iterator

from pictured_dialogs import settle
from PySide6.QtWidgets import QWidget

from engram_desktop.app.desktop import Desktop
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.serving.identity import Identity
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.serving import ServingPage

_AT = 1_790_000_000_000  # milliseconds since 1970 of the first request: the same in each picture
_SAID = '{"model": "gpt-x", "messages": [{"role": "user", "content": "钥匙在哪里？"}]}'


def serving_pictures(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """Show the page off, then on with requests, then one request before and after memory."""
    window, memory = desktop.window, desktop.workspace.memory
    window.show_page("serving")
    settle(desktop)
    yield "serving-off", window
    memory.settings.set("serve.port", 0)
    memory.settings.set("keys.storage", "file")  # of a library that is thrown away
    memory.settings.set("llm.base_url", "https://api.example/v1")
    memory.settings.set("llm.model", "gpt-x")
    desktop.workspace.server.start()
    settle(desktop)
    yield "serving-on", window
    chat = desktop.workspace.chat_id
    why = Phrase("{count} of its {of} messages stand at the end of this chat.", count=12, of=14)
    unknown = Identity(None, "none", 0.0, Phrase("No chat of the library holds its messages."))
    of_chat = Identity(Line.main(chat), "aligned", 0.99, why, until=119, speaker="爱丽丝")
    injection = memory.inject.compose(NullContext(), chat, RecallQuery("钥匙在哪里？"))
    exchanges = desktop.workspace.server._server.exchanges  # type: ignore[union-attr]  # noqa: SLF001
    rows = (
        ("node-fetch", of_chat, "filled", 200, "message"),
        ("node-fetch", of_chat, "filled", 200, "swipe"),
        ("OpenWebUI", unknown, "unknown", 200, ""),
        ("node-fetch", unknown, "quiet", 200, ""),
        ("RisuAI", of_chat, "late", 200, "message"),
        ("Chatbox", of_chat, "filled", 429, ""),
    )
    for n, (client, identity, outcome, status, kept) in enumerate(rows):
        begun = exchanges.begin(_AT + n * 41_000, "/v1/chat/completions", client=client)
        exchanges.change(
            begun.number,
            identity=identity,
            outcome=outcome,
            status=status,
            kept=kept,
            model="gpt-x",
            host="api.example",
            injection=injection if outcome == "filled" else None,
            memory_ms=41.0 if outcome != "late" else 400.0,
            first_ms=720.0,
            total_ms=5400.0,
            is_finished=True,
            failure="Rate limit reached" if status == 429 else "",
            before=_SAID,
            after=_SAID.replace("钥匙", "[记忆] 钥匙"),
        )
    settle(desktop)
    page = window.stack.page_as("serving", ServingPage)
    first = page.list.topLevelItem(4)
    assert first is not None
    page.list.setCurrentItem(first)
    settle(desktop)
    yield "serving-requests", window
    window.models.serving.ask_bodies()
    settle(desktop)
    dialog = window.dialogs.shown[-1]
    yield "dialog-bodies", dialog
    dialog.close()
    desktop.workspace.server.halt()
    settle(desktop)
