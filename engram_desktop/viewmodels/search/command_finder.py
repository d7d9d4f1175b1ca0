"""The command palette: every action of the window by its name, the latest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from typing_extensions import override

from engram_desktop.domain.search.fuzzy import Fit, fit
from engram_desktop.domain.search.hit import Passage
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.search.finder import Finder
from engram_desktop.viewmodels.search.quick_rows import QuickRow
from engram_desktop.viewmodels.search.remembered import Remembered

RECENT = "recent commands"
_FIRST = 6  # recent commands shown before the rest
_OTHER = -5  # a name in another language counts a little less


@dataclass(frozen=True, slots=True)
class Command:
    """One action. ``other`` is its name in English, by which it is found as well."""

    name: str
    text: str
    run: Callable[[], object]
    icon: str = "right"
    keys: str = ""
    other: str = ""
    group: str = ""


class CommandFinder(Finder):
    """What is offered depends on what the window shows: it is told when the palette opens."""

    def __init__(self, remembered: Remembered, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept = remembered
        self._commands: Sequence[Command] = ()

    def offer(self, commands: Sequence[Command]) -> None:
        self._commands = commands

    @override
    def ask(self, text: str) -> None:
        recent = self._kept.texts(RECENT)
        if text.strip():
            found = [(self._fit(text, c), c) for c in self._commands]
            ranked = sorted(
                ((f, c) for f, c in found if f is not None),
                key=lambda pair: (-pair[0].score, _place(recent, pair[1].name)),
            )
            rows = [self._row(c, f.marks) for f, c in ranked]
        else:
            latest = [c for name in recent for c in self._commands if c.name == name][:_FIRST]
            rows = self._group(self.tr("Recent"), latest)
            rows += self._group(self.tr("All commands"), self._commands)
        self.rows.show(rows)
        self.said.emit("" if rows else self.tr("No command is called so"))
        self.shown.emit()

    @override
    def open(self, row: QuickRow) -> bool:
        if isinstance(row.value, Command):
            self._kept.add(RECENT, row.value.name)
            row.value.run()
        return True

    def _group(self, heading: str, commands: Sequence[Command]) -> list[QuickRow]:
        if not commands:
            return []
        return [QuickRow("", Passage(heading)), *(self._row(c, ()) for c in commands)]

    def _fit(self, typed: str, command: Command) -> Fit | None:
        """Hold what is typed against the name, then against the English one."""
        own = fit(typed, command.text)
        if own is not None or not command.other:
            return own
        other = fit(typed, command.other)
        return None if other is None else Fit(other.score + _OTHER, ())

    def _row(self, command: Command, marks: tuple[tuple[int, int], ...]) -> QuickRow:
        aside = "   ".join(part for part in (command.group, command.keys) if part)
        return QuickRow(command.icon, Passage(command.text, marks), command, aside=aside)


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)
