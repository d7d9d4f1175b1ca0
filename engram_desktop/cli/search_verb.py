"""`search`: words looked for in chats and all they hold, private notes too, and worldbooks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engram_desktop.cli.verb import Call, Verb, as_argument
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.search import KINDS

if TYPE_CHECKING:
    from engram_desktop.domain.search import MarkedPassage, SearchHit, SearchResult


def _limit(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError("a whole number from 1 to 10000 is expected")
    return int(text)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="+",
        metavar="WORDS",
        help='what to look for: words, "quotes", OR, type:event entity:X chat:X is:blue;'
        " what begins with a minus stands after --",
    )
    parser.add_argument("--chat", metavar="CHAT", help="only in this chat")
    parser.add_argument("--branch", metavar="B", help="only as seen from this branch of it")
    parser.add_argument("--type", choices=KINDS, help="only hits of this kind")
    parser.add_argument("--limit", type=_limit, default=50, metavar="N", help="hits of each kind")
    as_argument(parser)


def _search(call: Call) -> None:
    args = call.args
    # an argument with a blank was quoted for the shell: here it is words like any other
    text = " ".join(args.words)
    if args.chat is None and (args.actors or args.branch is not None):
        raise InputError("--as and --branch need --chat.")
    line = None if args.chat is None else Line(call.chat_id, call.branch_id)
    actors = call.askers() if args.actors else ()
    result = call.memory.search.find(
        call.ctx,
        text,
        line if actors or args.branch is not None else None,
        actors,
        chat_id=call.chat_id if args.chat is not None else "",
        limit=args.limit,
        with_notes=True,
    )
    groups = [g for g in result.groups if args.type in {None, g.kind}]
    document = {
        "count": sum(group.count for group in groups),
        "unread": list(result.unread),
        "groups": [
            {
                "kind": group.kind,
                "count": group.count,
                "is_about": group.is_about,
                "hits": [_fields(hit) for hit in group.hits],
            }
            for group in groups
        ],
    }
    call.output.document(document, _lines(result, args.type))


def _fields(hit: SearchHit) -> dict[str, Any]:
    return {
        "id": hit.ref,
        "key": hit.key,
        "chat_id": hit.chat_id,
        "chat": hit.chat,
        "branch_id": hit.branch_id,
        "floors": hit.floors,
        "states": sorted(hit.states),
        "title": hit.title.text,
        "title_marks": hit.title.marks,
        "passage": hit.passage.text,
        "marks": hit.passage.marks,
    }


def _lines(result: SearchResult, kind: str | None) -> Iterator[str]:
    for group in result.groups:
        if kind in {None, group.kind}:
            yield f"{group.kind}: {'about ' if group.is_about else ''}{group.count}"
            for hit in group.hits:
                yield "  " + "  ".join(part for part in _parts(hit) if part)
    for name in result.unread:
        yield f"not searched: {name}"


def _parts(hit: SearchHit) -> Iterator[str]:
    yield "" if hit.kind == "chat" and not hit.branch_id else hit.chat
    first, last = hit.floors or (-1, -1)
    if hit.floors is not None:
        yield f"{first}-{last}" if last != first else str(first)
    yield _marked(hit.title)
    yield _marked(hit.passage)


def _marked(passage: MarkedPassage) -> str:
    """Return the text with what is looked for in brackets."""
    text, at = "", 0
    for start, end in passage.marks:
        text += f"{passage.text[at:start]}[{passage.text[start:end]}]"
        at = end
    return text + passage.text[at:]


_SEARCH_VERBS = (
    Verb(
        "search",
        _arguments,
        _search,
        can_read_only=True,
        writes_if=lambda args: bool(args.actors),
    ),
)


VERBS = (*_SEARCH_VERBS,)
