"""An exchange with a model, and the place of the memory in its request.

Placement is pure: it says what to change; the request is changed elsewhere, character by character,
so that everything else stays as it was sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import field
from typing import Literal, get_args

from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall.query import Injection
from engram_desktop.domain.serving.identity import Identity
from engram_desktop.domain.serving.request import ListedMessage
from engram_desktop.domain.values import dataclass

# Apart: the story so far after the leading system messages, recalled memories before the last
# message; system: all after the system messages; depth: before the n-th message from the end; last:
# before the last message.
Place = Literal["apart", "system", "depth", "last"]
PLACES: tuple[Place, ...] = get_args(Place)
# The place used in one request: the placeholder, or one of the places; "" for none.
Spot = Literal["", "placeholder", "apart", "system", "depth", "last"]
# `{{engramSummaries}}`, the placeholder: it has priority over any place.
SPELT = re.compile(r"\{\{[ \t]{0,8}engramSummaries[ \t]{0,8}\}\}", re.IGNORECASE)
# Tags around memory: a request that contains them has memory already.
OURS = ("<engram_summaries>", "<relevant_memories>")
_END_OF_STORY = "</engram_summaries>"  # never part of a memory: tags in memories are escaped
_TOLD_BY = ("system", "developer")
_MARKS = 200  # characters of a prompt in which marks of an instruct template are searched
_MARK = r"(?:<\|[^|>\n]{1,40}\|>|<start_of_turn>|\[/?INST\]|<</?SYS>>|\[/?SYSTEM_PROMPT\]|</?s>)"
# A line that names the next speaker: <
#
# im_start
#
# >user, ### Response:, [INST].
_HEADER = re.compile(
    rf"[ \t]*(?:{_MARK}[ \t]*)+[\w -]{{0,40}}(?:{_MARK}[ \t]*)*|#{{2,4}} [^\n]{{1,60}}:"
)
# Marks that end the block before the story, and the blanks around them.
_ENDS = (
    r"(?:<\|(?:im_end|eot_id|eom_id|end|endoftext|END_OF_TURN_TOKEN)\|>"
    r"|<end_of_turn>|<</SYS>>|</s>)"
)
_CLOSING = re.compile(rf"\s{{0,8}}{_ENDS}(?:\s{{0,8}}{_ENDS}){{0,3}}\s{{0,8}}\Z")
_OPENING = re.compile(rf"\s{{0,8}}(?:{_MARK}(?:system|user)?\s{{0,8}}){{0,6}}")


@dataclass(frozen=True, slots=True)
class Placement:
    """The changes of a request.

    ``before`` is the index in the request's list of the message before which ``text`` is inserted,
    or for a text completion the character; None if nothing is inserted this way. ``into`` is the
    index of a message that gets the text: at the end of a system message, else at the beginning.
    ``left_out`` are indices of messages that memory replaces. ``last`` is a separate text, inserted
    before the message of index ``before_last``.
    """

    spot: Spot = ""
    text: str = ""
    before: int | None = None
    left_out: frozenset[int] = frozenset()
    into: int | None = None
    last: str = ""
    before_last: int | None = None


def has_placeholder(said: Sequence[ListedMessage]) -> bool:
    """Return whether a request contains the placeholder."""
    return any(SPELT.search(message.text) for message in said)


def has_memory(said: Sequence[ListedMessage]) -> bool:
    """Return whether a request contains our memory already."""
    return any(tag in message.text for message in said for tag in OURS)


def place_in_chat(
    said: Sequence[ListedMessage],
    text: str,
    place: Place,
    depth: int = 0,
    left_out: Set[int] = frozenset(),
) -> Placement:
    """Return where ``text`` goes among the messages of a chat completion.

    Never between a tool call and its answer, and never behind the last message of the story: the
    model answers the last message.
    """
    gone = frozenset(left_out)
    if has_placeholder(said):
        return Placement("placeholder", text, None, gone)
    if not text or not said:
        return Placement(left_out=gone)
    staying = [message for message in said if message.index not in gone]
    if not staying:
        return Placement(left_out=gone)
    head = _after_head(staying)
    at = head
    if place != "system":
        at = max(head, len(staying) - (depth if place == "depth" else 1))
    while head < at < len(staying) and staying[at].role in {"tool", "function"}:
        at -= 1
    before, after_head = (
        staying[n].index if n < len(staying) else said[-1].index + 1 for n in (at, head)
    )
    story, recalled = parted(text)
    if place != "apart" or not story:
        return Placement(place, text, before, gone)
    if not recalled or at == head:
        return Placement(place, text, after_head, gone)
    return Placement(place, story, after_head, gone, last=recalled, before_last=before)


def parted(text: str) -> tuple[str, str]:
    """Split a memory into the story so far, which rarely changes, and the recalled memories."""
    story, end, recalled = text.partition(_END_OF_STORY)
    return ((story + end).strip(), recalled.strip()) if end else ("", text.strip())


def place_in_message(said: Sequence[ListedMessage], text: str, left_out: Set[int]) -> Placement:
    """Return the message that gets ``text``, for a model that accepts no further message.

    The last of the leading system messages, else the first of the player's that stays.
    """
    gone = frozenset(left_out)
    if has_placeholder(said):
        return Placement("placeholder", text, None, gone)
    staying = [message for message in said if message.index not in gone]
    heads = [m for m in staying[: _after_head(staying)] if m.text]
    spoken = [m for m in staying if m.role == "user" and m.text]
    if not (heads or spoken):
        return Placement()  # without memory every message stays
    into = heads[-1] if heads else spoken[0]
    return Placement("system", text, None, gone, into.index)


def place_in_prompt(prompt: str, text: str, story_at: int | None) -> Placement:
    """Return where ``text`` goes in the prompt of a text completion: always before the story.

    If the offset of the story (``story_at``, within its first message) is known: behind the system
    prompt, inside its block. Otherwise at the front, behind the opening marks. Depths are not
    supported: between two messages the text would be inside one of them.
    """
    if SPELT.search(prompt):
        return Placement("placeholder", text)
    if not text:
        return Placement()
    if story_at is None or story_at <= 0:
        opening = _OPENING.match(prompt, 0, _MARKS)
        return Placement("system", f"{text}\n", opening.end() if opening else 0)
    at = prompt.rfind("\n", 0, story_at) + 1
    while at > 0 and _HEADER.fullmatch(line := _line_before(prompt, at)):
        at -= len(line) + 1
    closing = _CLOSING.search(prompt, max(0, at - _MARKS), at)
    if closing is not None:
        return Placement("system", f"\n{text}", closing.start())
    return Placement("system", f"{text}\n", at)


def _line_before(prompt: str, at: int) -> str:
    """Return the line that ends before ``at``; "" for a long one, which is no mark."""
    start = prompt.rfind("\n", max(0, at - 1 - _MARKS), at - 1) + 1
    return prompt[start : at - 1] if at - 1 - start <= _MARKS else ""


def replaced_messages(
    said: Sequence[ListedMessage],
    floors: Mapping[int, int],
    told: Set[int],
    newest: int,
    window: int,
) -> frozenset[int]:
    """Return the messages that memory replaces: those of old floors that it summarises already.

    ``floors`` are the floors of the request's messages by index, ``told`` those that memory
    summarises, ``newest`` the newest floor of the request; the newest ``window`` floors stay. Only
    a run of messages from the first floor on is removed. System messages and tools stay, with the
    message that called them, and roles keep alternating.
    """
    leaving: list[int] = []
    for message in said:
        floor = floors.get(message.index)
        if message.role in _TOLD_BY or (floor is None and not leaving and message.role == "user"):
            continue  # a front end may put its own text before the story
        is_old = floor is not None and floor <= newest - window and floor in told
        if not is_old or message.role not in {"user", "assistant"}:
            break
        leaving.append(message.index)
    if not leaving:
        return frozenset()
    by_index = {message.index: message for message in said}
    spoken = [message for message in said if message.role not in _TOLD_BY]
    behind = [message for message in spoken if message.index > leaving[-1]]
    # Alternating roles stay so: the gap ends with the role it began with. A message of the player
    # may come first in any case.
    first = by_index[leaving[0]].role
    begins = {first} if spoken[0].index < leaving[0] else {first, "user"}
    while leaving and behind and behind[0].role not in begins:
        behind.insert(0, by_index[leaving.pop()])
    return frozenset(leaving) if behind else frozenset()


def without_repeats(text: str, said: Sequence[ListedMessage]) -> str:
    """Remove the lines of a memory that a request contains already; "" if no line is left.

    A world book made of the same memories may have inserted some of them.
    """
    whole = "\n".join(message.text for message in said)
    lines = text.split("\n")
    kept = [line for line in lines if not _is_told(line, whole)]
    if len(kept) == len(lines):
        return text
    return "\n".join(kept) if any(_SAYING.match(line) for line in kept) else ""


_SAYING = re.compile(r"\s*[-•*]")  # a line with a memory; others are headings and tags
_CITED = re.compile(r"\s*[-•*]\s*(?:\[[^\]\n]{0,200}\]\s*)?")  # - [floors 3-9 · a place]
_PROOF = 12  # characters: a shorter line may match by chance


def _is_told(line: str, whole: str) -> bool:
    if not _SAYING.match(line):
        return False
    bare = _CITED.sub("", line, count=1).strip()
    return len(bare) >= _PROOF and bare in whole


def _after_head(said: Sequence[ListedMessage]) -> int:
    """Return the number of leading system messages."""
    for n, message in enumerate(said):
        if message.role not in _TOLD_BY:
            return n
    return len(said)


# Memory was inserted; there was no memory; the request has no known chat, or is not part of the
# story; memory took too long, did not fit into the model's context, or failed, and the request was
# sent without it; the server refused the request.
Outcome = Literal["filled", "empty", "unknown", "quiet", "late", "full", "failed", "refused"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request that went through the server, as its page shows it live.

    ``number`` counts from 1 since the server started; ``at`` is in ms since 1970. ``status`` is the
    HTTP status of the answer, 0 before it; ``failure`` is the error message of the upstream server.
    ``memory_ms`` is the time memory took, ``first_ms`` the time to the first byte of the answer,
    ``total_ms`` to its last. ``saved_tokens`` are those of messages left out. ``before`` and
    ``after`` are the bodies as received and as sent on; they are held in memory for the newest
    exchanges only, and "" for others. ``host`` is the upstream server. ``place`` is where memory is
    in the request, "" for none; ``left_out`` counts messages that memory replaces. ``shortened``:
    how many tokens memory had room for, and how many it may have, if the model's context was full.
    """

    number: int
    at: int
    path: str
    client: str = ""
    model: str = ""
    identity: Identity | None = None
    injection: Injection | None = None
    outcome: Outcome = "unknown"
    status: int = 0
    failure: Phrase | str = ""
    memory_ms: float = 0.0
    first_ms: float = 0.0
    total_ms: float = 0.0
    saved_tokens: int = 0
    is_finished: bool = False
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)
    host: str = ""
    place: Spot = ""
    left_out: int = 0
    shortened: tuple[int, int] | None = None
    kept: str = ""  # what was kept in the library: "", "message", "swipe", "edit", …
