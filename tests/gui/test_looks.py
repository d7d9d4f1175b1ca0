"""Everything has a place, a name, and room for its text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import pytest
import shiboken6
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QMetaMethod,
    QModelIndex,
    QObject,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QSplitter,
    QSplitterHandle,
    QToolButton,
    QWidget,
)

from engram_desktop.app.i18n import LANGUAGES
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, NewestAnswer
from engram_desktop.widgets.events.shapes import SHAPES
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import FloorSlider
from engram_desktop.widgets.parts.fields.text_fields import LineField, WordChips
from engram_desktop.widgets.parts.layouts import PlainSplitter, TabRow, screen_room
from engram_desktop.widgets.parts.look import THEMES, AppFilter
from engram_desktop.widgets.recall.lab_page import LabPage
from engram_desktop.widgets.recall.recall_page import RecallPage
from engram_desktop.widgets.window.page_stack import PAGES
from tests.gui.cut_texts import SLACK, faults
from tests.gui.made_texts import made_texts
from tests.gui.places import dialog_names, menus, open_dialog, places
from tests.gui.waiting import settle

# What a page, a panel or a dialog makes is seen, lies over nothing else, and is listened to.

# Texts that are asked for whenever a widget is made, and put up only where they apply.
ONLY_WHERE_IT_APPLIES = {
    "CharactersDialog": {
        *("Personality", "Scenario", "First message", "Examples", "Creator's notes"),
        *("System prompt", "After the chat", "Character's note", "Chats:"),
    },
    "FileCard": {"Character card"},
    "GroupsDialog": {"Take back"},  # of a note of who joins
    "GapSection": {  # see test_graph_gaps.py
        "Named here, and no event of this floor is linked to it"
    },
    "VolumesDialog": {  # see test_volumes.py
        "It was made of this chat: choose another one to read it.",
        *("… and {count} more", "(nobody knows all of it)", "(known to {names})"),
    },
    "ReviewDialog": {"Correct what is wrong; leave out what is not worth keeping."},
    "SwitchCard": {"Memory server: on", "(copied above)"},  # while the server runs
    "Sidebar": {"The memory server runs"},
    "FindingPage": {  # see test_finding_page.py
        "Nothing is known of what {name} hears",
        "Nobody of that name speaks, is spoken to or acts in this story.",
        *("No finding matches", "Try fewer words, or another kind.", "Show all"),
        *("Nothing yet at this floor", "Move the slider on.", "Nothing found"),
        "Nothing that {name} knows of",
        "Only what follows from what {name} says, hears and thinks counts.",
        "Lies, mistakes, contradictions, promises and what is no longer so appear here "
        "when the story tells of them. No model is needed.",
    },
    "FindingDetail": {"Your answer; once more takes it back"},
    "LaneView": {"{who}: {text} ({status}, floors {floors})"},
    "NextPromptView": {"For “{text}” (floor {floor})"},  # elided: the whole on hover
    "ExchangePanel": {"Do not use this memory again"},
    "ChatView": {  # painted beside and below messages, and told to screen readers
        "Show thoughts and panels",
        "Hide thoughts and panels",
        *("floor {floor}", "hidden from the prompt", "Show more of it", "Thinking…"),
        *("The reading before this one", "The next reading"),
    },
    "RowEditor": {"The message", "Cancel", "Save"},
    "RowMenu": {  # at the right click, which `test_reading_page` makes
        *("Copy", "Remember this…", "Its memory on the events page", "Who knows this…"),
        "See everything as of here",
        *("Edit here", "Hide from prompts", "Show to prompts", "Fork here"),
        *("Make of these words", "An event…", "A fact of somebody or something…"),
        *("An open thread: a promise, a hint", "A person, place or thing", "No longer a thread"),
    },
    "SuggestionCard": {"Not the same"},
    "WitnessPage": {  # of a story without persons: see test_witness_grid.py
        "Nobody is known yet. Add a person to say who was there."
    },
    "StepStrip": {  # the one step that is next, which `test_overview_page` and others see
        *("What they told becomes events once you have looked through it.", "Review…"),
        *("The answers were kept: mend them, or ask again.", "Look at them…", "Decide…"),
        "A summary turns them into events you can read, correct and recall.",
        *("Summarise…", "Consolidated, they are recalled when the story needs them."),
        *("Consolidate…", "Made without a model, on this computer", "Connect a model…"),
        "With a model, the story, the people and what binds them get richer.",
        *("Memory is up to date", "Play on"),
    },
    "TavernStep": {"Looking in the places it is usually put…"},
    "ModelStep": {"Looking for servers on this computer…"},
    "FailuresDialog": {"There was no answer."},
    "TraceCard": {"Nothing spoke for it"},
    "HitCard": {"This answers it (for the lab)", "Do not use again", "Show its lines in the text"},
    "NoticeBar": {"Dismiss"},
    "WorldbookPage": {
        "This chat wants a world book that is not in the library: {names}. Import it.",
        "Give the selected entries this mode",  # behind the name of each
    },
    "WorldbookPanel": {"Nothing is known of {names}: it is sent as it stands."},
    "EntryForm": {"They differ"},
    # until what was asked for is there
    "ConsolidateDialog": {"Planning…"},
    "ReflectDialog": {"Planning…"},
    "SummariseDialog": {"Planning…"},
    "TrimDialog": {"Planning…"},
    "HealthDialog": {"Checking…"},
    "MergeWorldbookDialog": {"Comparing…"},
    "DuplicatesDialog": {"Comparing…"},
    "ManyPanel": {"Mixed: what is typed replaces it in all"},  # where the chosen differ
}
# Signals that one of several users has no use for.
NOT_ASKED_FOR = {
    ("AnswerTable", "delete_wanted"),  # what follows from the story is not deleted
    ("EmptyState", "acted"),  # some offer no button
    ("GraphCanvas", "background_clicked"),  # the small graph beside a recall
    ("Tabs", "changed"),
    ("TextView", "swipe_pressed"),  # other readings are chosen where the chat is played
    ("TextView", "note_pressed"),
    ("ChatView", "seen_changed"),  # where it is played there are no marks to be read
    ("CardTable", "edit_wanted"),  # private logs are edited beside the list
}
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
FOR_WHOM_IT_MATTERS = {
    *(("LiveQuery", "asked"), ("LiveQuery", "busy_changed")),
    *(("NewestAnswer", "ended"), ("NewestAnswer", "busy_changed")),
}
UNTIL_IT_IS_THERE = ("Planning…", "Checking…", "Comparing…")
OF_BUTTONS = ("clicked", "toggled", "pressed", "released")
OF_CHOICES = (
    *("activated", "currentIndexChanged", "currentTextChanged", "valueChanged"),
    *("editingFinished", "changed", "chosen"),
)


def plain(text: str) -> str:
    """Without the marks of keys."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def texts_of(widget: QWidget) -> Iterator[str]:
    for name in ("text", "title", "placeholderText", "specialValueText", "suffix", "prefix"):
        if callable(get := getattr(widget, name, None)):
            text = get()
            yield text if isinstance(text, str) else ""
    yield from (widget.toolTip(), widget.accessibleName(), widget.windowTitle())
    yield widget.accessibleDescription()
    for action in widget.actions():
        yield from (action.text(), action.toolTip())
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from cells(widget)


