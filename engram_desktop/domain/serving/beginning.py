"""Read a chat that the library does not have out of a request: its names, and what was said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from engram_desktop.domain.serving.alignment import RequestMessage, RequestPieces
from engram_desktop.domain.serving.identity import Identity
from engram_desktop.domain.serving.keep_plan import NewChat
from engram_desktop.domain.serving.prompt_tail import rows_of_prompt
from engram_desktop.domain.serving.request import is_script
from engram_desktop.domain.values import dataclass

DEFAULT_PLAYER = "User"
DEFAULT_SPEAKER = "Assistant"
_NAME_CHARS = 40  # of the first words a chat is named by
_SHORTEST_SYSTEM = 40  # characters of a system prompt that tells of a story
_TALK = 3  # messages that are a talk, even without a system prompt
_STARTS = re.compile(
    r"^\W{0,3}(?:start|begin) (?:a )?new|^\W{0,3}开始新|^\W{0,3}新的?(?:聊天|对话)", re.IGNORECASE
)
_RECURS = 2  # messages of a role that begin with a name nobody knows, so that it is taken for one
_NAMED_SHARE = 0.6  # of the messages of a role that must begin with a name for it to be one
# SillyTavern's main prompt, unless the user wrote another one.
_MAIN_PROMPT = re.compile(
    r"Write (?P<char>[^\n]{1,80}?)'s next reply in a fictional chat between (?P=char)"
    r" and (?P<player>[^\n]{1,80}?)\."
)
# What stands before a colon and is no name: headings, times, who is quoted.
_NO_NAME = re.compile(
    r"\d|[《〈【\[(（#*_|>]|[说道问答喊叫想曰]$|\b(?:says?|said|asks?|asked|replied|thinks?|thought)$",
    re.IGNORECASE,
)


def beginning_of(pieces: RequestPieces, identity: Identity, named: str) -> NewChat | None:
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
        name = named or identity.card or speaker
        return NewChat(name, player, speaker, identity.card, tuple(told), bool(named))
    said = _story(pieces.pieces)
    if said and said[-1].said.role == "assistant":
        said = said[:-1]  # the beginning of the reply
    if not said or said[-1].said.role != "user":
        return None
    system = "\n".join(p.said.text for p in pieces.pieces if p.said.role == "system")
    is_talk = len(system) >= _SHORTEST_SYSTEM or len(said) >= _TALK
    if not (named or identity.card or is_talk):
        return None
    known = _Known(system, frozenset(filter(None, (identity.speaker, identity.card))))
    players, speakers = _names(said, "user", known), _names(said, "assistant", known)
    prompt = _MAIN_PROMPT.search(system)
    char, user = (prompt["char"], prompt["player"]) if prompt else ("", "")
    player = next(iter(players), user or DEFAULT_PLAYER)
    speaker = identity.speaker or identity.card or char or next(iter(speakers), DEFAULT_SPEAKER)
    rows = tuple(
        _row(piece, (player, players) if piece.said.role == "user" else (speaker, speakers))
        for piece in said
    )
    name = named or identity.card or (speaker if speaker != DEFAULT_SPEAKER else "")
    name = name or _first_words(rows)
    return NewChat(name, player, speaker, identity.card, rows, bool(named))


def _story(pieces: Sequence[RequestMessage]) -> list[RequestMessage]:
    """Return the messages that are said, behind what says that the chat begins there."""
    first = 0
    for n, piece in enumerate(pieces):
        if piece.said.role == "system" and _STARTS.match(piece.said.text.strip()[:80]):
            first = n + 1
    return [p for p in pieces[first:] if p.said.role in ("user", "assistant") and p.keys[0]]


@dataclass(frozen=True)
class _Known:
    """What says that a name is one: the system prompt, and who is about to speak."""

    system: str
    names: frozenset[str]

    def knows(self, name: str) -> bool:
        return name in self.names or name in self.system


def _names(said: Sequence[RequestMessage], role: str, known: _Known) -> dict[str, bool]:
    """Return the names that messages of a role carry, the commonest first.

    The value says whether it is sure to be a name, so that it is no part of the text: it stands
    beside the text, or somebody knows it. What only recurs before colons is taken for who speaks,
    and stays in the text as well.
    """
    own = [piece for piece in said if piece.said.role == role]
    beside = Counter(piece.said.name for piece in own if piece.said.name)
    if beside:
        return {name: True for name, _count in beside.most_common()}
    before = Counter(
        piece.prefix_name
        for piece in own
        if piece.prefix
        and not _NO_NAME.search(piece.prefix_name)
        and not is_script(piece.said.text)
    )
    if before.total() < max(1, _NAMED_SHARE * len(own)):
        return {}
    names = {name: known.knows(name) for name, _count in before.most_common()}
    return {name: sure for name, sure in names.items() if sure or before[name] >= _RECURS}


def _row(piece: RequestMessage, speaks: tuple[str, Mapping[str, bool]]) -> tuple[str, str, str]:
    """Return role, name and text of a message; ``speaks`` are who usually does, and the names."""
    usual, names = speaks
    said = piece.said
    name, text = said.name, said.text
    if piece.prefix_name in names:
        name = piece.prefix_name
        text = text[piece.prefix :] if names[name] else text
    return said.role, name or usual, text


def _first_words(rows: Sequence[tuple[str, str, str]]) -> str:
    text = next((text for role, _name, text in rows if role == "user"), "")
    words = " ".join(text.split())
    return words[:_NAME_CHARS].rstrip() + ("…" if len(words) > _NAME_CHARS else "")
