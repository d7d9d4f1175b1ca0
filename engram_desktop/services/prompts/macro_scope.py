"""What macros of a chat stand for: variables, names, texts, and the story so far.

Values are read when a macro asks for them. Cards are filled with names once; messages of the story
are never filled. What only SillyTavern's settings say is read from the folder the chat lies in
(`TavernFiles`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self

from engram_desktop.domain.cards import Character
from engram_desktop.domain.macros.clock import humanized
from engram_desktop.domain.macros.fill import fill, is_plain, unescaped
from engram_desktop.domain.macros.known import text_hash
from engram_desktop.domain.macros.scope import CARD, OLDER_NAMES, MacroScope, Value, Variables
from engram_desktop.domain.memory.event import EventNode, story_key
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.memory.scope import is_ordinary
from engram_desktop.domain.pipeline.outline import story_so_far
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.tavern.instruct import GroupMember, TavernTexts, TextPrompt
from engram_desktop.domain.text.moment import local_moment, moment
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.tavern.settings import NAME, read_settings
from engram_desktop.formats.tavern.texts import MACROS, read_members, read_texts
from engram_desktop.services.characters import (
    ChatNames,
    character_of,
    characters_of_chat,
    read_cast,
    user_of,
)
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.events.events import OutlinePart
from engram_desktop.storage.library.library import Library

LOOKED_AT = 200  # messages searched backwards: variables are written with every reply, or never
_PART = 20  # messages read at once: the last ones nearly always hold them


def header_of(store: ChatStore, branch_id: str) -> dict[str, Any]:
    """Return the header of the file a line was read from, or its parent's; {} without one."""
    for branch, _last in store.branch_path(branch_id):
        header = json_object(store.branches.header(branch))
        if header:
            return header
    return {}


def variables_of(store: ChatStore, branch_id: str) -> dict[str, Any]:
    """Return the present variables of a line; those of messages override those of the chat."""
    own, of_message = variables_by_scope(store, branch_id)
    return own | of_message


