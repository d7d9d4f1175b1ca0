"""What the companion reads and writes, as JSON."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar, get_args

from engram_desktop.domain.claims.claim import FINDING_KINDS, FindingKind
from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.recall.query import RecallHit
from engram_desktop.domain.reports import ConsolidationReport
from engram_desktop.domain.serving.companion import (
    CompanionMemory,
    CompanionQuestion,
    Generation,
    Told,
    ToldChat,
    ToldGone,
    ToldMessage,
    ToldOffer,
    ToldPiece,
    ToldReport,
    ToldRows,
)
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import storable
from engram_desktop.jobs.context import JobContext

# What a companion sends, read as values. Its JSON is hostile: whatever is odd is refused.


_MAX_NAME = 300  # characters of a name; SillyTavern's are file names
_MAX_SAID = 50  # newest messages that are read
_MAX_TEXT = 100_000  # characters of one of them: enough to search by
_MAX_FLOOR = 10_000_000  # beyond any chat
_MAX_MEMBERS = 500  # of a group


@dataclass(frozen=True, slots=True)
class FindingsQuery:
    """Which findings are asked for: of which kinds (all if none), as whom, up to which floor."""

    kinds: tuple[FindingKind, ...] = ()
    actor: str = ""
    at: int | None = None


class BadRequest(InputError):
    """``name`` of what is missing, or no such thing as it should be."""

    text = QT_TRANSLATE_NOOP("errors", "The companion's request lacks “{name}”.")
    hint = QT_TRANSLATE_NOOP("errors", "Install the companion of this version of Engram again.")


def read_chat(body: dict[str, Any]) -> ToldChat:
    """Read which chat is meant. Raises BadRequest."""
    row = body.get("chat")
    if not isinstance(row, dict):
        raise BadRequest(name="chat")
    members = row.get("members")
    return ToldChat(
        tavern=_text(row, "tavern"),
        owner=_text(row, "owner"),
        file=_text(row, "file"),
        is_group=row.get("is_group") is True,
        group_name=_optional(row, "group_name"),
        members=tuple(
            _clean(member) for member in members[:_MAX_MEMBERS] if isinstance(member, str)
        )
        if isinstance(members, list)
        else (),
        slip=_optional(row, "slip"),
    )


def read_told(body: dict[str, Any]) -> Told:
    """Read what is told of a chat. Raises BadRequest."""
    chat = read_chat(body)
    match body.get("what"):
        case "piece":
            return ToldPiece(
                chat,
                _text(body, "upload"),
                _floor(body, "number"),
                _floor(body, "count"),
                _rows(body),
                _header(body),
            )
        case "rows":
            return ToldRows(
                chat,
                _text(body, "revision"),
                _floor(body, "first"),
                _floor(body, "removed"),
                _rows(body),
                _floor(body, "total"),
                _header(body),
            )
        case "offer":
            return ToldOffer(chat, _optional(body, "revision"))
        case "gone":
            return ToldGone(chat)
    raise BadRequest(name="what")


def read_question(body: dict[str, Any]) -> CompanionQuestion:
    """Read what is asked before a generation. Raises BadRequest."""
    kinds: dict[object, Generation] = {kind: kind for kind in get_args(Generation)}
    said = body.get("said")
    first = body.get("visible_from")
    return CompanionQuestion(
        chat=read_chat(body),
        generation=kinds.get(_optional(body, "type"), "normal"),
        speaker=_optional(body, "speaker"),
        until=_floor(body, "until", least=-1),
        said=tuple(
            ToldMessage(_optional(row, "name"), row.get("is_user") is True, _words(row))
            for row in said[-_MAX_SAID:]
            if isinstance(row, dict)
        )
        if isinstance(said, list)
        else (),
        visible_from=_floor(body, "visible_from") if isinstance(first, int) else None,
        room=_floor(body, "room") if "room" in body else 0,
        used=_floor(body, "used") if "used" in body else 0,
    )


def read_findings(body: dict[str, Any]) -> FindingsQuery:
    """Read which findings are asked for. Raises BadRequest."""
    kind = _optional(body, "kind")
    if kind and kind not in FINDING_KINDS:
        raise BadRequest(name="kind")
    kinds = tuple(known for known in FINDING_KINDS if known == kind)
    at = _floor(body, "at") if isinstance(body.get("at"), int) else None
    return FindingsQuery(kinds, _optional(body, "as"), at)


def read_text(body: dict[str, Any], name: str) -> str:
    """Read a text that must be there. Raises BadRequest."""
    return _text(body, name)


def _rows(body: dict[str, Any]) -> tuple[str, ...]:
    rows = body.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadRequest(name="rows")
    return tuple(rows)


def _header(body: dict[str, Any]) -> str:
    header = body.get("header")
    return header if isinstance(header, str) else ""


def _words(row: dict[str, Any]) -> str:
    text = row.get("text")
    return storable(text[-_MAX_TEXT:]) if isinstance(text, str) else ""


def _text(row: dict[str, Any], name: str) -> str:
    text = _optional(row, name)
    if not text:
        raise BadRequest(name=name)
    return text


def _optional(row: dict[str, Any], name: str) -> str:
    text = row.get(name)
    return _clean(text) if isinstance(text, str) else ""


def _clean(text: str) -> str:
    return storable(text[:_MAX_NAME])


def _floor(row: dict[str, Any], name: str, least: int = 0) -> int:
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MAX_FLOOR:
        raise BadRequest(name=name)
    return value


# 整理记忆 asked for by a companion: it runs on, and is asked how far it is.


T = TypeVar("T")
_MOST = 20  # that are remembered after they ended


@dataclass(frozen=True, slots=True)
class Tidying:
    """How far one is. ``report`` is there when it is done, ``failure`` when it could not be."""

    number: int
    line: Line
    done: int = 0
    total: int | None = None
    report: ConsolidationReport | None = None
    failure: KnownError | None = None

    @property
    def is_running(self) -> bool:
        return self.report is None and self.failure is None


class Tidyings:
    """What was asked for since the server started. Safe from any thread."""

    def __init__(self) -> None:
        self._by_number: dict[int, Tidying] = {}
        self._lock = threading.Lock()
        self._last = 0

    def begin(self, line: Line) -> tuple[Tidying, bool]:
        """Return the one that runs for a line, or a new one, and whether it is new."""
        with self._lock:
            for one in self._by_number.values():
                if one.line == line and one.is_running:
                    return one, False
            self._last += 1
            new = self._by_number[self._last] = Tidying(self._last, line)
            ended = [n for n, one in self._by_number.items() if not one.is_running]
            for number in ended[:-_MOST]:
                del self._by_number[number]
            return new, True

    def get(self, number: int) -> Tidying | None:
        with self._lock:
            return self._by_number.get(number)

    def put(self, tidying: Tidying) -> None:
        with self._lock:
            self._by_number[tidying.number] = tidying


class ReportingContext:
    """A job that says how far it is to ``on_report`` too."""

    def __init__(self, inner: JobContext, on_report: Callable[[int, int | None], object]) -> None:
        self._inner = inner
        self._on_report = on_report

    def report(self, done: int, total: int | None, label: str = "") -> None:
        self._on_report(done, total)
        self._inner.report(done, total, label)

    def check(self) -> None:
        self._inner.check()

    def on_cancel(self, close: Callable[[], object]) -> None:
        self._inner.on_cancel(close)

    def write(self, unit: Callable[[], T]) -> T:
        return self._inner.write(unit)


# What a companion is answered: values as JSON. No path of the user's is among them.


_SHOWN = 400  # characters of a memory that a panel shows


def failure(error: KnownError) -> dict[str, Any]:
    """Say what went wrong; what may name a file of the user's is not repeated."""
    words = str(error) if isinstance(error, InputError) else "The memory cannot be used just now."
    return {"error": {"message": words, "code": type(error).__name__}}


