"""How everything looks: the theme's roles, icons in a role's colour, the style sheet made of them.

Widgets ask for a role, never for a colour, and listen to `Look.changed` if they keep a picture.
"""

from __future__ import annotations

import string
import tomllib
import weakref
from dataclasses import dataclass
from functools import lru_cache

import shiboken6
from PySide6.QtCore import QByteArray, QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QFontDatabase, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from engram_desktop.shipped import resource
from engram_desktop.widgets.parts.look.app_filter import AppFilter
from engram_desktop.widgets.parts.look.motion import Motion
from engram_desktop.widgets.parts.look.wardrobe import Wardrobe

THEMES = ("light", "dark")
DENSITIES = {"compact": 64, "comfortable": 96}
FALLBACK_FACES = ["Microsoft YaHei UI", "PingFang SC", "Noto Sans CJK SC", "Noto Sans SC"]
# A character that both languages write has its own shape in each: 直, 骨.
FALLBACK_FACES_JA = ["Yu Gothic UI", "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP"]


@dataclass(frozen=True)
class Theme:
    """Colours by role, as the TOML file gives them."""

    name: str
    is_dark: bool
    roles: dict[str, str]


@lru_cache(maxsize=4)
def load_theme(name: str) -> Theme:
    data = tomllib.loads(resource(f"themes/{name}.toml").read_text("utf-8"))
    return Theme(data["name"], data["dark"], dict(data["roles"]))


@lru_cache(maxsize=128)
def _svg(name: str) -> str:
    return resource(f"icons/{name}.svg").read_text("utf-8")


def draw_icon(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """Draw an icon in one colour at ``size`` device-independent pixels."""
    renderer = QSvgRenderer(QByteArray(_svg(name).replace("#000", colour).encode()))
    pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size * ratio, size * ratio))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


class Look(QObject):
    """One per application. `apply` switches live."""

    changed = Signal()

    def __init__(self, app: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self.theme = load_theme("light")
        self.choice = "system"
        self.density = "comfortable"
        self._dressed: weakref.WeakKeyDictionary[QObject, tuple[str, str]] = (
            weakref.WeakKeyDictionary()
        )
        self._icons: dict[tuple[str, str], QIcon] = {}  # of the theme shown
        app.setStyle("Fusion")
        _set_font(app, "")
        self.motion = Motion(self)
        self._wardrobe = Wardrobe(self)
        self._filter = AppFilter(self)
        self._filter.opened.connect(self._wardrobe.meet)
        app.installEventFilter(self._filter)
        app.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)
        self._restyle()

    def speak(self, language: str) -> None:
        """Write in the faces of a language from now on."""
        _set_font(self._app, language)

    def stop_watching(self) -> None:
        """Remove the event filter from the application, so that freeing widgets calls no Python."""
        self._app.removeEventFilter(self._filter)
        self._wardrobe.forget()

    def free(self, window: QWidget) -> None:
        """Free a window at once. Nobody watches: each of 3,000 widgets would call Python often."""
        self._app.removeEventFilter(self._filter)
        window.deleteLater()
        QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete.value)
        self._app.installEventFilter(self._filter)

    def color(self, role: str) -> QColor:
        return QColor(self.theme.roles[role])

    @property
    def card_height(self) -> int:
        return DENSITIES[self.density]

    def icon(self, name: str, role: str = "ink2") -> QIcon:
        """Return an icon for widgets that are rebuilt anyway; others use `dress`."""
        icon = self._icons.get((name, role))
        if icon is None:
            icon = self._icons[name, role] = QIcon()
            for ratio in {1.0, self._app.devicePixelRatio()}:
                pixmap = draw_icon(name, self.theme.roles[role], 18, ratio)
                icon.addPixmap(pixmap, QIcon.Mode.Normal)
                icon.addPixmap(pixmap, QIcon.Mode.Selected)
                faint_pixmap = draw_icon(name, self.theme.roles["ink3"], 18, ratio)
                icon.addPixmap(faint_pixmap, QIcon.Mode.Disabled)
        return QIcon(icon)

    def pixmap(self, name: str, role: str, size: int) -> QPixmap:
        return draw_icon(name, self.theme.roles[role], size, self._app.devicePixelRatio())

    def dress(self, wearer: QAbstractButton | QAction, name: str, role: str = "ink2") -> None:
        """Give a button or an action an icon that follows the theme."""
        self._dressed[wearer] = (name, role)
        wearer.setIcon(self.icon(name, role))

    def clothe(self, part: QWidget) -> None:
        """Let a part of the main window wear the style sheet; other windows wear it by themselves.

        It is put on when the part is shown: what is built undressed takes half of the time.
        """
        self._wardrobe.add(part)

    def dress_ahead(self, part: QWidget) -> bool:
        """Put the style sheet on a part before it is shown. False if it wears it."""
        return self._wardrobe.dress(part)

    def dress_next(self, window: QWidget) -> bool:
        """Put the style sheet on a part of ``window``. False if all of them wear it."""
        return self._wardrobe.dress_one_of(window)

    def apply(self, choice: str, density: str | None = None) -> None:
        """Show ``system``, ``light`` or ``dark``."""
        self.choice = choice
        if density is not None:
            self.density = density
        theme = load_theme(self._theme_name())
        if theme is not self.theme:
            self.theme = theme
            self._restyle()
        self.changed.emit()

    def _theme_name(self) -> str:
        if self.choice in THEMES:
            return self.choice
        is_dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return "dark" if is_dark else "light"

    def _on_scheme_changed(self) -> None:
        if self.choice == "system":
            self.apply("system")

    def _restyle(self) -> None:
        roles = self.theme.roles
        self._icons.clear()
        self._app.setPalette(_palette(roles))
        template = string.Template(resource("themes/window.qss").read_text("utf-8"))
        pictures = {
            f"icon_{name}": resource(f"themes/{self.theme.name}-{name}.svg").as_posix()
            for name in ("down", "up", "check")
        }
        self._wardrobe.change(template.substitute(roles | pictures))
        for wearer, (name, role) in list(self._dressed.items()):
            if shiboken6.isValid(wearer):
                wearer.setIcon(self.icon(name, role))  # type: ignore[attr-defined]  # dress() took it


def _palette(roles: dict[str, str]) -> QPalette:
    palette = QPalette()
    group = QPalette.ColorRole
    for which, role in (
        (group.Window, "bg"),
        (group.WindowText, "ink"),
        (group.Base, "panel"),
        (group.AlternateBase, "side"),
        (group.Text, "ink"),
        (group.Button, "panel"),
        (group.ButtonText, "ink"),
        (group.ToolTipBase, "panel"),
        (group.ToolTipText, "ink"),
        (group.Highlight, "accent"),
        (group.HighlightedText, "on_accent"),
        (group.Link, "accent_ink"),
        (group.PlaceholderText, "ink3"),
    ):
        palette.setColor(which, QColor(roles[role]))
    for which in (group.Text, group.WindowText, group.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(roles["ink3"]))
    return palette


def _set_font(app: QApplication, language: str) -> None:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    own_faces = FALLBACK_FACES_JA if language == "ja" else []
    font.setFamilies([font.family(), *own_faces, *FALLBACK_FACES])
    font.setPixelSize(13)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    app.setFont(font)
