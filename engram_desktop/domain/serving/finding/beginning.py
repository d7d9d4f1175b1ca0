"""Read a chat that the library does not have out of a request: its names, and what was said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engram_desktop.domain.serving.finding.alignment import Piece
from engram_desktop.domain.serving.identity import Identity
from engram_desktop.domain.serving.kept import Beginning
from engram_desktop.domain.serving.texts.prompt_beginning import rows_of_prompt
from engram_desktop.domain.serving.texts.request_pieces import RequestPieces

DEFAULT_PLAYER = "User"
DEFAULT_SPEAKER = "Assistant"
_NAME_CHARS = 40  # of the first words a chat is named by
_SHORTEST_SYSTEM = 40  # characters of a system prompt that tells of a story
_TALK = 3  # messages that are a talk, even without a system prompt
_MOST = 2_000  # messages that a new chat begins with: a front end sends some hundred
_STARTS = re.compile(
    r"^\W{0,3}(?:start|begin) (?:a )?new|^\W{0,3}开始新|^\W{0,3}新的?(?:聊天|对话)", re.IGNORECASE
)
_SURE = 2  # messages that begin with a name, so that it is one
_NAMED_SHARE = 0.6  # of the messages of a role that must begin with a name for it to be one


def beginning_of(pieces: RequestPieces, identity: Identity, named: str) -> Beginning | None:
    """Return what a new chat would begin with; None where the request is no story.

    ``named`` is what the address calls it.
    """
    request = pieces.request
    if request.tools or identity.wanted != "reply" or identity.rivals:
        return None
    if request.kind == "completion":
        told, speaker = rows_of_prompt(request)
        if len(told) < _TALK - 1 or told[-1][0] != "user":
            return None
        player = next(name for role, name, _text in told if role == "user")
        return Beginning(
            named or identity.card or speaker, player, speaker, identity.card, tuple(told)
        )
    said = _story(pieces.pieces)
    if said and said[-1].said.role == "assistant":
        said = said[:-1]  # the beginning of the reply
    if not said or said[-1].said.role != "user":
        return None
    system = "\n".join(p.said.text for p in pieces.pieces if p.said.role == "system")
    is_talk = len(system) >= _SHORTEST_SYSTEM or len(said) >= _TALK
    if not (named or identity.card or is_talk):
        return None
    players, speakers = _names(said, "user", system), _names(said, "assistant", system)
    player = players[0] if players else DEFAULT_PLAYER
    speaker = identity.speaker or identity.card or (speakers[0] if speakers else "")
    speaker = speaker or DEFAULT_SPEAKER
    known = {*players, *speakers, player, speaker}
    rows = tuple(_row(piece, player, speaker, known) for piece in said[-_MOST:])
    name = named or identity.card or (speaker if speaker != DEFAULT_SPEAKER else "")
    return Beginning(name or _first_words(rows), player, speaker, identity.card, rows)


def _story(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the messages that are said, behind what says that the chat begins there."""
    first = 0
    for n, piece in enumerate(pieces):
        if piece.said.role == "system" and _STARTS.match(piece.said.text.strip()[:80]):
            first = n + 1
    return [p for p in pieces[first:] if p.said.role in ("user", "assistant") and p.keys[0]]


def _names(said: Sequence[Piece], role: str, system: str) -> list[str]:
    """Return the names that messages of a role carry, the commonest first.

    What stands before a colon once is a name where the system prompt knows it.
    """
    own = [piece for piece in said if piece.said.role == role]
    beside = Counter(piece.said.name for piece in own if piece.said.name)
    if beside:
        return [name for name, _count in beside.most_common()]
    before = Counter(piece.prefix_name for piece in own if piece.prefix)
    if before.total() < max(1, _NAMED_SHARE * len(own)):
        return []
    if before.total() < _SURE and not all(name in system for name in before):
        return []
    return [name for name, _count in before.most_common()]


def _row(piece: Piece, player: str, speaker: str, known: set[str]) -> tuple[str, str, str]:
    said = piece.said
    name, text = said.name, said.text
    if piece.prefix_name in known:
        name, text = piece.prefix_name, text[piece.prefix :]
    return said.role, name or (player if said.role == "user" else speaker), text.strip()


def _first_words(rows: Sequence[tuple[str, str, str]]) -> str:
    text = next((text for role, _name, text in rows if role == "user"), "")
    words = " ".join(text.split())
    return words[:_NAME_CHARS].rstrip() + ("…" if len(words) > _NAME_CHARS else "")
