"""One walk through every place of the window answers for all that holds in each of them.

Everything has a place, a name, and room for its text; it is reached by keyboard, said by a screen
reader, and left alone by the wheel.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import (
    QEvent,
    QPoint,
    QSize,
    Qt,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QMessageBox,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QWidget,
)

from engram_desktop.app.i18n import LANGUAGES
from engram_desktop.app.moving_library import MoveBox
from engram_desktop.app.opening import BusyBox
from engram_desktop.widgets.events.shapes import SHAPES
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.layouts import PlainSplitter, screen_room
from engram_desktop.widgets.parts.look import THEMES, AppFilter
from engram_desktop.widgets.window.page_stack import PAGES
from tests.gui.cut_texts import faults
from tests.gui.hands_on import Keyboard, Wheel
from tests.gui.inspection import Inspection, nameless, parted, plain
from tests.gui.made_texts import made_texts
from tests.gui.places import menus, open_dialog, places
from tests.gui.program_parts import classes_of
from tests.gui.waiting import open_page, settle
from tests.gui.worldbooks import open_entries

# What a page, a panel or a dialog makes is seen, lies over nothing else, and is listened to.

# Texts that are asked for whenever a widget is made, and put up only where they apply.
ONLY_WHERE_IT_APPLIES = {
    "CharactersDialog": {
        *("Personality", "Scenario", "First message", "Examples", "Creator's notes"),
        *("System prompt", "After the chat", "Character's note", "Chats:"),
    },
    "FileCard": {"Character card"},
    "DropSign": {  # see test_window.py
        "Drop to import",
        "Chats, cards, world books, backups, or a SillyTavern folder. You see what is in them"
        " first, and the files stay as they are.",
    },
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
    "NextPromptView": {"For floor {floor}: {text}"},  # elided: the whole on hover
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
        *("What was made of them becomes events once you have looked through it.", "Review…"),
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
FOR_WHOM_IT_MATTERS = {
    *(("LiveQuery", "asked"), ("LiveQuery", "busy_changed")),
    *(("NewestAnswer", "ended"), ("NewestAnswer", "busy_changed")),
}


class Everywhere:
    """What is seen in each place of a window of the usual size, in the order that disturbs least.

    It is looked at first; then handles are dragged, the wheel is turned, and menus are opened.
    """

    def __init__(self, *windows: QWidget) -> None:
        self.inspection = Inspection(*windows)
        self.keyboard = Keyboard()
        self.wheel = Wheel()
        self.lists: set[tuple[str, str]] = set()
        self.menus: dict[str, QMenu] = {}
        self.bad_menus: set[tuple[str, str]] = set()
        self.with_default: set[str] = set()
        self.bad_enter: set[str] = set()
        self.too_large: set[str] = set()
        self.splitters = Splitters(drag)
        self.later = Splitters(lambda _splitter: None)

    def look(self, place: str, top: QWidget) -> None:
        self.inspection.look(place, top)
        for view in top.findChildren(QAbstractItemView):
            self.lists.add((type(view.window()).__name__, view.accessibleName()))
        self.splitters.look(top)
        self.wheel.turn_over(place, top)
        for name, menu in menus(top):
            self.inspection.read_menu(name, menu)
            self.menus[f"{place}: {name}"] = menu
            is_filled = bool(menu.actions()) or not menu.menuAction().isEnabled()
            if not is_filled or not all(a.isSeparator() or a.text() for a in menu.actions()):
                self.bad_menus.add((place, name))

    def look_at_dialog(self, name: str, dialog: FramedDialog) -> None:
        """As it was opened, with nothing chosen in it."""
        room = screen_room(dialog)
        if dialog.width() > room.width() or dialog.height() > room.height():
            self.too_large.add(name)
        pressed, red = dialog._button_for_enter(), buttons(dialog, "danger")
        default = [b for b in dialog.findChildren(QPushButton) if b.isDefault()]
        if default:
            self.with_default.add(name)
            is_main = default[0] in [b for b in buttons(dialog, "main") if b.window() is dialog]
            is_right = is_main and (pressed is default[0] or not default[0].isEnabled())
        else:
            is_right = not red or pressed is None or pressed.text() in {"Cancel", "Close"}
        if not is_right or (pressed is not None and pressed in red):
            self.bad_enter.add(name)


class Splitters:
    """What is done with each splitter of the program that is seen, once; their sizes then."""

    def __init__(self, act: Callable[[QSplitter], object]) -> None:
        self._act = act
        self.sizes: dict[str, list[int]] = {}
        self.kinds: dict[str, set[str]] = {}

    def look(self, top: QWidget) -> None:
        for splitter in splitters(top):
            name = splitter.objectName()
            self.kinds.setdefault(name, set()).add(type(splitter.parentWidget()).__name__)
            if name not in self.sizes:
                self._act(splitter)
                self.sizes[name] = splitter.sizes()


@pytest.fixture(scope="module")
def walks() -> dict[str, Any]:
    """By what was walked through: one walk through all places answers for many tests."""
    return {}


@pytest.fixture
def everywhere(qtbot, request, tmp_path, walks):
    if "everywhere" not in walks:
        open_desktop, memory = map(request.getfixturevalue, ("open_desktop", "memory"))
        empty = open_desktop(request.getfixturevalue("empty_memory")).window
        desktop = open_desktop(memory)
        window = desktop.window
        open_entries(desktop, memory, tmp_path)
        seen = Everywhere(empty, window)
        for spec in PAGES:
            empty.show_page(spec.name)
            seen.inspection.look(f"{spec.name}, nothing there", empty)
        for place, top in places(qtbot, desktop, opened=seen.look_at_dialog):
            seen.look(place, top)
            seen.inspection.listen(window.models)
        for shape in SHAPES:
            window.event_page.shapes.show_shape(shape)
            seen.inspection.look(f"events as {shape}", window.event_page)
            seen.inspection.listen(window.models)
        # In a window of its own: what asks Qt for the order of Tab lets wrappers of widgets die.
        for place, top in places(qtbot, open_desktop(memory)):
            seen.keyboard.look(place, top)
            seen.later.look(top)
        walks["everywhere"] = seen
    return walks["everywhere"]


def test_all_that_is_made_is_seen_and_listened_to(everywhere):
    seen = everywhere.inspection
    assert seen.waiting == set()
    unheard = {one for one in seen.told - seen.heard if one[:2] not in FOR_WHOM_IT_MATTERS}
    assert unheard == set()
    assert seen.lost == set()
    assert seen.over == set()
    assert {one for one in seen.deaf if one[1:] not in NOT_ASKED_FOR} == set()
    assert seen.nameless == set()
    made = {text for text in made_texts() if text[1] not in ONLY_WHERE_IT_APPLIES.get(text[0], ())}
    assert len(made) > 500
    assert {text for text in made if plain(text[1]) not in seen.texts} == set()


def test_all_can_be_used_by_keyboard_and_is_named_in_reading_order(everywhere):
    keyboard = everywhere.keyboard
    assert keyboard.count > 1_000
    assert keyboard.not_pressed == set()
    assert keyboard.nameless == set()
    assert keyboard.out_of_reach == set()
    assert keyboard.out_of_order == set()


def test_the_wheel_changes_no_field_that_is_not_in_use(everywhere):
    assert everywhere.wheel.takes_focus == set()
    assert everywhere.wheel.changed == set()
    assert everywhere.wheel.turned > 30


def test_every_menu_of_the_program_opens(everywhere):
    assert everywhere.bad_menus == set()
    assert {"events: Events", "events: Chats", "events: Sort order"} <= everywhere.menus.keys()


# Lists whose rows can be deleted: what holds them, and what they are called. Each takes Del.
DELETED_WITH_DEL = {
    ("MainWindow", "Chats"),
    ("MainWindow", "Events"),
    ("MainWindow", "Private logs"),
    ("MainWindow", "World books"),
    ("MainWindow", "Entries of the world book"),
    ("MainWindow", "Questions of the lab"),
    ("BranchesDialog", "Branches"),
    ("CharactersDialog", "Characters"),
    ("TextsDialog", "Scripts and rules"),
}


def test_every_list_that_deletes_takes_del(everywhere):
    """The lists are taken from the program: those with a delete command beside them, by name."""
    assert everywhere.lists >= DELETED_WITH_DEL


# Enter does what a dialog is for; where something would be destroyed, the harmless thing.


def buttons(dialog, role):
    return [b for b in dialog.findChildren(QPushButton) if b.property("role") == role]


def test_in_every_dialog_enter_presses_the_filled_button_or_nothing(everywhere):
    assert everywhere.bad_enter == set()
    with_default = {"import", "summarise", "consolidate", "trim", "merge", "reflect"}
    assert with_default <= everywhere.with_default


def test_no_dialog_is_larger_than_its_screen(everywhere):
    assert everywhere.too_large == set()


# What was made larger or smaller by hand is so again.

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


def test_every_splitter_has_a_name_of_its_own_and_is_where_it_was_left(everywhere):
    dragged, later = everywhere.splitters, everywhere.later
    for seen in (dragged, later):
        assert all(seen.kinds), "a splitter has no name"
        assert [name for name, kinds in seen.kinds.items() if len(kinds) > 1] == []
    assert {"recall", "graph", "requests", "review"} <= dragged.sizes.keys()
    for name, sizes in dragged.sizes.items():
        assert all(abs(a - b) <= 4 for a, b in zip(sizes, later.sizes[name], strict=True)), name


def test_tab_reaches_the_parts_of_the_event_page(desktop):
    window = desktop.window
    seen = set()
    widget = window.sidebar.search
    for _ in range(200):
        seen.add(widget)
        widget = widget.nextInFocusChain()
    assert {window.event_page.search, window.event_page.view, window.editor.lamp_button} <= seen


# No text is cut by the box it stands in, in any language, in the smallest window. Every dialog
# opens in each, is drawn, and is freed when it closes (`places` waits for that).

SMALLEST = (900, 600)
THEME_OF = {"en": "dark"}  # the others are light
BEFORE_THE_WINDOW = {BusyBox, MoveBox}  # test_opening and test_moved_library bring them up


@dataclass
class Walked:
    """What is wrong in any place of the smallest window."""

    cut: set[tuple[str, ...]] = field(default_factory=set)
    nameless: set[tuple[str, str]] = field(default_factory=set)
    parted: set[tuple[str, str]] = field(default_factory=set)
    badly_drawn: set[tuple[str, str]] = field(default_factory=set)
    kinds: set[type[QDialog]] = field(default_factory=set)

    def draw(self, name: str, dialog: QDialog) -> None:
        self.kinds.add(type(dialog))
        faults = {"no title": not dialog.windowTitle(), "not drawn": dialog.grab().isNull()}
        for label in dialog.findChildren(QLabel):
            faults[label.text()] = label.textFormat() != Qt.TextFormat.PlainText
        faults["a button without a name"] = not all(
            button.text() or button.accessibleName() or not button.isVisible()
            for button in dialog.findChildren(QAbstractButton)
        )
        self.badly_drawn |= {(name, fault) for fault, is_so in faults.items() if is_so}


@pytest.fixture
def walked(qtbot, request, language, walks):
    if language not in walks:
        open_desktop, memory = map(request.getfixturevalue, ("open_desktop", "memory"))
        theme = THEME_OF.get(language, "light")
        desktop = open_desktop(memory, language=language, theme=theme)
        window = desktop.window
        window.resize(*SMALLEST)
        settle(desktop)
        found = Walked()
        for spec in PAGES:
            open_page(desktop, spec.name)
            found.cut |= set(faults(spec.name, window))
        for place, top in places(qtbot, desktop, opened=found.draw):
            found.cut |= set(faults(place, top))
            found.nameless |= {(place, words) for words in nameless(top)}
            found.parted |= {(place, words) for words in parted(top)}
        window.sidebar._delete(window.models.chats.current)
        (question,) = window.sidebar.findChildren(QMessageBox)
        found.draw("question", question)
        question.close()
        walks[language] = found
    return walks[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_cut_in_the_smallest_window(walked):
    found = walked.cut
    assert not found, "\n" + "\n".join(" | ".join(fault) for fault in sorted(found))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_takes_input_has_a_name_and_icons_explain_themselves(walked):
    assert sorted(walked.nameless) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_belongs_together_stands_in_one_line(walked):
    assert sorted(walked.parted) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_dialog_opens_is_drawn_and_is_freed(walked):
    assert walked.badly_drawn == set()
    assert walked.kinds == classes_of(QDialog) - BEFORE_THE_WINDOW


# A dialog has the size it was given by hand.


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
def test_what_cannot_be_used_looks_so(qtbot, open_desktop, memory, theme):
    desktop = open_desktop(memory, theme=theme)
    dialog = FramedDialog(desktop.window)
    qtbot.addWidget(dialog)
    parts = (
        *(QCheckBox("words"), ticked(QCheckBox), ticked(QRadioButton)),
        *(a_list(is_ticked=True), a_list(is_ticked=False)),
        *(QPushButton("words"), QLineEdit("words")),
    )
    for part in parts:
        dialog.body.addWidget(part)
    dialog.body.addWidget(other := QPushButton("elsewhere"))
    dialog.show()
    other.setFocus()
    QApplication.processEvents()
    for part in parts:
        usual = part.grab().toImage()
        part.setEnabled(False)
        assert part.grab().toImage() != usual, type(part)


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


def test_a_setting_that_is_no_look_draws_nothing_again(desktop):
    settings = desktop.workspace.memory.settings
    told: list[int] = []
    desktop.look.changed.connect(lambda: told.append(1))
    desktop.workspace.change("", lambda _ctx: settings.set("ui.event_sort", "summary"))
    settle(desktop)
    assert told == []
    other = "compact" if settings.read().ui_density != "compact" else "comfortable"
    desktop.workspace.change("", lambda _ctx: settings.set("ui.density", other))
    settle(desktop)
    assert told == [1]
    assert desktop.look.density == other
