"""One endpoint: preset, base URL with the address really called, key, model, and a test."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from engram_desktop.viewmodels.settings.endpoint import PRESETS, Endpoint, final_url
from engram_desktop.viewmodels.settings.settings_form import SettingsForm
from engram_desktop.viewmodels.workspace.choice_texts import choice_text
from engram_desktop.widgets.parts.basics.layouts import add_row, column
from engram_desktop.widgets.parts.basics.pieces import label, set_tone, text_button
from engram_desktop.widgets.parts.fields.filtered_box import FilteredBox
from engram_desktop.widgets.parts.fields.kept_typing import KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import LineField


class EndpointForm(QWidget):
    def __init__(
        self, endpoint: Endpoint, form: SettingsForm, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._endpoint = endpoint
        self._form = form
        outer = column(self, 0, 10)
        outer.setContentsMargins(0, 0, 12, 0)
        outer.addWidget(label(self._purpose(), "quiet", wrap=True))
        rows = QVBoxLayout()
        rows.setSpacing(4)
        self._make_address(rows)
        self._make_key(rows)
        self._make_model(rows)
        outer.addLayout(rows)
        task = endpoint.task
        self.fields: dict[str, QWidget] = {
            f"{task}.base_url": self.url,
            f"{task}.model": self.model,
        }
        self._typing = KeptTyping(endpoint.unsaved, {"url": self.url, "model": self.model}, self)
        outer.insertWidget(1, self._typing.hint)
        line = QHBoxLayout()
        self.test_button = text_button(self.tr("Test the connection"))
        self.test_button.clicked.connect(self._test)
        self.stop_button = text_button(self.tr("Stop"))
        self.stop_button.clicked.connect(endpoint.cancel)
        self.stop_button.hide()
        line.addWidget(self.test_button)
        line.addWidget(self.stop_button)
        line.addStretch(1)
        outer.addLayout(line)
        self._answer = label("", "quiet", wrap=True)
        self._answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        outer.addWidget(self._answer)
        outer.addStretch(1)
        endpoint.tested.connect(self._on_tested)
        endpoint.models_read.connect(self._on_models_read)
        endpoint.busy_changed.connect(self._on_busy)
        endpoint.key_saved.connect(self._on_key_saved)
        endpoint.key_known.connect(self._on_key_known)
        endpoint.look_for_key()
        self._show_final_url()
        self._typing.show(endpoint.place)

    def _purpose(self) -> str:
        words = {
            "llm": self.tr("Reads the chat and writes the events. Without it they are extracted."),
            "embed": self.tr("Turns memories into vectors. Without it the built-in embedder does."),
            "rerank": self.tr("Optional: puts recalled memories into a better order."),
        }
        return words[self._endpoint.task]

    def _make_address(self, rows: QVBoxLayout) -> None:
        self.preset = QComboBox()
        self.preset.addItem(self.tr("Choose a preset…"))
        for preset in PRESETS:
            self.preset.addItem(preset.name)
        self.preset.activated.connect(self._on_preset)
        add_row(rows, self.tr("Preset"), self.preset)
        self.url = LineField("https://host/v1")
        self.url.setText(self._endpoint.base_url)
        self.url.textChanged.connect(self._show_final_url)
        self.url.left.connect(self._save)
        self.url.submitted.connect(self._save)
        add_row(rows, self.tr("Base URL"), self.url)
        self._final = label("", "hint", wrap=True)
        add_row(rows, "", self._final)

    def _make_key(self, rows: QVBoxLayout) -> None:
        self.key = LineField()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.left.connect(self._save_key)
        self.key.submitted.connect(self._save_key)
        add_row(rows, self.tr("API key"), self.key)
        self._key_state = label("", "hint", wrap=True)
        add_row(rows, "", self._key_state)

    def _make_model(self, rows: QVBoxLayout) -> None:
        line = QHBoxLayout()
        self.model = FilteredBox(is_free=True)
        self.model.setAccessibleName(self.tr("Model"))
        self.model.setEditText(self._endpoint.model)
        self.model.line.left.connect(self._save)
        self.model.line.submitted.connect(self._save)
        self.model.activated.connect(self._save)
        self.models_button = text_button(self.tr("List models"))
        self.models_button.clicked.connect(self._list_models)
        line.addWidget(self.model, 1)
        line.addWidget(self.models_button)
        add_row(rows, self.tr("Model"), line)

    def _save(self) -> None:
        url, model = self.url.text(), self.model.currentText()
        is_saved = self._endpoint.save(base_url=url, model=model)
        for name, is_name_saved in zip(("url", "model"), is_saved, strict=True):
            if is_name_saved:
                self._typing.drop(name)

    def _save_key(self) -> None:
        if self.key.text().strip():
            self._endpoint.save_key(self.key.text())

    def _test(self) -> None:
        self._save()
        self._answer.setText("")
        self._endpoint.test(
            base_url=self.url.text(), model=self.model.currentText(), key=self.key.text()
        )

    def _list_models(self) -> None:
        self._save()
        self._endpoint.list_models(base_url=self.url.text(), key=self.key.text())

    def _on_preset(self, number: int) -> None:
        if number == 0:
            return
        preset = PRESETS[number - 1]
        self.url.setText(preset.base_url)
        self.model.setEditText(preset.models.get(self._endpoint.task, ""))
        self._save()

    def _show_final_url(self) -> None:
        url = final_url(self._endpoint.task, self.url.text())
        trouble = self._endpoint.trouble(self.url.text()) if url else ""
        text = self.tr("Requests go to {url}").format(url=url)
        set_tone(self._final, "bad" if trouble else "hint")
        self._final.setText(
            "\n".join(filter(None, (text, trouble)))
            if url
            else self.tr("Empty: nothing is sent anywhere.")
        )

    @Slot(bool, str)
    def _on_key_known(self, is_stored: bool, trouble: str) -> None:  # noqa: FBT001 - Qt's signal
        set_tone(self._key_state, "bad" if trouble else "hint")
        if trouble:
            self._key_state.setText(trouble)
            return
        where = choice_text("keys.storage", str(self._form.value("keys.storage")))
        text = (
            self.tr("A key is stored in: {where}. Type to replace it.")
            if is_stored
            else self.tr("It will be kept in: {where}. Local servers need none.")
        )
        self._key_state.setText(text.format(where=where))
        self.key.setPlaceholderText("••••••••" if is_stored else "")

    @Slot()
    def _on_key_saved(self) -> None:
        self.key.clear()
        self._on_key_known(True, "")

    @Slot(bool, str)
    def _on_tested(self, is_well: bool, answer: str) -> None:  # noqa: FBT001 - Qt's signal
        set_tone(self._answer, "good" if is_well else "bad")
        head = self.tr("It answered.") if is_well else self.tr("It does not work yet.")
        self._answer.setText(f"{head}\n{answer}")

    @Slot(object)
    def _on_models_read(self, models: list[str]) -> None:
        typed = self.model.currentText()
        self.model.clear()
        self.model.addItems(models)
        self.model.setEditText(typed or (models[0] if models else ""))
        set_tone(self._answer, "good")
        self._answer.setText(self.tr("%n model(s) offered", "", len(models)))
        self.model.showPopup()

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.test_button.setEnabled(not busy)
        self.models_button.setEnabled(not busy)
        self.stop_button.setVisible(busy)
