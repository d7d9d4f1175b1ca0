"""The companion extension: installed, and answered."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop import moving
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.serving.companion import (
    CompanionLine,
    CompanionMemory,
    CompanionQuestion,
    InstalledCompanion,
)
from engram_desktop.domain.serving.exchange import parted
from engram_desktop.domain.serving.headroom import fitted
from engram_desktop.domain.serving.request import FrontRequest, Said
from engram_desktop.formats.json_values import row_of, text_of
from engram_desktop.formats.plain_file import read_json_text
from engram_desktop.formats.tavern.folder import NoTavern, find_handles
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.inject.inject_service import USUAL
from engram_desktop.services.serving import companion_keeper
from engram_desktop.shipped import resource

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.serving.companion import Told, ToldChat, ToldReport
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.serving.identify import Corrections, Identifier


# What a companion inside a SillyTavern is served: a part of `ServingService`.


class CompanionServing:
    """Companions. Safe from any thread; nothing here waits for a model."""

    def __init__(
        self,
        session: Session,
        inject: InjectService,
        identifier: Identifier,
        corrections: Corrections,
    ) -> None:
        self._session = session
        self._inject = inject
        self._identifier = identifier
        self._companions = companion_keeper.CompanionKeeper(session, corrections)

    def told(self, ctx: JobContext, told: Told) -> ToldReport:
        """Keep what a companion tells of its chats. Raises InputError, StorageError."""
        return self._companions.take(ctx, told)

    def companion_line(self, chat: ToldChat) -> CompanionLine:
        """Return the line that a chat of a companion's SillyTavern is. Raises InputError."""
        library = self._session.library
        return companion_keeper.find_line(library, companion_keeper.Mirror(library.folder), chat)

    def remember(self, ctx: JobContext, question: CompanionQuestion) -> CompanionMemory:
        """Compose what a generation of a companion's SillyTavern is to remember.

        A chat that nobody told of is looked for by its newest messages.
        """
        where = self.companion_line(question.chat)
        if where.line is None and question.generation != "quiet":
            identity = self._identifier.identify(ctx, request_of(question))
            if identity.line is not None:
                where = CompanionLine(identity.line, identity.how, identity.why)
                question = replace(question, until=identity.until, visible_from=None)
        return remember(self._inject, ctx, where, question, self._budget(where.line, question))

    def _budget(self, line: Line | None, question: CompanionQuestion) -> int | None:
        """Return the tokens of memory that a prompt has room for; None: all that settings allow."""
        if line is None or not question.room:
            return None
        wanted = self._session.settings(line.chat_id).inject_tokens
        budget = fitted(wanted, question.room, question.used)
        return budget if budget < wanted else None

    def install_companion(self, folder: Path) -> tuple[InstalledCompanion, ...]:
        """Put the companion into a SillyTavern: into each user's extensions.

        An older one is replaced whole. Raises NoTavern, ForeignFolder, NotWritable.
        """
        return install(folder)

    def save_companion(self, folder: Path) -> InstalledCompanion:
        """Put the companion into a folder, to be copied. Raises ForeignFolder, NotWritable."""
        return save(folder)


# What a generation of a SillyTavern is to remember: memory as its speaker knows it.


def remember(
    inject: InjectService,
    ctx: JobContext,
    where: CompanionLine,
    question: CompanionQuestion,
    budget: int | None,
) -> CompanionMemory:
    """Compose what the speaker of a generation remembers, within ``budget`` tokens.

    Nothing for a generation that is no story.
    """
    if where.line is None or question.generation == "quiet":
        return CompanionMemory(where)
    query = RecallQuery(
        asked_text(question),
        actor=question.speaker or None,
        branch_id=where.line.branch_id,
        at=max(0, question.until),
    )
    ctx.check()
    injection = inject.compose(
        ctx,
        where.line.chat_id,
        query,
        budget,
        visible_from=question.visible_from,
        expanded=False,
        said=USUAL,
    )
    return CompanionMemory(where, injection, *parted(injection.text), budget)


def request_of(question: CompanionQuestion) -> FrontRequest:
    """Return the newest messages as a request would have them, to find a chat by what is said."""
    said = tuple(
        Said(index, "user" if message.is_user else "assistant", message.text, message.name)
        for index, message in enumerate(question.said)
    )
    return FrontRequest("chat", said, client="companion")


def asked_text(question: CompanionQuestion) -> str:
    """Return what is searched by: the newest words of the player, else the newest of all."""
    by_player = [message.text for message in question.said if message.is_user]
    return next(reversed(by_player or [message.text for message in question.said]), "")


# Put the companion into a SillyTavern, or into a folder to be copied to one.
#
# Only a folder that is not there, is empty, or holds an older companion is ever written to; that
# one is replaced whole.


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
