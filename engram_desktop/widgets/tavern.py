"""Dialogs for SillyTavern's folder, by kind, and for memories of other tools.

A tick means: import this. Both dialogs list everything before anything is imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.domain.tavern.folder import (
    ItemKind,
    PresetPrompt,
    TavernCharacter,
    TavernChat,
    TavernGroup,
    TavernHandle,
    TavernItem,
    TavernState,
)
from engram_desktop.jobs.context import Progress
from engram_desktop.viewmodels.tavern import (
    Adoption,
    AdoptTarget,
    Findings,
    TavernModel,
    TavernView,
)
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import SearchField, TextField
from engram_desktop.widgets.parts.layouts import Tabs, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import ProgressBar, label, text_button

# The lists of the SillyTavern dialog: chats grouped by character, and plain lists of the rest.
#
# A tick means: import this. The last column shows whether the library already has it.


KeyRole = Qt.ItemDataRole.UserRole
StateRole = Qt.ItemDataRole.UserRole + 1
PathRole = Qt.ItemDataRole.UserRole + 2
FaceRole = Qt.ItemDataRole.UserRole + 3  # the path of a picture
FACE = 32
FEW = 8  # characters and groups up to this count are shown expanded
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TickTree(QTreeWidget):
    """Rows with a check box, a key and a state; rows without a key are groups."""

    ticks_changed = Signal()

    def __init__(
        self, name: str, columns: list[tuple[str, int]], parent: QWidget | None = None
    ) -> None:
        """``columns`` are captions with widths; the first column takes the remaining width."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setHeaderLabels([caption for caption, _width in columns])
        self.setMinimumHeight(200)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for section, (_caption, width) in enumerate(columns[1:], 1):
            header.resizeSection(section, width)
        self.itemChanged.connect(self.ticks_changed)

    def ticked(self) -> set[str]:
        """Return the keys of the ticked rows."""
        return {k for item, k in self._keyed() if item.checkState(0) == Qt.CheckState.Checked}

    def keys_of(self, *states: TavernState) -> set[str]:
        return {key for item, key in self._keyed() if item.data(0, StateRole) in states}

    def tick(self, keys: set[str]) -> None:
        """Tick these rows and untick all others."""
        self.blockSignals(True)
        for item, key in self._keyed():
            state = Qt.CheckState.Checked if key in keys else Qt.CheckState.Unchecked
            item.setCheckState(0, state)
        self.blockSignals(False)
        self.ticks_changed.emit()

    def filter(self, text: str) -> None:
        """Show only rows that contain ``text``, with their parents and children."""
        needle = text.strip().casefold()
        for top in self._tops():
            is_fit = any(needle in top.text(n).casefold() for n in range(2))
            count = 0
            for n in range(top.childCount()):
                fits = is_fit or needle in top.child(n).text(0).casefold()
                top.child(n).setHidden(not fits)
                count += fits
            top.setHidden(not (is_fit or count))
            top.setExpanded(bool(needle) or self.topLevelItemCount() <= FEW)

    def add_row(
        self,
        texts: list[str],
        key: str,
        state: TavernState,
        *,
        owner: QTreeWidgetItem | None = None,
    ) -> QTreeWidgetItem:
        """Add a row at the end; a row without a key has no check box."""
        item = QTreeWidgetItem(texts)
        if owner is None:
            self.addTopLevelItem(item)
        else:
            owner.addChild(item)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if key:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
            item.setData(0, KeyRole, key)
            item.setData(0, StateRole, state)
        item.setFlags(flags)
        if key:
            item.setCheckState(0, Qt.CheckState.Unchecked)
        return item

    def state_text(self, state: TavernState) -> str:
        return {
            "new": "",
            "here": self.tr("in the library"),
            "newer": self.tr("newer there"),
            "followed": self.tr("followed"),
        }[state]

    def _tops(self) -> Iterator[QTreeWidgetItem]:
        for n in range(self.topLevelItemCount()):
            top = self.topLevelItem(n)
            if top is not None:
                yield top

    def _keyed(self) -> Iterator[tuple[QTreeWidgetItem, str]]:
        for top in self._tops():
            for item in (top, *(top.child(n) for n in range(top.childCount()))):
                key = item.data(0, KeyRole)
                if key:
                    yield item, key


