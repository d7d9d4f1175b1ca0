"""The text a prompt would get: read, copy, and hold it still for some turns."""

from __future__ import annotations

from PySide6.QtCore import QSize, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from engram_desktop.domain.recall.query import Injection
from engram_desktop.viewmodels.recall.question import RecallPageModel
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import kind_button, label, text_button
from engram_desktop.widgets.parts.fields.text_fields import TextField
from engram_desktop.widgets.parts.look.look import Look

TURNS = (5, 10, 20)


class InjectionPanel(QFrame):
    def __init__(self, look: Look, model: RecallPageModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._model = model
        inner = column(self, 14, 8)
        head = QHBoxLayout()
        self.tokens = label("", "quiet")
        head.addWidget(self.tokens, 1)
        head.addWidget(self._make_hold_button())
        self.copy_button = text_button(self.tr("Copy"))
        look.dress(self.copy_button, "copy")
        self.copy_button.setIconSize(QSize(16, 16))
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(self._copy)
        head.addWidget(self.copy_button)
        inner.addLayout(head)
        self.frozen_label = label("", "quiet", wrap=True)
        self.frozen_label.hide()
        inner.addWidget(self.frozen_label)
        self.triage = label("", "quiet", wrap=True)
        self.triage.hide()
        inner.addWidget(self.triage)
        self.text = TextField(self.tr("What a prompt would get"))
        self.text.setReadOnly(True)
        inner.addWidget(self.text, 1)

    def _make_hold_button(self) -> QToolButton:
        self.hold_button = kind_button("plain", self.tr("Hold still"), checkable=False)
        self.hold_button.setToolTip(
            self.tr(
                "Give this very text for some turns, so that the server's prompt cache stays good."
                " It ends early if a memory in it is changed."
            )
        )
        self._look.dress(self.hold_button, "lock")
        self.hold_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        for turns in TURNS:
            menu.addAction(self.tr("For %n turn(s)", "", turns)).triggered.connect(
                lambda _checked=False, n=turns: self._model.freeze(n)
            )
        self.release_action = menu.addAction(self.tr("Compose anew from now on"))
        self.release_action.triggered.connect(lambda _checked=False: self._model.unfreeze())
        self.hold_button.setMenu(menu)
        self.hold_button.setEnabled(False)
        return self.hold_button

    def show_injection(self, injection: Injection) -> None:
        self.text.setPlainText(injection.text)
        self.tokens.setText(self.tr("%n token(s)", "", injection.tokens))
        self.copy_button.setEnabled(bool(injection.text))
        self.hold_button.setEnabled(bool(injection.text))
        until = injection.frozen_until
        self.frozen_label.setVisible(until is not None)
        self.release_action.setEnabled(until is not None)
        if until is not None:
            self.frozen_label.setText(
                self.tr("Held still until floor {floor}.").format(floor=until)
            )

        words = self._triage_words(injection)
        self.triage.setText(words)
        self.triage.setVisible(bool(words))

    def _triage_words(self, injection: Injection) -> str:
        """Say how much memory the message was found to need."""
        if injection.triage_fault:
            why = translated(injection.triage_fault)
            return self.tr("How much is needed could not be asked: {why}").format(why=why)
        triage = injection.triage
        if triage is None:
            return ""
        words = {
            "ROUTINE": self.tr("A small gesture: only what is always visible."),
            "CHAT": self.tr("Ordinary talk: what is recalled, as usual."),
            "EVENT": self.tr("A turning point: what is recalled, and world books."),
        }
        hints = "; ".join(f"{name}: {hint}" for name, hint in triage.directives.items())
        return "\n".join(part for part in (words[triage.level], triage.reasoning, hints) if part)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
