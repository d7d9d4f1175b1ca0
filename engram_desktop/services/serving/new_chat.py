"""Begin a chat that came through the server, with all that its first request shows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.line import Line
from engram_desktop.formats.chats.history_gap import noting_gaps, with_gap
from engram_desktop.services.play.scene import PlayHeader
from engram_desktop.services.serving.keeping_line import new_message

if TYPE_CHECKING:
    from engram_desktop.domain.memory.message import ParsedMessage
    from engram_desktop.domain.serving.kept import Beginning
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.library.library import Library

_MOST_NAMES = 10_000  # chats of one name that are told apart by a number


def begin(
    session: Session, ctx: JobContext, beginning: Beginning, reply: str, reasoning: str
) -> tuple[Line, Changes]:
    """Make the chat; it is in the library once all of it is there. Raises StorageError."""
    ctx.check()
    library = session.library
    card_id, avatar = _card(library, beginning.card)
    name = _free_name(library, beginning.name)
    header = PlayHeader(
        (card_id,) if card_id else (),
        beginning.player,
        members=(beginning.speaker,),
    )
    store = library.begin_chat(name)
    try:
        now = store.clock()
        messages: list[ParsedMessage] = [
            new_message(
                who,
                "assistant" if role == "assistant" else "user",
                text,
                now,
                speaker_id=avatar if who == beginning.card else "",
            )
            for role, who, text in beginning.said
        ]
        first = messages[0]  # the front end may have sent only the end of a longer chat
        messages[0] = replace(first, raw=with_gap(first.raw, "start"))
        speaker_id = avatar if beginning.speaker == beginning.card else ""
        messages.append(
            new_message(
                beginning.speaker,
                "assistant",
                reply,
                now,
                reasoning=reasoning,
                speaker_id=speaker_id,
            )
        )
        with store.database.writing():
            store.branches.set_header(MAIN_BRANCH, noting_gaps(json.loads(header.to_json())))
            store.messages.append(MAIN_BRANCH, 0, messages)
        library.admit_chat(store, name)
    except BaseException:
        library.give_up_chat(store)
        raise
    return Line.main(store.chat_id), Changes(chat_id=store.chat_id, library=True, messages=True)


def _card(library: Library, name: str) -> tuple[str, str]:
    """Return id and file of a character; empty where there is none of the name."""
    if not name:
        return "", ""
    try:
        row = library.characters.find(name)
    except NotFound:
        return "", ""
    return row.id, row.avatar


def _free_name(library: Library, name: str) -> str:
    taken = {row[1] for row in library.chat_rows()}
    if name not in taken:
        return name
    numbered = (f"{name} ({number})" for number in range(2, _MOST_NAMES))
    return next(other for other in numbered if other not in taken)
