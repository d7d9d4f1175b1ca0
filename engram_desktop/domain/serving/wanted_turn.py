"""What a request asks for: a reply, another one, a continuation, or nothing of the story.

Structure decides first: the messages behind the newest known floor, and their roles. Words decide
only about texts in a place for instructions. Of a text completion the end is read (`PromptTail`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.serving.alignment import Aligned, is_same
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
from engram_desktop.domain.serving.line_and_request import Floor, LineTail, RequestMessage
from engram_desktop.domain.serving.prompt_rows import PromptEnding, rows_of_prompt
from engram_desktop.domain.serving.request import (
    LINE,
    SEEN,
    FrontRequest,
    ListedMessage,
    is_script,
    original_end,
    plain,
    split_thought,
)
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
    beside: Collection[str],
    begins: str | None,
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


# The end of a text-completion prompt is read behind the last known message; a reply is split. The
# separators between messages (marks of an instruct template, names) are learned from the known
# messages, so that any template can be read. A text that does not fit is ignored.

_LEARNED = 12  # newest floors from which separators are learned
_LONGEST = 600  # characters between two messages; a longer text is no separator
MOST_GONE = 2  # floors missing between two shown ones: hidden or deleted there
_NAME_AT_END = re.compile(r"(?:^|[\n>\]])[ \t]*([^\n:：<>\[\]|]{1,60})[:：]\s*\Z")
_NAME_FIRST = re.compile(r"\s*([^\n:：]{1,60})[:：][ \t]*")
# Whose turn the prompt ends with: the player's, another speaker's, a continuation of the newest
# message, or unknown.
Ending = Literal["player", "speaker", "open", "unknown"]


@dataclass(frozen=True)
class PromptTail:
    """The end of a prompt: ``unseen`` are new messages, ``rest`` is all text behind the floors.

    ``gone`` are floors missing at their place, ``edited`` are (floor, text) of those with another
    text there.
    """

    unseen: tuple[Unseen, ...]
    ending: Ending
    speaker: str
    rest: str
    gone: tuple[int, ...] = ()
    edited: tuple[tuple[int, str], ...] = ()


def read_prompt_end(
    request: FrontRequest,
    said: ListedMessage,
    floors: Sequence[Floor],
    ranges: Sequence[range],
    player: str,
    tail: Sequence[Floor],
) -> PromptTail:
    """Read the text behind the last of ``floors``, as `read_prompt_tail`, else by names.

    In a chat of two messages the separators are unknown.
    """
    read = read_prompt_tail(said.text, floors, ranges, said.index, (player, said.role), tail)
    return read if read.unseen else replace(read, unseen=_rows_behind(request, floors[-1]))


def _rows_behind(request: FrontRequest, floor: Floor) -> tuple[Unseen, ...]:
    rows, keys = rows_of_prompt(request)[0], tuple(filter(None, floor.keys))
    # a note may follow the message, in a line of its own
    at = max(
        (n for n, (*_who, text) in enumerate(rows) if plain(text).startswith(keys)), default=None
    )
    behind = [row for row in rows[at + 1 :] if row[0] != "system"] if at is not None else []
    return tuple(Unseen(0, role, text, name) for role, name, text in behind)


def read_prompt_tail(
    text: str,
    floors: Sequence[Floor],
    ranges: Sequence[range],
    index: int,
    cast: tuple[str, str],
    tail: Sequence[Floor],
) -> PromptTail:
    """Read the text behind the last of ``floors``, which are at ``ranges`` of the plain text.

    ``tail`` are all floors of the line's end: those missing may be edited, or gone. ``cast`` are
    the player's name and the role of the message that is the prompt.
    """
    player, said_role = cast
    spans = _original_spans(text, ranges[-_LEARNED:])
    known = list(floors[-_LEARNED:])
    rest = text[spans[-1][1] :]
    marks = _separators(text, known, spans)
    role = known[-1].role
    unseen: list[Unseen] = []
    left = rest
    ending: Ending
    while True:
        bare = left.strip()
        if not bare:
            ending = "open"
            break
        fitting = _fitting(marks, role, bare)
        if fitting is None:
            if not all(mark.text for mark in marks) and not unseen:  # joined by blank lines
                unseen.append(Unseen(index, said_role or role, bare))
                ending = "open"
            else:
                ending = _named_ending(left, player)
            break
        role = fitting.after
        body = left[left.index(fitting.head) + len(fitting.head) :]
        if bare == fitting.text or not body.strip() or fitting.is_only_name(body):
            ending = "player" if role == "user" else "speaker"
            break
        named = _NAME_FIRST.match(body) if fitting.has_name else None
        body = body[named.end() :] if named else body
        cut = _next_mark(marks, role, body)
        message, left = body[:cut], body[cut:]
        unseen.append(Unseen(index, role, message.strip(), named[1].strip() if named else ""))
    match = _NAME_AT_END.search(text[-200:])
    speaker = match[1].strip() if match and ending != "player" else ""
    gone, edited = _between(text, known, spans, marks, tail)
    return PromptTail(tuple(unseen), ending, speaker, rest, gone, edited)


def _between(
    text: str,
    floors: Sequence[Floor],
    spans: Sequence[tuple[int, int]],
    marks: Sequence[_Mark],
    tail: Sequence[Floor],
) -> tuple[tuple[int, ...], tuple[tuple[int, str], ...]]:
    """Read the texts in the place of floors that are missing."""
    gone: list[int] = []
    edited: list[tuple[int, str]] = []
    for n in range(1, len(floors)):
        before, after = floors[n - 1], floors[n]
        lost = [f for f in tail if before.seq < f.seq < after.seq and not f.is_hidden]
        if not 0 < len(lost) <= MOST_GONE:
            continue
        gap = text[spans[n - 1][1] : spans[n][0]].strip()
        if _is_mark(gap, marks, after.role):
            gone += [floor.seq for floor in lost]
            continue
        opening = _fitting([m for m in marks if m.after == lost[0].role], before.role, gap)
        if opening is None or len(lost) > 1:
            continue
        body = gap[len(opening.head) :]
        named = _NAME_FIRST.match(body) if opening.has_name else None
        body = body[named.end() :] if named else body
        body = body[: _next_mark(marks, lost[0].role, body)].strip()
        if is_same([plain(body)], lost[0].keys[:1]):
            edited.append((lost[0].seq, body))
    return tuple(gone), tuple(edited)


def _is_mark(gap: str, marks: Sequence[_Mark], role: str) -> bool:
    """Return whether a text between two messages is a known separator."""
    mark = next((mark for mark in marks if mark.after == role and gap.startswith(mark.head)), None)
    if mark is None:
        return not gap and any(not mark.text for mark in marks)
    return gap in (mark.text, mark.head) or mark.is_only_name(gap[len(mark.head) :])


def _named_ending(left: str, player: str) -> Ending:
    """Return whose turn a prompt ends with, by the name at its end."""
    match = _NAME_AT_END.search(left[-200:])
    if match is None:
        return "unknown"
    return "player" if player and match[1].strip() == player else "speaker"


@dataclass(frozen=True)
class _Mark:
    """The separator between a message of role ``before`` and one of ``after``, without blanks.

    ``head`` is the part before the name at its end: another speaker may be next.
    """

    before: str
    after: str
    text: str

    @property
    def head(self) -> str:
        match = _NAME_AT_END.search(self.text)
        return (self.text[: match.start(1)].rstrip() if match else self.text) or self.text

    @property
    def has_name(self) -> bool:
        return self.head != self.text

    def is_only_name(self, body: str) -> bool:
        """Return whether only the name of the next speaker follows."""
        return self.has_name and bool(re.fullmatch(r"\s*[^\n:：]{1,60}[:：]\s*", body))


def _fitting(marks: Sequence[_Mark], role: str, bare: str) -> _Mark | None:
    """Return the separator at the beginning of a text behind a message of ``role``."""
    fits = [mark for mark in marks if mark.text and bare.startswith(mark.head)]
    return max(fits, key=lambda mark: (mark.before == role, len(mark.head)), default=None)


def _next_mark(marks: Sequence[_Mark], role: str, body: str) -> int:
    """Return where a message of ``role`` ends: at a separator that followed its role before."""
    texts = [mark for mark in marks if mark.text]
    # Two messages of one role may follow each other: a separator that is more than a name ends a
    # message of any role.
    after = [mark.head for mark in texts if mark.before == role or mark.has_name]
    after = after or [mark.head for mark in texts]
    places = [place for head in after if (place := body.find(head)) >= 0]
    return min(places, default=len(body))


def _separators(
    text: str, floors: Sequence[Floor], spans: Sequence[tuple[int, int]]
) -> list[_Mark]:
    """Return the separators between messages of two roles; some may contain lore."""
    marks: dict[_Mark, None] = {}
    for n in range(1, len(floors)):
        before, after = floors[n - 1], floors[n]
        gap = text[spans[n - 1][1] : spans[n][0]]
        if after.seq == before.seq + 1 and len(gap) <= _LONGEST:
            marks[_Mark(before.role, after.role, gap.strip())] = None
    return list(marks)


def _original_spans(text: str, ranges: Sequence[range]) -> list[tuple[int, int]]:
    """Return the offsets of plain ranges in the text itself."""
    size = len(plain(text))
    behind = size - ranges[0].start
    start = max(0, len(text) - 3 * behind - 1_000)  # usually the end is enough
    places = [match.start() for match in SEEN.finditer(text, start)]
    if len(places) < behind:
        places = [match.start() for match in SEEN.finditer(text)]
    first = size - len(places)
    return [(places[r.start - first], places[r.stop - 1 - first] + 1) for r in ranges]


_NAME_CHARS = 80  # characters of a name before a reply


def split_reply(text: str, speaker: str) -> tuple[str, str]:
    """Split a reply into (reply, thoughts before it); an unclosed thought stays in the reply.

    The speaker's name before the reply is removed.
    """
    reasoning, text = split_thought(text)
    for mark in (":", "："):
        head, colon, rest = text[:_NAME_CHARS].partition(mark)
        is_named = bool(colon and speaker) and head.strip(" *") == speaker and rest.strip()
        if is_named and not is_script(text):
            text = text[len(head) + 1 :].lstrip()
            break
    return text, reasoning
