"""The private parts of a message: thoughts, whispers, letters, by the marks a writer gives them.

What is doubtful is private: a gesture that is left out costs less than a secret that is told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from engram_desktop.domain.knowledge.layout import Piece, pieces_of
from engram_desktop.domain.knowledge.names import Names
from engram_desktop.domain.knowledge.perception import How, Perceiver, PrivatePart
from engram_desktop.domain.knowledge.thoughts import (
    RECALLS,
    THINKS,
    is_thought_bracket,
    is_thought_told,
    opening_of,
    subject_of,
)
from engram_desktop.domain.knowledge.whispers import (
    RAISED,
    READS,
    WHISPERS,
    Lead,
    hearers_in,
    lead_of,
)

_NEAR = 30  # characters before a whisper that says not to whom: the clause before it
_CALL = 16  # characters after a whisper’s lead in which it may call its hearer by name
_BACK = 200  # characters before a whisper in which “him” or “her” was named: a few sentences
_LIKELY = 0.7  # a hearer who is only meant by “him” or “her”: the one named last before
_ENDS = ":：,，"  # after such a sentence, what is thought or whispered follows
_SET_OFF = re.compile("[（(*_<「『]")
_COLON = re.compile("[:：]")
_FEW = 12  # pieces at the beginning of a message that show whether it puts speech in quotes


def private_parts(
    text: str, speaker: str, names: Names, pieces: Sequence[Piece] | None = None
) -> tuple[PrivatePart, ...]:
    """Find what not everybody who is there perceives, in the order of the text.

    ``speaker`` is "" for a narrator: what nobody is named to think or hear is then nobody's.
    ``pieces`` are those of the text, for one who has cut it already.
    """
    is_whispered = WHISPERS.search(text) is not None or READS.search(text) is not None
    if not is_whispered and not _SET_OFF.search(text) and not _tells_thoughts(text):
        return ()
    pieces = pieces_of(text) if pieces is None else pieces
    thoughts = _thoughts(text, pieces, speaker, names)
    whispers = _whispers(text, pieces, speaker, names) if is_whispered else []
    return tuple(_apart(thoughts, whispers))


def _tells_thoughts(text: str) -> bool:
    return THINKS.search(text) is not None or RECALLS.search(text) is not None


def _thoughts(text: str, pieces: Sequence[Piece], speaker: str, names: Names) -> list[PrivatePart]:
    parts: list[PrivatePart] = []
    is_plain = _is_plain(pieces, speaker)
    for number, piece in enumerate(pieces):
        if parts and piece.end <= parts[-1].end:
            continue  # thought already, with what goes before it
        bounds = _thought(text, pieces, number, is_plain=is_plain)
        if bounds is None or _is_whispered_bracket(text, piece, names):
            continue
        start, end = bounds
        if parts and start < parts[-1].end:
            start = parts[-1].end
        if start >= end:
            continue
        thinker = _thinker(text, piece, speaker, names)
        audience = (Perceiver(thinker, "thought"),) if thinker else ()
        parts.append(PrivatePart("thought", start, end, audience))
    return parts


def _thought(
    text: str, pieces: Sequence[Piece], number: int, *, is_plain: bool
) -> tuple[int, int] | None:
    """Return from where to where a thought goes that begins with, or is told by, a piece."""
    piece = pieces[number]
    content = text[piece.start : piece.end]
    if piece.kind == "tag":
        return piece.start, piece.end
    if piece.kind == "bracket":
        inner = content.strip("（）() ")
        if content[:2].replace("（", "(") == "((":
            return None
        return (piece.start, piece.end) if is_thought_bracket(inner) else None
    if piece.kind == "speech":
        is_thought = content[0] in "「『" and THINKS.search(content, 1, 5) is not None
        return (piece.start, piece.end) if is_thought else None
    mark = is_thought_told(content, is_plain=is_plain)
    if mark is None:
        is_thought = piece.is_starred and is_thought_bracket(content, stars=True)
        return _starred_run(text, pieces, number) if is_thought else None
    return _told_thought(text, pieces, number, piece.start + mark.end())


def _is_plain(pieces: Sequence[Piece], speaker: str) -> bool:
    """Whether a message may be speech without quotes: it sets off nothing, and no narrator's."""
    return bool(speaker) and not any(
        piece.kind == "speech" or piece.is_starred for piece in pieces[:_FEW]
    )