def cells(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal))
        for row in range(min(model.rowCount(QModelIndex()), 50)):
            yield str(model.index(row, column).data())


def has_listener(widget: QObject, *names: str) -> bool:
    return any(
        widget.isSignalConnected(QMetaMethod.fromSignal(getattr(widget, name)))
        for name in names
        if hasattr(widget, name)
    )


def own_signals(widget: QObject) -> Iterator[str]:
    """Signals that a class of the program declares, but for those of its fields."""
    for kind in type(widget).__mro__:
        if kind.__module__.startswith("engram_desktop.") and ".fields." not in kind.__module__:
            yield from (name for name, value in vars(kind).items() if isinstance(value, Signal))


def is_inner(widget: QWidget) -> bool:
    """Made by Qt inside of a widget of its own."""
    return widget.objectName().startswith("qt_") or isinstance(widget.parent(), QComboBox)


class Inspection:
    """What was seen in all places, and what is wrong there."""

    def __init__(self, *windows: QWidget) -> None:
        self.windows = windows
        self.texts: set[str] = set()
        self.lost: set[tuple[str, str]] = set()
        self.over: set[tuple[str, str, str, str]] = set()
        self.deaf: set[tuple[str, str, str]] = set()
        self.waiting: set[tuple[str, str]] = set()
        self.told: set[tuple[str, str, str]] = set()
        self.heard: set[tuple[str, str, str]] = set()
        self.nameless: set[tuple[str, str]] = set()

    def look(self, place: str, top: QWidget) -> None:
        # a text that came last has asked for room: let it have it
        for widget in [top, *top.findChildren(QWidget)]:
            QApplication.sendPostedEvents(widget, QEvent.Type.LayoutRequest.value)
        for widget in [top, *top.findChildren(QWidget)]:
            self.texts |= {plain(text) for text in texts_of(widget)}
            self._look_for_lost(widget)
            self._look_for_deaf(place, widget)
            if widget.isVisible():
                self._look_for_waiting(place, widget)
                self._look_for_overlaps(place, widget)
        self.nameless |= {(place, words) for words in nameless(top)}
        for name, menu in menus(top):
            self.texts |= {plain(name)} | {plain(action.text()) for action in menu.actions()}

    def listen(self, models: QObject) -> None:
        """Note which signals of viewmodels somebody listens to."""
        for model in [models, *models.findChildren(QObject)]:
            if type(model).__module__.startswith("engram_desktop.viewmodels."):
                is_shared = isinstance(model, LiveQuery | NewestAnswer)
                owner = type(model.parent()).__name__ if is_shared else ""
                for name in own_signals(model):
                    signal = (type(model).__name__, name, owner)
                    self.told.add(signal)
                    self.heard |= {signal} if has_listener(model, name) else set()

    def _look_for_waiting(self, place: str, widget: QWidget) -> None:
        if isinstance(widget, QLabel) and widget.text() in UNTIL_IT_IS_THERE:
            self.waiting.add((place, widget.text()))

    def _look_for_lost(self, widget: QWidget) -> None:
        """Widgets that another one keeps, and that nobody put anywhere."""
        if type(widget).__module__.startswith("engram_desktop."):
            for name, part in vars(widget).items():
                is_kept = isinstance(part, QWidget) and part not in self.windows
                if is_kept and shiboken6.isValid(part) and part.parent() is None:
                    self.lost.add((type(widget).__name__, name))

    def _look_for_overlaps(self, place: str, widget: QWidget) -> None:
        parts = [
            part
            for part in widget.findChildren(QWidget, options=DIRECT)
            if part.isVisible() and not part.isWindow() and not isinstance(part, QSplitterHandle)
        ]
        for one, other in combinations(parts, 2):
            if one.geometry().intersects(other.geometry()):
                first, second = type(one).__name__, type(other).__name__
                self.over.add((place, type(widget).__name__, first, second))

    def _look_for_deaf(self, place: str, widget: QWidget) -> None:
        kind = type(widget).__name__
        for name in own_signals(widget):
            if (kind, name) not in NOT_ASKED_FOR and not has_listener(widget, name):
                self.deaf.add((place, kind, name))
        if not is_inner(widget) and not is_heard(widget):
            self.deaf.add((place, kind, widget.accessibleName() or next(texts_of(widget))))


