"""Which server a model's name asks: the chat endpoint, or one of the further ones of a setting."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.domain.address import clean_url
from engram_desktop.domain.errors import BadEndpoint, BadSetting
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
_KEY = "serve.endpoints"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Upstream:
    """One further endpoint. ``prefixes`` are beginnings of the names of its models."""

    name: str
    base_url: str
    prefixes: tuple[str, ...] = ()

    def asked_as(self, model: str) -> str | None:
        """Return what it calls ``model``; None where the name asks for another endpoint."""
        head, slash, rest = model.partition("/")
        if slash and rest and head == self.name:
            return rest
        return model if any(model.startswith(prefix) for prefix in self.prefixes) else None

    def offered_as(self, model: str) -> str:
        """Return the name under which a front end asks for a ``model`` of this endpoint."""
        return model if model.startswith(self.prefixes or ("\0",)) else f"{self.name}/{model}"


def parse_upstreams(text: str) -> tuple[tuple[Upstream, ...], tuple[BadSetting, ...]]:
    """Read the setting: what can be used, and what is wrong with the other lines."""
    upstreams: list[Upstream] = []
    faults: list[BadSetting] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            upstreams.append(_parsed(line, upstreams))
        except BadSetting as fault:
            faults.append(fault)
    return tuple(upstreams), tuple(faults)


def _parsed(line: str, before: Sequence[Upstream]) -> Upstream:
    """Read one line. Raises BadSetting."""
    name, mark, rest = line.partition("=")
    name, words = name.strip(), rest.split()
    if not mark or not words or not _NAME.fullmatch(name):
        raise BadSetting(_KEY, line.strip(), Phrase(_T("reports", "a line is name = base URL")))
    if any(upstream.name == name for upstream in before):
        raise BadSetting(_KEY, name, Phrase(_T("reports", "this name is there twice")))
    try:
        return Upstream(name, clean_url(words[0]), tuple(words[1:]))
    except BadEndpoint as error:
        raise BadSetting(_KEY, error.params["url"], error.args[0]) from None