def _starred_run(text: str, pieces: Sequence[Piece], number: int) -> tuple[int, int]:
    """Return the bounds of all that stands between the same asterisks as a piece."""
    first = last = number
    while first and _is_same_run(text, pieces[first - 1], pieces[first]):
        first -= 1
    while last + 1 < len(pieces) and _is_same_run(text, pieces[last], pieces[last + 1]):
        last += 1
    return _with_stars(text, pieces[first].start, pieces[last].end)


def _is_same_run(text: str, one: Piece, other: Piece) -> bool:
    if not (one.is_starred and other.is_starred):
        return False
    return not any(star in text[one.end : other.start] for star in "*_\n")


def _told_thought(
    text: str, pieces: Sequence[Piece], number: int, mark: int
) -> tuple[int, int] | None:
    piece = pieces[number]
    start, end = _with_stars(text, piece.start, piece.end)
    after = pieces[number + 1] if number + 1 < len(pieces) else None
    follows = text[piece.end - 1] in _ENDS or text[piece.end - 2 : piece.end] in {"——", "……"}
    if after is not None and after.kind == "speech" and follows:
        return start, after.end
    before = pieces[number - 1] if number else None
    is_tail = before is not None and before.line == piece.line and mark - piece.start < _TAIL
    if before is not None and is_tail and _is_thought_before(before, piece):
        start = _with_stars(text, before.start, before.end)[0]
    if any(sign in text[mark : min(mark + 12, piece.end)] for sign in ":：,，") or follows:
        for later in pieces[number + 1 :]:  # the thought goes on, sentence by sentence
            if (later.kind, later.line, later.is_starred) != ("told", piece.line, piece.is_starred):
                break
            end = _with_stars(text, later.start, later.end)[1]
    return start, end


def _is_thought_before(before: Piece, piece: Piece) -> bool:
    return before.kind == "speech" or (before.is_starred and not piece.is_starred)


_TAIL = 24  # characters: “…” she thought, with what goes before it; a longer one tells more


def _thinker(text: str, piece: Piece, speaker: str, names: Names) -> str:
    mark = THINKS.search(text, piece.start, piece.end)
    if piece.kind == "bracket":
        before = names.last(text, max(0, piece.start - 30), piece.start)
        if before is not None and not text[before.end : piece.start].strip(" ：:"):
            return before.name
    if mark is None or piece.kind == "tag":
        return speaker
    inside = piece.start + (piece.kind == "bracket")
    return subject_of(text, inside, mark.start(), names, speaker)


def _whispers(text: str, pieces: Sequence[Piece], speaker: str, names: Names) -> list[PrivatePart]:
    parts: list[PrivatePart] = []
    is_plain = _is_plain(pieces, speaker)
    number = 0
    while number < len(pieces):
        piece = pieces[number]
        lead = None
        if piece.kind in {"bracket", "told"}:
            lead = lead_of(text, piece.start, piece.end, names)
        if lead is not None and is_plain and piece.kind == "told" and not lead.hearers:
            lead = lead if _COLON.search(text, lead.mark, piece.end) else None
        if lead is None:
            number += 1
            continue
        last = number
        if not _is_whispered_bracket(text, piece, names):
            last = _whispered_to(text, pieces, number)
        start, end = _with_stars(text, piece.start, piece.end)
        before = pieces[number - 1] if number else None
        if before is not None and before.kind == "speech" and before.line == piece.line:
            start = before.start
        end = max(end, _with_stars(text, pieces[last].start, pieces[last].end)[1])
        start = max(start, parts[-1].end) if parts else start
        audience = tuple(_audience(text, piece, lead, speaker, names))
        parts.append(PrivatePart("whisper", start, end, audience))
        number = last + 1
    return parts


def _is_whispered_bracket(text: str, piece: Piece, names: Names) -> bool:
    """Whether a bracket holds a whisper whole: who whispers to whom, and after a colon what."""
    if piece.kind != "bracket":
        return False
    lead = lead_of(text, piece.start, piece.end, names)
    return lead is not None and any(c in text[lead.mark : piece.end] for c in ':：“「"')


