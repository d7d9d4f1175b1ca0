"""The keys of the memory server's further endpoints: one entry of the key store, by their names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from engram_desktop.llm.endpoint.endpoint import clean_key

if TYPE_CHECKING:
    from engram_desktop.llm.endpoint.keys import KeyStore


def read(keys: KeyStore) -> dict[str, str]:
    """Return the keys by endpoint. Raises NoKeyring, KeyFileUnusable, BadKey."""
    try:
        rows = json.loads(keys.get("further") or "{}")
    except ValueError:
        return {}  # edited by hand: none of them is a key that could be used
    if not isinstance(rows, dict):
        return {}
    found = {name: clean_key(key) for name, key in rows.items() if isinstance(key, str)}
    for key in found.values():
        keys.mask(key)
    return found


def write(keys: KeyStore, name: str, key: str) -> None:
    """Keep the key of one endpoint; an empty one deletes.

    Raises NoKeyring, KeyFileUnusable, BadKey.
    """
    key = clean_key(key)
    rows = {**read(keys), name: key}
    present = {name: key for name, key in rows.items() if key}
    keys.mask(key)
    keys.set("further", json.dumps(present, separators=(",", ":")) if present else "")
