"""Read the body of a request without trusting it: any type may stand anywhere, texts may be broken.

What cannot be read is left out, so that the request itself, which is sent on as it came, never
fails for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.serving.texts.request import FrontRequest, RequestKind, Said

MAX_SAID = 200_000  # messages of one request: with more, nothing of it is read, and that is said
MAX_NAMES = 200  # stop texts and tools read: more than any front end sends
# A front end may put documents, and how they are to be used, before what the player says.
_DOCUMENTS = re.compile(r"\s{0,8}#{1,4} ?Task:\s{0,8}Respond to the user query", re.IGNORECASE)
_AFTER = ("</context>", "<user_query>")
MAX_NAME = 200  # characters of a name that are read
_ROLES = {"developer": "system", "model": "assistant", "human": "user", "function": "tool"}


class TooManyMessages(InputError):
    """``count`` messages stand in one request."""

    text = QT_TRANSLATE_NOOP("errors", "A request of {count} messages is more than memory reads.")
    hint = QT_TRANSLATE_NOOP("errors", "It went on without memory, and nothing of it was kept.")


def read_request(
    body: Mapping[str, Any],
    *,
    path_chat: str = "",
    header_chat: str = "",
    header_speaker: str = "",
    client: str = "",
) -> FrontRequest:
    """Return what the parsed JSON of a chat or text completion asks. Raises TooManyMessages."""
    kind: RequestKind = "completion" if _is_completion(body) else "chat"
    said = _prompt(body.get("prompt")) if kind == "completion" else _messages(body.get("messages"))
    return FrontRequest(
        kind,
        said,
        _name(body.get("model")),
        path_chat,
        header_chat,
        header_speaker,
        client,
        _texts(body.get("stop") or body.get("stopping_strings") or body.get("stop_sequence")),
        _tools(body.get("tools")),
        _asks_json(body),
    )


def mended(value: object) -> str:
    """Return a text as UTF-8 can hold it; "" for what is no text."""
    if not isinstance(value, str):
        return ""
    text = value.replace("\x00", "") if "\x00" in value else value
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of an emoji; two halves are one again
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _is_completion(body: Mapping[str, Any]) -> bool:
    return not isinstance(body.get("messages"), list) and "prompt" in body


def _prompt(value: object) -> tuple[Said, ...]:
    """Read the prompt of a text completion; of several prompts, the first that is a text."""
    prompts = value if isinstance(value, list) else [value]
    text = next((prompt for prompt in prompts if isinstance(prompt, str)), "")
    return (Said(0, "", mended(text)),)


def _messages(value: object) -> tuple[Said, ...]:
    rows = value if isinstance(value, list) else []
    if len(rows) > MAX_SAID:
        raise TooManyMessages(count=len(rows))
    return tuple(
        Said(n, _role(row.get("role")), _spoken(row), _name(row.get("name")))
        for n, row in enumerate(rows)
        if isinstance(row, dict)
    )


def _spoken(row: Mapping[str, Any]) -> str:
    """Return the text of a message; of one with documents before it, what was said."""
    text = _content(row.get("content"))
    if not _DOCUMENTS.match(text):
        return text
    said = text
    for mark in _AFTER:
        said = said.rpartition(mark)[2]
    return said.replace("</user_query>", "").strip() or text


def _role(value: object) -> str:
    role = _name(value).lower()
    return _ROLES.get(role, role)


def _content(value: object) -> str:
    """Return the text of a content: a text, or a list of parts of which some are texts."""
    if isinstance(value, list):
        texts = (_part(part) for part in value)
        return "\n".join(text for text in texts if text)
    return _part(value)


def _part(value: object) -> str:
    if isinstance(value, dict):
        text = value.get("text")
        return mended(text.get("value")) if isinstance(text, dict) else mended(text)
    return mended(value)


def _name(value: object) -> str:
    return mended(value).strip()[:MAX_NAME]


def _texts(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    texts = (mended(text)[:MAX_NAME] for text in values[:MAX_NAMES])
    return tuple(text for text in texts if text)


def _tools(value: object) -> tuple[str, ...]:
    tools = value[:MAX_NAMES] if isinstance(value, list) else []
    functions = [tool.get("function", tool) for tool in tools if isinstance(tool, dict)]
    names = (_name(function.get("name")) for function in functions if isinstance(function, dict))
    return tuple(name for name in names if name)


def _asks_json(body: Mapping[str, Any]) -> bool:
    form = body.get("response_format")
    kind = form.get("type") if isinstance(form, dict) else form
    return kind in ("json_object", "json_schema") or any(
        body.get(key) for key in ("json_schema", "grammar", "guided_json")
    )
