"""The look of the application: the theme's roles, icons, style sheets, and the tooltip filter.

Widgets use roles, never colours, and connect to `Look.changed` if they cache a picture.

The style sheet is set on the parts of a window: visible parts soon, the others when shown. One
sheet on the application costs 1.2 s at a change of theme, in one uninterruptible call of Qt: it
styles every widget, most of them several times. A part costs 2 to 40 ms and has its own turn of the
event loop. Nothing is painted before the last part is styled, so no window is half dark.

An event filter makes all tooltips plain text, and lets the wheel change only focused fields. Qt
interprets a tooltip that looks like markup as HTML and opens files named in it, so that a story
could make a window read a device for ever. The filter shows every tooltip of the program, also
those of future widgets and delegates; Qt's own code for tooltips is never reached.
"""

from __future__ import annotations

import html
import string
import sys
import time
import tomllib
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Protocol, TypeGuard, runtime_checkable

import shiboken6
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QObject,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontDatabase,
    QHelpEvent,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QListView,
    QMainWindow,
    QScrollBar,
    QTabBar,
    QToolTip,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.values import dataclass
from engram_desktop.places import resource
from engram_desktop.widgets.parts.motion import Motion

# classes that change a value when the wheel turns over them, except scroll bars
TURNED_BY_WHEEL = (QAbstractSlider, QAbstractSpinBox, QComboBox, QTabBar)
# Qt's own objects that a filter of the application receives: PySide makes the Python class
# of each when it is first met. Inside the filter, that happens in the middle of what Qt is
# doing, and other programs ended in a segmentation fault there. What our own modules import is
# made by that.
_MADE_BY_QT = {
    QtCore: "QAbstractItemModel QChildEvent QDynamicPropertyChangeEvent QEventLoop"
    " QItemSelectionModel QPropertyAnimation QThread QTimer QTimerEvent",
    QtGui: "QAbstractTextDocumentLayout QStandardItemModel QStyleHints QTextDocument QWindow",
    QtWidgets: "QAbstractItemDelegate QCommonStyle QHeaderView QLabel QLineEdit QListView QMenu"
    " QProxyStyle QScrollBar QSplitterHandle QStyledItemDelegate QToolButton",
}
_TOOL_TIP, _WHEEL = QEvent.Type.ToolTip, QEvent.Type.Wheel
_POLISH, _SHOW = QEvent.Type.Polish, QEvent.Type.Show
_ANSWERED = {QHelpEvent, QWheelEvent, QtGui.QShowEvent}  # asking for the type takes 1.3 µs
_is_window = QWidget.isWindow  # looking it up in an object takes twice as long as the call


@runtime_checkable
class TipSource(Protocol):
    """A widget whose tooltip depends on the position in it."""

    def tip_at(self, at: QPoint) -> str: ...


def as_markup(text: str) -> str:
    """Return markup that shows ``text`` literally, even if it contains markup.

    It is a paragraph, because Qt wraps a tooltip at the edge of the screen only if it is markup.
    """
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>' if text else ""


class AppFilter(QObject):
    """Installed once, on the application, and removed before the window is freed."""

    opened = Signal(object)  # QWidget: a window that is about to be shown

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turned: dict[type, bool | None] = {}  # by class; None: not a widget
        for module, names in _MADE_BY_QT.items():
            for name in names.split():
                getattr(module, name)
        for name in dir(QtGui):
            if name.endswith("Event"):
                getattr(QtGui, name)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        made = type(event)
        if made is QEvent:
            if self._may_be_polished(watched) and event.type() == _POLISH:
                self._on_polish(watched)
            return False
        kind = event.type() if made in _ANSWERED else None
        if kind == _TOOL_TIP and isinstance(event, QHelpEvent) and isinstance(watched, QWidget):
            text, area = _tip(watched, event.pos())
            event.setAccepted(bool(text))  # if ignored, Qt asks the parent
            if text:
                wait = watched.toolTipDuration()
                QToolTip.showText(event.globalPos(), as_markup(text), watched, area, wait)
            return True
        if kind == _WHEEL and isinstance(event, QWheelEvent):
            if _is_turned(watched) and not watched.hasFocus():  # type: ignore[attr-defined]
                event.ignore()  # the scroll area around it handles it
                return True
        elif kind == _SHOW and isinstance(watched, QWidget) and watched.isWindow():
            self.opened.emit(watched)
        return False

    def _may_be_polished(self, watched: QObject) -> TypeGuard[QWidget]:
        """Return whether it is a window, or a field whose value the wheel would change.

        Nine of ten events are other ones for a part of a window: this check takes a third of the
        time of asking such an event for its type.
        """
        kind = type(watched)
        if kind not in self._turned:
            is_widget = issubclass(kind, QWidget)
            self._turned[kind] = issubclass(kind, TURNED_BY_WHEEL) if is_widget else None
        is_turned = self._turned[kind]
        return is_turned or (is_turned is False and _is_window(watched))  # type: ignore[arg-type]

    def _on_polish(self, watched: QWidget) -> None:
        if _is_turned(watched):
            _leave_focus(watched)
        elif _is_opened(watched):
            self.opened.emit(watched)


