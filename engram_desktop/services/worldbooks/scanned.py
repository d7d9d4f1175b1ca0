"""What a scan of worldbooks reads of a chat: messages, the card's texts, notes among the messages.

All of it is as SillyTavern has it when it scans: what regex scripts for prompts left of visible
messages, macros filled, and what others put among the messages to be scanned. Reads only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.tavern.user import CharacterNote, TavernWorldbooks
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.filter import Speaker
from engram_desktop.domain.worldbooks.worldbook import CardField, Trigger
from engram_desktop.formats.json_values import table_of, text_of
from engram_desktop.services.prompts.chat_variables import header_of, json_object

if TYPE_CHECKING:
    from engram_desktop.domain.cards.character import Character
    from engram_desktop.services.prompts.native import Native
    from engram_desktop.storage.chat.chat_store import ChatStore

Fill = Callable[[str], str]  # puts values for macros
FEW = 20  # messages read at first, going back; twice as many each time
STEP = 200  # messages looked through at once for a summary
SUMMARY_BACK = 1_000  # messages looked through for the newest summary
NEAR = 100  # messages before a floor whose depth matters when what stays is worked out


@dataclass(frozen=True)
class Place:
    """A floor of a line, and who speaks there.

    ``native`` is what messages go through on their way to a prompt; None: nothing. ``pending`` is
    what is about to be sent.
    """

    store: ChatStore
    settings: Settings
    fill: Fill
    branch_id: str = MAIN_BRANCH
    at: int | None = None
    character: Character | None = None
    speaker: Speaker = field(default_factory=Speaker)
    lore: TavernWorldbooks = field(default_factory=TavernWorldbooks)
    native: Native | None = None
    pending: str = ""
    trigger: Trigger = "normal"

    @cached_property
    def floors(self) -> int:
        """How many floors there are up to it."""
        count = self.store.messages.count(self.branch_id)
        return count if self.at is None else max(0, min(count, self.at + 1))

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """What the header of the chat's file says of the chat."""
        return table_of(header_of(self.store, self.branch_id).get("chat_metadata"))

    def fields(self) -> dict[CardField, str]:
        """The texts of the card, and the player's, that entries may ask for."""
        texts: dict[CardField, str] = {"persona_description": self.settings.persona_text}
        if self.character is not None:
            texts |= {
                "character_description": self.character.description,
                "character_personality": self.character.personality,
                "character_depth_prompt": self.character.depth_prompt,
                "scenario": text_of(self.metadata.get("scenario")) or self.character.scenario,
                "creator_notes": self.character.creator_notes,
            }
        filled = {name: self.fill(text.strip()).replace("\r", "") for name, text in texts.items()}
        return {name: text for name, text in filled.items() if text}

    def notes(self) -> list[str]:
        """Texts that stand among the messages and are scanned for every entry."""
        return [text for text in map(self.fill, self._notes()) if text]

    def _notes(self) -> Iterator[str]:
        settings = self.settings
        if settings.lore_scan_summary:
            yield self._summary()
        if settings.lore_scan_notes:
            yield self._note()
        for row in table_of(self.metadata.get("script_injects")).values():
            inject = table_of(row)
            # whether one with a filter counts, a program of SillyTavern says
            if inject.get("scan") is True and not inject.get("filter"):
                yield text_of(inject.get("value"))
        if settings.lore_scan_notes and self.character is not None:
            yield self.character.depth_prompt.strip()
        if settings.persona_scanned:
            yield settings.persona_text

    def _note(self) -> str:
        """The author's note, if its turn has come: every so many messages of the player's."""
        interval = self.metadata.get("note_interval", self.lore.interval)
        if not isinstance(interval, int) or (interval != 1 and not self._is_turn(interval)):
            return ""
        note = text_of(self.metadata.get("note_prompt", self.lore.note))
        match self.lore.notes.get(self.speaker.file):
            case CharacterNote(text, "before"):
                return f"{text}\n{note}"
            case CharacterNote(text, "after"):
                return f"{note}\n{text}"
            case CharacterNote(text, _instead):
                return text
        return note

    def _is_turn(self, interval: int) -> bool:
        said = self.store.messages.said_by_user(self.branch_id, self.floors - 1)
        said += bool(self.pending)
        return said > 0 and interval > 0 and said % interval == 0

    def _summary(self) -> str:
        """The newest summary, which lies on a message before the last one there is."""
        is_last_left_out = self.trigger == "swipe" or bool(self.pending)
        end = self.floors - (1 if is_last_left_out else 2)
        for last in range(end, max(-1, end - SUMMARY_BACK), -STEP):
            rows = self.store.messages.raws(self.branch_id, max(0, last - STEP + 1), last)
            for _id, _hash, raw in reversed(rows):
                if '"memory"' in raw:
                    summary = text_of(table_of(json_object(raw).get("extra")).get("memory"))
                    if summary:
                        return self._put(summary.strip())
        return ""

    def _put(self, summary: str) -> str:
        template = self.lore.summary
        return template.replace("{{summary}}", summary) if template else f"Summary: {summary}"


