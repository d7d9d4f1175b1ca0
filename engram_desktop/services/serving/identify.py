"""Identify the line of a request: by name, by the user's correction, or by its messages.

Wrong memory is worse than none: if two chats fit a request equally, neither is chosen. Among
branches of one chat, the one whose end the request continues is chosen. The ends of all lines are
held in memory as hashes of texts and of their longest sentences, so that edited messages and
messages within a prompt are found too; a chat is read again only after a write to it. Line ends are
read as a front end would send them: macros filled, scripts run.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Ambiguous, KnownError, NotFound
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.alignment import SHORTEST_IN_TEXT
from engram_desktop.domain.serving.beside import UNKNOWN, Beside
from engram_desktop.domain.serving.identity import How, Identity, Wanted
from engram_desktop.domain.serving.instructions import has_material
from engram_desktop.domain.serving.keep_plan import wanted_of_none
from engram_desktop.domain.serving.line_and_request import Floor, LineTail, RequestPieces
from engram_desktop.domain.serving.line_choice import choose, fits_better, is_enough, place_named
from engram_desktop.domain.serving.matching import Placed, go_back, place
from engram_desktop.domain.serving.request import (
    longest_pieces,
    plain,
    split_blocks,
    unwrapped,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.played import has_gaps, readings
from engram_desktop.services.characters import character_of
from engram_desktop.services.prompts.macro_scope import header_of
from engram_desktop.storage.library.served import CORRECTIONS_KEPT, Correction, ServedNotes

if TYPE_CHECKING:
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.serving.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompts import ChatPrompts
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.chat.messages import LineEnds, Outlined


_MACRO = re.compile(r"\{\{[^{}]{0,200}\}\}|<(?:user|char|bot)>", re.IGNORECASE)
_SHORTEST = 12  # plain characters of a card that must occur in a request
_LONGEST = 300  # of those that are searched: a front end may cut the rest
_CARDS = 2_000  # cards held: each costs some 10 microseconds to search
_LOOKED_IN = 200_000  # characters of a request, from its beginning, in which cards are searched


@dataclass(frozen=True)
class _KnownCard:
    name: str
    texts: tuple[str, ...]  # texts that identify the card: of the description, of the first message


class CardsInSystem:
    """The cards of a library, by a part of each. Thread-safe."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._cards: dict[str, tuple[int, _KnownCard]] = {}
        session.on_leaving(self._forget)

    def refresh(self) -> None:
        """Read cards that are new or changed."""
        rows = self._session.library.characters.rows()[:_CARDS]
        with self._lock:
            cards: dict[str, tuple[int, _KnownCard]] = {}
            for row in rows:
                known = self._cards.get(row.id)
                if known is None or known[0] != row.updated_at:
                    card = character_of(self._session.library, row)
                    texts = (_longest(card.description), _longest(card.first_mes))
                    known = row.updated_at, _KnownCard(row.name, tuple(filter(None, texts)))
                cards[row.id] = known
            self._cards = cards

    def card_of(self, pieces: RequestPieces) -> str:
        """Return the name of the character whose card occurs in a request; "" for none."""
        self.refresh()
        whole = "\n".join(piece.said.text for piece in pieces.pieces)[:_LOOKED_IN]
        text = plain(whole)
        with self._lock:
            cards = [known for _at, known in self._cards.values()]
        fits = [
            (sum(len(part) for part in known.texts if part in text), known.name in whole, known)
            for known in cards
        ]
        best = max(fits, key=lambda fit: fit[:2], default=None)
        return best[2].name if best is not None and best[0] else ""

    def _forget(self, chat_id: str | None) -> None:
        if chat_id is None:
            with self._lock:
                self._cards = {}


def _longest(text: str) -> str:
    """Return the longest part of a card's text without macros, plain; "" if it is too short."""
    parts = (plain(part) for part in _MACRO.split(text))
    longest = max(parts, key=len, default="")
    return longest[:_LONGEST] if len(longest) >= _SHORTEST else ""


