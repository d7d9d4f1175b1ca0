"""The parts of an entity's page (relations, profile, curves, promises, evidence), and the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFont, QImage, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.claims.descriptions import Description
from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.graph.gaps import EntityGaps
from engram_desktop.domain.graph.relations import STILL_TRUE
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.promises import Deed, Promise
from engram_desktop.viewmodels.graph.entity_editor import (
    Curve,
    EntityEditor,
    EntitySheet,
    EntitySheets,
    Fact,
    RelationRow,
)
from engram_desktop.viewmodels.graph.gap_finder import GapsOfOne, gap_words
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel, type_noun
from engram_desktop.viewmodels.workspace.choice_texts import floors_text
from engram_desktop.viewmodels.workspace.live_query import SlowRelease
from engram_desktop.widgets.graph.picture import TYPE_ROLES, blend
from engram_desktop.widgets.parts.cards import CardColumn, LiveCard
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.layouts import FlowLayout, clear_layout, column, tall_area
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import (
    StateCurve,
    icon_button,
    initial,
    kind_button,
    label,
    literal,
    text_button,
)

# The relations of an entity: current ones, then, folded away, those that ended.


class RelationList(QWidget):
    add_wanted = Signal()
    reword_wanted = Signal(object)  # RelationRow
    end_wanted = Signal(object)

    def __init__(self, look: Look, editor: EntityEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._editor = editor
        layout = column(self, 0, 6)
        self._now_column = CardColumn()
        layout.addWidget(self._now_column)
        self._none = label(self.tr("None"), "quiet")
        layout.addWidget(self._none)
        self.add_button = text_button(self.tr("Add a relation…"))
        self.add_button.clicked.connect(self.add_wanted)
        layout.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.before_button = kind_button("chip", "")
        self.before_button.toggled.connect(self._on_fold)
        layout.addWidget(self.before_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._past = CardColumn()
        layout.addWidget(self._past)
        self._folded: tuple[list[RelationRow], dict[str, RelationRow]] = ([], {})
        self._release = SlowRelease(self)
        self.show_rows([])
        editor.relations_read.connect(self.show_rows)

    def show_rows(self, rows: Sequence[RelationRow]) -> None:
        """Show these relations; the fold keeps its state."""
        current = [row for row in rows if row.relation.is_current]
        past = [row for row in rows if not row.relation.is_current]
        names = {row.relation.id: row for row in rows}
        self._fill(self._now_column, current, names)
        self._none.setVisible(not current)
        self._release.take(self._folded[1].values())
        self._folded = (past, names)
        self._fill(self._past, past if self.before_button.isChecked() else [], names)
        self.before_button.setText(self.tr("Before ({count})").format(count=len(past)))
        self.before_button.setVisible(bool(past))
        self._past.setVisible(bool(past) and self.before_button.isChecked())

    def _fill(
        self, cards: CardColumn, rows: Sequence[RelationRow], names: dict[str, RelationRow]
    ) -> None:
        def card_of(row: RelationRow) -> QWidget:
            card = RelationCard(self._look, row, names.get(row.relation.superseded_by or ""))
            card.opened.connect(lambda other=row.other_id: self._editor.open_other(other))
            card.fill_menu.connect(self._fill_menu)
            return card

        cards.show_cards([partial(card_of, row) for row in rows])

    def _fill_menu(self, row: RelationRow, menu: QMenu) -> None:
        menu.clear()
        editor, relation = self._editor, row.relation
        reword = menu.addAction(self.tr("Reword…"))
        reword.triggered.connect(lambda: self.reword_wanted.emit(row))
        if relation.is_current:
            end = menu.addAction(self.tr("It ended…"))
            end.triggered.connect(lambda: self.end_wanted.emit(row))
        else:
            still_true = menu.addAction(self.tr("Still true"))
            still_true.triggered.connect(lambda: editor.end_relation(relation.id, STILL_TRUE))
        by_story = menu.addAction(self.tr("As the story tells"))
        by_story.triggered.connect(lambda: editor.end_relation(relation.id, None))
        menu.addSeparator()
        floor = relation.valid_from
        if relation.is_by_hand and floor is not None:  # it has no event as source, but its floor
            read = menu.addAction(self.tr("Read floor {floor}").format(floor=floor))
            read.triggered.connect(lambda: editor.read_floor(floor))
        delete = menu.addAction(self.tr("Delete"))
        delete.triggered.connect(lambda: editor.delete_relation(relation.id))

    def _on_fold(self, is_open: bool) -> None:  # noqa: FBT001 - a Qt slot
        past, names = self._folded  # made when they are needed: each takes a millisecond
        self._fill(self._past, past if is_open else [], names)
        self._past.setVisible(is_open)


class RelationCard(LiveCard):
    """One relation; a click goes to the entity at its other end."""

    fill_menu = Signal(object, object)  # RelationRow, QMenu

    def __init__(self, look: Look, row: RelationRow, ended_by: RelationRow | None) -> None:
        super().__init__()
        self._row = row
        inner = QHBoxLayout(self)
        inner.setContentsMargins(10, 6, 4, 6)
        inner.setSpacing(4)
        words = QVBoxLayout()
        words.setSpacing(1)
        text = row.text
        is_current = row.relation.is_current
        fact = label(text, "" if is_current else "quiet", wrap=True)
        font = fact.font()
        font.setStrikeOut(not is_current)
        fact.setFont(font)
        words.addWidget(fact)
        when = self._when(ended_by)
        if when:
            words.addWidget(label(when, "hint", wrap=True))
        inner.addLayout(words, 1)
        self.more = icon_button(look, "more", self.tr("Change this relation"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self.fill_menu.emit(row, menu))
        self.more.setMenu(menu)
        inner.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(f"{text}. {when}")

    def _when(self, ended_by: RelationRow | None) -> str:
        relation = self._row.relation
        parts = []
        if relation.is_by_hand and not relation.event_ids:
            parts.append(self.tr("by hand"))
        if relation.valid_from is not None and relation.is_current:
            parts.append(self.tr("since floor {floor}").format(floor=relation.valid_from))
        elif relation.valid_from is not None and relation.valid_to is not None:
            parts.append(
                self.tr("floors {first}–{last}").format(
                    first=relation.valid_from, last=relation.valid_to
                )
            )
        elif relation.valid_to is not None:
            parts.append(self.tr("until floor {floor}").format(floor=relation.valid_to))
        if len(relation.event_ids) > 1:
            parts.append(self.tr("stated in %n event(s)", "", len(relation.event_ids)))
        if ended_by is not None:
            parts.append(self.tr("then: {fact}").format(fact=ended_by.text))
        return " · ".join(parts)


# The profile of an entity as a table: each fact, and the first event that states it.


MOST_LETTERS = 240  # of one value
NAME_WIDTH = 76  # pixels at most of the names: values have the rest


def when_of(event: EventNode) -> str:
    """Return the time of an event in the story, and its floors."""
    return " · ".join(part for part in (event.raw_data.timestamp, floors_text(event)) if part)


class FactTable(QWidget):
    opened = Signal(object)  # EventNode that states the fact

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.facts: Sequence[Fact] = ()

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Replace the table by these facts; empty without any."""
        if facts == self.facts:
            return
        self.facts = facts
        clear_layout(self._grid)
        top = Qt.AlignmentFlag.AlignTop
        for row, fact in enumerate(facts):
            line = QVBoxLayout()
            line.setSpacing(1)
            name = label(fact.name, "quiet", wrap=True)
            name.setFixedWidth(NAME_WIDTH)
            self._grid.addWidget(name, row, 0, top)
            text = fact.value
            text = text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"
            value = label(text, wrap=True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            line.addWidget(value)
            if fact.event is not None:
                where = kind_button("where", literal(when_of(fact.event)), checkable=False)
                where.setToolTip(self.tr("The first event that says so"))
                where.clicked.connect(
                    lambda _checked=False, event=fact.event: self.opened.emit(event)
                )
                line.addWidget(where, 0, Qt.AlignmentFlag.AlignLeft)
            self._grid.addLayout(line, row, 1)
        self.setVisible(bool(facts))


# Parts of both the panel and the large view of an entity: curve, promises and evidence.


MAX_SHOWN = 120  # letters of an event
MOST_FLOORS = 8  # buttons of floors: two lines of a panel


def caption(text: str) -> QWidget:
    """Make the heading of a section."""
    heading = label(text, "section")
    heading.setContentsMargins(0, 10, 0, 0)
    return heading


class CurveSection(QWidget):
    """The curve of a number of the state that is about an entity; hidden without one."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: tuple[Curve, ...] = ()
        rows = column(self, 0, 4)
        head = QHBoxLayout()
        bottom = Qt.AlignmentFlag.AlignBottom
        head.addWidget(caption(self.tr("How it changed")), 1, bottom)
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Value"))
        self.choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.setMinimumContentsLength(5)
        self.choice.setMaximumWidth(150)
        self.choice.currentIndexChanged.connect(self._draw)
        head.addWidget(self.choice)
        rows.addLayout(head)
        self.now = label("", "quiet")
        rows.addWidget(self.now)
        self.curve = StateCurve(look)
        rows.addWidget(self.curve)
        self.hide()

    def show_curves(self, curves: tuple[Curve, ...]) -> None:
        """Offer these numbers; the chosen one stays chosen if it is among them."""
        if curves == self._curves:
            return
        name = self.choice.currentText()
        self._curves = curves
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems([curve.name for curve in curves])
        self.choice.setCurrentIndex(max(0, self.choice.findText(name)))
        self.choice.blockSignals(False)
        self.setVisible(bool(curves))
        self._draw()

    @Slot()
    def _draw(self) -> None:
        at = self.choice.currentIndex()
        if not 0 <= at < len(self._curves):
            return
        curve = self._curves[at]
        self.curve.show_points(curve.points, [floor for floor, _why in curve.reasons])
        first, last = curve.points[0][1], curve.points[-1][1]
        text = self.tr("now {now}, {change} since floor {floor}")
        self.now.setText(
            text.format(now=f"{last:g}", change=f"{last - first:+g}", floor=curve.points[0][0])
        )


class CardSection(QWidget):
    """A caption, and below it a column of cards."""

    def __init__(
        self, look: Look, sheets: EntitySheets, cards: CardColumn, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._sheets = sheets
        rows = column(self, 0, 6)
        self._caption = label("", "section")
        self._caption.setContentsMargins(0, 10, 0, 0)
        rows.addWidget(self._caption)
        self.column = cards
        rows.addWidget(cards)


class PromiseSection(CardSection):
    """Open promises, then those kept or broken; hidden without any."""

    def __init__(self, look: Look, sheets: EntitySheets, parent: QWidget | None = None) -> None:
        super().__init__(look, sheets, CardColumn(first=6), parent)
        self.hide()

    def show_promises(self, found: tuple[Promise, ...]) -> None:
        self.setVisible(bool(found))
        count = sum(promise.outcome == "given" for promise in found)
        self._caption.setText(
            self.tr("Promises · %n open", "", count) if count else self.tr("Promises")
        )
        self.column.show_cards([partial(self._card, promise) for promise in found])

    def _card(self, promise: Promise) -> QWidget:
        states: dict[Deed, tuple[str, str]] = {
            "given": (self.tr("open"), "warn"),
            "kept": (self.tr("kept"), "good"),
            "broken": (self.tr("broken"), "bad"),
        }
        state, tone = states[promise.outcome]
        head = when_of(promise.event)
        if promise.answer is not None:
            head = f"{head} → {when_of(promise.answer)}"
        card = EventLink(head, promise.words, (state, tone))
        card.opened.connect(partial(self._sheets.show_event, promise.answer or promise.event))
        return card


class DescriptionSection(CardSection):
    """Sentences of the story that describe the entity; hidden without any."""

    def __init__(self, look: Look, sheets: EntitySheets, parent: QWidget | None = None) -> None:
        super().__init__(look, sheets, CardColumn(), parent)
        self._caption.setText(self.tr("In the story's words"))
        sheets.described.connect(self.show_descriptions)
        self.show_descriptions(sheets.descriptions)

    @Slot(object)
    def show_descriptions(self, found: Sequence[Description]) -> None:
        self.setVisible(bool(found))
        self.column.show_cards([partial(self._card, one) for one in found])

    def _card(self, one: Description) -> QWidget:
        floor = self.tr("floor {floor}").format(floor=one.floor)
        state = ("", "")
        if one.is_untrue:
            state = (self.tr("not true"), "bad")
        elif one.until is not None:
            state = (self.tr("until floor {floor}").format(floor=one.until), "warn")
        head = " · ".join(part for part in (one.speaker or self.tr("Narration"), floor) if part)
        card = EventLink(head, one.text, state)
        card.opened.connect(partial(self._sheets.show_floor, one.floor))
        return card


class EvidenceSection(CardSection):
    """All events that mention the entity, the newest first."""

    def __init__(self, look: Look, sheets: EntitySheets, parent: QWidget | None = None) -> None:
        super().__init__(look, sheets, CardColumn(), parent)
        self.show_events(())

    @property
    def cards(self) -> QVBoxLayout:
        return self.column.cards

    def show_events(self, events: tuple[EventNode, ...]) -> None:
        self._caption.setText(self.tr("Evidence · %n event(s)", "", len(events)))
        self.column.show_cards([partial(self._card, event) for event in events])

    def _card(self, event: EventNode) -> QWidget:
        text = " ".join(event.summary.split())
        text = text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
        card = EventLink(when_of(event), text)
        card.opened.connect(partial(self._sheets.show_event, event))
        lines = icon_button(self._look, "text", self.tr("Read these lines"))
        lines.clicked.connect(lambda: self._sheets.show_lines(event))
        card.add_button(lines)
        return card


class EventLink(LiveCard):
    """The first words of an event and its time; a click opens it."""

    def __init__(self, head: str, text: str, state: tuple[str, str] = ("", "")) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 8, 6, 8)
        line.setSpacing(6)
        inner = QVBoxLayout()
        inner.setSpacing(2)
        inner.addWidget(label(head, "hint", wrap=True))
        inner.addWidget(label(text, wrap=True))
        line.addLayout(inner, 1)
        word, tone = state
        if word:
            line.addWidget(label(word, tone), 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(". ".join(part for part in (word, head, text) if part))

    def add_button(self, button: QWidget) -> None:
        """Add a button at the right of the words."""
        layout = self.layout()
        if isinstance(layout, QHBoxLayout):
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)


class GapSection(QWidget):
    """What the entity lacks, and events that name it without a link; hidden without any."""

    def __init__(self, gaps: GapsOfOne, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gaps = gaps
        rows = column(self, 0, 4)
        rows.addWidget(caption(self.tr("Missing")))
        self.words = label("", "quiet", wrap=True)
        rows.addWidget(self.words)
        floors = QWidget()
        self._floors = FlowLayout(floors)
        rows.addWidget(floors)
        gaps.read.connect(self._show)
        self._show(None)

    @Slot(object)
    def _show(self, found: EntityGaps | None) -> None:
        self.setVisible(found is not None)
        clear_layout(self._floors)
        if found is None:
            return
        words = gap_words()
        self.words.setText(" · ".join(words[gap] for gap in found.gaps))
        for floor in found.floors[:MOST_FLOORS]:
            text = self.tr("floor {floor}").format(floor=floor)
            button = kind_button("where", text, checkable=False)
            button.setToolTip(self.tr("Named here, and no event of this floor is linked to it"))
            button.clicked.connect(partial(self._go_to, floor))
            self._floors.addWidget(button)
        rest = found.count - min(len(found.floors), MOST_FLOORS)
        if rest:
            self._floors.addWidget(label(self.tr("and %n more", "", rest), "hint"))

    def _go_to(self, floor: int, _checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt's
        self._gaps.show_floor(floor)


class SheetParts(QObject):
    """The parts about an entity beside its profile; ``owner`` lays them out."""

    def __init__(self, look: Look, sheets: EntitySheets, gaps: GapsOfOne, owner: QWidget) -> None:
        super().__init__(owner)
        self.gaps = GapSection(gaps, owner)
        self.curve = CurveSection(look, owner)
        self.descriptions = DescriptionSection(look, sheets, owner)
        self.promises = PromiseSection(look, sheets, owner)
        self.evidence = EvidenceSection(look, sheets, owner)
        sheets.read.connect(self.show_sheet)

    @Slot(object)
    def show_sheet(self, sheet: EntitySheet | None) -> None:
        if sheet is not None:
            self.curve.show_curves(sheet.curves)
            self.promises.show_promises(sheet.promises)
            self.evidence.show_events(sheet.events)


# The face of an entity: the picture of its card, else a letter in the colour of its type.


ROUNDING = 0.22  # of the side, at the corners
GROUND = 0.18  # share of the type's colour behind a letter


class Portrait(QWidget):
    def __init__(self, look: Look, side: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._entity: EntityNode | None = None
        self._face: QImage | None = None
        self.setFixedSize(side, side)
        look.changed.connect(self.update)

    def show_entity(self, entity: EntityNode) -> None:
        """Show an entity's face, or its letter without one."""
        if self._entity is None or self._entity.id != entity.id:
            self._face = None
        self._entity = entity
        self.setAccessibleName(self.tr("Picture of {name}").format(name=entity.name))
        self.update()

    def show_face(self, face: QImage | None) -> None:
        self._face = face
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._entity is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        corner = box.width() * ROUNDING
        shape = QPainterPath()
        shape.addRoundedRect(box, corner, corner)
        if self._face is not None:
            painter.setClipPath(shape)
            side = min(self._face.width(), self._face.height())
            square = QRect((self._face.width() - side) // 2, 0, side, side)  # a face is at the top
            painter.drawImage(box, self._face, QRectF(square))
            painter.setClipping(False)
        else:
            colour = self._look.color(TYPE_ROLES[self._entity.type])
            painter.fillPath(shape, blend(colour, self._look.color("panel"), GROUND))
            font = QFont(self.font())
            font.setPixelSize(round(box.height() * 0.46))
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(self._look.color("ink"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, initial(self._entity.name))
        painter.setPen(QPen(self._look.color("line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)
        painter.end()


# The large page of an entity: it follows the selection of the graph.


WIDTH, HEIGHT = 760, 520  # pixels that fit into a window of 900 x 600
FACE = 88  # pixels


class SheetDialog(FramedDialog):
    def __init__(
        self,
        look: Look,
        graph: GraphPageModel,
        editor: EntityEditor,
        sheets: EntitySheets,
        gaps: GapsOfOne,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=WIDTH)
        self.portrait = Portrait(look, FACE)
        self.facts = FactTable()
        self.facts.opened.connect(sheets.show_event)
        self.relations = RelationList(look, editor)
        self.parts = SheetParts(look, sheets, gaps, self)
        self._place_parts()
        self.add_close(self.tr("Close"))
        centre = self.add_button(self.tr("Put in the centre"), left=True)
        centre.clicked.connect(sheets.put_in_centre)
        graph.selected.connect(self._on_selected)
        sheets.read.connect(self._on_read)
        self.resize(WIDTH, HEIGHT)
        self._on_selected(graph.entity)
        editor.read_relations()
        gaps.show(graph.entity)
        if sheets.sheet is not None:
            self.parts.show_sheet(sheets.sheet)
            self._on_read(sheets.sheet)

    def _place_parts(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self.portrait, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(4)
        self._kind = label("", "quiet", wrap=True)
        self._names = label("", wrap=True)
        words.addWidget(self._kind)
        words.addWidget(self._names)
        words.addStretch(1)
        head.addLayout(words, 1)
        self.body.addLayout(head)
        scroll = tall_area()
        inner = QWidget()
        sides = QHBoxLayout(inner)
        sides.setContentsMargins(0, 0, 10, 0)
        sides.setSpacing(24)
        left, right = QWidget(), QWidget()
        near, far = column(left, 0, 6), column(right, 0, 6)
        self._profile = caption(self.tr("Profile"))
        self._no_facts = label(
            self.tr("Nothing is written in the profile yet."), "quiet", wrap=True
        )
        for part in (self._profile, self.facts, self._no_facts, self.parts.curve):
            near.addWidget(part)
        near.addWidget(self.parts.descriptions)
        near.addWidget(self.parts.gaps)
        near.addWidget(self.parts.promises)
        near.addWidget(caption(self.tr("Relations")))
        near.addWidget(self.relations)
        near.addStretch(1)
        far.addWidget(self.parts.evidence)
        far.addStretch(1)
        sides.addWidget(left, 1)
        sides.addWidget(right, 1)
        scroll.setWidget(inner)
        self.body.addWidget(scroll, 1)

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        if entity is None:
            return
        self.set_title(entity.name)
        self.portrait.show_entity(entity)
        counts = (
            self.tr("%n event(s)", "", entity.event_count),
            self.tr("%n relation(s)", "", entity.degree),
        )
        self._kind.setText(" · ".join((type_noun(entity.type), *counts)))
        self._names.setText(" · ".join(entity.aliases))
        self._names.setVisible(bool(entity.aliases))

    @Slot(object)
    def _on_read(self, sheet: EntitySheet | None) -> None:
        if sheet is None:
            return
        self.portrait.show_face(sheet.face)
        self.facts.show_facts(sheet.facts)
        self.facts.setVisible(bool(sheet.facts))
        self._no_facts.setVisible(not sheet.facts)