def _leave_focus(field: QWidget) -> None:
    """Let a field take the focus by a click or Tab, never by the wheel."""
    if field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _leave_fields(part: QWidget) -> None:
    """Apply `_leave_focus` to each field in a part that the wheel would change."""
    for kind in TURNED_BY_WHEEL:
        for field in part.findChildren(kind):
            if _is_turned(field):
                _leave_focus(field)


def _is_opened(widget: QWidget) -> bool:
    """Return whether it opens over a window; a part without a parent is only being built."""
    if not widget.isWindow() or widget.windowType() == Qt.WindowType.Window:
        return False
    parent = widget.parentWidget()
    return parent is None or parent.window().isVisible()


def _is_turned(watched: QObject) -> bool:
    return isinstance(watched, TURNED_BY_WHEEL) and not isinstance(watched, QScrollBar)


def _tip(widget: QWidget, at: QPoint) -> tuple[str, QRect]:
    """Return the tooltip at a position of a widget, and the rectangle for which it is valid."""
    if isinstance(widget, TipSource):
        return widget.tip_at(at), QRect()
    view = widget.parentWidget()
    if isinstance(view, QAbstractItemView) and view.viewport() is widget:
        return _tip_of_item(view, at)
    if isinstance(view, QtWidgets.QGraphicsView) and view.viewport() is widget:
        return next((i.toolTip() for i in view.items(at) if i.toolTip()), ""), QRect()
    if isinstance(widget, QTabBar):
        tab = widget.tabAt(at)
        return (widget.tabToolTip(tab) if tab >= 0 else ""), widget.tabRect(tab)
    return widget.toolTip(), QRect()


def _tip_of_item(view: QAbstractItemView, at: QPoint) -> tuple[str, QRect]:
    role = Qt.ItemDataRole.ToolTipRole
    if isinstance(view, TipSource):
        return view.tip_at(at), view.visualRect(view.indexAt(at))
    if isinstance(view, QHeaderView):
        section = view.logicalIndexAt(at)
        model = view.model()
        tip = model.headerData(section, view.orientation(), role) if section >= 0 else None
        return str(tip or ""), QRect()
    index = view.indexAt(at)
    return (
        (str(index.data(role) or ""), view.visualRect(index)) if index.isValid() else ("", QRect())
    )


COMPLETIONS = "completions"  # name of a list that opens below a field
TURN_SECONDS = 0.006  # of drawing icons before the window has its turn
SHARE_OF_SCREEN = 0.8  # of the screen that Qt's own file dialog may take


