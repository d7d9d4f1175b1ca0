"""What a reply leaves besides its text: changes of the state, an event, flags; by its level."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.play.turn import Recalled
from engram_desktop.domain.recall.triage import Triage
from engram_desktop.domain.state.tree import StateOp
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats import state_updates
from engram_desktop.formats.chats.played import Played, update_block
from engram_desktop.services.play.level import count_path
from engram_desktop.services.play.reply.tools import called

if TYPE_CHECKING:
    from engram_desktop.domain.recall.query import Injection
    from engram_desktop.services.play.reply.asking import Heard

_T = QT_TRANSLATE_NOOP
FLAGS = "flags"  # where the state keeps what the story has reached
_MAX_THOUGHT = 4_000  # characters kept of a thought
_MAX_SHOWN = 500  # characters kept of a recalled memory


@dataclass(frozen=True, slots=True)
class Left:
    """What is kept of a reply, and what could not be."""

    played: Played
    notices: tuple[Phrase, ...] = ()
    expression: str = ""
    thought: str = ""

    def counting(self, triage: Triage) -> Left:
        """Count a routine turn, unless the reply did so itself."""
        path = count_path(triage.intent)
        ops = state_updates.updates_in(self.played.update).ops
        if triage.level != "ROUTINE" or any(op.path == path for op in ops):
            return self
        block = update_block([StateOp("add", path, 1)])
        return replace(self, played=replace(self.played, counted=block))


def left_by(answer: Heard, triage: Triage, speaker: str) -> Left:
    """Put together what tags and tools of an answer say."""
    tags, calls = answer.tags, called(answer.calls)
    events = [*tags.events, *calls.events]
    flags = tuple(dict.fromkeys((*tags.flags, *calls.flags)))
    notices: list[Phrase] = []
    if events and triage.level == "ROUTINE":
        notices.append(Phrase(_T("reports", "a routine turn leaves no event")))
    if len(events) > 1:
        notices.append(
            Phrase(_T("reports", "only the first of {count} events is kept"), count=len(events))
        )
    ops = [*calls.ops, *(StateOp("set", (FLAGS, flag), True) for flag in flags)]
    update = "\n".join(part for part in (*tags.updates, update_block(ops)) if part)
    if answer.fault is not None:
        notices.append(answer.fault.phrase)
    played = Played(triage.level, update, "", events[0] if events else None, flags, speaker)
    thought = "\n".join(part for part in (answer.thought.strip(), tags.thought) if part)
    return Left(played, tuple(notices), calls.expression, thought[:_MAX_THOUGHT])


def recalled_of(injection: Injection | None) -> tuple[Recalled, ...]:
    """Return the memories that a prompt was given, best first."""
    if injection is None:
        return ()
    return tuple(
        Recalled(
            hit.item.kind,
            hit.item.ref,
            hit.item.content[:_MAX_SHOWN],
            hit.item.start_index,
            hit.item.end_index,
            rank,
        )
        for rank, hit in enumerate(injection.hits, start=1)
    )


def joined(before: Played | None, after: Played) -> Played:
    """Return what a reply left together with its continuation."""
    if before is None:
        return after
    update = "\n".join(part for part in (before.update, after.update) if part)
    return replace(
        before,
        update=update,
        event=before.event or after.event,
        flags=tuple(dict.fromkeys((*before.flags, *after.flags))),
    )
