"""What a front end asks a model: the messages as it sends them, read from hostile JSON."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.values import dataclass

RequestKind = Literal["chat", "completion"]


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a request: its place in the request's list, its role, name and text.

    ``role`` is system, user, assistant or tool, or whatever else was sent; "developer" is read as
    system. ``text`` is the text of its parts where the content is a list; "" where there is none.
    """

    index: int
    role: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class FrontRequest:
    """One request of a front end. A text completion has one ``said``: the whole prompt.

    ``path_chat`` is NAME of ``/chat/NAME/v1``; ``header_chat`` and ``header_speaker`` are the
    headers X-Engram-Chat and X-Engram-Speaker. ``client`` is a name for the page: the User-Agent.
    ``stops`` are texts that end the reply; ``tools`` are names of functions the model may call;
    ``asks_json``: the answer must be JSON, which no reply of a story is.
    """

    kind: RequestKind
    said: tuple[Said, ...]
    model: str = ""
    path_chat: str = ""
    header_chat: str = ""
    header_speaker: str = ""
    client: str = ""
    stops: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    asks_json: bool = False