class StyleSheets(QObject):
    """Holds the parts and the sheet of each; sets sheets with the filter off (``unwatched``)."""

    def __init__(
        self, unwatched: Callable[[], AbstractContextManager[None]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._unwatched = unwatched
        self._sheet = ""
        self._icons: Iterator[None] = iter(())
        self._parts: weakref.WeakKeyDictionary[QWidget, str] = weakref.WeakKeyDictionary()
        self._waiting: list[QWidget] = []
        self._held: list[QWidget] = []  # windows that do not paint until they are styled
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._apply_to_next)

    def add(self, part: QWidget) -> None:
        """Style a part of a window, with its children, when it is shown."""
        self._parts[part] = ""
        part.installEventFilter(self)
        if part.isVisible():
            self.apply(part)

    @Slot(object)
    def add_window(self, window: QWidget) -> None:
        """Style a window that Qt is about to show first, unless it is part of a styled one."""
        above: QWidget | None = window
        while above is not None:
            if above in self._parts:
                return
            above = above.parentWidget()
        if not isinstance(window, QMainWindow) and not window.inherits("QTipLabel"):
            if isinstance(window, QAbstractItemView) and not window.objectName():
                window.setObjectName(COMPLETIONS)  # so those of Qt's own dialogs have a ground
            self._parts[window] = ""
            window.installEventFilter(self)
            self.apply(window)

    def is_on(self, part: QWidget) -> bool:
        return self._parts.get(part) == self._sheet

    def apply(self, part: QWidget) -> bool:
        """Set the sheet on a part. Return False if the part already has it."""
        if self.is_on(part):
            return False
        self._parts[part] = self._sheet
        with self._unwatched():
            part.setStyleSheet(self._sheet)
        return True

    def apply_next(self, window: QWidget) -> bool:
        """Set the sheet on the next unstyled part of ``window``. Return False if there is none."""
        return any(self.apply(part) for part in self._living() if part.window() is window)

    def change(self, sheet: str, icons: Iterator[None]) -> None:
        """Use another sheet: visible parts get it soon, the others when they are shown."""
        self._sheet, self._icons = sheet, icons
        self._waiting = [p for p in self._living() if p.isVisible()]
        for window in {p.window() for p in self._waiting}:
            if window.updatesEnabled():
                window.setUpdatesEnabled(False)
                self._held.append(window)
        self._turn.start()

    def forget(self) -> None:
        """Remove the event filters from all parts, so that freeing widgets calls no Python."""
        self._turn.stop()
        self._release()
        for part in self._living():
            part.removeEventFilter(self)
        self._parts.clear()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self.apply(watched)
            if watched.inherits("QFileDialog"):
                _hold_to_screen(watched)
        return False

    def _living(self) -> list[QWidget]:
        return [part for part in list(self._parts) if shiboken6.isValid(part)]

    @Slot()
    def _apply_to_next(self) -> None:
        until = time.perf_counter() + TURN_SECONDS
        if any(time.perf_counter() > until for _drawn in self._icons):  # iterating draws them
            return
        while self._waiting:
            part = self._waiting.pop(0)
            if shiboken6.isValid(part) and self.apply(part):
                return
        self._turn.stop()
        self._release()

    def _release(self) -> None:
        held, self._held = self._held, []
        for window in filter(shiboken6.isValid, held):
            window.setUpdatesEnabled(True)


def _hold_to_screen(dialog: QWidget) -> None:
    """Let Qt's own file dialog show all of itself: on the screen, and wide enough for names."""
    room = dialog.screen().availableGeometry().size() * SHARE_OF_SCREEN
    dialog.resize(dialog.size().expandedTo(QSize(820, 520)).boundedTo(room))


_ICONS = resource("icons")
STYLE = "fusion"
THEMES = ("light", "dark")
DENSITIES = {"compact": 64, "comfortable": 96}
FALLBACK_FACES = ["Microsoft YaHei UI", "PingFang SC", "Noto Sans CJK SC", "Noto Sans SC"]
# A character that both languages write has its own shape in each: 直, 骨.
FALLBACK_FACES_JA = ["Yu Gothic UI", "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP"]


@dataclass(frozen=True)
class Theme:
    """Colours by role, as in the TOML file."""

    name: str
    roles: dict[str, str]


@lru_cache(maxsize=4)
def load_theme(name: str) -> Theme:
    data = tomllib.loads(resource(f"themes/{name}.toml").read_text("utf-8"))
    return Theme(data["name"], dict(data["roles"]))


@lru_cache(maxsize=128)
def _svg(name: str) -> str:
    return (_ICONS / f"{name}.svg").read_text("utf-8")


def draw_icon(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    """Draw an icon in one colour at ``size`` device-independent pixels, cached for all windows."""
    key, pixmap = f"engram {name} {colour} {size} {ratio}", QPixmap()
    if QtGui.QPixmapCache.find(key, pixmap):
        return pixmap
    renderer = QSvgRenderer(QByteArray(_svg(name).replace("#000", colour).encode()))
    pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size * ratio, size * ratio))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    QtGui.QPixmapCache.insert(key, pixmap)
    return pixmap


