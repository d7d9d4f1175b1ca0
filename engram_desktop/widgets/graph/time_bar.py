"""The bar beneath the graph: up to which floor it is told, and the button that plays it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSlider, QWidget

from engram_desktop.viewmodels.graph.graph_time import GraphTime
from engram_desktop.widgets.parts.basics.elided_label import ElidedLabel
from engram_desktop.widgets.parts.basics.pieces import icon_button, label
from engram_desktop.widgets.parts.look.look import Look


class TimeBar(QFrame):
    def __init__(self, look: Look, time: GraphTime, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._time = time
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 2, 12, 2)
        line.setSpacing(8)
        self.play_button = icon_button(look, "play", self.tr("Play the story forward"))
        self.play_button.clicked.connect(self._on_play)
        line.addWidget(self.play_button)
        caption = ElidedLabel("quiet")
        caption.set_text(self.tr("As of floor"))
        line.addWidget(caption)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("As of floor"))
        self.slider.setMinimumWidth(60)
        self.slider.valueChanged.connect(time.go_to)
        line.addWidget(self.slider, 1)
        self.text = label("", "quiet")
        line.addWidget(self.text)
        self.now_button = icon_button(look, "redo", self.tr("Back to now"))
        self.now_button.clicked.connect(lambda: time.go_to(time.last))
        line.addWidget(self.now_button)
        time.changed.connect(self._show)
        self._show()

    def _on_play(self) -> None:
        if self._time.is_playing:
            self._time.pause()
        else:
            self._time.play()

    def _show(self) -> None:
        time = self._time
        self.setVisible(time.last > 0)
        self.slider.blockSignals(True)
        self.slider.setRange(0, time.last)
        self.slider.setPageStep(max(1, time.last // 20))
        self.slider.setValue(time.floor)
        self.slider.blockSignals(False)
        self.text.setText(f"{time.floor} / {time.last}")
        self.now_button.setEnabled(time.at is not None)
        name = self.tr("Pause") if time.is_playing else self.tr("Play the story forward")
        self._look.dress(self.play_button, "pause" if time.is_playing else "play")
        self.play_button.setToolTip(name)
        self.play_button.setAccessibleName(name)
