"""Dialog to start a chat with one or more cards, from a greeting of theirs or a built-in scene."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from engram_desktop.domain.play import ScriptedScene
from engram_desktop.viewmodels.play import short
from engram_desktop.viewmodels.turn_view import PlayStart, StartChoices
from engram_desktop.viewmodels.workspace.transcript import FACE
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.filtered import ElidedBox
from engram_desktop.widgets.parts.fields.text_fields import LineField, SearchField, TextField
from engram_desktop.widgets.parts.layouts import FlowLayout, add_row, clear_layout
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, literal, text_button

IdRole = Qt.ItemDataRole.UserRole
MOST_SHOWN = 4_000  # characters of a greeting in its preview
GREETING_HEIGHT = 120


class StartDialog(FramedDialog):
    import_wanted = Signal()

    def __init__(self, look: Look, start: PlayStart, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=600)
        self.resize(640, 680)
        self._look = look
        self._start = start
        self._greetings: list[str] = []
        self.set_title(self.tr("New chat"))
        self._make_cards()
        self.player = LineField(self.tr("The name used last"))
        self.player.setAccessibleName(self.tr("Your name in the story"))
        for signal in (self.player.left, self.player.submitted):
            signal.connect(self._ask_greetings)
        add_row(self.body, self.tr("Your name in the story"), self.player)
        self.greeting = ElidedBox()
        self.greeting.setAccessibleName(self.tr("How it begins"))
        self.greeting.currentIndexChanged.connect(self._show_greeting)
        add_row(self.body, self.tr("How it begins"), self.greeting)
        self._preview = TextField(self.tr("What is said first"))
        self._preview.setReadOnly(True)
        self._preview.setFixedHeight(GREETING_HEIGHT)
        self.body.addWidget(self._preview)
        self._scenes_head = label(self.tr("Or play a scene of ours, without a model"), "section")
        self.body.addWidget(self._scenes_head)
        scenes = QWidget()
        self._scenes = FlowLayout(scenes)
        self.body.addWidget(scenes)
        self.add_close(self.tr("Cancel"))
        self.start_button = self.add_button(self.tr("Begin"), "main")
        self.start_button.clicked.connect(self._begin)
        self.typed = {"player": self.player}
        start.loaded.connect(self._on_loaded)
        start.greeted.connect(self._on_greeted)
        start.started.connect(self.close)
        self._update_buttons()
        start.read()

    def _make_cards(self) -> None:
        line = QHBoxLayout()
        self.search = SearchField(self._look, self.tr("Search characters"))
        self.search.textChanged.connect(self._filter)
        line.addWidget(self.search, 1)
        self.import_button = text_button(self.tr("Import a card…"))
        self.import_button.clicked.connect(self.import_wanted)
        line.addWidget(self.import_button)
        self.body.addLayout(line)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Who plays; several make one scene"))
        self.list.setIconSize(QSize(FACE, FACE))
        self.list.setUniformItemSizes(True)
        self.list.setMinimumHeight(140)
        self.list.itemChanged.connect(self._ask_greetings)
        self.body.addWidget(self.list, 1)
        self._none = label(
            self.tr("No character yet. Import a card: PNG, JSON or CHARX."), "quiet", wrap=True
        )
        self.body.addWidget(self._none)

    def chosen(self) -> list[str]:
        """Return the ids of the ticked cards, from the top."""
        items = [self.list.item(row) for row in range(self.list.count())]
        ticked = [item for item in items if item.checkState() == Qt.CheckState.Checked]
        return [str(item.data(IdRole)) for item in ticked]

    @Slot(object)
    def _on_loaded(self, cast: StartChoices) -> None:
        ticked = set(self.chosen())
        self.list.blockSignals(True)
        self.list.clear()
        for row in cast.rows:
            face = cast.faces.get(row.id)
            icon = QIcon() if face is None or face.isNull() else QIcon(QPixmap.fromImage(face))
            item = QListWidgetItem(icon, row.name)
            item.setData(IdRole, row.id)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_on = row.id in ticked
            item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.list.setVisible(bool(cast.rows))
        self._none.setVisible(not cast.rows)
        clear_layout(self._scenes)
        for scene in cast.scenes:
            button = text_button(literal(scene.title))
            button.clicked.connect(partial(self._begin_scene, scene))
            self._scenes.addWidget(button)
        self._scenes_head.setVisible(bool(cast.scenes))
        self._ask_greetings()

    @Slot(object)
    def _on_greeted(self, greetings: list[str]) -> None:
        chosen = max(0, self.greeting.currentIndex())
        self._greetings = greetings
        self.greeting.clear()
        for number, text in enumerate(greetings, 1):
            self.greeting.addItem(f"{number}. {short(text, 60)}")
        self.greeting.setEnabled(len(greetings) > 1)
        self.greeting.setCurrentIndex(min(chosen, len(greetings) - 1))
        self._show_greeting()

    @Slot()
    def _show_greeting(self) -> None:
        number = self.greeting.currentIndex()
        is_one = 0 <= number < len(self._greetings)
        self._preview.setPlainText(self._greetings[number][:MOST_SHOWN] if is_one else "")

    @Slot()
    def _ask_greetings(self) -> None:
        self._start.ask_greetings(self.chosen(), self.player.text().strip())
        self._update_buttons()

    def _update_buttons(self) -> None:
        self.start_button.setEnabled(bool(self.chosen()))

    @Slot(str)
    def _filter(self, text: str) -> None:
        needle = text.strip().casefold()
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(needle not in item.text().casefold())

    @Slot()
    def _begin(self) -> None:
        number = max(0, self.greeting.currentIndex())
        self._start.start(self.chosen(), number, self.player.text().strip())

    def _begin_scene(self, scene: ScriptedScene, _checked: object = None) -> None:
        self._start.start_scene(scene)