class CharacterTree(TickTree):
    """Characters, each with its card and its chats, and groups with theirs."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        self._look = look
        columns = [
            (self.tr("Chat"), 0),
            (self.tr("Messages"), 106),
            (self.tr("Changed"), 132),
            (self.tr("State"), 104),
        ]
        super().__init__(self.tr("Characters and their chats"), columns, parent)
        self.headerItem().setTextAlignment(1, _RIGHT)
        self.setIconSize(QSize(FACE, FACE))

    def show_faces(self, faces: dict[str, QImage]) -> None:
        """Show pictures beside the characters, cut to squares."""
        is_blocked = self.blockSignals(True)
        for item in self._tops():
            face = faces.get(item.data(0, FaceRole))
            if face is not None and not face.isNull():
                side = min(face.width(), face.height())
                square = face.copy((face.width() - side) // 2, 0, side, side)
                item.setIcon(0, QIcon(QPixmap.fromImage(square)))
        self.blockSignals(is_blocked)
        self.viewport().update()

    def show_handle(self, handle: TavernHandle, view: TavernView) -> int:
        """Add all characters and groups of a user, those with chats first; return how many."""
        for character in sorted(handle.characters, key=lambda c: not c.chats):
            self._add_character(character, view)
        groups = [group for group in handle.groups if group.chats]
        for group in groups:
            self._add_group(group, view)
        return len(handle.characters) + len(groups)

    def _add_character(self, character: TavernCharacter, view: TavernView) -> None:
        state, name = view.state(character.avatar), character.called or character.name
        if not character.chats:
            item = self.add_row([name, "", "", self.state_text(state)], character.avatar, state)
        else:
            item = self.add_row([name], "", "new")
            if character.avatar:
                texts = [self._card_text(character), "", "", self.state_text(state)]
                self.add_row(texts, character.avatar, state, owner=item)
            self._add_chats(item, character.chats, view)
        self._apply_look(item)
        item.setData(0, FaceRole, character.avatar)
        item.setToolTip(0, character.avatar or character.folder)

    def _add_group(self, group: TavernGroup, view: TavernView) -> None:
        item = self.add_row([self.tr("{name} (group)").format(name=group.name)], "", "new")
        self._apply_look(item)
        names = [
            self.tr("{name} (mute)").format(name=name) if name in group.disabled else name
            for name in group.members
        ]
        item.setToolTip(0, listed(names))
        self._add_chats(item, group.chats, view)

    def _add_chats(
        self, owner: QTreeWidgetItem, chats: tuple[TavernChat, ...], view: TavernView
    ) -> None:
        for chat in chats:
            self._add_chat(owner, chat, view)
        owner.setFlags(
            owner.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate
        )

    def _add_chat(self, owner: QTreeWidgetItem, chat: TavernChat, view: TavernView) -> None:
        count = "" if chat.messages is None else f"{chat.messages:,}"
        moment = QDateTime.fromMSecsSinceEpoch(chat.modified)
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        state = view.state(chat.path)
        texts = [chat.name, count, when, self.state_text(state)]
        item = self.add_row(texts, chat.path, state, owner=owner)
        item.setToolTip(0, chat.path)
        item.setTextAlignment(1, _RIGHT)

    def _card_text(self, character: TavernCharacter) -> str:
        parts = [self.tr("Character card")]
        if character.entries:
            parts.append(self.tr("%n entry(ies)", "", character.entries))
        if character.scripts:
            parts.append(self.tr("%n regex script(s)", "", character.scripts))
        return " · ".join(parts)

    def _apply_look(self, item: QTreeWidgetItem) -> None:
        item.setIcon(0, QIcon(self._look.pixmap("folder", "ink3", FACE)))


class ItemList(TickTree):
    """Worldbooks, scripts, presets or personas: name, details, state."""

    def __init__(self, name: str, what: str, parent: QWidget | None = None) -> None:
        columns = [(name, 0), (what, 300), (self.tr("State"), 104)]
        super().__init__(name, columns, parent)
        self.setRootIsDecorated(False)

    def show_items(self, items: list[TavernItem], view: TavernView) -> int:
        """Add items; a preset without scripts can only be read. Return how many there are."""
        for item in items:
            state = view.state(item.key)
            can_take = self._can_take(item)
            texts = [item.name, self._what(item), self.state_text(state)]
            row = self.add_row(texts, item.key if can_take else "", state)
            row.setToolTip(0, item.path)
            row.setToolTip(1, item.detail)
            row.setDisabled(not can_take and item.kind != "preset")  # its prompts can be read
            row.setData(0, PathRole, item.path)
        return len(items)

    def _can_take(self, item: TavernItem) -> bool:
        match item.kind:
            case "preset":
                return item.count > 0
            case "persona":
                return bool(item.detail)
        return True

    def _what(self, item: TavernItem) -> str:
        match item.kind:
            case "world":
                text, note = self.tr("%n entry(ies)", "", item.count), self.tr("for every chat")
                return f"{text} · {note}" if item.is_on else text
            case "preset":
                kind = item.detail
                scripts = self.tr("%n regex script(s)", "", item.count)
                return f"{kind} · {scripts}" if item.count else kind
            case "regex":
                state = self.tr("on") if item.is_on else self.tr("off")
                return f"{state} · {item.detail}"
            case "persona":
                description = " ".join(item.detail.split()) or self.tr("no description")
                default = self.tr("default")
                return f"{default} · {description}" if item.is_on else description


class TavernDialog(FramedDialog):
    """Lists the folder and imports the ticked items. The folder is not changed."""

    def __init__(
        self, look: Look, model: TavernModel, folder: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=760)
        self.resize(820, 720)
        self._look = look
        self._model = model
        self._view: TavernView | None = None
        self.set_title(self.tr("SillyTavern folder"))
        self._folder = folder or model.folder
        self._add_place()
        self.search = SearchField(look, self.tr("Search everything in the folder"))
        self.search.textChanged.connect(self._filter)
        self.body.addWidget(self.search)
        self._add_lists()
        self._add_choices()
        self._progress = ProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Taking in"))
        self._progress.hide()
        self.body.addWidget(self._progress)
        self.tick_button = self.add_button(self.tr("Tick what is new"), left=True)
        self.tick_button.clicked.connect(self._tick_new)
        self.cancel_button = self.add_button(self.tr("Stop"), left=True)
        self.cancel_button.clicked.connect(model.cancel)
        self.cancel_button.hide()
        self.add_close(self.tr("Close"))
        self.stop_button = self.add_button("")
        self.stop_button.clicked.connect(self._stop_following)
        self.apply_button = self.add_button("", "main")
        self.apply_button.clicked.connect(self._apply)
        model.loaded.connect(self._show)
        model.refused.connect(self._refuse)
        model.applied.connect(self._on_applied)
        model.faced.connect(self.tree.show_faces)
        model.progressed.connect(self._on_progressed)
        self._count()
        model.look(folder)

    def ticked(self) -> set[str]:
        """Return the paths and keys of all ticked items."""
        return {key for tree in self.trees for key in tree.ticked()}

    @property
    def trees(self) -> list[TickTree]:
        return [self.tree, *self.lists.values()]

    def _add_place(self) -> None:
        self.body.addWidget(
            label(
                self.tr(
                    "Tick what to take in. A chat brings the card of its character, and a card "
                    "its picture, world books and scripts. "
                    "The folder itself is only read, never changed."
                ),
                "quiet",
                wrap=True,
            )
        )
        self._place = label(wrap=True)
        self._show_place()
        self.choose_button = text_button(self.tr("Choose a folder…"))
        self.choose_button.clicked.connect(self._choose)
        line = QHBoxLayout()
        line.addWidget(self._place, 1)
        line.addWidget(self.choose_button)
        self.body.addLayout(line)
        self._trouble = label("", "bad", wrap=True)
        self._trouble.hide()
        self.body.addWidget(self._trouble)

    def _add_lists(self) -> None:
        self.tree = CharacterTree(self._look)
        self.lists: dict[ItemKind, ItemList] = {
            "world": ItemList(self.tr("World book"), self.tr("Contents")),
            "regex": ItemList(self.tr("Regex script"), self.tr("Looks for")),
            "preset": ItemList(self.tr("Preset"), self.tr("Kind and scripts")),
            "persona": ItemList(self.tr("Persona"), self.tr("Description")),
        }
        self.tabs = Tabs()
        self._names: list[tuple[QToolButton, str]] = []
        for name, tree in zip(
            (
                self.tr("Characters and chats"),
                self.tr("World books"),
                self.tr("Regex scripts"),
                self.tr("Presets"),
                self.tr("Personas"),
            ),
            self.trees,
            strict=True,
        ):
            page = self._with_prompts(tree) if tree is self.lists["preset"] else tree
            self._names.append((self.tabs.add(name, page), name))
            tree.ticks_changed.connect(self._count)
        self.body.addWidget(self.tabs, 1)

    def _with_prompts(self, presets: TickTree) -> QWidget:
        """Place the text of the selected preset below the list."""
        page = QWidget()
        rows = column(page, 0, 8)
        rows.addWidget(presets, 1)
        self.prompts = QPlainTextEdit()
        self.prompts.setReadOnly(True)
        self.prompts.setAccessibleName(self.tr("Prompts of the preset"))
        self.prompts.setPlaceholderText(self.tr("Choose a preset to read its prompts."))
        rows.addWidget(self.prompts, 1)
        presets.currentItemChanged.connect(self._on_preset_chosen)
        self._model.prompts_read.connect(self._show_prompts)
        return page

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _on_preset_chosen(self, item: QTreeWidgetItem | None, _before: object) -> None:
        self.prompts.clear()
        if item is not None:
            self._model.read_preset(item.data(0, PathRole))

    @Slot(object)
    def _show_prompts(self, prompts: list[PresetPrompt]) -> None:
        self.prompts.setPlainText("\n\n".join(map(self._prompt_words, prompts)))

    def _prompt_words(self, prompt: PresetPrompt) -> str:
        notes = [prompt.role]
        if prompt.depth is not None:
            notes.append(self.tr("at depth {depth}").format(depth=prompt.depth))
        if not prompt.is_on:
            notes.append(self.tr("off"))
        head = f"【{prompt.name}】 {' · '.join(notes)}"
        return f"{head}\n{prompt.text}" if prompt.text else head

    def _add_choices(self) -> None:
        self.follow_box = QCheckBox(
            self.tr("Follow the chats: new messages appear here a moment later")
        )
        self.follow_box.setChecked(True)
        self.body.addWidget(self.follow_box)
        self.all_box = QCheckBox(self.tr("Follow every chat, new ones too"))
        self.all_box.setChecked(self._model.follows_all)
        self.all_box.toggled.connect(self._on_all_toggled)
        self.body.addWidget(self.all_box)

    @Slot()
    def _choose(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, self.tr("Choose the SillyTavern folder"), self._folder
        )
        if folder:
            self._folder = folder
            self._show_place()
            self._model.look(folder)

    def _show_place(self) -> None:
        self._place.setText(self._folder or self.tr("No folder is chosen yet."))

    @Slot()
    def _on_applied(self) -> None:
        self._progress.hide()
        self.cancel_button.hide()
        self._model.look(self._folder)

    @Slot(object)
    def _on_progressed(self, progress: Progress) -> None:
        if progress.label == "files" and progress.total:  # else of one file: too fast to read
            self._progress.setMaximum(progress.total)
            self._progress.setValue(progress.done)

    @Slot(str)
    def _refuse(self, why: str) -> None:
        self._trouble.setText(why)
        self._trouble.show()

    @Slot(object)
    def _show(self, view: TavernView) -> None:
        self._view = view
        self._trouble.setVisible(bool(view.listing.warnings))
        lines = [f"{path}: {translated(what)}" for path, what in view.listing.warnings[:3]]
        self._trouble.setText("\n".join(lines))
        for tree in self.trees:
            tree.blockSignals(True)
            tree.clear()
        counts = [0] * len(self.trees)
        for handle in view.listing.handles:
            counts[0] += self.tree.show_handle(handle, view)
            for number, (kind, item_list) in enumerate(self.lists.items(), 1):
                counts[number] += item_list.show_items(handle.of_kind(kind), view)
        for tree in self.trees:
            tree.blockSignals(False)
        for (tab, name), count in zip(self._names, counts, strict=True):
            tab.setText(f"{name} {count}" if count else name)
        self._filter(self.search.text())
        self._count()

    @Slot(str)
    def _filter(self, text: str) -> None:
        for tree in self.trees:
            tree.filter(text)

    @Slot()
    def _tick_new(self) -> None:
        for tree in self.trees:
            tree.tick(tree.keys_of("new", "newer"))

    @Slot()
    def _count(self) -> None:
        ticked = self.ticked()
        followed = ticked & self.tree.keys_of("followed")
        self.apply_button.setText(
            self.tr("Take in %n thing(s)", "", len(ticked)) if ticked else self.tr("Take in")
        )
        self.apply_button.setEnabled(bool(ticked))
        self.stop_button.setText(self.tr("Stop following %n chat(s)", "", len(followed)))
        self.stop_button.setVisible(bool(followed))

    @Slot()
    def _apply(self) -> None:
        if self._view is not None:
            self.apply_button.setEnabled(False)
            self._progress.setMaximum(0)
            self._progress.show()
            self.cancel_button.show()
            is_followed = self.follow_box.isChecked()
            self._model.apply(self._view, self.ticked(), follow=is_followed)

    @Slot()
    def _stop_following(self) -> None:
        self._model.stop_following(self.ticked() & self.tree.keys_of("followed"))

    @Slot(bool)
    def _on_all_toggled(self, on: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._model.set_follows_all(on=on)


MemoryRole = Qt.ItemDataRole.UserRole + 2
MAX_SHOWN = 300  # of one tool; all of them are imported
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
        """Search these files for memories, too."""
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
