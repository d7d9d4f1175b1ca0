"""What is sent to models: prompts, regex scripts and rules for messages, and a chat as one text.

Scripts and built-in rules are listed in the order they run, each with a switch. The prompts of
every task have a preview of the request. The text for a text completion model can be copied.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPlainTextEdit,
    QSplitter,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.pipeline.prompt_template import (
    TASKS,
    ModelOverride,
    PromptPreview,
    PromptRow,
    PromptTask,
    PromptTemplate,
)
from engram_desktop.domain.text.regex_script import TextStep
from engram_desktop.viewmodels.prompts import (
    PromptEditor,
    ScriptList,
    ScriptRow,
    TextPromptModel,
    more_variables,
    step_text,
    task_title,
    variables,
)
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.dialogs import FramedDialog, UndoStrip
from engram_desktop.widgets.parts.fields.text_fields import (
    Field,
    LineField,
    TextField,
    UnsavedFields,
)
from engram_desktop.widgets.parts.layouts import FlowLayout, Tabs, call_with, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import kind_button, label, text_button


class CompletionPage(QWidget):
    def __init__(self, model: TextPromptModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = column(self, 0, 8)
        hint = self.tr(
            "The chat as SillyTavern would write it for a text completion model: by its story"
            " string, instruct template and system prompt. World info and notes among the messages"
            " are not in it."
        )
        rows.addWidget(label(hint, "quiet", wrap=True))
        self.text = TextField(self.tr("Prompt"))
        self.text.setReadOnly(True)
        rows.addWidget(self.text, 1)
        self.fault = label("", "bad", wrap=True)
        self.fault.hide()
        rows.addWidget(self.fault)
        model.read.connect(self._show)

    @Slot(str, str)
    def _show(self, text: str, fault: str) -> None:
        self.text.setPlainText(text)
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))


class PromptPage(QWidget):
    def __init__(self, editor: PromptEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._shown: PromptRow | None = None
        rows = column(self, 0, 8)
        rows.addLayout(self._make_head())
        self.tabs = Tabs()
        self.system = TextField(self.tr("System part"))
        self.user = TextField(self.tr("User part"))
        self.result = TextField(self.tr("Preview"))
        self.result.setReadOnly(True)
        self.tabs.add(self.tr("User part"), self.user)
        self.tabs.add(self.tr("System part"), self.system)
        self.tabs.add(self.tr("Preview"), self.result)
        rows.addWidget(self.tabs, 1)
        chips = QWidget()
        self._chips = FlowLayout(chips)
        rows.addWidget(chips)
        self.trouble = label("", "bad", wrap=True)
        rows.addWidget(self.trouble)
        rows.addLayout(self._make_model())
        rows.addLayout(self._make_buttons())
        for field in (self.system, self.user):
            field.textChanged.connect(self._check_template)
        typed: dict[str, Field] = {"system": self.system, "user": self.user}
        typed |= {"model": self.model, "url": self.url}
        self.typing = UnsavedFields(editor.unsaved, typed, self)
        rows.insertWidget(1, self.typing.hint)
        editor.read_done.connect(self._on_read)
        editor.previewed.connect(self._on_previewed)
        editor.refused.connect(self._on_refused)
        editor.compared.connect(self._on_compared)
        self._choose()

    def _make_head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.task = QComboBox()
        self.task.setAccessibleName(self.tr("Task"))
        for task in TASKS:
            self.task.addItem(task_title(task), task)
        self.language = QComboBox()
        self.language.setAccessibleName(self.tr("Language of the story"))
        self.language.addItem(self.tr("For Chinese stories"), "zh")
        self.language.addItem(self.tr("For English stories"), "en")
        self.output = QComboBox()
        self.output.setAccessibleName(self.tr("How the answer is asked for"))
        self.output.addItem(self.tr("Ask for JSON"), "json")
        self.output.addItem(self.tr("Ask for plain text"), "text")
        self.state = label("", "quiet")
        for box in (self.task, self.language):
            box.activated.connect(self._choose)
        line.addWidget(self.task)
        line.addWidget(self.language)
        line.addWidget(self.output)
        line.addStretch(1)
        line.addWidget(self.state)
        return line

    def _make_model(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.model = LineField(self.tr("Model: the usual one"))
        self.url = LineField(self.tr("Base URL: the usual one"))
        hint = self.tr("The API key is sent only to the server it was entered for.")
        for field in (self.model, self.url):
            field.setAccessibleName(field.placeholderText())
            field.setToolTip(hint)
        line.addWidget(self.model, 1)
        line.addWidget(self.url, 2)
        return line

    def _make_buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.reset_button = text_button(self.tr("Reset"))
        self.reset_button.setToolTip(self.tr("Use the built-in prompt again"))
        self.diff_button = text_button(self.tr("Differences"))
        self.diff_button.setToolTip(self.tr("From the built-in prompt, as it is saved"))
        self.preview_button = text_button(self.tr("Preview"))
        self.preview_button.setToolTip(
            self.tr("The very request this task would send next for this chat; nothing is sent")
        )
        self.save_button = text_button(self.tr("Save"), "main")
        self.reset_button.clicked.connect(self._editor.reset)
        self.diff_button.clicked.connect(self._editor.compare)
        self.preview_button.clicked.connect(lambda: self._editor.preview(self._template()))
        self.save_button.clicked.connect(self._save)
        line.addWidget(self.reset_button)
        line.addWidget(self.diff_button)
        line.addStretch(1)
        line.addWidget(self.preview_button)
        line.addWidget(self.save_button)
        return line

    def _template(self) -> PromptTemplate:
        editor = self._editor
        return PromptTemplate(
            editor.task,
            editor.language,
            self.system.toPlainText().strip(),
            self.user.toPlainText().strip(),
            "text" if self.output.currentData() == "text" else "json",
        )

    def _save(self) -> None:
        override = ModelOverride(self.url.text().strip(), self.model.text().strip())
        self._editor.save(self._template(), override)

    @Slot()
    def _choose(self) -> None:
        self.typing.flush()
        task = TASKS[self.task.currentIndex()]
        self._editor.choose(task, "en" if self.language.currentIndex() else "zh")
        clear_layout(self._chips)
        for macro, meaning in variables(task):
            chip = kind_button("chip", macro, checkable=False)
            chip.setToolTip(meaning)
            chip.setAccessibleName(f"{macro}: {meaning}")
            chip.clicked.connect(lambda _checked=False, text=macro: self._insert(text))
            self._chips.addWidget(chip)
        self._chips.addWidget(self._make_more(task))

    def _make_more(self, task: PromptTask) -> QToolButton:
        """Make a menu of the other macros, each with its value."""
        button = kind_button("chip", self.tr("More…"), checkable=False)
        button.setAccessibleName(self.tr("More macros"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for title, group in more_variables(task).items():
            part = menu.addMenu(title)
            for macro, meaning in group:
                action = part.addAction(f"{macro}\t{meaning}")
                action.triggered.connect(lambda _checked=False, text=macro: self._insert(text))
        button.setMenu(menu)
        return button

    def _insert(self, macro: str) -> None:
        field: QPlainTextEdit = self.system if self.tabs.pages.currentIndex() == 1 else self.user
        if self.tabs.pages.currentIndex() == 2:
            self.tabs.show_page(0)
        field.insertPlainText(macro)
        field.setFocus()

    @Slot()
    def _check_template(self) -> None:
        """Show unknown macros, and programs that are off, while the template is typed."""
        template = self._template()
        troubles = []
        if unknown := self._editor.unknown(template):
            names = listed(f"{{{{{name}}}}}" for name in unknown)
            text = self.tr("Nothing is known of {names}: it would be sent as it stands.")
            troubles.append(text.format(names=names))
        if self._editor.has_idle_program(template):
            troubles.append(
                self.tr(
                    "Programs between <% and %> are off, and would be sent as they stand. Switch"
                    " them on in the settings, under Text of messages."
                )
            )
        self.trouble.setText("\n".join(troubles))
        self.trouble.setVisible(bool(troubles))
        self.preview_button.setEnabled(self._editor.has_chat)

    @Slot(object)
    def _on_read(self, row: PromptRow) -> None:
        if row != self._shown:  # otherwise something else changed: the text being typed stays
            was, self._shown = self._shown, row
            is_same = was is not None and (was.template.task, was.template.language) == (
                row.template.task,
                row.template.language,
            )
            for field, text in ((self.system, row.template.system), (self.user, row.template.user)):
                if is_same:
                    field.replace_text(text)
                else:
                    field.setPlainText(text)
            self.output.setCurrentIndex(int(row.template.output == "text"))
            self.model.setText(row.override.model)
            self.url.setText(row.override.base_url)
        stored = {"system": row.template.system, "user": row.template.user}
        stored |= {"model": row.override.model, "url": row.override.base_url}
        self.typing.show(self._editor.place, stored)
        self.state.setText(self.tr("Your own") if row.is_own else self.tr("Built in"))
        self.reset_button.setEnabled(row.is_own)
        self.diff_button.setEnabled(row.is_own)
        self._check_template()

    @Slot(object)
    def _on_previewed(self, preview: PromptPreview) -> None:
        head = self.tr("About {tokens} tokens, for {model}").format(
            tokens=f"{preview.tokens:,}", model=preview.model or self.tr("no model yet")
        )
        parts = [head, *(f"—— {role} ——\n{text}" for role, text in preview.messages)]
        self.result.setPlainText("\n\n".join(parts))
        self.tabs.show_page(2)

    @Slot(str)
    def _on_refused(self, why: str) -> None:
        self.result.setPlainText(why)
        self.trouble.setText(why)
        self.trouble.show()
        self.tabs.show_page(2)

    @Slot(str)
    def _on_compared(self, difference: str) -> None:
        self.result.setPlainText(difference or self.tr("Nothing differs."))
        self.tabs.show_page(2)


_KEY = Qt.ItemDataRole.UserRole


class ScriptPage(QWidget):
    def __init__(self, scripts: ScriptList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scripts = scripts
        self._is_filling = False
        rows = column(self, 0, 8)
        hint = self.tr(
            "Messages go through these before a model reads them, from top to bottom. What is"
            " stored never changes. Scripts that only change the display are not run."
        )
        rows.addWidget(label(hint, "quiet", wrap=True))
        self.tree = self._make_tree()
        rows.addWidget(self.tree, 1)
        rows.addLayout(self._make_buttons())
        rows.addLayout(self._make_trial())
        scripts.read_done.connect(self._on_read)
        scripts.tried.connect(self._on_tried)
        self._update_buttons()
        scripts.read()

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("Scripts and rules"))
        tree.setHeaderLabels([self.tr("Name"), self.tr("Whose"), self.tr("Looks for")])
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = tree.header()
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        tree.setColumnWidth(0, 260)
        tree.setColumnWidth(1, 160)
        tree.itemChanged.connect(self._on_switched)
        tree.currentItemChanged.connect(self._update_buttons)
        return tree

    def _make_buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.add_button = text_button(self.tr("Add scripts…"))
        self.up_button = text_button(self.tr("Earlier"))
        self.down_button = text_button(self.tr("Later"))
        self.export_button = text_button(self.tr("Export…"))
        self.delete_button = text_button(self.tr("Delete"))
        self.add_button.clicked.connect(self._add)
        self.up_button.clicked.connect(lambda: self._scripts.move(self._key(), -1))
        self.down_button.clicked.connect(lambda: self._scripts.move(self._key(), 1))
        self.export_button.clicked.connect(self._export)
        self.delete_button.clicked.connect(lambda: self._scripts.delete(self._key()))
        call_with(self.tree, Qt.Key.Key_Delete, self.delete_button.click)
        line.addWidget(self.add_button)
        line.addStretch(1)
        for button in (self.up_button, self.down_button, self.export_button, self.delete_button):
            line.addWidget(button)
        return line

    def _make_trial(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.text = TextField(self.tr("Text to try it on"))
        self.text.setPlaceholderText(self.tr("Text to try it on"))
        self.result = TextField(self.tr("What comes of it"))
        self.result.setPlaceholderText(self.tr("What comes of it"))
        self.result.setReadOnly(True)
        self.try_button = text_button(self.tr("Try"))
        self.try_button.setToolTip(self.tr("Run the chosen script, or all that are on"))
        self.try_button.clicked.connect(self._try)
        for field in (self.text, self.result):
            field.setFixedHeight(84)
        line.addWidget(self.text, 1)
        line.addWidget(self.try_button)
        line.addWidget(self.result, 1)
        return line

    def _key(self) -> str:
        item = self.tree.currentItem()
        return str(item.data(0, _KEY)) if item is not None else ""

    def _is_script(self) -> bool:
        return bool(self._key()) and not self._key().startswith("own:")

    def _try(self) -> None:
        self._scripts.try_on(self.text.toPlainText(), self._key() if self._is_script() else "")

    def _add(self) -> None:
        names, _filter = QFileDialog.getOpenFileNames(
            self, self.tr("Add scripts"), "", self.tr("Regex scripts (*.json);;All files (*)")
        )
        if names:
            self._scripts.take([Path(name) for name in names])

    def _export(self) -> None:
        name, _filter = QFileDialog.getSaveFileName(
            self, self.tr("Export"), "", self.tr("Regex scripts (*.json)")
        )
        if name:
            self._scripts.export(self._key(), Path(name))

    @Slot()
    def _update_buttons(self) -> None:
        for button in (self.up_button, self.down_button, self.export_button, self.delete_button):
            button.setEnabled(self._is_script())

    @Slot(object)
    def _on_read(self, scripts: list[ScriptRow]) -> None:
        chosen = self._key()
        self._is_filling = True
        self.tree.clear()
        for row in scripts:
            item = QTreeWidgetItem([row.name, row.group, row.detail])
            item.setToolTip(0, row.name)
            item.setToolTip(2, row.detail)
            item.setData(0, _KEY, row.key)
            state = Qt.CheckState.Checked if row.is_enabled else Qt.CheckState.Unchecked
            item.setCheckState(0, state)
            self.tree.addTopLevelItem(item)
            if row.key == chosen:
                self.tree.setCurrentItem(item)
        self._is_filling = False
        self._update_buttons()

    @Slot(QTreeWidgetItem, int)
    def _on_switched(self, item: QTreeWidgetItem, _column: int) -> None:
        if not self._is_filling:
            on = item.checkState(0) == Qt.CheckState.Checked
            self._scripts.switch(str(item.data(0, _KEY)), on=on)

    @Slot(object)
    def _on_tried(self, steps: list[TextStep]) -> None:
        faults = [step.fault for step in steps if step.fault]
        self.result.setPlainText("\n".join(faults) or steps[-1].text)


class TextsDialog(FramedDialog):
    def __init__(
        self,
        look: Look,
        scripts: ScriptList,
        prompts: PromptEditor,
        completion: TextPromptModel,
        undo: UndoActions,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=900)
        self.set_title(self.tr("Scripts and prompts"))
        self.resize(960, 760)
        self.tabs = Tabs()
        self.scripts = ScriptPage(scripts)
        self.prompts = PromptPage(prompts)
        self.tabs.add(self.tr("Prompts"), self.prompts)
        self.tabs.add(self.tr("Scripts and rules"), self.scripts)
        self.completion = CompletionPage(completion)
        self.tabs.add(self.tr("Text completion"), self.completion)
        self.tabs.changed.connect(
            lambda _page: completion.set_active(
                active=self.tabs.pages.currentWidget() is self.completion
            )
        )
        self.finished.connect(lambda _result: completion.set_active(active=False))
        self.body.addWidget(self.tabs, 1)
        self.undo = UndoStrip(look, undo, self)
        self.add_left(self.undo)
        self.finished.connect(lambda _result: self.prompts.typing.drop_all())
        self.add_close(self.tr("Close"))


# Changes of one message on its way to a model, step by step. Plain text.


class StepsDialog(FramedDialog):
    def __init__(self, scripts: ScriptList, floor: int, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=820)
        self.set_title(self.tr("Floor {floor} as a model reads it").format(floor=floor))
        self.setMinimumHeight(480)
        hint = self.tr("The message itself stays as it was written. Choose a step to see its text.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setObjectName("steps")
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Steps"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text = TextField(self.tr("Text after this step"))
        self.text.setReadOnly(True)
        split.addWidget(self.list)
        split.addWidget(self.text)
        split.setSizes([320, 500])
        self.body.addWidget(split, 1)
        self.fault = label("", "bad", wrap=True)
        self.fault.hide()
        self.body.addWidget(self.fault)
        self.add_close(self.tr("Close"))
        self._steps: list[TextStep] = []
        self.list.currentRowChanged.connect(self._show)
        scripts.steps_read.connect(self._on_read)
        scripts.ask_steps(floor)

    @Slot(object)
    def _on_read(self, steps: list[TextStep]) -> None:
        self._steps = steps
        self.list.clear()
        for step in steps:
            item = QListWidgetItem(self._line(step))
            item.setToolTip(item.text())
            self.list.addItem(item)
        self.list.setCurrentRow(len(steps) - 1)

    def _line(self, step: TextStep) -> str:
        name = step_text(step)
        if step.kind == "original":
            return name
        if step.fault:
            return self.tr("{name}: not done").format(name=name)
        if step.is_changed:
            return self.tr("{name}: changed").format(name=name)
        return self.tr("{name}: nothing to do").format(name=name)

    @Slot(int)
    def _show(self, row: int) -> None:
        if 0 <= row < len(self._steps):
            step = self._steps[row]
            self.text.setPlainText(step.text)
            self.fault.setText(step.fault)
            self.fault.setVisible(bool(step.fault))
