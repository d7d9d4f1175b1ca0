"""Identities: 32 hex digits, unique without asking anyone."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable

MAIN_BRANCH = "main"


def new_id() -> str:
    """Return a new random id."""
    return uuid.uuid4().hex


def content_hash(*parts: str) -> str:
    """Hash texts: 32 hex digits of BLAKE2b, parts kept apart."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\x00")
    return digest.hexdigest()


def range_hash(hashes: Iterable[str]) -> str:
    """Hash a run of messages by their swipe hashes, so that a block is known again."""
    return content_hash(*hashes)