_WITH_READINGS = 12  # newest floors of which all swipes are known: users swipe no further back
_MAX_OPENING = 10  # greetings of a group before the player's first message
_MACROS = ("{{", "<user", "<USER", "<char", "<CHAR", "<bot", "<BOT")
DEFAULT_PLAYER = "User"


def read_tail(
    session: Session, chat_prompts: ChatPrompts, ctx: JobContext, line: Line, size: int
) -> LineTail:
    """Read the newest ``size`` floors. Raises NotFound, StorageError."""
    store = session.chat(line.chat_id)
    count = store.messages.count(line.branch_id)
    first = max(0, count - size)
    messages = store.messages.slice(line.branch_id, first, count - 1) if count else []
    native = chat_prompts.native(ctx, store, session.settings(line.chat_id), line.branch_id)
    sent = native.as_sent(messages)
    voices = list(dict.fromkeys(m.name for m in messages if m.role == "assistant"))
    users = [m.name for m in messages if m.role == "user"]
    player = users[-1] if users else next(iter(store.messages.user_names()), DEFAULT_PLAYER)
    others = _other_readings(store, line, max(first, count - _WITH_READINGS), count - 1)
    opening = _opening(messages) if first == 0 else 0
    floors = []
    for n, (message, as_sent) in enumerate(zip(messages, sent, strict=True)):
        speaker = message.name if message.role == "assistant" else next(iter(voices), "")
        texts = [_filled(as_sent.text, player, speaker), message.text]
        pieces = longest_pieces(texts[0])
        readings = [*texts, *others.get(message.seq, ())]
        is_reply = message.role == "assistant"
        without_blocks = [story for text in texts for story in _story_apart(text) if is_reply]
        keys = dict.fromkeys(plain(text) for text in [*readings, *without_blocks])
        floors.append(
            Floor(
                message.seq,
                message.role,
                message.name,
                tuple(key for key in keys if key) or ("",),
                message.is_hidden,
                n < opening,
                plain(texts[0]) == plain(message.text),
                pieces,
            )
        )
    gaps = has_gaps(header_of(store, line.branch_id))
    mark = _mark_of(messages)
    return LineTail(line, count, tuple(floors), player, tuple(voices), gaps, mark)


def _mark_of(rows: Sequence[Message | Outlined]) -> int:
    return hash(tuple((row.swipe_hash, row.name, bool(row.is_hidden)) for row in rows))


def _story_apart(text: str) -> list[str]:
    """Return the forms in which front ends send a text without thoughts, status bars or tags."""
    around = unwrapped(text)
    told = [split_blocks(one) for one in (text, *around)]
    stories = [story for story, blocks in told if blocks]
    return [one for one in (*stories, *around) if len(plain(one)) >= SHORTEST_IN_TEXT]


def tail_mark(store: ChatStore, branch_id: str, size: int) -> tuple[object, ...]:
    """Return a key that changes whenever the newest ``size`` floors of a line do."""
    count = store.messages.count(branch_id)
    first = max(0, count - size)
    return count, _mark_of(store.messages.outline(branch_id, first) if count else [])


def _opening(messages: Sequence[Message]) -> int:
    """Return the number of floors before the player's first message."""
    spoken = (n for n, message in enumerate(messages) if message.role == "user")
    return min(next(spoken, len(messages)), _MAX_OPENING)


def _filled(text: str, player: str, speaker: str) -> str:
    if not any(mark in text for mark in _MACROS):
        return text
    return fill(text, MacroScope({"user": player, "char": speaker})).text


def _other_readings(
    store: ChatStore, line: Line, first: int, last: int
) -> dict[int, Sequence[str]]:
    """Return the swipes of floors that have several."""
    if last < first:
        return {}
    rows = store.messages.as_parsed(line.branch_id, first, last)
    return {
        first + n: readings(row.raw, row.text)[0]
        for n, row in enumerate(rows)
        if '"swipes"' in row.raw
    }