def around(widget: QWidget) -> Iterator[QWidget]:
    """What it lies in, up to its window."""
    outer = widget.parentWidget()
    while outer is not None:
        yield outer
        outer = outer.parentWidget()


def is_heard(widget: QWidget) -> bool:
    """Does something happen when somebody uses it?

    What is chosen in a dialog is read when it is accepted, on some pages when a question is asked.
    """
    is_read_later = isinstance(widget.window(), QDialog) or any(
        isinstance(part, RecallPage | LabPage) for part in around(widget)
    )
    match widget:
        case QAbstractButton():
            has_menu = isinstance(widget, QToolButton | QPushButton) and widget.menu() is not None
            is_one_of = widget.group() is not None
            is_read = is_read_later and widget.isCheckable()
            return is_read or has_menu or is_one_of or has_listener(widget, *OF_BUTTONS)
        case QComboBox() | QSpinBox():
            return is_read_later or has_listener(widget, *OF_CHOICES)
        case WordChips():
            return is_read_later or has_listener(widget, "changed")
        case LineField() if has_listener(widget, "rested", "left"):  # Enter saves it, too
            return has_listener(widget, "left") and has_listener(widget, "submitted")
    return True


def test_all_that_is_made_is_seen_and_listened_to(qtbot, open_desktop, memory, empty_memory):
    empty, desktop = open_desktop(empty_memory).window, open_desktop(memory)
    seen = Inspection(empty, desktop.window)
    for spec in PAGES:
        empty.show_page(spec.name)
        seen.look(f"{spec.name}, nothing there", empty)
    for place, top in places(qtbot, desktop):
        seen.look(place, top)
        seen.listen(desktop.window.models)
    page = desktop.window.event_page
    for shape in SHAPES:
        page.shapes.show_shape(shape)
        seen.look(f"events as {shape}", page)
        seen.listen(desktop.window.models)
    assert seen.waiting == set()
    unheard = {one for one in seen.told - seen.heard if one[:2] not in FOR_WHOM_IT_MATTERS}
    assert unheard == set()
    assert seen.lost == set()
    assert seen.over == set()
    assert seen.deaf == set()
    assert seen.nameless == set()
    made = {text for text in made_texts() if text[1] not in ONLY_WHERE_IT_APPLIES.get(text[0], ())}
    assert len(made) > 500
    assert {text for text in made if plain(text[1]) not in seen.texts} == set()


