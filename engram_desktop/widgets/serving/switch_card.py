"""The head of the page: the server's switch, its address and key, and how to connect a program."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QVBoxLayout, QWidget

from engram_desktop.viewmodels.serving.front_ends import front_ends
from engram_desktop.viewmodels.serving.serving import Serving
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, column
from engram_desktop.widgets.parts.basics.pieces import (
    icon_button,
    label,
    text_button,
)
from engram_desktop.widgets.parts.look.look import Look

SHOWN_OF_KEY = 4  # characters at its end: enough to tell it from the one before


class SwitchCard(QFrame):
    """What is copied is the whole key; what is seen is its end."""

    settings_wanted = Signal()
    companion_wanted = Signal()

    def __init__(self, look: Look, serving: Serving, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._serving = serving
        rows = column(self, 16, 8)
        rows.addWidget(self._make_head())
        self._about = label(
            self.tr(
                "Chat programs talk to this address instead of their model's. Each reply is"
                " written with the right memories, and becomes memory itself."
            ),
            "quiet",
            wrap=True,
        )
        rows.addWidget(self._about)
        self._where = self._make_address(look)
        rows.addWidget(self._where)
        self._network = label("", "hint", wrap=True)
        rows.addWidget(self._network)
        self._add_connecting(rows)
        serving.changed.connect(self._refresh)
        self._refresh()

    def _make_head(self) -> QWidget:
        whole = QWidget()
        head = FlowLayout(whole, 8)
        self._state = label("", "heading")
        head.addWidget(self._state)
        head.push()
        self.starts_box = QCheckBox(self.tr("Start with the program"))
        self.starts_box.setChecked(self._serving.starts_by_itself)
        self.starts_box.clicked.connect(
            lambda is_on: self._serving.set_starts_by_itself(on=bool(is_on))
        )
        head.addWidget(self.starts_box)
        self.settings_button = text_button(self.tr("Settings…"))
        self.settings_button.clicked.connect(self.settings_wanted)
        head.addWidget(self.settings_button)
        self.switch_button = text_button("", "main")
        self.switch_button.clicked.connect(self._serving.switch)
        head.addWidget(self.switch_button)
        return whole

    def _make_address(self, look: Look) -> QWidget:
        where = QWidget()
        line = FlowLayout(where, 8)
        line.addWidget(label(self.tr("Address"), "quiet"))
        self._url = label("", "strong")
        line.addWidget(self._url)
        self.copy_url = icon_button(look, "copy", self.tr("Copy the address"))
        self.copy_url.clicked.connect(lambda: self._copy("url"))
        line.addWidget(self.copy_url)
        line.addWidget(label(self.tr("Key"), "quiet"))
        self._key = label("", "strong")
        line.addWidget(self._key)
        self.copy_key = icon_button(look, "copy", self.tr("Copy the key"))
        self.copy_key.clicked.connect(lambda: self._copy("key"))
        line.addWidget(self.copy_key)
        self.renew_button = icon_button(
            look, "refresh", self.tr("Make another key: programs with this one are refused then")
        )
        self.renew_button.clicked.connect(self._serving.renew_key)
        line.addWidget(self.renew_button)
        return where

    def _add_connecting(self, rows: QVBoxLayout) -> None:
        self._connecting = QWidget()
        inner = column(self._connecting, 0, 6)
        choice = QWidget()
        line = FlowLayout(choice, 8)
        line.addWidget(label(self.tr("Connect"), "section"))
        self.program = QComboBox()
        self.program.setAccessibleName(self.tr("Connect"))
        self._programs = front_ends()
        for program in self._programs:
            self.program.addItem(program.name)
        self.program.currentIndexChanged.connect(lambda _n: self._refresh())
        line.addWidget(self.program)
        self.companion_button = text_button(self.tr("Companion for SillyTavern…"))
        self.companion_button.clicked.connect(self.companion_wanted)
        line.addWidget(self.companion_button)
        inner.addWidget(choice)
        self._steps = label("", "", wrap=True)
        inner.addWidget(self._steps)
        rows.addWidget(self._connecting)

    def _copy(self, what: str) -> None:
        address = self._serving.address
        if address is not None:
            self._serving.copy(address.url if what == "url" else address.key)

    @Slot()
    def _refresh(self) -> None:
        serving, address = self._serving, self._serving.address
        is_on = address is not None
        on, off = self.tr("Memory server: on"), self.tr("Memory server: off")
        self._state.setText(on if is_on else off)
        self.switch_button.setText(self.tr("Stop") if is_on else self.tr("Start"))
        self.switch_button.setEnabled(serving.can_run and not serving.is_busy)
        self._where.setVisible(is_on)
        self._connecting.setVisible(is_on)
        self._network.setVisible(is_on and bool(self._warning()))
        self._network.setText(self._warning())
        if address is None:
            return
        self._url.setText(address.url)
        self._key.setText("••••" + address.key[-SHOWN_OF_KEY:])
        shown_key = self.tr("(copied above)")
        self._steps.setText(
            self._programs[self.program.currentIndex()].text(address.url, shown_key)
        )

    def _warning(self) -> str:
        """Say what stands in the way, or is to be known."""
        address, lines = self._serving.address, []
        if not self._serving.has_endpoint:
            lines.append(
                self.tr("No endpoint is set up: there is nowhere to send requests to. Settings…")
            )
        if address is not None and address.others:
            others = self.tr(", ", "between addresses").join(address.others)
            lines.append(self.tr("Open to the network: {addresses}").format(addresses=others))
        if address is not None and not address.is_key_kept:
            lines.append(self.tr("The key could not be kept: the next start makes another."))
        return "\n".join(lines)
