"""The prompts of every task, with a preview of the request that would be sent."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QToolButton,
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
from engram_desktop.viewmodels.prompts.prompt_editor import (
    PromptEditor,
    more_variables,
    task_title,
    variables,
)
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import kind_button, label, text_button
from engram_desktop.widgets.parts.basics.tabs import Tabs
from engram_desktop.widgets.parts.fields.kept_typing import Field, KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField


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
        self.typing = KeptTyping(editor.unsaved, typed, self)
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
        """Make a menu of the other macros, each with what it stands for."""
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
        """Mark what means nothing, while it is typed."""
        template = self._template()
        troubles = []
        if unknown := self._editor.unknown(template):
            names = "、".join(f"{{{{{name}}}}}" for name in unknown)
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
        if row != self._shown:  # else something else changed: what is being written stays
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