def told_answer(report: ToldReport) -> dict[str, Any]:
    answer = {"state": report.state, "revision": report.revision, "floors": report.floors}
    return answer | ({"conflict": report.conflict.to_json()} if report.conflict else {})


def remembered(
    memory: CompanionMemory, settings: Settings, lamps: dict[str, str], elapsed_ms: float
) -> dict[str, Any]:
    """Answer a generation: the texts, where they stand, and why each memory is among them."""
    injection = memory.injection
    hits = injection.hits if injection else ()
    if memory.where.line is None:
        outcome = "unknown"
    else:
        outcome = "filled" if injection and injection.text else "empty"
    return {
        "outcome": outcome,
        "why": str(memory.where.why),
        "summaries": memory.summaries,
        "memories": memory.memories,
        "tokens": injection.tokens if injection else 0,
        "room": memory.budget,
        "wanted": settings.inject_tokens,
        "ms": round(elapsed_ms, 1),
        "degraded": list(injection.degraded) if injection else [],
        "place": place(settings),
        "items": [_hit(number, hit, lamps) for number, hit in enumerate(hits, start=1)],
    }


def place(settings: Settings) -> dict[str, Any]:
    """Say where memory stands in a prompt, as it is chosen in the window."""
    return {"at": settings.serve_place, "depth": settings.serve_depth}


def event(node: EventNode) -> dict[str, Any]:
    floors = node.source_range
    return {
        "ref": node.id,
        "lamp": "green" if node.is_archived else "blue",
        "text": node.summary[:_SHOWN],
        "floors": [floors.start_index, floors.end_index],
        "level": node.level,
        "is_locked": node.is_locked,
    }


def tidying(one: Tidying) -> dict[str, Any]:
    answer: dict[str, Any] = {"number": one.number, "done": one.done, "total": one.total}
    answer["state"] = "running" if one.is_running else "done"
    if one.failure is not None:
        answer |= failure(one.failure) | {"state": "failed"}
    if one.report is not None:
        answer["archived"] = one.report.archived
        answer["outlines"] = one.report.outlines
    return answer


def _hit(number: int, hit: RecallHit, lamps: dict[str, str]) -> dict[str, Any]:
    item = hit.item
    return {
        "rank": number,
        "kind": item.kind,
        "ref": item.ref,
        "text": item.content[:_SHOWN],
        "floors": [item.start_index, item.end_index],
        "why": {leg: round(share, 4) for leg, share in hit.why.items()},
        "matched": list(hit.matched[:12]),
        "lamp": lamps.get(item.ref, ""),
        "volume": item.volume,
    }
