"""One page of the settings, made from their declarations. Every change is saved at once."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.setting import Setting
from engram_desktop.viewmodels.settings.settings_form import (
    SettingsForm,
    help_text,
    page_settings,
    title,
)
from engram_desktop.viewmodels.workspace.choice_texts import choice_text
from engram_desktop.viewmodels.workspace.unsaved_texts import Place, UnsavedTexts
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.fields.kept_typing import KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField

LONG_TEXTS = {"card.template", "persona.text"}


class SettingPage(QWidget):
    usage_wanted = Signal()

    def __init__(
        self, page: str, form: SettingsForm, unsaved: UnsavedTexts, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._form = form
        self._unsaved = unsaved
        self.fields: dict[str, QWidget] = {}
        self._troubles: dict[str, QLabel] = {}
        self.rows = column(self, 0, 4)
        self.rows.setContentsMargins(0, 0, 12, 0)
        for setting in page_settings(page):
            self._add(self.rows, setting)
        if page == "cost":
            self.usage_button = text_button(self.tr("Show what was used…"))
            self.usage_button.clicked.connect(self.usage_wanted)
            self.rows.addSpacing(12)
            self.rows.addWidget(self.usage_button, 0, Qt.AlignmentFlag.AlignLeft)
        form.refused.connect(self._on_refused)
        form.changed.connect(self._on_changed)

    def _add(self, rows: QVBoxLayout, setting: Setting) -> None:
        field = self._make_field(setting)
        field.setAccessibleName(title(setting))
        if not isinstance(field, QCheckBox):  # it says its name itself
            name = label(title(setting))
            name.setContentsMargins(0, 8, 0, 0)
            name.setBuddy(field)
            rows.addWidget(name)
        rows.addWidget(field)
        self.fields[setting.key] = field
        if isinstance(field, LineField | TextField):
            rows.addWidget(self._save_typed(setting.key, field))
        if setting.help:
            rows.addWidget(label(help_text(setting), "quiet", wrap=True))
        trouble = label("", "bad", wrap=True)
        trouble.hide()
        rows.addWidget(trouble)
        self._troubles[setting.key] = trouble

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
            box.addItem(choice_text(setting.key, choice), choice)
        box.setCurrentIndex(setting.choices.index(self._form.value(setting.key)))
        box.activated.connect(lambda n: self._form.set(setting.key, setting.choices[n]))
        box.setMaximumWidth(320)
        return box

    def _on_changed(self, key: str) -> None:
        self._on_refused(key, "")

    def _on_refused(self, key: str, why: str) -> None:
        trouble = self._troubles.get(key)
        if trouble is not None:
            trouble.setText(why)
            trouble.setVisible(bool(why))
