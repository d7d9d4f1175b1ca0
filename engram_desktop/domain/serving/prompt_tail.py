"""Read the end of a text-completion prompt behind the last known message, and split a reply.

The separators between messages (marks of an instruct template, names) are learned from the known
messages, so that any template can be read. A text that does not fit is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.serving.alignment import is_same
from engram_desktop.domain.serving.identity import Unseen
from engram_desktop.domain.serving.line_tail import Floor
from engram_desktop.domain.serving.prompt_rows import rows_of_prompt
from engram_desktop.domain.serving.request import (
    SEEN,
    FrontRequest,
    Said,
    is_script,
    plain,
    split_thought,
)
from engram_desktop.domain.values import dataclass

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
    said: Said,
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
    tail: Sequence[Floor] = (),
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
