"""API keys: in the operating system's keyring, in this session, or in a file by explicit choice.

A key is never in a database, a log, an export or a backup, and is stored only where the user chose:
without a keyring this raises instead of falling back.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from engram_desktop import moving
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.llm import endpoint, os_keyring, redact
from engram_desktop.llm.endpoint import clean_key

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend


_T = QT_TRANSLATE_NOOP

# "index" is the token of a Chroma server; "serve" is the key that other programs use for the memory
# server; "further" holds the keys of its further endpoints by name.
KeyName = Literal["llm", "embed", "rerank", "index", "serve", "further"]
KEY_NAMES: tuple[KeyName, ...] = get_args(KeyName)
KeyMode = Literal["keyring", "session", "file"]
Source = Literal["environment", "keyring", "session", "file", "none"]

FILE_NAME = "api-keys.unencrypted.json"
_NOTICE = "These API keys are NOT encrypted. 这些密钥未加密。 Do not share this file."


class KeyFileUnusable(KnownError):
    text = QT_TRANSLATE_NOOP("errors", "The key file {path} cannot be used: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Delete it and enter the keys again.")


def variable(name: KeyName) -> str:
    """Return the environment variable that takes precedence over a stored key."""
    return f"ENGRAM_{name.upper()}_API_KEY"


class KeyStore:
    """Keys by name, in one of three places. Safe from any thread.

    ``on_key`` is called with every key that is returned, so that a log filter can mask it.
    """

    def __init__(
        self,
        mode: KeyMode,
        directory: Path,
        *,
        environ: Mapping[str, str] = os.environ,
        backend: KeyringBackend | None = None,
        on_key: Callable[[str], object] = str,
    ) -> None:
        self._mode = mode
        self._path = directory / FILE_NAME
        self._environ = environ
        self._backend = backend
        self._on_key = on_key
        self._session: dict[str, str] = {}
        self._lent: dict[str, str] = {}
        self._lock = threading.Lock()

    @property
    def mode(self) -> KeyMode:
        return self._mode

    def get(self, name: KeyName) -> str:
        """Return the key, or an empty text. Raises NoKeyring, KeyFileUnusable, BadKey."""
        key = endpoint.clean_key(self._environ.get(variable(name), ""))
        if not key:
            with self._lock:
                key = self._read(name)
        if key:
            self._on_key(key)
        return key

    def source(self, name: KeyName) -> Source:
        """Return where `get` would find the key."""
        if self._environ.get(variable(name), "").strip():
            return "environment"
        with self._lock:
            return self._mode if self._read(name) else "none"

    def set(self, name: KeyName, key: str) -> None:
        """Store ``key``; an empty one deletes. Raises NoKeyring, KeyFileUnusable, BadKey."""
        key = endpoint.clean_key(key)
        if key:
            self._on_key(key)
        with self._lock:
            self._write(name, key)

    def mask(self, key: str) -> None:
        """Have the log filter mask a key that is stored within another entry."""
        if key:
            self._on_key(key)

    def lend(self, name: KeyName, key: str) -> None:
        """Keep a key in memory until the program ends, if none can be stored."""
        key = endpoint.clean_key(key)
        self._on_key(key)
        with self._lock:
            self._lent[name] = key

    def lent(self, name: KeyName) -> str:
        """Return the key given to `lend`, or an empty text."""
        with self._lock:
            return self._lent.get(name, "")

    def move_to(self, mode: KeyMode) -> None:
        """Move every stored key to another place."""
        with self._lock:
            if mode == self._mode:
                return
            keys = {name: key for name in KEY_NAMES if (key := self._read(name))}
            old, self._mode = self._mode, mode
            try:
                for name, key in keys.items():
                    self._write(name, key)
            except KnownError:
                self._mode = old
                raise
            self._mode = old
            for name in keys:
                self._write(name, "")
            self._mode = mode

    def follow(self, mode: KeyMode) -> None:
        """Read keys from another place, after another program moved them there."""
        with self._lock:
            self._mode = mode

    def _read(self, name: KeyName) -> str:
        match self._mode:
            case "session":
                return self._session.get(name, "")
            case "file":
                return self._file().get(name, "")
            case "keyring":
                return os_keyring.read(self._backend, name)

    def _write(self, name: KeyName, key: str) -> None:
        match self._mode:
            case "session":
                self._session[name] = key
            case "file":
                self._save({**self._file(), name: key})
            case "keyring":
                os_keyring.write(self._backend, name, key)

    def _file(self) -> dict[str, str]:
        try:
            value = json.loads(self._path.read_text("utf-8"))
            keys = value["keys"]
            return {name: endpoint.clean_key(keys[name]) for name in KEY_NAMES if name in keys}
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._unusable(
                error.strerror or Phrase(_T("reports", "it cannot be read"))
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError):
            raise self._unusable(Phrase(_T("reports", "it is damaged"))) from None

    def _save(self, keys: Mapping[str, str]) -> None:
        """Replace the whole file. `mkstemp` makes it readable by its owner only."""
        present = {name: key for name, key in keys.items() if key}
        try:
            if not present:
                self._path.unlink(missing_ok=True)
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self._path.parent, prefix=".keys-")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(
                        {"notice": _NOTICE, "keys": present}, file, ensure_ascii=False, indent=2
                    )
                moving.replace(Path(temporary), self._path)
            except OSError:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise self._unusable(
                error.strerror or Phrase(_T("reports", "it cannot be written"))
            ) from error

    def _unusable(self, detail: str) -> KeyFileUnusable:
        return KeyFileUnusable(detail, path=self._path)


# The keys of the memory server's further endpoints: one entry of the key store, by name.


def read_further_keys(keys: KeyStore) -> dict[str, str]:
    """Return the keys by endpoint. Raises NoKeyring, KeyFileUnusable, BadKey."""
    try:
        rows = json.loads(keys.get("further") or "{}")
    except ValueError:
        return {}  # edited by hand: it contains no usable key
    if not isinstance(rows, dict):
        return {}
    found = {name: clean_key(key) for name, key in rows.items() if isinstance(key, str)}
    for key in found.values():
        keys.mask(key)
    return found


def write_further_key(keys: KeyStore, name: str, key: str) -> None:
    """Store the key of one endpoint; an empty one deletes.

    Raises NoKeyring, KeyFileUnusable, BadKey.
    """
    key = clean_key(key)
    rows = {**read_further_keys(keys), name: key}
    present = {name: key for name, key in rows.items() if key}
    keys.mask(key)
    keys.set("further", json.dumps(present, separators=(",", ":")) if present else "")


# The key of the memory server: made at the first start, stored with the other keys.


_BYTES = 24  # 192 bits: impossible to guess, and fits a line


@dataclass(frozen=True, slots=True)
class ServeKey:
    """``is_kept``: the next start has the same key."""

    key: str
    is_kept: bool = True


def current_serve_key(keys: KeyStore) -> ServeKey:
    """Return the key, or a new one if there is none; without a keyring it lasts until the end."""
    lent = keys.lent("serve")
    if lent:
        return ServeKey(lent, is_kept=False)
    try:
        key = keys.get("serve")
    except os_keyring.NoKeyring:
        key = ""
    if key:
        return ServeKey(key, is_kept=keys.mode != "session")
    return renewed_serve_key(keys)


def renewed_serve_key(keys: KeyStore) -> ServeKey:
    """Make and store a new key. Like every key, one from the environment takes precedence."""
    key = f"{redact.OWN_PREFIX}{secrets.token_urlsafe(_BYTES)}"
    try:
        keys.set("serve", key)
    except os_keyring.NoKeyring:
        keys.lend("serve", key)
        return ServeKey(key, is_kept=False)
    if keys.source("serve") == "environment":
        return current_serve_key(keys)
    return ServeKey(key, is_kept=keys.mode != "session")
