"""Add memory to a request: identify its chat, compose the memory, and choose its place.

All of this runs on a worker thread, within the time the setting allows: a request that is not ready
by then goes on without memory. An internal error is shown on the page and never costs a reply.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.exchange import (
    PLACES,
    Placement,
    has_memory,
    has_placeholder,
    place_in_chat,
    place_in_message,
    place_in_prompt,
    replaced_messages,
    without_repeats,
)
from engram_desktop.domain.serving.headroom import (
    LEAST,
    Headroom,
    ModelBounds,
    learned,
    make_room,
    reply_tokens,
    size,
)
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.request_text import Change, RequestText
from engram_desktop.jobs.context import Cancelled
from engram_desktop.server.server_state import FAILED

if TYPE_CHECKING:
    from engram_desktop.domain.recall.query import Injection
    from engram_desktop.domain.serving.exchange import Outcome, Spot
    from engram_desktop.domain.serving.identity import Identity
    from engram_desktop.domain.serving.request import FrontRequest
    from engram_desktop.domain.settings import Settings
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.server.server_state import ServerState

_T = QT_TRANSLATE_NOOP
_LOG = logging.getLogger(__name__)
_LATE = _T("reports", "Memory took longer than {ms} ms.")
_FULL = _T("reports", "The model's context of {tokens} tokens is full.")
_NOT_WITH_MEMORY = _T("reports", "With memory the model's server refused the request: {words}")
# Seconds a request waits for replies that are being kept, since they may be of the same chat.
_KEPT_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as received. ``text`` is None if its body is not readable JSON."""

    body: bytes
    text: RequestText | None
    path_chat: str = ""
    header_chat: str = ""
    header_speaker: str = ""

    @property
    def value(self) -> dict[str, Any]:
        return {} if self.text is None else self.text.value


@dataclass(frozen=True, slots=True)
class Filled:
    """The result of filling a request. ``change`` is what is inserted, left out and removed."""

    change: Change
    outcome: Outcome
    request: FrontRequest | None = None
    identity: Identity | None = None
    injection: Injection | None = None
    place: Spot = ""
    saved_tokens: int = 0
    shortened: tuple[int, int] | None = None
    failure: Phrase | str = ""
    memory_ms: float = 0.0
    notes: tuple[Callable[[], object], ...] = ()  # writes to do after the request was answered

    @property
    def left_out(self) -> int:
        return len(self.change.left_out)


@dataclass(slots=True)
class _Progress:
    """How far the worker came, for a request that could not wait for it."""

    request: FrontRequest | None = None
    identity: Identity | None = field(default=None)


async def fill(state: ServerState, incoming: Incoming) -> Filled:
    """Return how to change a request. Raises nothing, except when cancelled."""
    started = time.perf_counter()
    progress = _Progress()
    allowance = state.settings().serve_allowance
    try:
        with state.undisturbed():
            await state.wait_until_stored(min(_KEPT_SECONDS, allowance / 2_000))
            left = allowance / 1_000 - (time.perf_counter() - started)
            filled = await state.work_first(
                lambda ctx: _fill(ctx, state, incoming, progress), seconds=left
            )
    except (TimeoutError, Cancelled):
        filled = _without(progress, "late", Phrase(_LATE, ms=allowance))
    except KnownError as error:
        filled = _without(progress, "failed", error.phrase)
    except Exception:  # noqa: BLE001 - logged: a bug of ours costs no reply
        _LOG.exception("memory for a request failed")
        filled = _without(progress, "failed", Phrase(FAILED))
    return replace(filled, memory_ms=(time.perf_counter() - started) * 1_000)


def _without(progress: _Progress, outcome: Outcome, failure: Phrase) -> Filled:
    return Filled(Change(fill=""), outcome, progress.request, progress.identity, failure=failure)


def read(state: ServerState, incoming: Incoming) -> FrontRequest:
    """Return the request in ``incoming``. Raises InputError if it is not one."""
    if incoming.text is None:
        raise InputError(Phrase(_T("reports", "the request is no JSON that can be read")))
    return state.memory.serving.read(
        incoming.value,
        path_chat=incoming.path_chat,
        header_chat=incoming.header_chat,
        header_speaker=incoming.header_speaker,
    )