# What is only drawn is also said: every button, field and list has a name.

PARTS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QPlainTextEdit, QSlider)


def named(widget):
    text = getattr(widget, "text", str)()
    return bool(spoken(widget) or text)


def nameless(top: QWidget) -> Iterator[str]:
    """What takes input and has no name, and icons that do not say on hover what they do."""
    for kind in PARTS:
        for widget in top.findChildren(kind):
            if widget.isVisible() and not named(widget) and not inner(widget):
                yield f"{type(widget.parent()).__name__}: a {kind.__name__} without a name"
    for line in top.findChildren(QLineEdit):
        has_name = spoken(line) or line.placeholderText()
        if line.isVisible() and not has_name and not inner(line):
            yield f"{type(line.parent()).__name__}: a line without a name"
    for button in top.findChildren(QAbstractButton):  # of an icon alone: told on hover
        if isinstance(button, LiveCard):
            continue  # its words stand on it
        if button.isVisible() and not (button.text() or button.toolTip()) and not inner(button):
            yield f"{button.accessibleName()}: says nothing on hover"


def spoken(widget):
    """The name that a screen reader is given: its own, or that of the label beside it."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def inner(widget):
    """Parts Qt makes inside other parts carry the outer one's name."""
    return (
        widget.objectName().startswith("qt_")
        or isinstance(widget, QHeaderView)
        or isinstance(widget.parent(), (QAbstractSpinBox, QComboBox, QLineEdit))
    )


def test_tab_reaches_the_parts_of_the_event_page(qtbot, desktop):
    window = desktop.window
    seen = set()
    widget = window.sidebar.search
    for _ in range(200):
        seen.add(widget)
        widget = widget.nextInFocusChain()
    assert {window.event_page.search, window.event_page.view, window.editor.lamp_button} <= seen


# No text is cut by the box it stands in, in any language, in the smallest window.

SMALLEST = (900, 600)


@dataclass
class Walked:
    """What is wrong in any place of the smallest window."""

    cut: set[tuple[str, ...]] = field(default_factory=set)
    nameless: set[tuple[str, str]] = field(default_factory=set)
    parted: set[tuple[str, str]] = field(default_factory=set)


@pytest.fixture(scope="module")
def walks() -> dict[str, Walked]:
    """By language: one walk through all places answers for both tests below."""
    return {}


@pytest.fixture
def walked(qtbot, open_desktop, memory, language, walks):
    if language not in walks:
        desktop = open_desktop(memory, language=language)
        window = desktop.window
        window.resize(*SMALLEST)
        settle(qtbot, desktop)
        found = Walked()
        for spec in PAGES:
            window.show_page(spec.name)
            settle(qtbot, desktop)
            found.cut |= set(faults(spec.name, window))
        for place, top in places(qtbot, desktop):
            found.cut |= set(faults(place, top))
            found.nameless |= {(place, words) for words in nameless(top)}
            found.parted |= {(place, words) for words in parted(top)}
        walks[language] = found
    return walks[language]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_cut_in_the_smallest_window(walked):
    found = walked.cut
    assert not found, "\n" + "\n".join(" | ".join(fault) for fault in sorted(found))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_takes_input_has_a_name_and_icons_explain_themselves(walked):
    assert sorted(walked.nameless) == []


