"""Read the end of a line as a front end would send it: macros filled, scripts run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.serving.finding.alignment import Floor
from engram_desktop.domain.serving.finding.line_tail import LineTail
from engram_desktop.domain.serving.texts.plain_text import longest_pieces, plain
from engram_desktop.formats.chats.history_gap import has_gaps
from engram_desktop.formats.chats.played import readings
from engram_desktop.services.prompts.chat_variables import header_of

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts
    from engram_desktop.storage.chat.chat_store import ChatStore

_WITH_READINGS = 12  # newest floors of which all swipes are known: who swipes back goes no further
_MAX_OPENING = 10  # greetings of a group before the player's first word
_MACROS = ("{{", "<user", "<USER", "<char", "<CHAR", "<bot", "<BOT")
DEFAULT_PLAYER = "User"


def read_tail(
    session: Session, chat_prompts: ChatPrompts, ctx: JobContext, line: Line, size: int
) -> LineTail:
    """Read the newest ``size`` floors. Raises NotFound, StorageError."""
    store = session.chat(line.chat_id)
    count = store.messages.count(line.branch_id)
    first = max(0, count - size)
    messages = store.messages.slice(line.branch_id, first, count - 1) if count else []
    native = chat_prompts.native(ctx, store, session.settings(line.chat_id), line.branch_id)
    sent = native.as_sent(messages)
    voices = list(dict.fromkeys(m.name for m in messages if m.role == "assistant"))
    users = [m.name for m in messages if m.role == "user"]
    player = users[-1] if users else next(iter(store.messages.user_names()), DEFAULT_PLAYER)
    others = _other_readings(store, line, max(first, count - _WITH_READINGS), count - 1)
    opening = _opening(messages) if first == 0 else 0
    floors = []
    for n, (message, as_sent) in enumerate(zip(messages, sent, strict=True)):
        speaker = message.name if message.role == "assistant" else next(iter(voices), "")
        texts = [_filled(as_sent.text, player, speaker), message.text]
        pieces = longest_pieces(texts[0])
        keys = dict.fromkeys(plain(text) for text in [*texts, *others.get(message.seq, ())])
        floors.append(
            Floor(
                message.seq,
                message.role,
                message.name,
                tuple(key for key in keys if key) or ("",),
                message.is_hidden,
                n < opening,
                plain(texts[0]) == plain(message.text),
                pieces,
            )
        )
    gaps = has_gaps(header_of(store, line.branch_id))
    return LineTail(line, count, tuple(floors), player, tuple(voices), gaps)


def tail_mark(store: ChatStore, branch_id: str, size: int) -> tuple[object, ...]:
    """Return what is another whenever the newest ``size`` floors of a line are."""
    count = store.messages.count(branch_id)
    first = max(0, count - size)
    rows = store.messages.outline(branch_id, first) if count else []
    return count, hash(tuple((row.swipe_hash, row.name, row.is_hidden) for row in rows))


def _opening(messages: Sequence[Message]) -> int:
    """Count the floors before the player's first word."""
    spoken = (n for n, message in enumerate(messages) if message.role == "user")
    return min(next(spoken, len(messages)), _MAX_OPENING)


def _filled(text: str, player: str, speaker: str) -> str:
    if not any(mark in text for mark in _MACROS):
        return text
    return fill(text, MacroScope({"user": player, "char": speaker})).text


def _other_readings(
    store: ChatStore, line: Line, first: int, last: int
) -> dict[int, Sequence[str]]:
    """Return the swipes of floors that have several."""
    if last < first:
        return {}
    rows = store.messages.as_parsed(line.branch_id, first, last)
    return {
        first + n: readings(row.raw, row.text)[0]
        for n, row in enumerate(rows)
        if '"swipes"' in row.raw
    }
