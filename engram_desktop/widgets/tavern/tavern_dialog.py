"""The SillyTavern folder: everything in it, by kind. A tick means: take this in."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QToolButton,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.tavern.folder import ItemKind, PresetPrompt
from engram_desktop.jobs.context import Progress
from engram_desktop.viewmodels.tavern.folder import TavernModel, TavernView
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.basics.tabs import Tabs
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.tavern.tavern_tree import ChatTree, ItemList, PathRole, TickTree


class TavernDialog(FramedDialog):
    """Lists the folder and takes in what is ticked. Nothing in it is changed."""

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
        self._progress = QProgressBar()
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
        """Paths and keys of everything that is ticked."""
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
        self.tree = ChatTree(self._look)
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
        """Put what the chosen preset says below the list."""
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
            self.tr("Follow the chats: what is said there later is here a moment later")
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