def parted(top: QWidget) -> Iterator[str]:
    """Rows of tabs that take two lines, and sliders that stand elsewhere than their words."""
    for row in top.findChildren(TabRow):
        tabs = row.findChildren(QToolButton)
        if row.isVisible() and len({tab.y() for tab in tabs}) > 1:
            yield f"{tabs[0].text()}…: two lines"
    for slider in top.findChildren(FloorSlider):
        if slider.isVisible():
            middles = {part.geometry().center().y() for part in beside(slider)}
            if max(middles) - min(middles) > SLACK:
                yield f"{slider.accessibleName()}: not beside its words"


def beside(widget: QWidget) -> list[QWidget]:
    parent = widget.parentWidget()
    assert parent is not None
    return [part for part in parent.findChildren(QWidget, options=DIRECT) if part.isVisible()]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_belongs_together_stands_in_one_line(walked):
    assert sorted(walked.parted) == []


# What was made larger or smaller by hand is so again, and no dialog is larger than its screen.

LEFT = Qt.MouseButton.LeftButton
BY = 30  # pixels a handle is dragged by


def splitters(place):
    """Return what stands in pages and dialogs; the window's own are kept with its place."""
    found = place.findChildren(QSplitter)
    shown = [s for s in found if s.isVisible() and not isinstance(s, PlainSplitter)]
    return [s for s in shown if all(s.widget(n).isVisible() for n in range(s.count()))]


def drag(splitter):
    """Drag the first handle to where there is room for it."""
    handle = splitter.handle(1)
    is_wide = splitter.orientation() == Qt.Orientation.Horizontal
    before, middle = splitter.sizes(), handle.rect().center()
    for by in (BY, -BY):
        there = middle + (QPoint(by, 0) if is_wide else QPoint(0, by))
        QTest.mousePress(handle, LEFT, pos=middle)
        QTest.mouseMove(handle, there)
        QTest.mouseRelease(handle, LEFT, pos=there)
        if splitter.sizes() != before:
            return
    raise AssertionError(f"{splitter.objectName()} is fast at {before}")


def sizes_by_name(qtbot, desktop, act, skip=()):
    """Do something with each splitter of the program that is seen, once.

    Returns their sizes, and the dialogs that have one.
    """
    seen, having = {}, set()
    kinds: dict[str, str] = {}
    for place, top in places(qtbot, desktop, skip=skip):
        for splitter in splitters(top):
            having.add(place.split(",")[0])
            name = splitter.objectName()
            assert name, f"a splitter of {place} has no name"
            kind = type(splitter.parentWidget()).__name__
            assert kinds.setdefault(name, kind) == kind, f"{place}: two share the name {name}"
            if name not in seen:
                act(splitter)
                seen[name] = splitter.sizes()
    return seen, having


@pytest.mark.timeout(300)
def test_every_splitter_has_a_name_of_its_own_and_is_where_it_was_left(qtbot, open_desktop, memory):
    left, having = sizes_by_name(qtbot, open_desktop(memory), drag)
    assert {"recall", "graph", "requests", "review"} <= set(left)
    others = tuple({*dialog_names()} - having)
    now, _having = sizes_by_name(qtbot, open_desktop(memory), lambda _splitter: None, others)
    for name, sizes in left.items():
        assert all(abs(a - b) <= 4 for a, b in zip(sizes, now[name], strict=True)), name


def close(qtbot, dialog):
    dialog.close()
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)


def test_a_dialog_has_the_size_it_was_given_by_hand(qtbot, open_desktop, memory):
    first = open_desktop(memory)
    dialog = open_dialog(qtbot, first, "requests")
    own = dialog.size()
    close(qtbot, dialog)
    dialog = open_dialog(qtbot, first, "requests")
    assert dialog.size() == own  # nobody made it larger
    smaller = own - QSize(0, 140)
    dialog.windowHandle().resize(smaller)
    qtbot.waitUntil(lambda: dialog.size() == smaller)
    close(qtbot, dialog)
    dialog = open_dialog(qtbot, open_desktop(memory), "requests")
    assert dialog.size() == smaller


@pytest.mark.timeout(300)
def test_no_dialog_is_larger_than_its_screen(qtbot, desktop):
    room = screen_room(desktop.window)
    for name in dialog_names():
        dialog = open_dialog(qtbot, desktop, name)
        assert dialog.width() <= room.width(), name
        assert dialog.height() <= room.height(), name
        close(qtbot, dialog)


