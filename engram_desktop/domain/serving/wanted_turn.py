"""What a request asks for: a reply, another one, a continuation, or nothing of the story.

Structure decides first: the messages behind the newest known floor, and their roles. Words decide
only about texts in a place for instructions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.serving.alignment import Aligned
from engram_desktop.domain.serving.identity import Unseen, Wanted
from engram_desktop.domain.serving.instructions import (
    Orders,
    goes_on,
    is_aside,
    is_command,
    is_for_player,
    is_more_than_marks,
    is_task_before,
    next_alone,
    only_as,
    orders_of,
)
from engram_desktop.domain.serving.line_tail import Floor, LineTail, RequestMessage
from engram_desktop.domain.serving.prompt_rows import PromptEnding
from engram_desktop.domain.serving.prompt_tail import (
    PromptTail,
)
from engram_desktop.domain.serving.request import LINE, original_end
from engram_desktop.domain.values import dataclass

_NUDGE_LINES = 20  # lines of an order, the last ones, in which a group's nudge is searched


@dataclass(frozen=True)
class LineSpeakers:
    """The speakers of a line: the player, and the others.

    ``bare`` are roles whose messages this front end sends without a name.
    """

    player: str
    names: tuple[str, ...]
    bare: frozenset[str] = frozenset()

    @classmethod
    def of(cls, tail: LineTail, pieces: Sequence[RequestMessage], aligned: Aligned) -> LineSpeakers:
        """Return the speakers, and the roles without names, from messages equal to floors."""
        is_bare: dict[str, bool] = {}
        for at, seq in aligned.exact:
            floor, piece = tail.floor(seq), pieces[at]
            is_joined = at in (aligned.ends or {})
            if floor is not None and (piece.prefix or not is_joined):  # a note may precede it
                is_named = piece.has_name(floor.keys, is_begin=is_joined)
                is_bare[floor.role] = is_bare.get(floor.role, True) and not is_named
        bare = frozenset(role for role, whether in is_bare.items() if whether)
        return cls(tail.player, tail.names, bare)

    def named(self, name: str) -> str:
        """Return the speaker of this line with a name; "" without one."""
        wanted = norm_name(name)
        return next((known for known in self.names if norm_name(known) == wanted), "")

    def begins(self, text: str) -> str:
        """Return the speaker named at the beginning of a text, the longest name that fits."""
        folded = text.casefold().lstrip()
        fits = [name for name in self.names if name and folded.startswith(name.casefold())]
        return max(fits, key=len, default="")


@dataclass(frozen=True)
class WantedTurn:
    """What a request asks for, its new messages, and the next speaker.

    ``orders`` are lines behind the newest message, to be recognised in the next request. ``begins``
    is the beginning of the reply, which the model continues.
    """

    wanted: Wanted
    unseen: tuple[Unseen, ...] = ()
    speaker: str = ""
    orders: frozenset[str] = frozenset()
    begins: str = ""

    def ending(self, ending: PromptEnding, cast: LineSpeakers) -> WantedTurn:
        """Return the turn changed by a prompt's ending: the player's, or a named speaker's."""
        if ending.role == "user" and self.wanted != "quiet":
            return replace(self, wanted="impersonate")
        if ending.role == "system":
            return replace(self, wanted="quiet", unseen=())
        newest = self.unseen[-1].text if self.unseen and not ending.has_system else ""
        if self.wanted == "reply" and is_command(newest):
            return replace(self, wanted="quiet", unseen=())
        # the named speaker may be new, as a member of a group
        speaker = cast.named(ending.name) or cast.begins(ending.name) or ending.name
        is_next = self.wanted == "continue" and not ending.is_begun
        wanted: Wanted = "reply" if is_next else self.wanted
        return replace(self, wanted=wanted, speaker=speaker or self.speaker)


def turn_of_messages(
    pieces: Sequence[RequestMessage],
    aligned: Aligned,
    following: Sequence[Floor],
    cast: LineSpeakers,
    beside: Collection[str] = (),
    begins: str | None = None,
) -> WantedTurn:
    """Return the turn from the messages behind the newest known floor.

    ``following`` are the newest known floor and those behind it. ``beside`` are plain texts that
    the last request had as well: they are no messages, and order nothing. ``begins`` is the
    beginning of the reply, which was behind all ``pieces``; None without one.
    """
    last_at = aligned.last_at
    behind = pieces[last_at + 1 :]
    orders = orders_of(behind, (*cast.names, cast.player), beside)
    turn = _turn(pieces, aligned, following, cast, (orders, beside, begins))
    return replace(turn, orders=orders.lines, begins=begins or "")


