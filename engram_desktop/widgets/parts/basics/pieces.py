"""Labels, buttons and frames. Text is always plain: a story may hold any markup."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from engram_desktop.widgets.parts.look.look import Look


def label(text: str = "", tone: str = "", *, wrap: bool = False) -> QLabel:
    """Make a plain-text label; ``tone`` names its style in the style sheet."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if tone:
        made.setProperty("tone", tone)
    return made


def set_tone(made: QWidget, tone: str) -> None:
    """Restyle a widget whose tone changed."""
    if made.property("tone") != tone:
        made.setProperty("tone", tone)
        made.style().unpolish(made)
        made.style().polish(made)


def chip(look: Look, text: str, tint: str = "grey") -> QLabel:
    """Make a small rounded label in the soft colour of ``tint``."""
    made = label(text)
    roles = look.theme.roles
    made.setStyleSheet(
        f"background: {roles[f'{tint}_soft']}; color: {roles[f'{tint}_ink']};"
        "border-radius: 9px; padding: 2px 9px; font-size: 12px;"
    )
    return made


def literal(text: str) -> str:
    """Return what a button or a menu shows as ``text``: a single "&" would mark a key."""
    return text.replace("&", "&&")


def icon_button(look: Look, icon: str, name: str, role: str = "ink2") -> QToolButton:
    """Make a button that shows an icon only; ``name`` is its tooltip and accessible name."""
    made = QToolButton()
    look.dress(made, icon, role)
    made.setIconSize(QSize(18, 18))
    made.setToolTip(name)
    made.setAccessibleName(name)
    return made


def text_button(text: str, role: str = "") -> QPushButton:
    made = QPushButton(text)
    made.setAutoDefault(False)
    if role:
        made.setProperty("role", role)
    return made


def kind_button(kind: str, text: str, *, checkable: bool = True) -> QToolButton:
    """Make a chip, tab or page button: its looks come from the style sheet."""
    made = QToolButton()
    made.setProperty("kind", kind)
    made.setText(text)
    made.setCheckable(checkable)
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return made


def named_frame(name: str) -> QFrame:
    """Make a frame the style sheet knows: a card, a well, a page."""
    made = QFrame()
    made.setObjectName(name)
    return made