def _whispered_to(text: str, pieces: Sequence[Piece], number: int) -> int:
    """Return the number of the last piece that is whispered.

    A whisper goes on to the end of its line, and on the next ones as long as they only speak.
    """
    line = pieces[number].line
    has_spoken = False
    last = number
    for at in range(number + 1, len(pieces)):
        piece = pieces[at]
        if piece.kind == "told" and RAISED.search(text, piece.start, piece.end):
            break
        if piece.line != line and has_spoken and piece.kind != "speech":
            break
        if piece.line != line and not has_spoken and not _opens(text, pieces[last]):
            break
        has_spoken = has_spoken or piece.kind == "speech"
        line, last = piece.line, at
    return last


def _opens(text: str, piece: Piece) -> bool:
    """Whether a line that ends with this piece leads to the next one."""
    return text[piece.end - 1] in ":：" or piece.is_starred or piece.kind == "bracket"


def _audience(
    text: str, piece: Piece, lead: Lead, speaker: str, names: Names
) -> Iterator[Perceiver]:
    whisperer = _whisperer(text, piece, lead, speaker, names)
    how: How = "read" if lead.is_read else "addressed"
    known: set[str] = set()
    if whisperer:
        known.add(whisperer)
        yield Perceiver(whisperer, "read" if lead.is_read else "spoke")
    hearers = list(lead.hearers)
    if lead.is_to_you and names.player:
        hearers.append(names.player)
    if lead.is_to_me and speaker:
        hearers.append(speaker)
    for name in hearers:
        if name not in known:
            known.add(name)
            yield Perceiver(name, how)
    if len(known) <= 1:
        for name in dict.fromkeys(_meant(text, piece, lead, known, names)):
            yield Perceiver(name, how, _LIKELY)


def _meant(
    text: str, piece: Piece, lead: Lead, known: Collection[str], names: Names
) -> Iterator[str]:
    """Yield who is likely to hear what names nobody: by what was told right before it."""
    if lead.is_to_them:
        earlier = names.find(text, max(0, piece.start - _BACK), piece.start)
        yield from [one.name for one in earlier if one.name not in known][-1:]
    elif not lead.is_to_you and not lead.is_to_me:
        called = next(names.find(text, piece.end, piece.end + _CALL), None)
        if called is not None and text[called.end : called.end + 1] in set("，,！!…"):
            yield from [called.name] if called.name not in known else []
        before = text[max(0, piece.start - _NEAR) : piece.start]
        yield from (name for name in hearers_in(before, names) if name not in known)


def _whisperer(text: str, piece: Piece, lead: Lead, speaker: str, names: Names) -> str:
    """Return who whispers: the one with whom the sentence begins, but nobody who is to hear it."""
    start = piece.start + (piece.kind == "bracket")
    opening = opening_of(text, start, lead.mark, names)
    if opening and opening not in lead.hearers:
        return opening
    subject = subject_of(text, start, lead.mark, names, speaker)
    return speaker if subject in lead.hearers else subject


def _apart(
    thoughts: Sequence[PrivatePart], whispers: Sequence[PrivatePart]
) -> Iterator[PrivatePart]:
    """Yield all parts in order; where a thought lies in a whisper, the whisper is cut around it."""
    cut: list[PrivatePart] = []
    number = 0
    for whisper in whispers:
        at = whisper.start
        while number < len(thoughts) and thoughts[number].end <= at:
            number += 1
        inside = number
        while inside < len(thoughts) and thoughts[inside].start < whisper.end:
            if thoughts[inside].start > at:
                cut.append(PrivatePart("whisper", at, thoughts[inside].start, whisper.audience))
            at = max(at, thoughts[inside].end)
            inside += 1
        if at < whisper.end:
            cut.append(PrivatePart("whisper", at, whisper.end, whisper.audience))
    yield from sorted([*thoughts, *cut], key=lambda part: part.start)


def _with_stars(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in the asterisks around a piece that stands alone between them."""
    if start and end < len(text) and text[start - 1] in "*_" and text[end] in "*_":
        return start - 1, end + 1
    return start, end
