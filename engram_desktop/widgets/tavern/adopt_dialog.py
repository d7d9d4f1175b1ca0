"""Take over memories other tools left: what there is, tool by tool, before anything happens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFileDialog, QTreeWidgetItem, QWidget

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.domain.tavern.folder import TavernState
from engram_desktop.viewmodels.tavern import Adoption, AdoptTarget, Findings
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import TextField
from engram_desktop.widgets.parts.pieces import label
from engram_desktop.widgets.tavern.tavern_dialog import TickTree

MemoryRole = Qt.ItemDataRole.UserRole + 2
MAX_SHOWN = 300  # of one tool; all of them are taken over
LINE = 120


class AdoptDialog(FramedDialog):
    def __init__(
        self,
        model: Adoption,
        target: AdoptTarget,
        files: Sequence[Path] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=700)
        self.resize(760, 660)
        self._model = model
        self._target = target
        self._files = list(files)
        self._findings: Findings | None = None
        self.set_title(self.tr("Take over memories of other tools"))
        self.body.addWidget(
            label(
                self.tr(
                    "What other memory tools left in “{name}” and in files of theirs. Memories "
                    "become events marked as imported that say where they come from; nothing is "
                    "taken over twice, and one undo takes it all back."
                ).format(name=target.name),
                "quiet",
                wrap=True,
            )
        )
        self._trouble = label("", "bad", wrap=True)
        self._trouble.hide()
        self.body.addWidget(self._trouble)
        columns = [(self.tr("Memory"), 0), (self.tr("Floors"), 96), (self.tr("State"), 184)]
        self.tree = TickTree(self.tr("Memories by tool"), columns)
        self.tree.ticks_changed.connect(self._count)
        self.tree.currentItemChanged.connect(self._preview)
        self.body.addWidget(self.tree, 3)
        self._empty = label("", "quiet", wrap=True)
        self.body.addWidget(self._empty)
        self.text = TextField(self.tr("The memory in full"))
        self.text.setReadOnly(True)
        self.text.setPlaceholderText(self.tr("Choose a memory to read it in full."))
        self.body.addWidget(self.text, 1)
        self.files_button = self.add_button(self.tr("From files…"), left=True)
        self.files_button.clicked.connect(self._choose)
        self.add_close(self.tr("Close"))
        self.apply_button = self.add_button(self.tr("Take over"), "main")
        self.apply_button.setEnabled(False)
        self.apply_button.clicked.connect(self._apply)
        model.found.connect(self._show)
        model.applied.connect(self._look)
        self._look()

    def add_files(self, files: Sequence[Path]) -> None:
        """Look through these files too."""
        self._files += [file for file in files if file not in self._files]
        self._look()

    @Slot()
    def _look(self) -> None:
        self._model.find(self._target, self._files)

    @Slot()
    def _choose(self) -> None:
        names, _filter = QFileDialog.getOpenFileNames(
            self,
            self.tr("Files with memories of other tools"),
            "",
            self.tr("JSON files (*.json)"),
        )
        if names:
            self.add_files([Path(name) for name in names])

    @Slot(object)
    def _show(self, findings: Findings) -> None:
        self._findings = findings
        self._trouble.setText(findings.trouble_text)
        self._trouble.setVisible(bool(findings.troubles))
        self._empty.setVisible(not findings.memories)
        self._empty.setText(
            self.tr(
                "Nothing of a known tool was found in this chat. Sync files of the Engram "
                "extension, chats exported from Risu and world books of MemoryBooks can be chosen."
            )
        )
        new = set(map(id, findings.plan.new))
        self.tree.blockSignals(True)
        self.tree.clear()
        for tool in findings.tools:
            self._add_tool(tool, findings, new)
        self.tree.blockSignals(False)
        self.tree.filter("")
        self.tree.tick({tool for tool in findings.tools if findings.new_of([tool])})
        self.text.clear()

    def _add_tool(self, tool: str, findings: Findings, new: set[int]) -> None:
        memories = findings.of_tool(tool)
        fresh = len(findings.new_of([tool]))
        parts = [self.tr("%n new", "", fresh)] if fresh else []
        if len(memories) > fresh:
            parts.append(self.tr("%n known already", "", len(memories) - fresh))
        state: TavernState = "new" if fresh else "here"
        top = self.tree.add_row([tool, "", " · ".join(parts)], tool if fresh else "", state)
        for memory in memories[:MAX_SHOWN]:
            note = "" if id(memory) in new else self.tr("known already")
            row = [_line(memory), _floors(memory), note]
            item = self.tree.add_row(row, "", "new", owner=top)
            item.setData(0, MemoryRole, memory)
        if len(memories) > MAX_SHOWN:
            more = self.tr("and %n more", "", len(memories) - MAX_SHOWN)
            self.tree.add_row([more, "", ""], "", "new", owner=top)

    @Slot()
    def _count(self) -> None:
        count = len(self._findings.new_of(self.tree.ticked())) if self._findings else 0
        self.apply_button.setText(
            self.tr("Take over %n memory(s)", "", count) if count else self.tr("Take over")
        )
        self.apply_button.setEnabled(count > 0)

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _preview(self, item: QTreeWidgetItem | None, _before: QTreeWidgetItem | None) -> None:
        memory = item.data(0, MemoryRole) if item is not None else None
        if isinstance(memory, Adopted):
            about = filter(
                None, (memory.origin, _floors(memory), memory.when, memory.where, *memory.who)
            )
            self.text.setPlainText(f"{memory.text}\n\n{' · '.join(about)}")
        else:
            self.text.clear()

    @Slot()
    def _apply(self) -> None:
        if self._findings is not None:
            self.apply_button.setEnabled(False)
            tools = self.tree.ticked()
            memories = [memory for memory in self._findings.memories if memory.tool in tools]
            self._model.run(self._target, memories)


def _line(memory: Adopted) -> str:
    text = " ".join(memory.text.split())
    return text if len(text) <= LINE else f"{text[:LINE]}…"


def _floors(memory: Adopted) -> str:
    return str(memory.first) if memory.first == memory.last else f"{memory.first}–{memory.last}"
