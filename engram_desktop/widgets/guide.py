"""The first steps, one after the other, shown in place of the page and not as a dialog.

Each step may be skipped: only a click changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.address import LocalServer
from engram_desktop.domain.tavern.folder import FoundTavern
from engram_desktop.viewmodels.guide import Guide
from engram_desktop.viewmodels.workspace.choice_texts import choice_texts
from engram_desktop.widgets.parts.layouts import clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    SkeletonLines,
    kind_button,
    label,
    named_frame,
    set_tone,
    text_button,
)


class GuideStep(QWidget):
    """One step: a heading, an explanation, and its choices."""

    def __init__(self, title: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.rows = column(self, 0, 10)
        self.rows.addWidget(label(title, "title", wrap=True))
        self.rows.addWidget(label(hint, "quiet", wrap=True))
        self.rows.addSpacing(6)

    def begin(self) -> None:
        """Search for what the step offers, when it is first shown."""


class LookStep(GuideStep):
    """Language and theme, changed at once."""

    def __init__(self, guide: Guide, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Welcome to Engram"),
            self.tr("A few steps, each of which can be skipped. All of it is in the settings too."),
            parent,
        )
        self._guide = guide
        self.languages = self._choices(self.tr("Language"), "ui.language")
        self.themes = self._choices(self.tr("Theme"), "ui.theme")
        self.rows.addStretch(1)

    def _choices(self, title: str, key: str) -> QButtonGroup:
        self.rows.addWidget(label(title, "section"))
        line, group = QHBoxLayout(), QButtonGroup(self)
        line.setSpacing(8)
        for value, name in choice_texts(key).items():
            button = kind_button("chip", name)
            button.setAccessibleName(f"{title}: {name}")
            button.setChecked(self._guide.value(key) == value)
            button.clicked.connect(lambda _checked=False, v=value: self._guide.choose(key, v))
            group.addButton(button)
            line.addWidget(button)
        line.addStretch(1)
        self.rows.addLayout(line)
        return group


class FolderStep(GuideStep):
    """The folder of the library."""

    library_wanted = Signal(object)  # Path

    def __init__(self, library: Path, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Where your library lies"),
            self.tr(
                "Chats and their memory are kept in one folder on this computer, nowhere else."
            ),
            parent,
        )
        self._library = library
        card = named_frame("card")
        inside = column(card, 14, 8)
        self.path = label(str(library), wrap=True)
        self.path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside.addWidget(self.path)
        line = QHBoxLayout()
        self.show_button = text_button(self.tr("Show the folder"))
        self.show_button.clicked.connect(self._show)
        line.addWidget(self.show_button)
        self.other_button = text_button(self.tr("Another folder…"))
        self.other_button.clicked.connect(self._choose)
        line.addWidget(self.other_button)
        line.addStretch(1)
        inside.addLayout(line)
        self.rows.addWidget(card)
        self.rows.addStretch(1)

    @Slot()
    def _show(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._library)))

    @Slot()
    def _choose(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, self.tr("Folder of a library"), str(self._library.parent)
        )
        if folder:
            self.library_wanted.emit(Path(folder))


class _FoundCard(QFrame):
    """One thing that was found: its name, its content, and a button to use it."""

    def __init__(self, name: str, hint: str, action: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 10, 12, 10)
        line.setSpacing(10)
        words = QVBoxLayout()
        words.setSpacing(2)
        head, below = ElidedLabel("heading", parent=self), ElidedLabel("quiet", parent=self)
        head.set_text(name)
        below.set_text(hint)
        words.addWidget(head)
        words.addWidget(below)
        line.addLayout(words, 1)
        self.choices = QHBoxLayout()
        line.addLayout(self.choices)
        self.button = text_button(action, "main")
        self.button.setAccessibleName(f"{action} {name}")
        line.addWidget(self.button)


class FindingStep(GuideStep):
    """A step that searches this computer for something, and lists the results."""

    def __init__(self, look: Look, words: tuple[str, str], parent: QWidget | None = None) -> None:
        super().__init__(*words, parent)
        self._has_begun = False
        self._wait = SkeletonLines(look, 2)
        self.rows.addWidget(self._wait)
        self.found = QVBoxLayout()
        self.found.setSpacing(8)
        self.rows.addLayout(self.found)
        self.state = label("", "quiet", wrap=True)
        self.rows.addWidget(self.state)

    def say(self, text: str, tone: str = "quiet") -> None:
        set_tone(self.state, tone)
        self.state.setText(text)
        self.state.setVisible(bool(text))

    def end_search(self) -> None:
        self._wait.hide()
        clear_layout(self.found)

    @property
    def cards(self) -> list[_FoundCard]:
        parts = (self.found.itemAt(n) for n in range(self.found.count()))
        widgets = [part.widget() for part in parts if part is not None]
        return [widget for widget in widgets if isinstance(widget, _FoundCard)]


class TavernStep(FindingStep):
    """SillyTavern on this computer, imported with one click."""

    choose_wanted = Signal()

    def __init__(self, look: Look, guide: Guide, parent: QWidget | None = None) -> None:
        words = (
            self.tr("Your SillyTavern"),
            self.tr(
                "Its chats, characters and world books are read, and the chats followed as "
                "they go on. Nothing in its folder is ever changed."
            ),
        )
        super().__init__(look, words, parent)
        self._guide = guide
        line = QHBoxLayout()
        self.choose_button = text_button(self.tr("Choose a folder…"))
        self.choose_button.clicked.connect(self.choose_wanted)
        line.addWidget(self.choose_button)
        line.addStretch(1)
        self.rows.addLayout(line)
        self.rows.addStretch(1)
        guide.taverns_found.connect(self._on_found)
        guide.taken.connect(self._on_taken)
        guide.refused.connect(self._on_refused)
        self.say(self.tr("Looking in the places it is usually put…"))

    @override
    def begin(self) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._guide.look_for_taverns()

    @Slot(object)
    def _on_found(self, found: Sequence[FoundTavern]) -> None:
        self.end_search()
        for one in found:
            chats = self.tr("%n chat(s)", "", one.chats)
            people = self.tr("%n character(s)", "", one.characters)
            card = _FoundCard(one.path, f"{chats} · {people}", self.tr("Take it in"), self)
            card.button.clicked.connect(lambda _checked=False, p=one.path: self._take(p))
            self.found.addWidget(card)
        self.say("" if found else self.tr("It was not found in the usual places."))

    def _take(self, path: str) -> None:
        for card in self.cards:
            card.button.setEnabled(False)
        self.say(self.tr("Taking it in; you can go on meanwhile."))
        self._guide.take_tavern(path)

    @Slot()
    def _on_taken(self) -> None:
        if self.cards:
            self.say(self.tr("It is in the library, and its chats are followed."), "good")

    @Slot(str)
    def _on_refused(self, why: str) -> None:
        self.say(why, "bad")


class ModelStep(FindingStep):
    """A model, or none: local servers are found, others are set up by hand."""

    presets_wanted = Signal()

    def __init__(self, look: Look, guide: Guide, parent: QWidget | None = None) -> None:
        words = (
            self.tr("A model, or none"),
            self.tr(
                "Without a model everything works and nothing is sent. With one, summaries, "
                "people and what binds them get richer."
            ),
        )
        super().__init__(look, words, parent)
        self._guide = guide
        line = QHBoxLayout()
        self.presets_button = text_button(self.tr("A server elsewhere…"))
        self.presets_button.clicked.connect(self.presets_wanted)
        line.addWidget(self.presets_button)
        self.again_button = text_button(self.tr("Look again"))
        self.again_button.clicked.connect(self._look)
        line.addWidget(self.again_button)
        line.addStretch(1)
        self.rows.addLayout(line)
        self.rows.addStretch(1)
        guide.servers_found.connect(self._on_found)
        guide.server_used.connect(self._on_used)
        self._say_looking()

    def _say_looking(self) -> None:
        self.say(self.tr("Looking for servers on this computer…"))

    @override
    def begin(self) -> None:
        if not self._has_begun:
            self._look()

    @Slot()
    def _look(self) -> None:
        self._has_begun = True
        self.again_button.setEnabled(False)
        self.end_search()
        self._wait.show()
        self._say_looking()
        self._guide.look_for_servers()

    @Slot(object)
    def _on_found(self, found: Sequence[LocalServer]) -> None:
        self.end_search()
        self.again_button.setEnabled(True)
        for server in found:
            hint = self.tr("%n model(s) at {url}", "", len(server.models))
            card = _FoundCard(
                server.name, hint.format(url=server.base_url), self.tr("Use it"), self
            )
            models = QComboBox(card)
            models.setAccessibleName(self.tr("Model"))
            models.addItems(server.models)
            models.setMaximumWidth(220)
            card.choices.addWidget(models)
            card.button.clicked.connect(
                lambda _checked=False, s=server, m=models: self._guide.use_server(
                    s, m.currentText()
                )
            )
            self.found.addWidget(card)
        nothing = self.tr("No server answered on this computer. Only this computer was asked.")
        self.say("" if found else nothing)

    @Slot(str)
    def _on_used(self, model: str) -> None:
        self.say(self.tr("{model} reads your chats from now on.").format(model=model), "good")


WIDTH, HEIGHT = 640, 420  # pixels of the card: the size of the longest step


class GuidePage(QWidget):
    finished = Signal()
    library_wanted = Signal(object)  # Path

    def __init__(
        self, look: Look, guide: Guide, library: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.look_step = LookStep(guide)
        self.folder_step = FolderStep(library)
        self.tavern_step = TavernStep(look, guide)
        self.model_step = ModelStep(look, guide)
        self.steps: tuple[GuideStep, ...] = (
            self.look_step,
            self.folder_step,
            self.tavern_step,
            self.model_step,
        )
        self._stack = QStackedWidget()
        for step in self.steps:
            self._stack.addWidget(self._scrolled(step))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 16)
        outer.addStretch(2)
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self._make_card(), 100)
        line.addStretch(1)
        outer.addLayout(line)
        outer.addStretch(3)
        self.folder_step.library_wanted.connect(self.library_wanted)
        self.show_step(0)

    @property
    def step(self) -> int:
        """Return the number of the step shown."""
        return self._stack.currentIndex()

    def _scrolled(self, step: GuideStep) -> QScrollArea:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(step.title)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(step)
        return area

    def _make_card(self) -> QWidget:
        card = named_frame("card")
        card.setMaximumWidth(WIDTH)
        inside = column(card, 24, 12)
        self._at = label("", "hint")
        inside.addWidget(self._at)
        self._stack.setMinimumHeight(300)
        self._stack.setMaximumHeight(HEIGHT)
        inside.addWidget(self._stack, 1)
        line = QHBoxLayout()
        self.skip_button = text_button(self.tr("Skip all this"), "link")
        self.skip_button.clicked.connect(self.finished)
        line.addWidget(self.skip_button)
        line.addStretch(1)
        self.back_button = text_button(self.tr("Back"))
        self.back_button.clicked.connect(self._back)
        line.addWidget(self.back_button)
        self.next_button = text_button("", "main")
        self.next_button.setDefault(True)
        self.next_button.clicked.connect(self._next)
        line.addWidget(self.next_button)
        inside.addLayout(line)
        return card

    def show_step(self, number: int) -> None:
        last = len(self.steps) - 1
        number = max(0, min(number, last))
        self._stack.setCurrentIndex(number)
        self._at.setText(
            self.tr("Step {number} of {count}").format(number=number + 1, count=last + 1)
        )
        self.back_button.setVisible(number > 0)
        self.next_button.setText(self.tr("Done") if number == last else self.tr("Next"))
        if self.isVisible():
            self.begin()

    def begin(self) -> None:
        """Start the search of the step shown, and let Enter press its main button."""
        self.steps[self.step].begin()
        self.next_button.setFocus()

    @Slot()
    def _back(self) -> None:
        self.show_step(self.step - 1)

    @Slot()
    def _next(self) -> None:
        if self.step == len(self.steps) - 1:
            self.finished.emit()
        else:
            self.show_step(self.step + 1)
