"""Labels, buttons and frames. Text is always plain: a story may hold any markup."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from engram_desktop.widgets.parts.look.look import Look

CHIP_HEIGHT = 30  # the least at which the style sheet can round one, whatever the font


def label(text: str = "", tone: str = "", *, wrap: bool = False) -> QLabel:
    """Make a plain-text label; ``tone`` names its style in the style sheet."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setWordWrap(wrap)
    if tone:
        widget.setProperty("tone", tone)
    return widget


def set_tone(widget: QWidget, tone: str) -> None:
    """Give a widget another tone, and restyle it if that is one."""
    if widget.property("tone") != tone:
        widget.setProperty("tone", tone)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def chip(look: Look, text: str, tint: str = "grey") -> QLabel:
    """Make a small rounded label in the soft colour of ``tint``."""
    widget = label(text)
    roles = look.theme.roles
    widget.setStyleSheet(
        f"background: {roles[f'{tint}_soft']}; color: {roles[f'{tint}_ink']};"
        "border-radius: 9px; padding: 2px 9px; font-size: 12px;"
    )
    return widget


def literal(text: str) -> str:
    """Return what a button or a menu shows as ``text``: a single "&" would mark a key."""
    return text.replace("&", "&&")


def icon_button(look: Look, icon: str, name: str, role: str = "ink2") -> QToolButton:
    """Make a button that shows an icon only; ``name`` is its tooltip and accessible name."""
    button = QToolButton()
    look.dress(button, icon, role)
    button.setIconSize(QSize(18, 18))
    button.setToolTip(name)
    button.setAccessibleName(name)
    return button


def text_button(text: str, role: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    if role:
        button.setProperty("role", role)
    return button


def kind_button(kind: str, text: str, *, checkable: bool = True) -> QToolButton:
    """Make a chip, tab or page button: its looks come from the style sheet."""
    button = QToolButton()
    button.setProperty("kind", kind)
    button.setText(text)
    button.setCheckable(checkable)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    if kind == "chip":
        button.setMinimumHeight(CHIP_HEIGHT)
    return button


def named_frame(name: str) -> QFrame:
    """Make a frame the style sheet knows: a card, a well, a page."""
    frame = QFrame()
    frame.setObjectName(name)
    return frame