def variables_by_scope(store: ChatStore, branch_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the variables of the chat itself, and those of its messages.

    The chat's are in the header of its file; extensions write others on messages, of which the
    newest that has any counts.
    """
    metadata = header_of(store, branch_id).get("chat_metadata")
    variables = metadata.get("variables") if isinstance(metadata, dict) else None
    return (variables if isinstance(variables, dict) else {}), _of_messages(store, branch_id)


def _of_messages(store: ChatStore, branch_id: str) -> dict[str, Any]:
    end = store.messages.count(branch_id) - 1
    for last in range(end, max(-1, end - LOOKED_AT), -_PART):
        for message in reversed(
            store.messages.as_parsed(branch_id, max(0, last - _PART + 1), last)
        ):
            if '"variables"' in message.raw and (variables := _variables(message.raw)):
                return variables
    return {}


def _variables(raw: str) -> dict[str, Any]:
    message = json_object(raw)
    variables, swipe = message.get("variables"), message.get("swipe_id", 0)
    if isinstance(variables, list):
        is_valid = isinstance(swipe, int) and 0 <= swipe < len(variables)
        variables = variables[swipe] if is_valid else (variables[-1] if variables else {})
    return variables if isinstance(variables, dict) else {}


def json_object(text: str) -> dict[str, Any]:
    """Parse a JSON object; {} for anything else."""
    try:
        value = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


# Limit on events that no outline covers: 20,000 floors give about 1,000 before they are archived,
# and condensing 1,000 takes 0.7 s; more would keep a prompt waiting.
PLAIN_READ = 1_000


def summary_events(
    store: ChatStore,
    branch_id: str,
    limit: int,
    newest: int,
    *,
    until: int | None = None,
    allowed: Callable[[EventNode | OutlinePart], bool] = lambda _event: True,
    recalled: Collection[str] = (),
    plain: int | None = None,
) -> list[EventNode]:
    """Return the events of `{{engramSummaries}}`, in story order, in about ``limit`` tokens.

    ``until`` is the last floor that may be covered: outlines beyond it are replaced by their parts.
    ``allowed`` is False for events the reader must not know: a forbidden outline is replaced by
    those of its parts that are allowed. Muted events are left out. ``recalled`` events are added,
    whatever their lamp, if this branch sees them; another branch may have asked last. Of events in
    no outline only the ``plain`` newest are read, None: all.
    """
    muted = {item.ref for item in store.items.muted()}

    known = _KnownParts(store, muted, allowed)
    visible = known.allowed(store.events.visible(branch_id, plain))
    if until is not None:
        visible = _up_to(visible, known.parts_of, until)
    story = story_so_far(_bounded(visible), known.parts_of, limit, newest)
    ids = {e.id for e in story}
    more = [
        e
        for e in store.events.by_ids(recalled, branch_id)
        if e.id not in ids
        and not e.is_stale
        and e.id not in muted
        and allowed(e)
        and (until is None or e.source_range.end_index <= until)
    ]
    return sorted([*story, *more], key=story_key)


class _KnownParts:
    """Returns allowed events, and for forbidden outlines the allowed ones among their parts.

    An asker with little knowledge may know few of thousands of events: the parts of an outline are
    tested layer by layer, and only allowed events are read.
    """

    def __init__(
        self,
        store: ChatStore,
        muted: Collection[str],
        allowed: Callable[[EventNode | OutlinePart], bool],
    ) -> None:
        self._store, self._muted, self._allowed = store, muted, allowed
        self._parts: dict[str, tuple[EventNode, ...]] = {}

    def parts_of(self, outline_id: str) -> tuple[EventNode, ...]:
        """Return the allowed events below an outline."""
        if outline_id not in self._parts:
            self._parts[outline_id] = tuple(self._below([outline_id])[outline_id])
        return self._parts[outline_id]

    def allowed(self, events: Sequence[EventNode]) -> list[EventNode]:
        """Return the allowed ones of these events, in the same order."""
        left = [event for event in events if event.id not in self._muted]
        hidden = [event.id for event in left if event.level and not self._allowed(event)]
        below = self._below(hidden) if hidden else {}
        told = list[EventNode]()
        for event in left:
            if event.id in below:  # for example a model's outline of events the user confirmed
                told += below[event.id]
            elif self._allowed(event):
                told.append(event)
        return told

    def _below(self, outline_ids: Sequence[str]) -> dict[str, list[EventNode]]:
        by_outline: dict[str, list[OutlinePart]] = {}
        layer = list(outline_ids)
        told = list[int]()
        while layer:
            by_outline |= {outline_id: [] for outline_id in layer}
            parts = [p for p in self._store.outlines.parts(layer) if p.id not in self._muted]
            layer = []
            for part in parts:
                by_outline[part.outline_id].append(part)
                if self._allowed(part):
                    told.append(part.pk)
                elif part.level and part.id not in by_outline:
                    layer.append(part.id)
        events = self._store.events.fetch(told)

        def under(outline_id: str) -> Iterator[EventNode]:
            for part in by_outline[outline_id]:
                if part.pk in events:
                    yield events[part.pk]
                elif part.level:
                    yield from under(part.id)

        return {outline_id: list(under(outline_id)) for outline_id in outline_ids}


def _bounded(visible: list[EventNode]) -> list[EventNode]:
    """Drop the oldest events that no outline covers if there are too many to condense."""
    plain = [e for e in visible if not e.level]
    left_out = {e.pk for e in plain[: max(0, len(plain) - PLAIN_READ)]}
    return [e for e in visible if e.pk not in left_out]


def _up_to(
    events: Sequence[EventNode], parts_of: Callable[[str], Sequence[EventNode]], until: int
) -> list[EventNode]:
    events_before: list[EventNode] = []
    for event in events:
        if event.source_range.end_index <= until:
            events_before.append(event)
        elif event.level and event.source_range.start_index <= until:
            events_before += _up_to(parts_of(event.id), parts_of, until)
    return events_before


_GROUPS = "group chats"


@dataclass(frozen=True)
class TavernFiles:
    """Reads settings and group from a SillyTavern folder.

    ``user`` is the folder of a user, ``chat`` the chat's file; either may be unknown. A chat whose
    file is not followed has no such folder: then the settings of the user known last are read, and
    the members of a group are unknown.
    """

    user: Path | None = None
    chat: Path | None = None

    @classmethod
    def of(cls, library: Library, chat_id: str) -> Self:
        folder = user_of(library, chat_id).folder
        followed = library.followed.of_chat(chat_id)
        return cls(Path(folder) if folder else None, Path(followed[0].path) if followed else None)

    @property
    def is_solo(self) -> bool:
        """Return whether the chat is certainly one with a single character."""
        return self.chat is not None and self.chat.parent.parent.name == "chats"

    @cached_property
    def members(self) -> tuple[GroupMember, ...] | None:
        """Return the members of the group; None if it is no group, or no file names them."""
        if self.chat is None or self.chat.parent.name != _GROUPS:
            return None
        return read_members(self.chat.parent.parent, self.chat.stem)

    @cached_property
    def texts(self) -> TavernTexts | None:
        return read_texts(self.user) if self.user else None

    def values(self) -> Mapping[str, Callable[[], str]]:
        """Return the macros that the settings give a text; {} without settings."""
        if self.user is None or not (self.user / NAME).is_file():
            return {}
        return {name: partial(self._said, name) for name in MACROS}

    def _said(self, name: str) -> str:
        """Return a macro's text; the settings are read at the first call."""
        return self.texts.macros[name] if self.texts else ""


TAIL = 60  # messages searched backwards for the last speaker
Said = Callable[[Message], str]

_SENT = 4  # floors a chat is taken to send if no setting says how many


@dataclass(frozen=True)
class ChatSays:
    """Reads what the macros of a chat ask for; ``said`` returns the text of a message."""

    library: Library
    store: ChatStore
    settings: Settings
    branch_id: str
    said: Said = lambda message: message.text

    @cached_property
    def header(self) -> dict[str, Any]:
        return header_of(self.store, self.branch_id)

    @cached_property
    def variables(self) -> dict[str, Any]:
        return variables_of(self.store, self.branch_id)

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """Return SillyTavern's metadata of the chat."""
        metadata = self.header.get("chat_metadata")
        return metadata if isinstance(metadata, dict) else {}

    @cached_property
    def shared(self) -> Mapping[str, Any]:
        """Return the variables of all chats, as last read from SillyTavern's settings."""
        return user_of(self.library, self.store.chat_id).variables

    @cached_property
    def files(self) -> TavernFiles:
        """Return the files of the SillyTavern folder that the chat lies in."""
        return TavernFiles.of(self.library, self.store.chat_id)

    @cached_property
    def cast(self) -> ChatNames:
        return read_cast(self.store)

    @cached_property
    def card(self) -> Character:
        """Return the card of the chat's speaker; an empty one if there is none."""
        rows = characters_of_chat(self.library, self.store)
        return character_of(self.library, rows[0]) if rows else Character("")

    @cached_property
    def card_note(self) -> str:
        """Return the author's note that SillyTavern stores for the card."""
        rows = characters_of_chat(self.library, self.store)
        texts = self.files.texts
        return texts.notes.get(Path(rows[0].avatar).stem, "") if rows and texts else ""

    @cached_property
    def count(self) -> int:
        return self.store.messages.count(self.branch_id)

    @cached_property
    def tail(self) -> Sequence[Message]:
        return self.store.messages.slice(self.branch_id, max(0, self.count - TAIL), self.count - 1)

    @cached_property
    def now(self) -> datetime:
        return local_moment(self.library.clock())

    def user(self) -> str:
        """Return the persona the chat is locked to, else the last name the player used."""
        if locked := self._locked_persona:
            return locked
        names = self.cast.user
        if len(names) < 2:
            return names[0] if names else self._named("user_name")
        sent = (m.name for m in reversed(self.tail) if m.role == "user" and m.name)
        return next(sent, names[0])

    @cached_property
    def _locked_persona(self) -> str:
        """Return the name of the persona that is locked to the chat; "" if none is."""
        avatar = self.metadata.get("persona")
        if not isinstance(avatar, str) or not avatar or self.files.user is None:
            return ""
        personas = read_settings(self.files.user).personas
        return next((persona.name for persona in personas if persona.avatar == avatar), "")

    def char(self) -> str:
        return self.cast.char[0] if self.cast.char else self._named("character_name")

    def members(self, *, with_muted: bool = True) -> list[str]:
        """Return the members of the group, or the speakers if no file names the members."""
        if self.files.is_solo:
            return [self.char()]
        if self.files.members is not None:
            names_by_file = {row.avatar: row.name for row in self.library.characters.rows()}
            return [
                names_by_file[member.avatar]
                for member in self.files.members
                if member.avatar in names_by_file and (with_muted or not member.is_muted)
            ]
        names = self.store.messages.characters()
        users = self.cast.user
        return [n for n in dict.fromkeys(name for name, _id in names) if n not in users]

    def others(self) -> str:
        """Return everybody except the character; of a group only its members."""
        own = self.char()
        names = self.members(with_muted=False)
        if self.files.members is None:
            names = [*names, self.user()]
        return ", ".join(name for name in names if name and name != own)

    def of_card(self, text: str, names_here: Mapping[str, str] | None = None) -> str:
        """Return a text of the card with its macros filled; macros of the card itself give "".

        ``names_here`` overrides macros in this text.
        """
        nothing = dict.fromkeys((*CARD, *OLDER_NAMES), "")
        names = {name: value for name, value in self.people_values().items() if name not in CARD}
        values = {**nothing, **names, **(names_here or {})}
        scope = MacroScope(values, self._variables(), self._shared(), self.now)
        return fill(text.strip(), scope).text.replace("\r", "")

    def of_chat(self, key: str, text: str) -> str:
        """Return a text of the card, or what the chat overrides it with."""
        own = self.metadata.get(key)
        return self.of_card(own if isinstance(own, str) and own else text)

    def examples(self) -> str:
        """Return the example dialogues, each after its heading, wrapped in sequences if any."""
        blocks, texts = self.example_blocks(), self.files.texts
        if texts is None or texts.templates is None:
            return "".join(blocks)
        prompt = TextPrompt(texts.templates, self.filled, self.user(), self.char())
        return "".join(prompt.examples(blocks))

    def example_blocks(self) -> list[str]:
        text = self.of_chat("mes_example", self.card.mes_example)
        if not text or text == "<START>":
            return []
        if not text.startswith("<START>"):
            text = f"<START>\n{text}"
        blocks = re.split("<START>", text, flags=re.IGNORECASE)[1:]
        return [f"<START>\n{block.strip()}\n" for block in blocks]

    def prompt(self) -> str:
        """Return the card's system prompt, or the chat's."""
        texts = self.files.texts
        if texts is not None and not texts.prefers_card_prompt:
            return ""
        return self.of_chat("system_prompt", self.card.system_prompt)

    def system_prompt(self) -> str:
        """Return the card's system prompt, else that of the settings."""
        own, texts = self.prompt(), self.files.texts
        return own if texts is None or not texts.system_prompt else own or texts.system_prompt

    def instruction(self) -> str:
        texts = self.files.texts
        is_wanted = texts is None or texts.prefers_card_instruction
        return self.of_card(self.card.post_history_instructions) if is_wanted else ""

    def last(self, *roles: str) -> str:
        """Return the text of the last message, or of the last visible one of these roles."""
        for message in reversed(self.tail):
            if not roles or (message.role in roles and not message.is_hidden):
                return unescaped(self.said(message))
        return ""

    def idle(self) -> str:
        """Return how long ago the player wrote, not counting the newest message."""
        shown = [m for m in self.tail if not m.is_hidden]
        times = [m.sent_at for m in shown[:-1] if m.role == "user"]
        if not times or times[-1] is None:
            return "just now"
        return humanized(self.now - moment(times[-1]))

    def swipes(self) -> tuple[str, str]:
        """Return how many swipes the last message has, and the number of the chosen one."""
        messages = self.store.messages.as_parsed(self.branch_id, self.count - 1, self.count - 1)
        row = json_object(messages[0].raw) if messages else {}
        swipes, number = row.get("swipes"), row.get("swipe_id")
        if messages and not row.get("is_user"):  # a reply always has one
            swipes = swipes if isinstance(swipes, list) else [""]
            number = number if isinstance(number, int) else 0
        total = str(len(swipes)) if isinstance(swipes, list) else ""
        return total, str(number + 1) if isinstance(number, int) else ""

    def remembered(self) -> str:
        """Return the story so far, with what the last injection recalled (note 001 §2.4)."""
        settings = self.settings
        events = summary_events(
            self.store,
            self.branch_id,
            settings.visible_tokens,
            settings.visible_newest,
            allowed=lambda event: is_ordinary(event.scope, event.condition),
            recalled=self.store.ledger.last_recalled(),
        )
        return "\n".join(f"- {event.summary}" for event in events)

    def note(self) -> str:
        """Return the author's note; that of the settings if the chat never had one."""
        note = self.metadata.get("note_prompt")
        if note is None and self.files.texts is not None:
            note = self.files.texts.macros.get("defaultAuthorsNote")
        return note if isinstance(note, str) else ""

    def first_included(self) -> str:
        """Return the first floor of the last prompt, as SillyTavern noted it or as ours has it."""
        noted = self.metadata.get("lastInContextMessageId")
        if isinstance(noted, int):
            return str(noted)
        return str(max(0, self.count - (self.settings.inject_recent_floors or _SENT)))

    def _named(self, key: str) -> str:
        name = self.header.get(key)
        return name if isinstance(name, str) and name != "unused" else ""

    def values(self) -> dict[str, Value]:
        """Return every macro that a chat defines, by name."""
        card: dict[str, Value] = {
            "charDescription": lambda: self.of_card(self.card.description),
            "charPersonality": lambda: self.of_card(self.card.personality),
            "charScenario": lambda: self.of_chat("scenario", self.card.scenario),
            "charPrompt": self.prompt,
            "charInstruction": self.instruction,
            "charDepthPrompt": lambda: self.of_card(self.card.depth_prompt),
            "charCreatorNotes": lambda: self.of_card(self.card.creator_notes),
            "charFirstMessage": lambda: self.of_card(self.card.first_mes),
            "charVersion": lambda: self.card.character_version,
            "mesExamples": self.examples,
            "mesExamplesRaw": lambda: self.of_chat("mes_example", self.card.mes_example),
            "persona": lambda: self.of_card(self.settings.persona_text),
            "systemPrompt": self.system_prompt,
        }
        values = card | self.people_values()
        return values | {older: values[name] for older, name in OLDER_NAMES.items()}

    def people_values(self) -> dict[str, Value]:
        """Return the macros about people and messages, without those of the card."""
        return {
            **self.files.values(),
            "char": self.char,
            "user": self.user,
            "group": lambda: ", ".join(self.members()) or self.char(),
            "groupNotMuted": lambda: ", ".join(self.members(with_muted=False)) or self.char(),
            "notChar": self.others,
            "userInput": lambda: self.last("user"),
            "engramSummaries": self.remembered,
            "lastMessage": self.last,
            "lastUserMessage": lambda: self.last("user"),
            "lastCharMessage": lambda: self.last("assistant"),
            "lastMessageId": lambda: str(self.count - 1) if self.count else "",
            "firstIncludedMessageId": self.first_included,
            "lastSwipeId": lambda: self.swipes()[0],
            "currentSwipeId": lambda: self.swipes()[1],
            "allChatRange": lambda: f"0-{self.count - 1}" if self.count else "",
            "idleDuration": self.idle,
            "authorsNote": self.note,
            "charAuthorsNote": lambda: self.card_note,
            "summary": self.remembered,
            "model": self.settings.llm_model,
        }

    def picks(self) -> str:
        """Return the seed of SillyTavern's picks: hash of the name of the chat, last re-roll."""
        chat = self.files.chat
        name = self.metadata.get("main_chat") or (chat.stem if chat else "")
        known, anew = (self.metadata.get(key) for key in ("chat_id_hash", "pick_reroll_seed"))
        if not isinstance(known, int) and not (isinstance(name, str) and name):
            return ""
        number = known if isinstance(known, int) else text_hash(name)
        return f"{number}-{anew}" if isinstance(anew, str | int) and anew else str(number)

    def scope(self) -> MacroScope:
        """Return the macro scope of the chat."""

        def greeting(text: str) -> Value:
            return lambda: self.of_card(text)

        return MacroScope(
            self.values(),
            self._variables(),
            self._shared(),
            self.now,
            seed=self.store.chat_id,
            picks=self.picks(),
            greetings=[greeting(text) for text in self.card.alternate_greetings],
        )

    def _variables(self) -> Variables:
        return Variables(lambda: self.variables)

    def _shared(self) -> Variables:
        return Variables(lambda: self.shared)

    def filled(self, text: str) -> str:
        """Fill the macros of a worldbook's text, with a copy of the variables."""
        if is_plain(text):
            return text
        variables, shared = self._scope.variables, self._scope.shared
        scope = replace(
            self._scope, variables=Variables(lambda: variables), shared=Variables(lambda: shared)
        )
        return fill(text, scope).text

    @cached_property
    def _scope(self) -> MacroScope:
        return self.scope()