def _fill(ctx: JobContext, state: ServerState, incoming: Incoming, progress: _Progress) -> Filled:
    serving = state.memory.serving
    request = progress.request = read(state, incoming)
    # Not cancelled when late: the messages are kept all the same, and that needs the identity.
    identity = progress.identity = serving.identify(state.context(), request)
    ctx.check()
    if identity.line is None or identity.wanted == "quiet":
        outcome: Outcome = "quiet" if identity.wanted == "quiet" else "unknown"
        return Filled(Change(fill=""), outcome, request, identity)
    if has_memory(request.said) and not has_placeholder(request.said):
        return Filled(Change(fill=""), "empty", request, identity)
    settings = state.memory.settings.read(identity.line.chat_id)
    bounds = state.bounds(request.model, settings)
    left_out = _told_instead(ctx, state, request, identity, settings)
    room = _room(ctx, state, incoming, progress, settings, bounds, left_out)
    injection, notes = None, list[Callable[[], object]]()
    if room.tokens >= LEAST:
        left_out = room.left_out
        injection = serving.fill(ctx, request, identity, left_out, room.tokens, later=notes.append)
    if injection is None or injection.tokens > room.tokens + LEAST:  # a held injection
        failure = Phrase(_FULL, tokens=bounds.tokens)
        return Filled(Change(fill=""), "full", request, identity, failure=failure)
    text = without_repeats(injection.text, request.said)
    if not text:
        return Filled(Change(fill=""), "empty", request, identity, injection)
    placement = _placed(state, request, identity, settings, text, left_out, bounds)
    saved = sum(estimate_tokens(m.text) for m in request.said if m.index in placement.left_out)
    change = _change(request, placement, incoming.value)
    wanted = settings.inject_tokens
    shortened = (room.tokens, wanted) if room.tokens < wanted else None
    return Filled(
        change,
        "filled",
        request,
        identity,
        injection,
        placement.spot,
        saved,
        shortened,
        notes=tuple(notes),
    )


def _told_instead(
    ctx: JobContext,
    state: ServerState,
    request: FrontRequest,
    identity: Identity,
    settings: Settings,
) -> frozenset[int]:
    if not settings.serve_window or request.kind != "chat":
        return frozenset()
    told = state.memory.serving.summarised_floors(ctx, identity)
    newest = identity.until
    return replaced_messages(
        request.said, dict(identity.floors), told, newest, settings.serve_window
    )


def _room(
    ctx: JobContext,
    state: ServerState,
    incoming: Incoming,
    progress: _Progress,
    settings: Settings,
    bounds: ModelBounds,
    left_out: frozenset[int],
) -> Headroom:
    """Return how long memory may be, and which messages it replaces if the context is full."""
    request, identity, wanted = progress.request, progress.identity, settings.inject_tokens
    if not bounds.tokens or request is None or identity is None:
        return Headroom(wanted, left_out)
    most = bounds.most(reply_tokens(incoming.value))
    if most - size(request.said, left_out) >= wanted:
        return Headroom(wanted, left_out)
    told = state.memory.serving.summarised_floors(ctx, identity) if request.kind == "chat" else ()
    floors = dict(identity.floors) if request.kind == "chat" else {}
    return make_room(request.said, floors, told, identity.until, most, wanted, left_out)


def _placed(
    state: ServerState,
    request: FrontRequest,
    identity: Identity,
    settings: Settings,
    text: str,
    left_out: frozenset[int],
    bounds: ModelBounds,
) -> Placement:
    if request.kind == "completion":
        prompt = request.said[0].text if request.said else ""
        return place_in_prompt(prompt, text, state.memory.serving.story_begins(identity, prompt))
    if bounds.is_strict:
        return place_in_message(request.said, text, left_out)
    place = next((place for place in PLACES if place == settings.serve_place), PLACES[0])
    return place_in_chat(request.said, text, place, settings.serve_depth, left_out)


def _change(request: FrontRequest, placement: Placement, value: dict[str, Any]) -> Change:
    if placement.spot == "placeholder":
        return Change(fill=placement.text, left_out=placement.left_out)
    if request.kind == "completion":
        return Change(fill="", prompt=placement.text, prompt_at=placement.before or 0)
    match value.get("messages"):
        case [{"role": "developer"}, *_]:
            role = "developer"
        case _:
            role = "system"
    return Change(
        fill="",
        message=placement.text,
        role=role,
        before=placement.before,
        into=placement.into,
        last=placement.last,
        before_last=placement.before_last,
        left_out=placement.left_out,
    )


def error_text(body: bytes) -> str:
    """Return an error's text with its escapes decoded: servers write Chinese as escapes."""
    text = body.decode("utf-8", "replace")
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False)
    return text


def sent_tokens(filled: Filled) -> int:
    """Estimate the tokens of a request as it was sent on."""
    said = filled.request.said if filled.request is not None else ()
    is_in = filled.outcome == "filled" and filled.injection is not None
    memory = filled.injection.tokens if is_in and filled.injection else 0
    return size(said, filled.change.left_out) + memory


def learn(state: ServerState, filled: Filled, words: str) -> bool:
    """Learn a server's limits from its refusal of a filled request; returns whether any are new."""
    request = filled.request
    if request is None or filled.injection is None:
        return False
    sent = sent_tokens(filled)
    known = state.bounds(request.model, state.settings())
    bounds = learned(known, words, sent)
    if bounds != known:
        state.learn(request.model, bounds)
    return bounds != known


def without_memory(filled: Filled, words: str) -> Filled:
    """Return a request without memory, after the server refused it with ``words``."""
    return Filled(
        Change(fill=""),
        "failed",
        filled.request,
        filled.identity,
        failure=Phrase(_NOT_WITH_MEMORY, words=words),
        memory_ms=filled.memory_ms,
    )
