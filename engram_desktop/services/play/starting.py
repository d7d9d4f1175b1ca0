"""Begin a chat to be played: with cards of the library, or as a scene written beforehand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.play.turn import Started
from engram_desktop.domain.state.rules import rule_fields
from engram_desktop.domain.state.tree import pointer
from engram_desktop.domain.text.moment import moment
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.played import new_row
from engram_desktop.services.characters.speaking import character_of
from engram_desktop.services.play.scene import DEFAULT_PLAYER, PlayHeader

if TYPE_CHECKING:
    from engram_desktop.domain.cards.character import Character
    from engram_desktop.domain.state.rules import StateRule
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.play.reply.script import Script
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.library.library import Library

_T = QT_TRANSLATE_NOOP
_LOOKED_AT = 5  # chats, the latest first, that are asked how the player was called
_BETWEEN = "、"


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a new chat holds before the first turn."""

    name: str
    header: PlayHeader
    speaker: str
    speaker_id: str
    greetings: Sequence[str]
    chosen: int = 0
    rules: Sequence[StateRule] = ()


def sent_at_text(at: int) -> str:
    """Write a time in milliseconds as SillyTavern does."""
    return moment(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def last_player(library: Library) -> str:
    """Return how the player was called last."""
    for chat_id, *_rest in library.chat_rows()[:_LOOKED_AT]:
        names = library.chat(chat_id).messages.user_names()
        if names:
            return names[0]
    return DEFAULT_PLAYER


def greetings_of(characters: Sequence[Character], player: str) -> list[str]:
    """Return how a chat with these may begin; of several the first speaks, as to a group."""
    first = characters[0]
    texts = [first.first_mes, *first.alternate_greetings]
    if len(characters) > 1 and first.group_only_greetings:
        texts = [*first.group_only_greetings, *texts]
    group = ", ".join(character.called for character in characters)
    values = {"char": first.called, "user": player, "group": group}
    filled = (fill(text, MacroScope(values)).text.strip() for text in texts)
    return [text for text in dict.fromkeys(filled) if text]


def with_cards(
    library: Library, card_ids: Sequence[str], player: str, name: str, greeting: int
) -> Beginning:
    """Plan a chat with cards. Raises NotFound, InputError for no card or no such greeting."""
    if not card_ids:
        raise InputError(Phrase(_T("reports", "A chat needs a character to talk with.")))
    rows = [library.characters.find(card) for card in card_ids]
    characters = [character_of(library, row) for row in rows]
    player = player.strip() or last_player(library)
    texts = greetings_of(characters, player)
    if greeting and not 0 <= greeting < len(texts):
        raise InputError(
            Phrase(_T("reports", "There is no greeting {number}."), number=greeting + 1)
        )
    header = PlayHeader(
        tuple(row.id for row in rows), player, members=tuple(row.name for row in rows)
    )
    speaker_id = rows[0].avatar if len(rows) > 1 else ""
    chat_name = name.strip() or _BETWEEN.join(row.name for row in rows)
    return Beginning(chat_name, header, rows[0].name, speaker_id, texts, greeting)


def of_script(script: Script) -> Beginning:
    """Plan a chat that plays a written scene."""
    scene = script.scene
    header = PlayHeader((), script.player, scene.name, scene.language)
    name = script.character.name
    return Beginning(scene.title, header, name, "", [script.greeting], 0, script.rules)


def begin(library: Library, ctx: JobContext, beginning: Beginning) -> Started:
    """Make the chat; it is in the library once all of it is there."""

    def unit() -> ChatStore:
        store = library.begin_chat(beginning.name)
        try:
            with store.database.writing():
                store.branches.set_header(MAIN_BRANCH, beginning.header.to_json())
                if beginning.greetings:
                    greeting = _greeting(beginning, store.clock())
                    store.messages.append(MAIN_BRANCH, 0, [greeting])
                for rule in beginning.rules:
                    fields = json.dumps(rule_fields(rule), ensure_ascii=False)
                    store.turn_notes.put_rule(pointer(rule.path), fields)
            library.admit_chat(store, beginning.name)
        except BaseException:
            library.give_up_chat(store)
            raise
        return store

    store = ctx.write(unit)
    changes = Changes(chat_id=store.chat_id, library=True, messages=True)
    return Started(Line.main(store.chat_id), changes)


def _greeting(beginning: Beginning, now: int) -> ParsedMessage:
    texts = list(beginning.greetings)
    text = texts[beginning.chosen]
    row = new_row(beginning.speaker, text, sent_at_text(now))
    row |= {
        "swipes": texts,
        "swipe_id": beginning.chosen,
        "swipe_info": [{"extra": {}} for _text in texts],
    }
    if beginning.speaker_id:
        row["original_avatar"] = beginning.speaker_id
    raw = json.dumps(row, ensure_ascii=False)
    return ParsedMessage(
        beginning.speaker, "assistant", text, False, now, raw, 1, beginning.speaker_id, len(texts)
    )