class Tail:
    """The last messages up to a place, as many as are needed; those before are only counted."""

    def __init__(self, place: Place, needed: int | None) -> None:
        """``needed`` visible messages are read; None: all."""
        self._place = place
        self.messages: list[Message] = []
        self.first = place.floors
        self.seen = 0  # messages that were read and are not hidden
        step = FEW
        while self.first > 0 and (needed is None or self.seen < needed):
            missing = self.first if needed is None else max(needed - self.seen, step)
            start, step = max(0, self.first - missing), 2 * step
            read = place.store.messages.slice(place.branch_id, start, self.first - 1)
            self.seen += sum(not message.is_hidden for message in read)
            self.messages[:0] = read
            self.first = start
        self._texts: list[str | None] = []

    def visible_before(self) -> int:
        """How many messages before those that were read are not hidden."""
        place = self._place
        return place.store.messages.visible(place.branch_id, 0, self.first - 1)

    def newest_first(self) -> list[str]:
        """What is scanned at the place itself, with what is about to be sent."""
        messages = [*self.messages, *self._pending()]
        return _visible(self._lines(messages, messages))

    def newest_first_at(self, end: int) -> list[str]:
        """What was scanned when only the first ``end`` of these messages were there."""
        if not self._texts:
            self._texts = self._lines(self.messages, self.messages)
        near = self.messages[max(0, end - NEAR) : end]
        if self._place.native is None or not self._place.native.has_depths:
            return _visible(self._texts[:end])
        old = self._texts[: end - len(near)]
        return _visible([*old, *self._lines(near, self.messages[:end])])

    def _pending(self) -> Iterator[Message]:
        place = self._place
        if place.pending:
            name = place.fill("{{user}}")
            yield Message(
                "", place.branch_id, place.floors, name, "user", place.pending, False, "", None
            )

    def _lines(self, some: Sequence[Message], until: Sequence[Message]) -> list[str | None]:
        """Say what is scanned of each message, None of a hidden one; ``until`` is all there are."""
        place = self._place
        shown = [m for m in some if not m.is_hidden]
        if shown and shown[0].seq == 0:
            shown[0] = replace(shown[0], text=place.fill(shown[0].text))
        if place.native is not None and shown:
            ahead = -1 if place.trigger == "continue" else 0
            native = replace(place.native, last_floor=until[-1].seq, ahead=ahead)
            shown = list(native.as_sent(shown))
        with_names = place.settings.lore_include_names
        texts = {m.seq: f"{m.name}: {m.text}" if with_names else m.text for m in shown}
        return [texts.get(message.seq) for message in some]


def _visible(lines: Sequence[str | None]) -> list[str]:
    return [line for line in reversed(lines) if line is not None]