def _turn(
    pieces: Sequence[RequestMessage],
    aligned: Aligned,
    following: Sequence[Floor],
    cast: LineSpeakers,
    ends: tuple[Orders, Collection[str], str | None],
) -> WantedTurn:
    orders, beside, begins = ends
    last_at = aligned.last_at
    behind = pieces[last_at + 1 :]
    story = [p for p in behind if p.is_story and p.keys[0] not in beside]
    speaker = next(filter(None, (_next_named(text, cast) for text in reversed(orders.texts))), "")
    at_end = behind[-1] if behind else None
    if begins:
        speaker = cast.begins(begins) or speaker
    unseen = tuple(_leftover(pieces, aligned, last_at, cast) + [unseen_of(p, cast) for p in story])
    newest = unseen[-1].role if unseen else following[0].role if following else ""
    is_behind = newest == "assistant" and bool(behind) and at_end in orders.pieces[-1:]
    is_task = not unseen and begins is None and is_task_before(pieces, beside)
    if is_task or orders.is_aside or (is_behind and orders.asks_aside(cast.player)):
        return WantedTurn("quiet")
    if unseen and unseen[-1].role == "user":
        text = unseen[-1].text
        if is_aside(text, is_said=True):
            return WantedTurn("quiet")
        if is_for_player(text, cast.player, cast.names):
            return WantedTurn("impersonate", unseen[:-1])
        if goes_on(text) and text.lstrip().startswith(("[", "【", "(", "（")):
            return WantedTurn("continue", unseen[:-1], speaker)
    if any(is_for_player(text, cast.player, cast.names) for text in orders.texts):
        return WantedTurn("impersonate", unseen)
    wanted = _plain_wanted(pieces, last_at, unseen, following, (orders, begins))
    return WantedTurn(wanted, unseen, speaker)


def turn_of_prompt(tail: PromptTail, following: Sequence[Floor], cast: LineSpeakers) -> WantedTurn:
    """Return the turn from the text behind the newest known floor of a prompt."""
    speaker = cast.named(tail.speaker) or cast.begins(tail.speaker)
    is_replied = not tail.unseen and bool(following) and following[0].role == "assistant"
    is_order = is_aside(tail.rest.strip()) or (is_replied and is_more_than_marks(tail.rest))
    is_said = bool(tail.unseen) and is_aside(tail.unseen[-1].text, is_said=True)
    if is_said or (tail.ending == "unknown" and is_order):
        return WantedTurn("quiet")
    if tail.ending == "player":
        return WantedTurn("impersonate", tail.unseen)
    if tail.ending == "open" and tail.unseen and tail.unseen[-1].role == "assistant":
        begun = tail.unseen[-1]  # the model continues it
        wanted = _plain_prompt_wanted(tail.unseen[:-1], following)
        speaker = cast.named(begun.name) or cast.begins(begun.name)
        blanks = tail.rest[len(tail.rest.rstrip()) :]
        return WantedTurn(wanted, tail.unseen[:-1], speaker, begins=begun.text + blanks)
    if tail.ending == "open" and not tail.unseen and following and following[0].role == "assistant":
        return WantedTurn("continue", (), following[0].name)
    return WantedTurn(_plain_prompt_wanted(tail.unseen, following), tail.unseen, speaker)


def _plain_prompt_wanted(unseen: Sequence[Unseen], following: Sequence[Floor]) -> Wanted:
    is_behind = not unseen and len(following) > 1 and following[1].role == "assistant"
    return "reroll" if is_behind else "reply"


def _plain_wanted(
    pieces: Sequence[RequestMessage],
    last_at: int,
    unseen: Sequence[Unseen],
    following: Sequence[Floor],
    ends: tuple[Orders, str | None],
) -> Wanted:
    orders, begins = ends
    if unseen:
        is_begun = unseen[-1].role == "assistant" and orders.asks_to_go_on()
        return "continue" if is_begun else "reply"
    newest = following[0] if following else None
    next_floor = following[1] if len(following) > 1 else None
    is_last = last_at == len(pieces) - 1
    if newest is not None and newest.role == "assistant":
        if orders.asks_to_go_on():
            return "continue"
        if is_last and begins is None and next_floor is None:
            return "continue"
    if next_floor is not None and next_floor.role == "assistant":
        return "reroll"
    return "reply"


def _next_named(text: str, cast: LineSpeakers) -> str:
    """Return the next speaker: one who has spoken, or the only one who is named."""
    named = only_as(text)
    known = cast.named(named) or cast.begins(named) if named else ""
    return known or next(filter(None, map(next_alone, text.splitlines()[-_NUDGE_LINES:])), "")


def unseen_of(piece: RequestMessage, cast: LineSpeakers) -> Unseen:
    """Return the text of a message without the name that the front end puts before it.

    Only a name of a possible speaker of that role counts, and only if this front end puts names
    there: otherwise it is part of the text, as in a script.
    """
    said, text, name = piece.said, piece.said.text, piece.said.name
    role = said.role or "user"
    speakers = (*cast.names, name) if role == "assistant" else (cast.player, name)
    names = {norm_name(known) for known in speakers if known}
    if (
        piece.prefix
        and role not in ("system", *cast.bare)
        and norm_name(piece.prefix_name) in names
    ):
        text, name = text[piece.prefix :], piece.prefix_name
    return Unseen(said.index, role, text, name)


def _leftover(
    pieces: Sequence[RequestMessage], aligned: Aligned, last_at: int, cast: LineSpeakers
) -> list[Unseen]:
    """Return the text behind the last floor that is joined in a message, as a new message."""
    end = (aligned.ends or {}).get(last_at)
    if end is None or last_at < 0:
        return []
    piece = pieces[last_at]
    if piece.said.joint == LINE:  # in that case a name precedes each message
        return []
    text = piece.said.text[original_end(piece.said.text, end) :]
    is_apart = text.startswith(piece.said.joint)  # otherwise a mark may close it
    text = text.strip()
    if len(piece.keys[0]) - end < 2 and not is_apart:
        return []
    return [unseen_of(RequestMessage(replace(piece.said, text=text)), cast)] if text else []
