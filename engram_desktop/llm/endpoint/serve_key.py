"""The key of the memory server: made at the first start, kept where the other keys are."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from engram_desktop.domain.values import dataclass
from engram_desktop.llm.endpoint import os_keyring
from engram_desktop.llm.endpoint.redact import OWN_PREFIX

if TYPE_CHECKING:
    from engram_desktop.llm.endpoint.keys import KeyStore

_BYTES = 24  # 192 bits: nobody guesses it, and it fits a line


@dataclass(frozen=True, slots=True)
class ServeKey:
    """``is_kept``: the next start has the same. ``is_given``: by the environment, not ours."""

    key: str
    is_kept: bool = True
    is_given: bool = False


def current(keys: KeyStore) -> ServeKey:
    """Return the key, made now if there is none; without a keyring it holds until the end."""
    lent = keys.lent("serve")
    if lent:
        return ServeKey(lent, is_kept=False)
    try:
        key = keys.get("serve")
        is_given = keys.source("serve") == "environment"
    except os_keyring.NoKeyring:
        key, is_given = "", False
    if key:
        return ServeKey(key, is_kept=keys.mode != "session", is_given=is_given)
    return renewed(keys)


def renewed(keys: KeyStore) -> ServeKey:
    """Make a new key and keep it. One of the environment wins over it, as over all keys."""
    key = f"{OWN_PREFIX}{secrets.token_urlsafe(_BYTES)}"
    try:
        keys.set("serve", key)
    except os_keyring.NoKeyring:
        keys.lend("serve", key)
        return ServeKey(key, is_kept=False)
    if keys.source("serve") == "environment":
        return current(keys)
    return ServeKey(key, is_kept=keys.mode != "session")