logger = logging.getLogger(__name__)

FLOORS = 60_000  # of all lines together: some 40 MB of hashes
MOST_OF_LINE = 200  # floors of one line: more than a front end sends of a history
LEAST_OF_LINE = 30  # floors of one line, even if there are many lines
TEXTS_HELD = 24  # lines whose texts are held: some 100 kB each
_READ_BACK = 200  # floors read at once before the end of a line, if a request shows more
_COMMON = 64  # lines; a text shared by more lines identifies nothing and is not looked up


@dataclass
class _Known:
    """The known end of one line."""

    mark: tuple[object, ...]
    keys: frozenset[int]


class Tails:
    """Index of the last texts of all lines. Thread-safe."""

    def __init__(self, session: Session, chat_prompts: ChatPrompts) -> None:
        self._session = session
        self._chat_prompts = chat_prompts
        self._lock = threading.RLock()
        self._chats: dict[str, tuple[object, ...]] = {}
        self._ends: dict[str, tuple[int, LineEnds]] = {}  # by chat, with the number of floors
        self._lines: dict[Line, _Known] = {}
        self._postings: dict[int, set[Line]] = {}
        self._texts: OrderedDict[Line, LineTail] = OrderedDict()
        self._size = MOST_OF_LINE
        session.on_leaving(self._forget)

    def refresh(self, ctx: JobContext) -> None:
        """Read chats that were written to since the last call, the latest first.

        Raises Cancelled.
        """
        chat_ids = [chat_id for chat_id, *_rest in self._session.library.chat_rows()]
        for gone in self._chats.keys() - set(chat_ids):
            self._forget(gone)
        self._size = max(LEAST_OF_LINE, min(MOST_OF_LINE, FLOORS // max(1, len(chat_ids))))
        for chat_id in chat_ids:
            ctx.check()
            try:
                self._look_at(ctx, chat_id)
            except KnownError as e:  # one damaged chat must not hide the others
                logger.warning("The chat %s is not known to the server: %s", chat_id, e)
                self._chats[chat_id] = ()

    def candidates(
        self, keys: Iterable[tuple[str, float]], most: int, chat_id: str | None = None
    ) -> list[Line]:
        """Return the lines with the highest worth of matching texts, of one chat or of all."""
        votes: dict[Line, float] = {}
        with self._lock:
            for key, value in keys:
                lines = self._postings.get(hash(key), ())
                if len(lines) > _COMMON and chat_id is None:
                    continue
                chats = len({line.chat_id for line in lines})
                for line in lines:
                    if chat_id not in (None, line.chat_id):
                        continue
                    votes[line] = votes.get(line, 0.0) + value / chats
        best = nlargest(most, votes.items(), key=lambda vote: vote[1])
        return [line for line, vote in best if vote * 20 >= best[0][1]]

    def tail(self, ctx: JobContext, line: Line) -> LineTail:
        """Return the end of a line with its texts. Raises NotFound, StorageError."""
        with self._lock:
            known = self._texts.get(line)
            if known is not None:
                self._texts.move_to_end(line)
                return known
        tail = read_tail(self._session, self._chat_prompts, ctx, line, self._size)
        with self._lock:
            self._hold(tail)
        return tail

    def whole(self, ctx: JobContext, line: Line) -> LineTail:
        """Read all floors of a line. Raises NotFound, StorageError."""
        count = self._session.chat(line.chat_id).messages.count(line.branch_id)
        return read_tail(self._session, self._chat_prompts, ctx, line, count)

    def go_back(self, ctx: JobContext, placed: Placed) -> list[tuple[int, int]]:
        """Match messages of a request with floors before the known end of its line."""
        first_known = placed.tail.floors[0].seq if placed.tail.floors else 0
        at, seq = min(placed.aligned.exact, default=(0, 0))
        is_more = any(piece.is_story for piece in placed.pieces.pieces[:at])
        if placed.is_one_text or not first_known or not seq or not is_more:
            return []
        return go_back(self._before(ctx, placed.tail.line, seq), placed.pieces.pieces, at)

    def _before(
        self, ctx: JobContext, line: Line, seq: int
    ) -> Iterator[tuple[int, tuple[str, str], bool]]:
        """Yield the floors before ``seq``, nearest first: floor, plain texts, whether hidden."""
        store, settings = self._session.chat(line.chat_id), self._session.settings(line.chat_id)
        native = self._chat_prompts.native(ctx, store, settings, line.branch_id)
        while seq > 0:
            first = max(0, seq - _READ_BACK)
            rows = store.messages.slice(line.branch_id, first, seq - 1)
            for row, sent in zip(reversed(rows), reversed(native.as_sent(rows)), strict=True):
                yield row.seq, (plain(row.text), plain(sent.text)), row.is_hidden
            seq = first

    def stood(self, chat_id: str) -> int:
        """Return the state number of a chat's line ends when they were read; 0 if they were not."""
        known = self._ends.get(chat_id)
        return known[1].number if known else 0

    def _look_at(self, ctx: JobContext, chat_id: str) -> None:
        mark = self._chat_mark(chat_id)
        if self._chats.get(chat_id) == mark:
            return
        store = self._session.chat(chat_id)
        ends = store.messages.line_ends()
        size, before = self._ends.get(chat_id, (0, ends))
        changed = store.messages.changed_since(before, ends) if size == self._size else None
        for branch_id, end in ends.own.items():
            line = Line(chat_id, branch_id)
            known = self._lines.get(line)
            is_same = changed is not None and branch_id not in changed
            if known is not None and is_same and before.own.get(branch_id) == end:
                continue  # of hundreds of branches a player continues one
            if known is None or known.mark != tail_mark(store, branch_id, self._size):
                tail = read_tail(self._session, self._chat_prompts, ctx, line, self._size)
                with self._lock:
                    self._put(tail, (tail.count, tail.mark))
        with self._lock:
            gone = [line for line in self._lines if line.chat_id == chat_id]
            for line in gone:
                if line.branch_id not in ends.own:
                    self._drop(line)
            self._chats[chat_id] = mark
            self._ends[chat_id] = self._size, ends

    def _chat_mark(self, chat_id: str) -> tuple[object, ...]:
        """Return a key that changes with every write to a chat, by this process or another."""
        return self._session.chat(chat_id).database.mark()

    def _put(self, tail: LineTail, mark: tuple[object, ...]) -> None:
        keys = frozenset(key for floor in tail.floors for key in _keys_of(floor))
        known = self._lines.get(tail.line)
        before = known.keys if known else frozenset()
        for key in before - keys:
            self._discard(key, tail.line)
        for key in keys - before:
            self._postings.setdefault(key, set()).add(tail.line)
        self._lines[tail.line] = _Known(mark, keys)
        if tail.line in self._texts or known is not None:
            self._hold(tail)

    def _hold(self, tail: LineTail) -> None:
        self._texts[tail.line] = tail
        self._texts.move_to_end(tail.line)
        while len(self._texts) > TEXTS_HELD:
            self._texts.popitem(last=False)

    def _drop(self, line: Line) -> None:
        for key in self._lines.pop(line).keys:
            self._discard(key, line)
        self._texts.pop(line, None)

    def _discard(self, key: int, line: Line) -> None:
        lines = self._postings.get(key)
        if lines is not None:
            lines.discard(line)
            if not lines:
                del self._postings[key]

    def _forget(self, chat_id: str | None) -> None:
        with self._lock:
            for line in [x for x in self._lines if chat_id in (None, x.chat_id)]:
                self._drop(line)
            for known in [x for x in self._chats if chat_id in (None, x)]:
                del self._chats[known]
                self._ends.pop(known, None)


def _keys_of(floor: Floor) -> list[int]:
    """Return the hashes under which a floor is indexed."""
    return [hash(text) for text in (*floor.keys, *floor.pieces) if text]


_T = QT_TRANSLATE_NOOP
_CANDIDATES = 12  # lines that a request is aligned with: some 0.5 ms each
_BESIDE_HELD = 200  # lines for which the notes of the last request are remembered


class Identifier:
    """Identifies requests, using the ends of all lines of a library."""

    def __init__(
        self, session: Session, chat_prompts: ChatPrompts, corrections: Corrections
    ) -> None:
        self._session = session
        self._tails = Tails(session, chat_prompts)
        self._cards = CardsInSystem(session)
        self._corrections = corrections
        self._beside: OrderedDict[Line, Beside] = OrderedDict()
        self._lock = threading.Lock()

    def warm(self, ctx: JobContext) -> None:
        """Read the ends of all lines. Raises Cancelled."""
        self._tails.refresh(ctx)
        self._cards.refresh()

    def identify(self, ctx: JobContext, request: FrontRequest) -> Identity:
        """Return the line of a request, and the position in it."""
        pieces = RequestPieces.of(request)
        self._tails.refresh(ctx)
        identity = self._by_name(ctx, pieces) or self._corrected(ctx, pieces)
        return identity or self._aligned(ctx, pieces)

    def correct(self, ctx: JobContext, request: FrontRequest, line: Line | None) -> Changes:
        """Store the user's correction of a request's line; it holds for later requests too."""
        pieces = RequestPieces.of(request)
        ctx.write(lambda: self._corrections.note(pieces.fingerprint, line))
        return Changes(chat_id=line.chat_id if line else None)

    def begun(self, line: Line, request: FrontRequest) -> None:
        """Remember the request with which a line was begun."""
        with self._lock:
            self._beside[line] = Beside.begun(RequestPieces.of(request))

    def branched(self, line: Line | None, branch: Line | None) -> None:
        """Copy the notes of a line to the branch on which the story goes on."""
        with self._lock:
            beside = self._beside.get(line) if line else None
            if beside is not None and branch is not None and branch != line:
                self._beside[branch] = beside

    def _by_name(self, ctx: JobContext, pieces: RequestPieces) -> Identity | None:
        request = pieces.request
        key = request.path_chat or request.header_chat
        if not key:
            return None
        how: How = "path" if request.path_chat else "header"
        try:
            line = self._named(key)
        except Ambiguous:
            why = Phrase(_T("reports", "Several chats are called “{name}”."), name=key)
            return Identity(None, "none", 0.0, why, wanted_of_none(pieces))
        except NotFound:
            why = Phrase(_T("reports", "No chat is called “{name}” yet."), name=key)
            return Identity(None, "none", 0.0, why, wanted_of_none(pieces))
        why = Phrase(_T("reports", "The address or a header names this chat."))
        placed = self._placed(ctx, line, pieces, is_named=True)
        if line.branch_id == MAIN_BRANCH:
            placed = self._best_branch(ctx, placed, pieces)
        return self._identity(ctx, self._deeper(ctx, placed, is_named=True), how, 1.0, why)

    def _best_branch(self, ctx: JobContext, main: Placed, pieces: RequestPieces) -> Placed:
        """Return the branch of a named chat that a request continues; the main one if unclear."""
        best, chat_id = main, main.tail.line.chat_id
        for line in self._tails.candidates(pieces.looked_up, _CANDIDATES, chat_id):
            if line == main.tail.line:
                continue
            try:
                other = self._placed(ctx, line, pieces, is_named=True)
            except NotFound:  # deleted meanwhile
                continue
            if other.aligned.pairs and fits_better(other, best):
                best = other
        return best

    def _named(self, key: str) -> Line:
        library = self._session.library
        try:
            return Line(library.find_chat(key), MAIN_BRANCH)
        except NotFound:
            name, at, branch = key.rpartition("@")
            if not at or not name:
                raise
            chat_id = library.find_chat(name)
            return Line(chat_id, self._session.chat(chat_id).branches.find(branch))

    def _corrected(self, ctx: JobContext, pieces: RequestPieces) -> Identity | None:
        correction = self._corrections.of(pieces)
        if correction is None:
            return None
        line = correction.line
        if line is None:
            why = Phrase(_T("reports", "You said that this is no chat of the library."))
            return Identity(None, "corrected", 1.0, why, wanted_of_none(pieces))
        try:
            placed = self._deeper(
                ctx, self._placed(ctx, line, pieces, is_named=True), is_named=True
            )
        except NotFound:  # deleted meanwhile
            return None
        why = Phrase(_T("reports", "You said that it is this chat."))
        return self._identity(ctx, placed, "corrected", 1.0, why)

    def _aligned(self, ctx: JobContext, pieces: RequestPieces) -> Identity:
        placed: list[Placed] = []
        for line in self._tails.candidates(pieces.looked_up, _CANDIDATES):
            try:
                placed.append(self._placed(ctx, line, pieces))
            except NotFound:  # deleted meanwhile
                continue
        chosen = choose(placed)
        best = chosen.best
        if best is None or not is_enough(best):
            if chosen.rivals:
                why = Phrase(
                    _T("reports", "{count} chats hold its messages alike: it may be of each."),
                    count=len({line.chat_id for line in chosen.rivals}),
                )
                wanted = wanted_of_none(pieces)
                return Identity(None, "none", 0.0, why, wanted, rivals=chosen.rivals)
            is_material = any(
                has_material(pieces.pieces, other.aligned, other.tail.floors) for other in placed
            )
            return self._new(pieces, "quiet" if is_material else wanted_of_none(pieces))
        why = Phrase(
            _T("reports", "{count} of its {of} messages stand at the end of this chat."),
            count=len({at for at, _seq in best.aligned.pairs})
            if not best.is_one_text
            else len(best.aligned.pairs),
            of=len(best.aligned.pairs) if best.is_one_text else pieces.story_count,
        )
        best = self._deeper(ctx, best, is_named=False)
        return self._identity(ctx, best, "aligned", chosen.certainty, why)

    def _new(self, pieces: RequestPieces, wanted: Wanted) -> Identity:
        card = "" if wanted == "quiet" else self._cards.card_of(pieces)
        if card:
            why = Phrase(_T("reports", "A new chat with {name}: the card stands in it."), name=card)
            speaker = pieces.request.header_speaker or card
            return Identity(None, "card", 0.5, why, wanted, speaker=speaker, card=card)
        why = Phrase(_T("reports", "No chat of the library holds its messages."))
        return Identity(None, "none", 0.0, why, wanted, speaker=pieces.request.header_speaker)

    def _placed(
        self, ctx: JobContext, line: Line, pieces: RequestPieces, *, is_named: bool = False
    ) -> Placed:
        tail = self._tails.tail(ctx, line)
        return self._laid(tail, pieces, is_named=is_named)

    def _laid(self, tail: LineTail, pieces: RequestPieces, *, is_named: bool) -> Placed:
        lay = place_named if is_named else place
        return lay(tail, pieces, self._beside.get(tail.line, UNKNOWN))

    def _deeper(self, ctx: JobContext, placed: Placed, *, is_named: bool) -> Placed:
        """Align the request with the whole line if it shows more than the line's known end."""
        if not placed.shows_more:
            return placed
        whole = self._laid(
            self._tails.whole(ctx, placed.tail.line), placed.pieces, is_named=is_named
        )
        return whole if whole.aligned.pairs else placed

    def _identity(
        self, ctx: JobContext, placed: Placed, how: How, certainty: float, why: Phrase
    ) -> Identity:
        turn, aligned = placed.turn, placed.aligned
        self._remember(placed)
        earlier = self._tails.go_back(ctx, placed)
        named = placed.pieces.request.header_speaker or turn.speaker
        usual = placed.usual_speakers
        return Identity(
            placed.tail.line,
            how,
            certainty,
            why,
            turn.wanted,
            tuple((placed.pieces.index(at), seq) for at, seq in (*earlier, *aligned.exact)),
            placed.until,
            named or next(iter(usual), ""),
            unseen=turn.unseen,
            edited=placed.edited,
            gone=placed.gone,
            missing=placed.missing,
            may_speak=() if named or len(usual) < 2 else usual,
            seen=placed.tail.count,
            asked=placed.pieces.asked,
            begins=turn.begins,
            replied=placed.replied,
            stood=self._tails.stood(placed.tail.line.chat_id),
        )

    def _remember(self, placed: Placed) -> None:
        """Remember the notes of a request, so that the next request's notes are recognised.

        Requests for something other than a reply are skipped, since the same order may come again.
        So are continuations: some front ends put the continued message behind the notes.
        """
        if placed.turn.wanted in ("quiet", "continue"):
            return
        with self._lock:
            line = placed.tail.line
            self._beside[line] = placed.beside
            self._beside.move_to_end(line)
            while len(self._beside) > _BESIDE_HELD:
                self._beside.popitem(last=False)


_PRINTED = 4  # newest messages that identify a conversation
_ALIKE = 3  # of these that must be unchanged: one may have been edited or deleted


class Corrections:
    """The user's corrections, which hold for later requests too, and silent chats. Thread-safe.

    A conversation is recognised by its newest messages, which are updated with every request.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._rows: list[Correction] | None = None
        self._silent: list[str] = []
        session.on_leaving(self._forget)

    def of(self, request: RequestPieces) -> Correction | None:
        """Return the correction of the conversation that a request continues; None without one."""
        with self._lock:
            rows = self._read()
            seen = set(request.fingerprint if rows else ())
            for n in range(len(rows) - 1, -1, -1):
                prints = rows[n].prints
                if prints and len(seen.intersection(prints)) >= min(_ALIKE, len(prints)):
                    newest = tuple(request.fingerprint[-_PRINTED:])
                    if newest != prints:
                        rows.append(Correction(newest, rows.pop(n).line))
                        self._write()
                    return rows[n] if newest == prints else rows[-1]
        return None

    def note(self, fingerprint: Sequence[str], line: Line | None) -> None:
        """Store the line of a conversation; an earlier correction of it is replaced."""
        newest = tuple(fingerprint[-_PRINTED:])
        with self._lock:
            rows = self._read()
            rows[:] = [row for row in rows if row.prints != newest]
            rows.append(Correction(newest, line))
            del rows[:-CORRECTIONS_KEPT]
            self._write()

    def is_silent(self, chat_id: str) -> bool:
        """Return whether the companion of a chat stopped reporting."""
        with self._lock:
            self._read()
            return chat_id in self._silent

    def set_silent(self, chat_id: str, *, silent: bool) -> None:
        """Store that the companion of a chat stopped reporting, or reports again."""
        with self._lock:
            self._read()
            if (chat_id in self._silent) == silent:
                return
            if silent:
                self._silent.append(chat_id)
            else:
                self._silent.remove(chat_id)
            self._write()

    def _read(self) -> list[Correction]:
        if self._rows is None:
            self._rows, self._silent = ServedNotes(self._session.folder).read()
        return self._rows

    def _write(self) -> None:
        if self._session.can_write and self._rows is not None:
            ServedNotes(self._session.folder).write(self._rows, self._silent)

    def _forget(self, chat_id: str | None) -> None:
        if chat_id is None:  # another library may be opened at the same path
            with self._lock:
                self._rows = None