@pytest.mark.parametrize("is_late", [False, True])
def test_what_a_screen_has_no_room_for_is_scrolled(qtbot, is_late):
    dialog = FramedDialog()
    qtbot.addWidget(dialog)
    button = dialog.add_button("Save", "main")
    fields = [QLineEdit(f"line {number}") for number in range(60)]

    def fill():
        for line in fields:
            dialog.body.addWidget(line)

    if not is_late:
        fill()
    dialog.show()
    if is_late:
        fill()
    room = screen_room(dialog)
    settled = [lambda: dialog.findChildren(QScrollArea), lambda: dialog.height() <= room.height()]
    qtbot.waitUntil(lambda: all(bool(is_so()) for is_so in settled))
    assert button.isVisible()
    assert all(field.height() >= field.minimumSizeHint().height() for field in fields)
    fields[-2].setFocus()
    qtbot.keyClick(fields[-2], Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: not fields[-1].visibleRegion().isEmpty())
    dialog.body.addWidget(late := QLineEdit("one more"))
    qtbot.waitUntil(lambda: late.width() > 100)


def test_qts_own_file_dialog_fits_the_screen_and_its_lists_have_a_ground(qtbot, desktop):
    """Where a platform has no file dialog of its own."""
    dialog = QFileDialog(desktop.window)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.resize(700, 5_000)
    dialog.show()
    room = dialog.screen().availableGeometry()
    assert dialog.height() <= room.height()
    places_beside = dialog.findChild(QAbstractItemView, "sidebar")
    assert places_beside is not None
    assert places_beside.width() >= 140, "the name of a folder is read"
    name = dialog.findChild(QLineEdit, "fileNameEdit")
    assert name is not None
    completer = name.completer()
    assert completer is not None
    popup = completer.popup()
    assert popup is not None
    popup.show()
    color = popup.viewport().grab().toImage().pixelColor(2, 2)
    assert color.name() == desktop.look.color("panel").name()
    popup.hide()


def ticked(kind):
    box = kind("words")
    box.setChecked(True)
    return box


def a_list(*, is_ticked):
    rows = QListWidget()
    item = QListWidgetItem("words", rows)
    item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
    return rows


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    "make",
    [
        lambda: QCheckBox("words"),
        lambda: ticked(QCheckBox),
        lambda: ticked(QRadioButton),
        lambda: a_list(is_ticked=True),
        lambda: a_list(is_ticked=False),
        lambda: QPushButton("words"),
        lambda: QLineEdit("words"),
    ],
)
def test_what_cannot_be_used_looks_so(qtbot, open_desktop, memory, theme, make):
    desktop = open_desktop(memory, theme=theme)
    dialog = FramedDialog(desktop.window)
    qtbot.addWidget(dialog)
    dialog.body.addWidget(part := make())
    dialog.body.addWidget(other := QPushButton("elsewhere"))
    dialog.show()
    other.setFocus()
    QApplication.processEvents()
    usual = part.grab().toImage()
    part.setEnabled(False)
    assert part.grab().toImage() != usual


# The filter of the program is run in Python for every event: it is off while widgets are made.


def calls_of(function, act):
    """Return how often Python runs ``function`` while ``act`` is done."""
    count = 0

    def note(frame, kind, _value):
        nonlocal count
        count += kind == "call" and frame.f_code is function.__code__

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def test_a_page_and_a_dialog_are_made_without_the_filter_and_leave_the_wheel_alone(desktop):
    window = desktop.window
    filtered = AppFilter.eventFilter
    assert calls_of(filtered, lambda: window.stack.page("recall")) == 0
    assert calls_of(filtered, lambda: window.show_page("recall")) < 100
    assert calls_of(filtered, window.dialogs.open_settings) == 0
    dialog = window.dialogs.shown[-1]
    assert dialog.styleSheet()
    fields = [*window.stack.page("recall").findChildren(QSpinBox), *dialog.findChildren(QComboBox)]
    assert fields
    assert not [f for f in fields if f.focusPolicy() == Qt.FocusPolicy.WheelFocus]
    assert calls_of(filtered, lambda: QApplication.sendEvent(window, QEvent(QEvent.Type.User))) == 1
