"""A scene of play: who is in it, how it starts, and writing it to a SillyTavern file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.cards import Character
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.play import SceneMember, Started
from engram_desktop.domain.state.rules import rule_fields
from engram_desktop.domain.state.tree import pointer
from engram_desktop.domain.text.cleaning import in_a_row
from engram_desktop.domain.text.moment import moment
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.played import new_row
from engram_desktop.formats.json_values import row_of, table_of, text_of, texts_of
from engram_desktop.services.characters import character_of, characters_of_chat
from engram_desktop.services.knowledge.actors import MEMBERS, PLAY_HEADER
from engram_desktop.services.library.whole_file import write_new_parts
from engram_desktop.services.prompts.macro_scope import header_of

if TYPE_CHECKING:
    from engram_desktop.domain.cards import CharacterRow
    from engram_desktop.domain.state.rules import StateRule
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.play.reply import WrittenScene
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.library.library import Library


MAX_MEMBERS = 40  # members of one scene: further speakers of a long chat are passers-by
_TAIL = 60  # messages searched backwards for the last speaker
DEFAULT_PLAYER = "User"


@dataclass(frozen=True, slots=True)
class PlayHeader:
    """How a chat was begun in this program: cards by id, the player, a written scene.

    ``members`` are the characters present from the start.
    """

    cards: tuple[str, ...] = ()
    player: str = ""
    script: str = ""
    language: str = ""
    members: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the header line that a SillyTavern file of the chat would have."""
        play = {
            "cards": list(self.cards),
            "player": self.player,
            "script": self.script,
            "language": self.language,
            MEMBERS: list(self.members),
        }
        header = {
            "user_name": self.player,
            "character_name": "unused",
            "chat_metadata": {PLAY_HEADER: play},
        }
        return json.dumps(header, ensure_ascii=False)


def play_header(store: ChatStore, branch_id: str) -> PlayHeader:
    """Return how a chat was begun; an empty header for an imported chat."""
    header = header_of(store, branch_id)
    play = table_of(table_of(header.get("chat_metadata")).get(PLAY_HEADER))
    return PlayHeader(
        texts_of(play.get("cards", [])),
        text_of(play.get("player")),
        text_of(play.get("script")),
        text_of(play.get("language")),
        texts_of(play.get(MEMBERS, [])),
    )


def player_of(store: ChatStore, header: PlayHeader) -> str:
    """Return the player's name: from the header, else the name the player used most."""
    return header.player or next(iter(store.messages.user_names()), DEFAULT_PLAYER)


def rows_of_scene(library: Library, store: ChatStore, header: PlayHeader) -> list[CharacterRow]:
    """Return the cards in play: those the chat was begun with, then those that spoke."""
    rows_by_id = {row.id: row for row in library.characters.rows()}
    rows = [rows_by_id[card] for card in header.cards if card in rows_by_id]
    return list({row.id: row for row in [*rows, *characters_of_chat(library, store)]}.values())


def members_of(library: Library, store: ChatStore, header: PlayHeader) -> list[SceneMember]:
    """Return all who can reply, those with cards first."""
    rows = rows_of_scene(library, store, header)
    chosen = set(header.cards)  # two cards of one name are two members if the user chose both
    by_norm: dict[str, CharacterRow] = {}
    for row in rows:
        by_norm.setdefault(row.id if row.id in chosen else norm_name(row.name), row)
    rows = list(by_norm.values())
    members = [SceneMember(row.name, row.id) for row in rows]
    known = {norm_name(name) for row in rows for name in (row.name, row.nickname) if name}
    for name, _avatar in store.messages.characters():
        if norm_name(name) not in known:
            known.add(norm_name(name))
            members.append(SceneMember(name))
    return members[:MAX_MEMBERS]


def member_named(members: Sequence[SceneMember], name: str) -> SceneMember:
    """Return the member with this name or card id. Raises NotFound."""
    for member in members:
        if name == member.card_id or norm_name(name) == norm_name(member.name):
            return member
    raise NotFound("character", name)


def next_member(
    members: Sequence[SceneMember], store: ChatStore, branch_id: str, text: str
) -> SceneMember | None:
    """Return who replies next: who is named first in the text, else the next in turn."""
    if not members:
        return None
    folded = text.casefold()
    named = [(folded.find(m.name.casefold()), n) for n, m in enumerate(members) if m.name]
    said = [(at, n) for at, n in named if at >= 0]
    if said:
        return members[min(said)[1]]
    if len(members) == 1:
        return members[0]
    count = store.messages.count(branch_id)
    newest = store.messages.outline(branch_id, max(0, count - _TAIL))
    last = next((row.name for row in reversed(newest) if row.role == "assistant"), "")
    names = [norm_name(member.name) for member in members]
    at = names.index(norm_name(last)) if norm_name(last) in names else -1
    return members[(at + 1) % len(members)]


