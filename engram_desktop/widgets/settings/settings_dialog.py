"""The settings, made from their declarations. Every change is saved at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QWidget,
)

from engram_desktop.domain.setting import Setting
from engram_desktop.viewmodels.settings.endpoint import TASKS, Endpoint, Task
from engram_desktop.viewmodels.settings.settings_form import (
    PAGES,
    SettingsForm,
    choice_text,
    help_text,
    page_settings,
    section_title,
    title,
)
from engram_desktop.viewmodels.settings.upstream_keys import UpstreamKeys
from engram_desktop.viewmodels.workspace.unsaved_texts import Place
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.kept_typing import KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField
from engram_desktop.widgets.settings.endpoint_form import EndpointForm
from engram_desktop.widgets.settings.upstream_key_form import UpstreamKeyForm

LONG_TEXTS = {"card.template", "persona.text"}


class SettingsDialog(FramedDialog):
    usage_wanted = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=820)
        self._form = SettingsForm(workspace, self)
        self._workspace = workspace
        self._unsaved = workspace.unsaved
        self.set_title(self.tr("Settings"))
        line = QHBoxLayout()
        line.setSpacing(16)
        self.pages = QListWidget()
        self.pages.setAccessibleName(self.tr("Pages of the settings"))
        self.pages.setFixedWidth(180)
        self._stack = QStackedWidget()
        self._troubles: dict[str, QLabel] = {}
        self._endpoints = [Endpoint(workspace, self._form, task, self) for task in TASKS]
        self._makers: list[Callable[[], QWidget]] = []  # a page is made when it is first shown
        for endpoint in self._endpoints:
            make = partial(EndpointForm, endpoint, self._form)
            self._add(self._endpoint_title(endpoint.task), make)
        for page in PAGES:
            self._add(section_title(page), partial(self._make_page, page))
        line.addWidget(self.pages)
        line.addWidget(self._stack, 1)
        self.body.addLayout(line, 1)
        self.setMinimumHeight(560)
        self.add_close(self.tr("Close"))
        self.pages.currentRowChanged.connect(self._on_page)
        self.pages.setCurrentRow(0)
        self._form.refused.connect(self._on_refused)
        self._form.changed.connect(lambda key: self._on_refused(key, ""))
        self.finished.connect(self._end)

    def show_page(self, key: str) -> None:
        """Open at a page of `PAGES`, or at an endpoint's."""
        names = [*TASKS, *PAGES]
        self.pages.setCurrentRow(names.index(key))

    def _endpoint_title(self, task: Task) -> str:
        words = {
            "llm": self.tr("Language model"),
            "embed": self.tr("Embedding model"),
            "rerank": self.tr("Reranker"),
        }
        return words[task]

    def _add(self, name: str, make: Callable[[], QWidget]) -> None:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        item = QListWidgetItem(name)
        item.setSizeHint(QSize(0, 34))
        self.pages.addItem(item)
        self._stack.addWidget(scroll)
        self._makers.append(make)

    @Slot(int)
    def _on_page(self, number: int) -> None:
        scroll = self._stack.widget(number)
        if isinstance(scroll, QScrollArea) and scroll.widget() is None:
            scroll.setWidget(self._makers[number]())
        self._stack.setCurrentIndex(number)

    def _make_page(self, page: str) -> QWidget:
        body = QWidget()
        rows = column(body, 0, 4)
        rows.setContentsMargins(0, 0, 12, 0)
        for setting in page_settings(page):
            field = self._make_field(setting)
            field.setAccessibleName(title(setting))
            if not isinstance(field, QCheckBox):  # it says its name itself
                name = label(title(setting))
                name.setContentsMargins(0, 8, 0, 0)
                name.setBuddy(field)
                rows.addWidget(name)
            rows.addWidget(field)
            if isinstance(field, LineField | TextField):
                rows.addWidget(self._save_typed(setting.key, field))
            if setting.help:
                rows.addWidget(label(help_text(setting), "quiet", wrap=True))
            trouble = label("", "bad", wrap=True)
            trouble.hide()
            rows.addWidget(trouble)
            self._troubles[setting.key] = trouble
        if page == "serve":
            rows.addSpacing(12)
            rows.addWidget(UpstreamKeyForm(UpstreamKeys(self._workspace, self)))
        if page == "cost":
            self.usage_button = text_button(self.tr("Show what was used…"))
            self.usage_button.clicked.connect(self.usage_wanted)
            rows.addSpacing(12)
            rows.addWidget(self.usage_button, 0, Qt.AlignmentFlag.AlignLeft)
        rows.addStretch(1)
        return body

    def _make_field(self, setting: Setting) -> QWidget:
        key, value = setting.key, self._form.value(setting.key)
        if setting.choices:
            return self._make_choice(setting)
        match setting.default:
            case bool():
                box = QCheckBox(title(setting))
                box.setChecked(value)
                box.toggled.connect(lambda on: self._form.set(key, on))
                return box
            case int():
                spin = QSpinBox()
                spin.setRange(int(setting.low or 0), int(setting.high or 1_000_000_000))
                spin.setValue(value)
                spin.editingFinished.connect(lambda: self._form.set(key, spin.value()))
                spin.setMaximumWidth(160)
                return spin
            case float():
                real = QDoubleSpinBox()
                real.setRange(setting.low or 0.0, setting.high or 1e9)
                real.setValue(value)
                real.editingFinished.connect(lambda: self._form.set(key, real.value()))
                real.setMaximumWidth(160)
                return real
        if key in LONG_TEXTS:
            text = TextField(title(setting))
            text.setPlainText(value)
            text.setMinimumHeight(130)
            return text
        field = LineField()
        field.setText(value)
        return field

    def _save_typed(self, key: str, field: LineField | TextField) -> QLabel:
        """Save a long text as it is typed, a line when it is left: half an address is none."""
        typing = KeptTyping(self._unsaved, {"value": field}, self)
        typing.show(Place(f"setting {key}"))

        def save() -> None:
            text = field.text() if isinstance(field, LineField) else field.toPlainText()
            if self._form.set(key, text):
                typing.drop()

        whole = field.submitted if isinstance(field, LineField) else field.rested
        for signal in (field.left, whole):
            signal.connect(save)
        return typing.hint

    def _make_choice(self, setting: Setting) -> QComboBox:
        box = QComboBox()
        for choice in setting.choices:
            box.addItem(choice_text(choice), choice)
        box.setCurrentIndex(setting.choices.index(self._form.value(setting.key)))
        box.activated.connect(lambda n: self._form.set(setting.key, setting.choices[n]))
        box.setMaximumWidth(320)
        return box

    @Slot(str, str)
    def _on_refused(self, key: str, why: str) -> None:
        trouble = self._troubles.get(key)
        if trouble is not None:
            trouble.setText(why)
            trouble.setVisible(bool(why))

    def _end(self) -> None:
        for typing in self.findChildren(KeptTyping):
            typing.drop_all()
        for endpoint in self._endpoints:
            endpoint.cancel()
