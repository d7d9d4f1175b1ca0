"""Put the companion into a SillyTavern, or into a folder to be copied to one.

Only a folder that is not there, is empty, or holds an older companion is ever written to; that one
is replaced whole.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.serving.companion import InstalledCompanion
from engram_desktop.formats.json_values import row_of, text_of
from engram_desktop.formats.plain_file import read_json_text
from engram_desktop.formats.tavern.folder import NoTavern, find_handles
from engram_desktop.shipped import resource

NAME = "engram-companion"  # of its folder among SillyTavern's extensions
_MANIFEST = "manifest.json"
_INTERCEPTOR = "engramCompanionIntercept"  # what tells a manifest of ours from any other
_OF_EVERY_USER = ("chats", "characters", "worlds")
_MAX_MANIFEST = 100_000  # bytes: one of ours has fewer than a thousand
# Where extensions lie in one user's folder, and in the program's own before there were users.
_OF_USER, _OF_PROGRAM = ("extensions",), ("scripts", "extensions", "third-party")


class ForeignFolder(InputError):
    """``path`` holds something that is not ours."""

    text = QT_TRANSLATE_NOOP("errors", "{path} is there already, and is no companion of Engram's.")
    hint = QT_TRANSLATE_NOOP("errors", "Move it away or choose another folder. It was left alone.")


class NotWritable(InputError):
    """``path``, and in ``detail`` what the system says."""

    text = QT_TRANSLATE_NOOP("errors", "{path} cannot be written: {detail}.")
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Save the companion as a folder, and copy that to SillyTavern's extensions.",
    )


def install(folder: Path) -> tuple[InstalledCompanion, ...]:
    """Put the companion into every user of a SillyTavern. Raises NoTavern, ForeignFolder."""
    handles = [handle for handle in find_handles(folder) if _is_whole(handle)]
    if not handles:
        raise NoTavern(path=folder)
    targets = [_extensions_of(handle) / NAME for handle in handles]
    for target in targets:
        _check(target)
    return tuple(_put(target) for target in targets)


def save(folder: Path) -> InstalledCompanion:
    """Put the companion into ``folder``, as a folder of its own. Raises ForeignFolder."""
    target = folder / NAME
    _check(target)
    return _put(target)


def companion_in(target: Path) -> str | None:
    """Return the version of the companion in a folder; None if none is there."""
    manifest = _manifest(target)
    if manifest.get("generate_interceptor") != _INTERCEPTOR:
        return None
    return text_of(manifest.get("version"))


def _is_whole(handle: Path) -> bool:
    """Whether this is a user's folder beyond doubt: a folder called chats alone may be anything."""
    is_set_up = (handle / "settings.json").is_file()
    return is_set_up or all((handle / name).is_dir() for name in _OF_EVERY_USER)


def _extensions_of(handle: Path) -> Path:
    return handle.joinpath(*(_OF_PROGRAM if handle.name == "public" else _OF_USER))


def _check(target: Path) -> None:
    """See that nothing of anybody else's would be written over."""
    is_there = target.is_symlink() or target.exists()
    if is_there and (target.is_symlink() or not target.is_dir()):
        raise ForeignFolder(path=target)
    if is_there and any(target.iterdir()) and companion_in(target) is None:
        raise ForeignFolder(path=target)


def _put(target: Path) -> InstalledCompanion:
    before = companion_in(target)
    source = resource("companion")
    with _known_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".engram-", dir=target.parent) as scratch:
            new = Path(scratch) / NAME
            shutil.copytree(source, new, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            old = Path(scratch) / "old"
            if target.exists():
                moving.move(target, old)
            try:
                moving.move(new, target)
            except OSError:
                if old.exists():
                    moving.move(old, target)
                raise
    return InstalledCompanion(str(target), companion_in(target) or "", before)


def _manifest(target: Path) -> dict[str, object]:
    try:
        return row_of(read_json_text(target / _MANIFEST, _MAX_MANIFEST))
    except OSError:
        return {}


@contextlib.contextmanager
def _known_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        raise NotWritable(e.strerror or str(e), path=target) from e