def card_of_member(library: Library, member: SceneMember) -> Character:
    """Return the card of a member; an empty card of its name if it has none."""
    if not member.card_id:
        return Character(member.name)
    return character_of(library, library.characters.find(member.card_id))


_T = QT_TRANSLATE_NOOP
_LOOKED_AT = 5  # latest chats searched for the player's name


@dataclass(frozen=True, slots=True)
class ChatOpening:
    """What a new chat holds before the first turn."""

    name: str
    header: PlayHeader
    speaker: str
    speaker_id: str
    greetings: Sequence[str]
    chosen: int = 0
    rules: Sequence[StateRule] = ()


def sent_at_text(at: int) -> str:
    """Format a time in milliseconds as SillyTavern does."""
    return moment(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def last_player(library: Library) -> str:
    """Return the player's name in the latest chats."""
    for chat_id, *_rest in library.chat_rows()[:_LOOKED_AT]:
        names = library.chat(chat_id).messages.user_names()
        if names:
            return names[0]
    return DEFAULT_PLAYER


def greetings_of(characters: Sequence[Character], player: str) -> list[str]:
    """Return the greetings of a chat with these; of several, the first one's to a group."""
    first = characters[0]
    texts = [first.first_mes, *first.alternate_greetings]
    if len(characters) > 1 and first.group_only_greetings:
        texts = [*first.group_only_greetings, *texts]
    group = ", ".join(character.called for character in characters)
    values = {"char": first.called, "user": player, "group": group}
    filled = (fill(text, MacroScope(values)).text.strip() for text in texts)
    return [text for text in dict.fromkeys(filled) if text]


def with_cards(
    library: Library, card_ids: Sequence[str], player: str, greeting: int
) -> ChatOpening:
    """Plan a chat with cards. Raises NotFound, InputError without a card or for a bad greeting."""
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
    chat_name = in_a_row([row.name for row in rows])
    return ChatOpening(chat_name, header, rows[0].name, speaker_id, texts, greeting)


def of_script(script: WrittenScene) -> ChatOpening:
    """Plan a chat that plays a written scene."""
    scene = script.scene
    header = PlayHeader((), script.player, scene.name, scene.language)
    name = script.character.name
    return ChatOpening(scene.title, header, name, "", [script.greeting], 0, script.rules)


def begin(library: Library, ctx: JobContext, beginning: ChatOpening) -> Started:
    """Make the chat; it is listed in the library once it is complete."""

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


def _greeting(beginning: ChatOpening, now: int) -> ParsedMessage:
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


_PAGE = 500  # messages read in one query
_NARRATOR = "narrator"  # type of a message without a speaker


def write_chat(ctx: JobContext, store: ChatStore, branch_id: str, target: Path) -> int:
    """Write a line to a new SillyTavern chat file: a header, then a message a line with swipes.

    Returns how many messages it holds. Raises FileExists, NotFound, StorageError.
    """
    count = store.messages.count(branch_id)
    lines = _lines(ctx, store, branch_id)
    write_new_parts(target, (line.encode("utf-8", "replace") for line in lines))
    return count


def _lines(ctx: JobContext, store: ChatStore, branch_id: str) -> Iterator[str]:
    header = header_of(store, branch_id) or {
        "user_name": next(iter(store.messages.user_names()), "unused"),
        "character_name": "unused",
        "chat_metadata": {},
    }
    yield _line(header)
    count = store.messages.count(branch_id)
    for first in range(0, count, _PAGE):
        ctx.report(first, count, "export")
        for message in store.messages.as_parsed(branch_id, first, first + _PAGE - 1):
            yield _line(_row(message))


def _row(message: ParsedMessage) -> dict[str, object]:
    """Return a message as its file had it, with the changes made in this program."""
    row = row_of(message.raw)
    row |= {
        "name": message.name,
        "is_user": message.role == "user",
        "is_system": message.is_hidden,
        "mes": message.text,
    }
    if "send_date" not in row and message.sent_at is not None:
        row["send_date"] = sent_at_text(message.sent_at)
    if message.role == "system" and not isinstance(row.get("extra"), dict):
        row["extra"] = {"type": _NARRATOR}
    return row


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
