"""The settings: their pages, a search through all of them, and the button to restore defaults.

A page is made from declarations; every change is saved at once. A search lists the matching
settings with their page. The keys of further endpoints have a form of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.setting import Setting
from engram_desktop.domain.settings import DECLARED
from engram_desktop.viewmodels.settings.settings_form import (
    PAGES,
    PRESETS,
    TASKS,
    EndpointFields,
    FoundSetting,
    IndexToken,
    Rows,
    SettingsForm,
    UpstreamKeys,
    final_url,
    find_settings,
    help_text,
    page_settings,
    section_title,
    title,
)
from engram_desktop.viewmodels.workspace.choice_texts import choice_text, listed
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, UnsavedTexts, Workspace
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.filtered import FilteredBox
from engram_desktop.widgets.parts.fields.text_fields import (
    LineField,
    SearchField,
    TextField,
    UnsavedFields,
)
from engram_desktop.widgets.parts.layouts import add_row, column, tall_area
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, set_tone, text_button

TICK_WIDTH = 24  # pixels before the text of a check box: its explanation is aligned with the text

# One endpoint: preset, base URL with the URL really called, key, model, and a test.


class EndpointForm(QWidget):
    def __init__(
        self, endpoint: EndpointFields, form: SettingsForm, parent: QWidget | None = None
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
        further = SettingPage(task, form, endpoint.unsaved)
        further.rows.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(further)
        self.fields: dict[str, QWidget] = {
            f"{task}.base_url": self.url,
            f"{task}.model": self.model,
        } | further.fields
        self._typing = UnsavedFields(endpoint.unsaved, {"url": self.url, "model": self.model}, self)
        outer.insertWidget(1, self._typing.hint)
        self._make_test(outer)
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

    def _make_test(self, outer: QVBoxLayout) -> None:
        line = QHBoxLayout()
        self.test_button = text_button(self.tr("Test the connection"))
        self.test_button.clicked.connect(self._test)
        self.stop_button = text_button(self.tr("Stop"))
        self.stop_button.clicked.connect(self._endpoint.cancel)
        self.stop_button.hide()
        self._pressed: QPushButton | None = None
        self._handed_to: QWidget | None = None
        line.addWidget(self.test_button)
        line.addWidget(self.stop_button)
        line.addStretch(1)
        outer.addLayout(line)
        self._answer = label("", "quiet", wrap=True)
        self._answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        outer.addWidget(self._answer)
        outer.addStretch(1)

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
        fault, warning = self._endpoint.trouble(self.url.text()) if url else ("", "")
        goes = fault or self.tr("Requests go to {url}").format(url=url)
        set_tone(self._final, "bad" if fault or warning else "hint")
        self._final.setText(
            f"{goes}\n{warning}".strip() if url else self.tr("Empty: nothing is sent anywhere.")
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
        head = self.tr("It answered.") if is_well else self.tr("It does not work yet.")
        self._show_answer(f"{head}\n{answer}", "good" if is_well else "bad")

    def _show_answer(self, text: str, tone: str) -> None:
        """Show the result of the test, and scroll to it: it is at the end of the form."""
        set_tone(self._answer, tone)
        self._answer.setText(text)
        around = self.parentWidget()
        area = around.parentWidget() if around is not None else None
        if isinstance(area, QScrollArea):
            self.adjustSize()
            area.ensureWidgetVisible(self._answer)

    @Slot(object)
    def _on_models_read(self, models: list[str]) -> None:
        typed = self.model.currentText()
        self.model.clear()
        self.model.addItems(models)
        self.model.setEditText(typed or (models[0] if models else ""))
        self._show_answer(self.tr("%n model(s) offered", "", len(models)), "good")
        self.model.showPopup()

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        buttons = (self.test_button, self.models_button)
        if busy:
            self._pressed = next((button for button in buttons if button.hasFocus()), None)
        for button in buttons:
            button.setEnabled(not busy)
        self.stop_button.setVisible(busy)
        there = self.window().focusWidget()  # a disabled button passes the focus on
        if busy:
            self._handed_to = there
        elif self._pressed is not None and there is self._handed_to:
            self._pressed.setFocus()


ROW_HEIGHT = 54  # two lines of text
FOUND = Qt.ItemDataRole.UserRole
MOST_OF_WHY = 90  # characters of the text that was found: the row elides the rest


class FoundList(QWidget):
    chosen = Signal(str, str)  # page, key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = column(self, 0, 8)
        self.hint = label("", "quiet", wrap=True)
        rows.addWidget(self.hint)
        self.list = QListWidget()
        self.list.setObjectName("bare")
        self.list.setAccessibleName(self.tr("Settings found"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._open)
        self.list.itemActivated.connect(self._open)
        rows.addWidget(self.list, 1)

    def show_found(self, found: Sequence[FoundSetting], text: str) -> None:
        self.list.clear()
        for one in found:
            key = one.key if one.page else ""
            where = " · ".join(filter(None, (one.where, one.why[:MOST_OF_WHY] or key)))
            item = QListWidgetItem(f"{one.title}\n{where}")
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            item.setData(FOUND, (one.page, one.key))
            self.list.addItem(item)
        none = self.tr("No setting says “{text}”.").format(text=text.strip())
        self.hint.setText(self.tr("%n setting(s)", "", len(found)) if found else none)
        self.list.setVisible(bool(found))

    def open_first(self) -> None:
        """Open the selected row, or the first."""
        if self.list.count():
            self._open(self.list.item(max(0, self.list.currentRow())))

    def _open(self, item: QListWidgetItem) -> None:
        page, key = item.data(FOUND)
        self.chosen.emit(page, key)


LONG_TEXTS = {"card.template", "persona.text"}


class SettingPage(QWidget):
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
            self.rows.addSpacing(12)
            self.rows.addWidget(self.usage_button, 0, Qt.AlignmentFlag.AlignLeft)
        form.refused.connect(self._on_refused)
        form.changed.connect(self._on_changed)

    def _add(self, rows: QVBoxLayout, setting: Setting) -> None:
        field = self._make_field(setting)
        field.setAccessibleName(title(setting))
        is_tick = isinstance(field, QCheckBox)  # a check box has its own label
        rows.addSpacing(8)
        if not is_tick:
            name = label(title(setting))
            name.setBuddy(field)
            rows.addWidget(name)
        rows.addWidget(field)
        self.fields[setting.key] = field
        if isinstance(field, LineField | TextField):
            rows.addWidget(self._save_typed(setting.key, field))
        if setting.help:
            hint = label(help_text(setting), "quiet", wrap=True)
            hint.setContentsMargins(TICK_WIDTH if is_tick else 0, 0, 0, 0)
            rows.addWidget(hint)
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
        """Save a long text as it is typed, a line when it is left: half an address is invalid."""
        typing = UnsavedFields(self._unsaved, {"value": field}, self)
        typing.show(TypingPlace(f"setting {key}"))

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


class UpstreamKeyForm(QWidget):
    """Keys of servers by name. Hidden while there is no server."""

    def __init__(
        self, keys: UpstreamKeys, title: str, without: str, parent: QWidget | None = None
    ) -> None:
        """``without`` explains what happens for a server without a key."""
        super().__init__(parent)
        self._keys = keys
        self._without = without
        self._has_key: dict[str, bool] = {}
        rows = column(self, 0, 4)
        rows.addWidget(label(title))
        line = QHBoxLayout()
        line.setSpacing(8)
        self.name = QComboBox()
        self.name.setAccessibleName(title)
        self.name.currentIndexChanged.connect(lambda _n: self._show_state())
        line.addWidget(self.name)
        self.key = LineField()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setAccessibleName(self.tr("API key"))
        self.key.submitted.connect(self._save)
        line.addWidget(self.key, 1)
        self.save_button = text_button(self.tr("Keep the key"))
        self.save_button.clicked.connect(self._save)
        line.addWidget(self.save_button)
        rows.addLayout(line)
        self.state = label("", "hint", wrap=True)
        rows.addWidget(self.state)
        keys.read.connect(self._show_rows)
        keys.refused.connect(self._show_trouble)
        self.hide()
        keys.look()

    @Slot()
    def _save(self) -> None:
        if self.name.currentText() and self.key.text().strip():
            self._keys.save(self.name.currentText(), self.key.text())
            self.key.clear()

    @Slot(object)
    def _show_rows(self, rows: Rows) -> None:
        chosen, self._has_key = self.name.currentText(), dict(rows)
        self.name.clear()
        self.name.addItems(list(self._has_key))
        self.name.setCurrentIndex(max(0, self.name.findText(chosen)))
        self.setVisible(bool(rows))
        self._show_state()

    def _show_state(self) -> None:
        set_tone(self.state, "hint")
        has_key = self._has_key.get(self.name.currentText(), False)
        self.key.setPlaceholderText("••••••••" if has_key else "")
        self.state.setText(
            self.tr("A key is stored. Type to replace it.") if has_key else self._without
        )

    @Slot(str)
    def _show_trouble(self, words: str) -> None:
        set_tone(self.state, "bad")
        self.state.setText(words)


LIST_WIDTH = 200  # the longest name of a page, in both languages


class SettingsDialog(FramedDialog):
    usage_wanted = Signal()
    dialog_wanted = Signal(str)  # name of its opener

    def __init__(self, look: Look, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=820)
        self._form = SettingsForm(workspace, self)
        self._workspace = workspace
        self._before: dict[str, Any] = {}  # values replaced by the last "Restore defaults"
        self.set_title(self.tr("Settings"))
        self.pages = QListWidget()
        self._stack = QStackedWidget()
        self._endpoints = [EndpointFields(workspace, self._form, task, self) for task in TASKS]
        self._makers: list[Callable[[], QWidget]] = []  # a page is made when it is first shown
        for endpoint in self._endpoints:
            self._add(section_title(endpoint.task), partial(EndpointForm, endpoint, self._form))
        for page in PAGES:
            self._add(section_title(page), partial(self._make_page, page))
        self._lay_out(look)
        self.setMinimumHeight(560)
        self.restore_button = self.add_button(self.tr("Restore defaults of this page"), left=True)
        self.restore_button.clicked.connect(self._restore)
        self.add_close(self.tr("Close"))
        self.pages.setCurrentRow(0)
        self._update_restore()
        self._first = QTimer(self, singleShot=True, interval=0)  # once the dialog is shown
        self._first.timeout.connect(lambda: self._on_page(self.pages.currentRow()))
        self._first.start()
        self.pages.currentRowChanged.connect(self._on_page)
        self.pages.itemClicked.connect(lambda _item: self.search.clear())
        self._form.changed.connect(self._on_changed)
        self._form.replaced.connect(self._on_replaced)
        self.finished.connect(self._end)

    def _lay_out(self, look: Look) -> None:
        line = QHBoxLayout()
        line.setSpacing(16)
        left = QVBoxLayout()
        left.setSpacing(8)
        self.search = SearchField(look, self.tr("Search the settings"))
        self.search.setFixedWidth(LIST_WIDTH)
        self.search.textChanged.connect(self._on_search)
        self.search.submitted.connect(self._open_first)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)
        self.pages.setAccessibleName(self.tr("Pages of the settings"))
        self.pages.setFixedWidth(LIST_WIDTH)
        left.addWidget(self.search)
        left.addWidget(self.pages, 1)
        line.addLayout(left)
        self.found = FoundList()
        self.found.chosen.connect(self.show_setting)
        self._right = QStackedWidget()
        self._right.addWidget(self._stack)
        self._right.addWidget(self.found)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self._make_strip())
        right.addWidget(self._right, 1)
        line.addLayout(right, 1)
        self.body.addLayout(line, 1)

    def _make_strip(self) -> QWidget:
        self._strip = QWidget(self)
        self._strip.setObjectName("well")
        self._strip.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self._strip)
        row.setContentsMargins(12, 8, 8, 8)
        self.restored = label("", "", wrap=True)
        row.addWidget(self.restored, 1)
        self.put_back_button = text_button(self.tr("Undo"), "link")
        self.put_back_button.clicked.connect(self._put_back)
        row.addWidget(self.put_back_button)
        self._strip.hide()
        return self._strip

    def show_page(self, key: str) -> None:
        """Open at a page of `PAGES`, or at an endpoint's."""
        names = [*TASKS, *PAGES]
        self.pages.setCurrentRow(names.index(key))

    @Slot(str, str)
    def show_setting(self, page: str, key: str) -> None:
        """Open the page of a setting, at its field; without a page, the dialog called ``key``."""
        if not page:
            self.dialog_wanted.emit(key)
            return
        self.show_page(page)
        self._right.setCurrentWidget(self._stack)
        scroll = self._stack.currentWidget()
        inside = scroll.widget() if isinstance(scroll, QScrollArea) else None
        if isinstance(scroll, QScrollArea) and isinstance(inside, SettingPage | EndpointForm):
            field = inside.fields[key]
            inside.adjustSize()
            scroll.ensureWidgetVisible(field, 0, scroll.height() // 3)
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def page(self) -> str:
        return [*TASKS, *PAGES][self.pages.currentRow()]

    def _add(self, name: str, make: Callable[[], QWidget]) -> None:
        item = QListWidgetItem(name)
        item.setSizeHint(QSize(0, 34))
        self.pages.addItem(item)
        self._stack.addWidget(QWidget())  # a placeholder: twenty scroll areas take 15 ms
        self._makers.append(make)

    @Slot(int)
    def _on_page(self, number: int) -> None:
        place = self._stack.widget(number)
        if place is not None and not isinstance(place, QScrollArea):
            scroll = tall_area()
            scroll.setWidget(self._makers[number]())
            self._stack.removeWidget(place)
            place.deleteLater()
            self._stack.insertWidget(number, scroll)
        self._stack.setCurrentIndex(number)
        self._right.setCurrentWidget(self._stack)
        self._update_restore()

    def _make_page(self, page: str) -> QWidget:
        body = SettingPage(page, self._form, self._workspace.unsaved)
        if page == "cost":
            body.usage_button.clicked.connect(self.usage_wanted)
        if page == "serve":
            body.rows.addSpacing(12)
            title = self.tr("Key of a further endpoint")
            without = self.tr("Without a key of its own it is asked without one.")
            keys = UpstreamKeys(self._workspace, self)
            body.rows.addWidget(UpstreamKeyForm(keys, title, without))
        if page == "index":
            body.rows.addSpacing(12)
            title = self.tr("Token of the Chroma server")
            without = self.tr("Without a token it is asked without one.")
            token = IndexToken(self._workspace, self)
            body.rows.addWidget(UpstreamKeyForm(token, title, without))
        body.rows.addStretch(1)
        return body

    @Slot(str)
    def _on_search(self, text: str) -> None:
        self.found.show_found(find_settings(text), text)
        self._right.setCurrentWidget(self.found if text.strip() else self._stack)
        self._update_restore()

    @Slot()
    def _open_first(self) -> None:
        self.found.open_first()

    @Slot(str)
    def _on_changed(self, key: str) -> None:
        if key in self._before:  # a key changed since then, so the whole set cannot be restored
            del self._before[key]
            self._show_strip()
        self._update_restore()

    def _update_restore(self) -> None:
        """Show the restore button if it would change something on the visible page."""
        is_page = self._right.currentWidget() is self._stack and self.page in PAGES
        self.restore_button.setVisible(is_page)
        self.restore_button.setEnabled(is_page and bool(self._form.set_here(self.page)))

    @Slot()
    def _restore(self) -> None:
        self._before = self._form.restore(self.page)
        self._show_strip()

    @Slot()
    def _put_back(self) -> None:
        before, self._before = self._before, {}
        self._form.put_back(before)
        self._show_strip()

    def _show_strip(self) -> None:
        names = listed(title(DECLARED[key]) for key in self._before)
        self.restored.setText(self.tr("Defaults again: {names}").format(names=names))
        self._strip.setVisible(bool(self._before))

    @Slot(object)
    def _on_replaced(self, keys: tuple[str, ...]) -> None:
        """Make the pages again that show one of these keys."""
        for number in range(self._stack.count()):
            scroll = self._stack.widget(number)
            inside = scroll.widget() if isinstance(scroll, QScrollArea) else None
            if (
                isinstance(scroll, QScrollArea)
                and isinstance(inside, SettingPage)
                and not inside.fields.keys().isdisjoint(keys)
            ):
                scroll.setWidget(self._makers[number]())
        self._update_restore()

    def _end(self) -> None:
        for typing in self.findChildren(UnsavedFields):
            typing.drop_all()
        for endpoint in self._endpoints:
            endpoint.cancel()
