"""An endpoint: base URL, model and key, checked before anything is sent.

Every `Endpoint` is valid: an unusable value raises when it is made. There is no default host to
fall back to, and the key never appears in a repr or an error.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal
from urllib.parse import urlsplit

from engram_desktop.domain.address import TAILS, clean_url, is_loopback, spell
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass

Task = Literal["chat", "embed", "rerank", "models", "page"]
# A page is read at its own address.
PATHS: dict[Task, str] = dict(
    zip(("chat", "embed", "rerank", "models", "page"), (*TAILS, ""), strict=True)
)


SYSTEM_PROXY = "system"
NO_PROXY = "none"


class BadKey(InputError):
    """``char`` is not part of any key; the key itself is never shown."""

    text = QT_TRANSLATE_NOOP("errors", "The API key holds a {char} at position {position}.")
    hint = QT_TRANSLATE_NOOP("errors", "Copy the key again, without blanks or other text.")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One OpenAI-compatible server and the model to use. ``timeout`` is for one whole answer.

    The URL is cleaned: a pasted ``…/chat/completions`` becomes its base. ``proxy`` is the address
    of a proxy, `SYSTEM_PROXY` or `NO_PROXY`; this computer is always reached directly.
    """

    base_url: str
    model: str = ""
    key: str = field(default="", repr=False)
    timeout: float = 180.0
    proxy: str = SYSTEM_PROXY

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", clean_url(self.base_url))
        object.__setattr__(self, "model", self.model.strip())
        object.__setattr__(self, "key", clean_key(self.key))

    def final_url(self, task: Task) -> str:
        """Return the address of requests of this task, as shown below the base URL's field."""
        return self.base_url + PATHS[task]

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).hostname or ""

    @property
    def origin(self) -> str:
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def reads_environment(self) -> bool:
        """Whether the proxy is taken from the environment."""
        return not self.is_loopback and self.proxy == SYSTEM_PROXY


def clean_key(text: str) -> str:
    """Return the key without surrounding blanks and a pasted ``Bearer``. Raises BadKey."""
    key = text.strip().removeprefix("Bearer ").strip()
    for position, char in enumerate(key, start=1):
        if not "!" <= char <= "~":
            raise BadKey(char=spell(char), position=position)
    return key