class Look(QObject):
    """The look of the application, one instance. `apply` switches the theme at run time."""

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
        if app.style().name() != STYLE:  # setting it again polishes every widget
            app.setStyle(STYLE)
        _set_font(app, "")
        self.motion = Motion(self)
        self._filter: AppFilter | None = None
        self._unwatched = 0  # nested blocks in which the filter is off
        self._sheets = StyleSheets(self.unwatched, self)
        self._watching = self._begin_to_watch()
        app.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)
        self._restyle()

    def speak(self, language: str) -> None:
        """Use the fonts of a language from now on."""
        _set_font(self._app, language)

    def watch(self) -> None:
        """Handle tooltips and the wheel, and style windows that open, from now on.

        Called after the first picture of a start is painted: the filter in Python runs for each of
        10,000 events of making a window, and PySide makes 200 classes when it first meets objects
        of unknown classes, such as those inside a list.
        """
        while self.watch_next():
            pass

    def watch_next(self) -> bool:
        """Do a part of `watch`, at most 15 ms of work. Return False if all is done."""
        return next(self._watching, False)

    def _begin_to_watch(self) -> Iterator[bool]:
        network = sys.modules.get("PySide6.QtNetwork")
        for name in dir(network) if network else ():
            getattr(network, name)
        yield True
        QListView().viewport()  # is looked for among all kinds of widgets
        yield True
        self._app.children()  # and these among all kinds of objects
        yield True
        self._filter = AppFilter(self)
        self._filter.opened.connect(self._sheets.add_window)
        for window in self._app.topLevelWidgets():
            _leave_fields(window)
        if not self._unwatched:
            self._app.installEventFilter(self._filter)

    def stop_watching(self) -> None:
        """Remove the event filter from the application, so that freeing widgets calls no Python."""
        if self._filter is not None:
            self._app.removeEventFilter(self._filter)
            self._filter = None
        self._sheets.forget()

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Turn the filter off in a block that makes, styles or frees widgets, and never waits.

        The filter runs in Python for each of thousands of events: half of the time of making a
        page. `clothe` and `style_window` do its work for the widgets made there.
        """
        self._unwatched += 1
        if self._filter is not None:
            self._app.removeEventFilter(self._filter)
        try:
            yield
        finally:
            self._unwatched -= 1
            if self._filter is not None and not self._unwatched:
                self._app.installEventFilter(self._filter)

    def free(self, window: QWidget) -> None:
        """Free a window at once."""
        with self.unwatched():
            window.deleteLater()
            QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete.value)

    def color(self, role: str) -> QColor:
        return QColor(self.theme.roles[role])

    @property
    def card_height(self) -> int:
        return DENSITIES[self.density]

    def icon(self, name: str, role: str = "ink2") -> QIcon:
        """Return an icon for widgets that are rebuilt anyway; others use `set_icon`."""
        icon = self._icons.get((name, role))
        if icon is None:
            icon = self._icons[name, role] = QIcon()
            for ratio in {1.0, self._app.devicePixelRatio()}:
                colours = (self.theme.roles[role], self.theme.roles["ink3"])
                pixmap, faint = (draw_icon(name, colour, 18, ratio) for colour in colours)
                icon.addPixmap(pixmap, QIcon.Mode.Normal)
                icon.addPixmap(pixmap, QIcon.Mode.Selected)
                icon.addPixmap(faint, QIcon.Mode.Disabled)
        return QIcon(icon)

    def pixmap(self, name: str, role: str, size: int) -> QPixmap:
        return draw_icon(name, self.theme.roles[role], size, self._app.devicePixelRatio())

    def set_icon(self, wearer: QAbstractButton | QAction, name: str, role: str = "ink2") -> None:
        """Set an icon on a button or an action that follows the theme."""
        self._dressed[wearer] = (name, role)
        wearer.setIcon(self.icon(name, role))

    def clothe(self, part: QWidget) -> None:
        """Style a part of the main window when it is shown; other windows are styled automatically.

        Building a part before it is styled takes half of the time.
        """
        _leave_fields(part)
        self._sheets.add(part)

    def style_window(self, window: QWidget) -> None:
        """Style a window that was made with the filter off, before it is shown."""
        _leave_fields(window)
        self._sheets.add_window(window)

    def is_styled(self, part: QWidget) -> bool:
        return self._sheets.is_on(part)

    def style_before_shown(self, part: QWidget) -> bool:
        """Set the style sheet on a part before it is shown. Return False if it already has it."""
        return self._sheets.apply(part)

    def style_next(self, window: QWidget) -> bool:
        """Set the style sheet on a part of ``window``. Return False if all parts have it."""
        return self._sheets.apply_next(window)

    def apply(self, choice: str, density: str | None = None) -> None:
        """Apply ``system``, ``light`` or ``dark``; the same look again draws nothing again."""
        self.choice = choice
        theme = load_theme(self._theme_name())
        before = (self.theme, self.density)
        self.theme, self.density = theme, density or self.density
        if theme is not before[0]:
            self._restyle()
        if (self.theme, self.density) != before:
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
        self._sheets.change(template.substitute(roles | pictures), self._style_all())

    def _style_all(self) -> Iterator[None]:
        for wearer, (name, role) in list(self._dressed.items()):
            if shiboken6.isValid(wearer):
                wearer.setIcon(self.icon(name, role))  # type: ignore[attr-defined]  # set_icon() took it
                yield


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
