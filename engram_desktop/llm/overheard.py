"""The reply in an answer that was passed through: put together from its bytes once it is whole.

It never raises: what it cannot read is no reply, and the bytes were passed on all the same.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from engram_desktop.domain.values import dataclass
from engram_desktop.llm.client.connection import cleaned, content_text

_MOST = 16_000_000  # bytes of an answer after unpacking: every token comes in about 300


@dataclass(frozen=True, slots=True)
class Overheard:
    """``is_whole``: the model came to an end, and the answer with it. ``finish`` says how.

    ``read`` are the tokens that the model read of its request, 0 where nothing says so.
    """

    text: str = ""
    finish: str = ""
    is_whole: bool = False
    read: int = 0


NOTHING_HEARD = Overheard()


def overheard(body: bytes, kind: str, packing: str = "") -> Overheard:
    """Read the first choice of an answer. ``kind`` is its Content-Type, ``packing`` its encoding.

    An answer in pieces is whole with ``[DONE]``, or where a piece says why the model stopped.
    """
    unpacked = _unpacked(body, packing.strip().lower())
    if unpacked is None or len(unpacked) > _MOST:
        return NOTHING_HEARD
    text = unpacked.decode("utf-8-sig", "replace")
    if "event-stream" in kind.lower() or text.lstrip()[:6] in {"data: ", "data:{"}:
        return _of_pieces(text)
    return _of_whole(text)


def _of_whole(text: str) -> Overheard:
    answer = _json(text)
    choice = _first_choice(answer)
    if choice is None:
        return NOTHING_HEARD
    words, finish = _words(choice), _finish(choice)
    return Overheard(cleaned(words), finish, is_whole=True, read=_read(answer))


def _of_pieces(text: str) -> Overheard:
    """Read events: the ``data:`` lines of one are one text; all other lines say nothing."""
    words: list[str] = []
    finish, is_done, is_bad, read = "", False, False, 0
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for data in _events(lines):
        if data.strip() == "[DONE]":
            is_done = True
            break
        piece = _json(data)
        if not isinstance(piece, dict) or piece.get("error"):
            is_bad = True
            continue
        read = _read(piece) or read
        choice = _first_choice(piece)
        if choice is not None:
            words.append(_words(choice))
            finish = _finish(choice) or finish
    is_whole = (is_done or bool(finish)) and not is_bad
    return Overheard(cleaned("".join(words)), finish, is_whole, read)


def _events(lines: list[str]) -> list[str]:
    """Join the ``data:`` lines of each event. A stream without blank lines is one event a line."""
    events: list[str] = []
    pending: list[str] = []
    for line in [*lines, ""]:
        if line.startswith("data:"):
            data = line[5:].removeprefix(" ")
            if pending and _is_whole_json(pending[-1]):
                events += pending
                pending = []
            pending.append(data)
        elif not line.strip() and pending:
            events.append("\n".join(pending))
            pending = []
    return events


def _is_whole_json(data: str) -> bool:
    return data.rstrip().endswith("}") and _json(data) is not None


def _first_choice(answer: Any) -> dict[str, Any] | None:
    rows = answer.get("choices") if isinstance(answer, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("index", 0) in (0, None):
            return row
    return None


def _words(choice: dict[str, Any]) -> str:
    """Return what a choice says, in whatever shape: a piece, a message, or a text completion."""
    for name in ("delta", "message"):
        message = choice.get(name)
        if isinstance(message, dict):
            return content_text(message.get("content"))
    return content_text(choice.get("text"))


def _finish(choice: dict[str, Any]) -> str:
    return str(choice.get("finish_reason") or "")


def _read(answer: dict[str, Any]) -> int:
    """Return the tokens of a request as they were counted, with those that were known already."""
    match answer.get("usage"):
        case {"prompt_tokens": int(count), "prompt_tokens_details": {"cached_tokens": int(known)}}:
            return max(count, known)
        case {"prompt_tokens": int(count), "cache_read_input_tokens": int(known)}:
            return count + known
        case {"prompt_tokens": int(count)}:
            return max(count, 0)
    return 0


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _unpacked(body: bytes, packing: str) -> bytes | None:
    """Undo a compression that came although none was asked for, up to a limit."""
    if packing in {"", "identity"}:
        return body
    if packing not in {"gzip", "x-gzip", "deflate"}:
        return None
    for bits in (47, -15):  # gzip or zlib by its head; deflate without one
        machine = zlib.decompressobj(bits)
        try:
            return machine.decompress(body, _MOST + 1)
        except zlib.error:
            continue
    return None
