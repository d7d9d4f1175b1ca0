"""The about dialog: newer versions, the changelog, and the licences of third-party parts.

Newer versions are looked up only on request or if the setting allows it. `packaging/third_party.py`
writes the file of licences: packages as `## name version` with a list of facts, then each licence
text once as `## Text number`, indented, so that none of its lines is a heading.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.places import resource
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.viewmodels.workspace.messages import Notice, describe
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.release import Release

logger = logging.getLogger(__name__)


class Releases(WorkspaceModel):
    """Newer versions, read from the address in the settings."""

    newer_known = Signal(object)  # Release
    none_newer = Signal()
    failed = Signal(str)  # the reason; empty if a bug report shows it
    looked = Signal()  # the address answered: no further request today

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._job: JobHandle | None = None
        self.known: Release | None = None

    @property
    def address(self) -> str:
        return self._space.memory.endpoints.releases.address

    @Slot()
    def look(self) -> None:
        """Look for a newer version now; emits `failed` on error."""
        self._ask().failed.connect(self._tell_failure)

    @Slot()
    def look_quietly(self) -> None:
        """Look for a newer version if the setting allows it; errors are only logged."""
        if self._space.memory.settings.read().update_check:
            job = self._ask()
            job.succeeded.connect(self._tell_newer)
            job.failed.connect(self._log_failure)

    @Slot()
    def open_page(self) -> None:
        """Open the page of the found release in the browser."""
        if self.known is not None and self.known.page:
            QDesktopServices.openUrl(QUrl(self.known.page))

    def _ask(self) -> JobHandle:
        if self._job is not None:
            self._job.cancel()
        memory = self._space.memory

        def newest(ctx: JobContext) -> Release | None:
            return memory.endpoints.releases.newest(ctx)  # imports modules: 50 ms

        job = self._space.jobs.submit("", newest, lane="network")
        job.succeeded.connect(self._on_answer)
        self._job = job
        return job

    @Slot(object)
    def _on_answer(self, release: Release | None) -> None:
        self.known = release
        self.looked.emit()
        if release is None:
            self.none_newer.emit()
        else:
            self.newer_known.emit(release)

    @Slot(object)
    def _tell_newer(self, release: Release | None) -> None:
        if release is None:
            return
        text = self.tr("Engram Desktop {version} is out.").format(version=release.version)
        if release.page:
            read = self.tr("Read about it")
            notice = Notice("info", text, action_text=read, action=self.open_page)
        else:
            notice = Notice("info", text)
        self._space.messages.show(notice)

    @Slot(object)
    def _tell_failure(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            self.failed.emit(" ".join(filter(None, describe(error))))
        else:
            self.failed.emit("")
            self._space.messages.show_error(error)

    @Slot(object)
    def _log_failure(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            logger.info("No answer about newer versions: %s", error)
        else:
            self._space.messages.show_error(error)


_CHINESE, _ENGLISH = "docs/changelog.zh_CN.md", "docs/changelog.md"


def read_changelog() -> str:
    """Return the changelog in the window's language, as Markdown. Raises NotFound."""
    is_chinese = QLocale().language() == QLocale.Language.Chinese
    return resource(_CHINESE if is_chinese else _ENGLISH).read_text("utf-8")


_HEADING = re.compile(r"^## (.+) (\S+)$", re.MULTILINE)
_FACT = re.compile(r"^- (\w+): (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LicenceNotice:
    """One package.

    ``contains`` says which third-party code is in it; ``text`` holds its licences.
    """

    name: str
    version: str
    licence: str
    home: str
    contains: tuple[str, ...]
    remark: str
    text: str


def read_notices() -> list[LicenceNotice]:
    """Return every package, sorted by name. Raises NotFound."""
    sections = list(_sections(resource("THIRD_PARTY.md").read_text("utf-8")))
    texts = {number: _dedented(body) for name, number, body in sections if name == "Text"}
    return [
        _notice(name, version, body, texts) for name, version, body in sections if name != "Text"
    ]


def _sections(document: str) -> Iterator[tuple[str, str, str]]:
    """Yield (name, version or number, body) of each section."""
    _introduction, *parts = _HEADING.split(document)
    yield from zip(parts[::3], parts[1::3], parts[2::3], strict=True)


def _notice(name: str, version: str, body: str, texts: dict[str, str]) -> LicenceNotice:
    about = body.partition("# Texts\n")[0]
    pairs = _FACT.findall(about)
    facts = dict(pairs)
    numbers = facts.get("Texts", "").split(", ")
    return LicenceNotice(
        name,
        version,
        facts["Licence"],
        facts.get("Home", ""),
        tuple(what for fact, what in pairs if fact == "Contains"),
        _FACT.sub("", about).strip(),
        "\n\n".join(texts[number] for number in numbers if number),
    )


def _dedented(body: str) -> str:
    lines = body.strip("\n").split("\n")
    return "\n".join(line.removeprefix("    ") for line in lines)
