"""The operating system's keyring, apart from `keys`: importing its package takes 50 ms.

It is imported when a key is first read or stored, never by a start that needs none.
"""

from __future__ import annotations

import sys

import keyring
from keyring.backend import KeyringBackend
from keyring.errors import KeyringError, NoKeyringError, PasswordDeleteError

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase

_T = QT_TRANSLATE_NOOP
_SERVICE = "Engram Desktop"
# Limit of the Windows credentials in bytes; a longer value fails there without a message.
LIMIT = 2560 if sys.platform == "win32" else None


class NoKeyring(KnownError):
    """There is no keyring on the computer, or it is locked."""

    text = QT_TRANSLATE_NOOP("errors", "The keyring of this computer cannot be used: {detail}.")
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "In the settings choose to keep keys for this session only, or in an unencrypted file.",
    )


def read(backend: KeyringBackend | None, name: str) -> str:
    """Return a key, or an empty text, also without a keyring. Raises NoKeyring if it is locked."""
    try:
        return _ring(backend).get_password(_SERVICE, name) or ""
    except NoKeyringError:
        return ""
    except KeyringError as error:
        raise _no_keyring(error) from error


def write(
    backend: KeyringBackend | None, name: str, key: str, *, limit: int | None = LIMIT
) -> None:
    """Store ``key``; an empty one deletes. Raises NoKeyring, also for one above ``limit``."""
    if limit is not None and len(key.encode("utf-16-le")) > limit:
        raise NoKeyring(Phrase(_T("reports", "the key is too long for it")))
    try:
        if key:
            _ring(backend).set_password(_SERVICE, name, key)
        else:
            _ring(backend).delete_password(_SERVICE, name)
    except PasswordDeleteError:
        pass  # there was none, which is the wanted result
    except KeyringError as error:
        raise _no_keyring(error) from error


def _ring(backend: KeyringBackend | None) -> KeyringBackend:
    return backend if backend is not None else keyring.get_keyring()


def _no_keyring(error: KeyringError) -> NoKeyring:
    if isinstance(error, NoKeyringError):
        return NoKeyring(Phrase(_T("reports", "there is none")))
    return NoKeyring(str(error).strip() or Phrase(_T("reports", "it is locked or refused")))
