"""What macros stand for in a chat: one scope for prompts, regex scripts and world books.

Everything is read when a macro asks for it, and read only. Cards are filled with names once; what
somebody said in the story is never read for macros.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.cards.character import Character
from engram_desktop.domain.graph.naming import fill_cast
from engram_desktop.domain.macros.chat_macros import OLDER_NAMES
from engram_desktop.domain.macros.clock import humanized
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.macros.values import Value, Variables
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.text.moment import local_moment, moment
from engram_desktop.domain.values import dataclass
from engram_desktop.services.characters.cast import Cast, read_cast
from engram_desktop.services.characters.speaking import character_of, characters_of_chat
from engram_desktop.services.characters.tavern_user import user_of
from engram_desktop.services.prompts.chat_variables import (
    header_of,
    json_object,
    variables_of,
)
from engram_desktop.services.prompts.story import told_so_far
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore

TAIL = 60  # messages looked through for who spoke last
Said = Callable[[Message], str]


@dataclass(frozen=True)
class ChatSays:
    """Reads what a chat's macros ask for; ``said`` gives the text of a message."""

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
    def shared(self) -> Mapping[str, Any]:
        """The variables of all chats, as SillyTavern's settings said last."""
        return user_of(self.library, self.store.chat_id).variables

    @cached_property
    def cast(self) -> Cast:
        return read_cast(self.store)

    @cached_property
    def card(self) -> Character:
        """The card of who speaks in the chat; an empty one where there is none."""
        rows = characters_of_chat(self.library, self.store)
        return character_of(self.library, rows[0]) if rows else Character("")

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
        return self.cast.user[0] if self.cast.user else self._named("user_name")

    def char(self) -> str:
        return self.cast.char[0] if self.cast.char else self._named("character_name")

    def members(self) -> list[str]:
        """Everybody who speaks beside the player."""
        names = self.store.messages.characters()
        users = self.cast.user
        return [n for n in dict.fromkeys(name for name, _id in names) if n not in users]

    def others(self) -> str:
        own = {self.char()}
        return ", ".join(n for n in (*self.members(), self.user()) if n and n not in own)

    def of_card(self, text: str) -> str:
        """A text of the card, with names in place of its macros."""
        names = MacroScope({"user": self.user, "char": self.char}, now=self.now)
        cast = self.user(), self.char()
        return fill(text, names, lambda part: fill_cast(part, *cast)).text

    def examples(self) -> str:
        blocks = self.card.mes_example.split("<START>")
        shown_blocks = [block.strip() for block in blocks if block.strip()]
        return self.of_card("\n".join(f"<START>\n{block}" for block in shown_blocks))

    def last(self, *roles: str) -> str:
        """Text of the last message that is seen, of one of these roles."""
        for message in reversed(self.tail):
            if not message.is_hidden and (not roles or message.role in roles):
                return self.said(message)
        return ""

    def idle(self) -> str:
        """How long ago the player wrote, the newest message aside."""
        shown = [m for m in self.tail if not m.is_hidden]
        times = [m.sent_at for m in shown[:-1] if m.role == "user" and m.sent_at is not None]
        if not times:
            return "just now"
        return humanized(self.now - moment(times[-1]))

    def swipes(self) -> tuple[int, int]:
        """How many swipes the last message has, and the number of the chosen one."""
        messages = self.store.messages.as_parsed(self.branch_id, self.count - 1, self.count - 1)
        row = json_object(messages[0].raw) if messages else {}
        swipes, number = row.get("swipes"), row.get("swipe_id")
        total = len(swipes) if isinstance(swipes, list) and swipes else 1
        return total, number + 1 if isinstance(number, int) and 0 <= number < total else 1

    def remembered(self) -> str:
        """Tell the story so far, and among it what the last injection recalled (note 001 §2.4)."""
        settings = self.settings
        events = told_so_far(
            self.store,
            self.branch_id,
            settings.visible_tokens,
            settings.visible_newest,
            allowed=lambda event: event.scope == "global",
            recalled=self.store.ledger.last_recalled(),
        )
        return "\n".join(f"- {event.summary}" for event in events)

    def note(self) -> str:
        metadata = self.header.get("chat_metadata")
        note = metadata.get("note_prompt") if isinstance(metadata, dict) else ""
        return note if isinstance(note, str) else ""

    def _named(self, key: str) -> str:
        name = self.header.get(key)
        return name if isinstance(name, str) and name != "unused" else ""

    def values(self) -> dict[str, Value]:
        """Every macro that tells of a chat, by name."""
        card: dict[str, Value] = {
            "charDescription": lambda: self.of_card(self.card.description),
            "charPersonality": lambda: self.of_card(self.card.personality),
            "charScenario": lambda: self.of_card(self.card.scenario),
            "charPrompt": lambda: self.of_card(self.card.system_prompt),
            "charInstruction": lambda: self.of_card(self.card.post_history_instructions),
            "charDepthPrompt": lambda: self.of_card(self.card.depth_prompt),
            "charCreatorNotes": lambda: self.of_card(self.card.creator_notes),
            "charFirstMessage": lambda: self.of_card(self.card.first_mes),
            "charVersion": lambda: self.card.character_version,
            "mesExamples": self.examples,
            "mesExamplesRaw": lambda: self.card.mes_example,
        }
        values: dict[str, Value] = card | {
            "char": self.char,
            "user": self.user,
            "persona": lambda: self.of_card(self.settings.persona_text),
            "group": lambda: ", ".join(self.members()) or self.char(),
            "groupNotMuted": lambda: ", ".join(self.members()) or self.char(),
            "notChar": self.others,
            "userInput": lambda: self.last("user"),
            "engramSummaries": self.remembered,
            "lastMessage": self.last,
            "lastUserMessage": lambda: self.last("user"),
            "lastCharMessage": lambda: self.last("assistant"),
            "lastMessageId": lambda: str(self.count - 1) if self.count else "",
            "firstIncludedMessageId": lambda: str(
                max(0, self.count - max(1, self.settings.inject_recent_floors))
            ),
            "lastSwipeId": lambda: str(self.swipes()[0]) if self.count else "",
            "currentSwipeId": lambda: str(self.swipes()[1]) if self.count else "",
            "allChatRange": lambda: f"0-{self.count - 1}" if self.count else "",
            "idleDuration": self.idle,
            "authorsNote": lambda: self.of_card(self.note()),
            "summary": self.remembered,
            "systemPrompt": card["charPrompt"],
            "model": self.settings.llm_model,
            "original": "",
        }
        return values | {older: values[name] for older, name in OLDER_NAMES.items()}

    def scope(self) -> MacroScope:
        """Everything, as macros take it."""
        variables = Variables(lambda: self.variables)
        shared = Variables(lambda: self.shared)
        return MacroScope(self.values(), variables, shared, self.now, seed=self.store.chat_id)

    def filled(self, text: str) -> str:
        """Fill a text of a world book; it has its own copy of the variables."""
        variables, shared = self._scope.variables, self._scope.shared
        scope = replace(
            self._scope, variables=Variables(lambda: variables), shared=Variables(lambda: shared)
        )
        cast = self.user(), self.char()
        return fill(text, scope, lambda part: fill_cast(part, *cast)).text

    @cached_property
    def _scope(self) -> MacroScope:
        return self.scope()
