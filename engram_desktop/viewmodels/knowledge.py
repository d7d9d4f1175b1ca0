"""Who knows what: dialogs for knowledge, groups and secrets, and the window's point of view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.workspace import (
    AskedMemories,
    Ref,
    Workspace,
    WorkspaceModel,
)

if TYPE_CHECKING:
    from engram_desktop.domain.knowledge.knowing import Knower, Membership, Secret


MOST_ASKED = 200  # memories of a selection that are read; statements apply to the whole selection


@dataclass(frozen=True, slots=True)
class Knowers:
    """Who knows the selected memories, and all who could.

    ``counts``: how many of them each person knows. ``knowers`` are those of a single memory, empty
    for several.
    """

    knowers: tuple[Knower, ...] = ()
    counts: dict[str, int] | None = None
    cast: tuple[str, ...] = ()


class WhoKnows(WorkspaceModel):
    """State and commands of the dialog that shows who knows something."""

    shown = Signal(object)  # Known

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.asked = AskedMemories((), "")
        self.known = Knowers()
        self._reading = newest_answer(workspace, self._on_read, self)
        workspace.hub.changed.connect(self._on_changed)

    def ask(self, asked: AskedMemories) -> None:
        self.asked = asked
        self._read()

    def say(self, name: str, *, known: bool, from_floor: int = 0) -> None:
        """State that a person knows all of them from a floor on, or knows none of them."""
        line, memory, refs = self._space.line, self._space.memory, self.asked.refs
        self._space.change(
            self.tr("Saying who knows it"),
            lambda _ctx: memory.knowledge.say_known(
                line, refs, name, known=known, from_floor=from_floor
            ),
        )

    def take_back(self, name: str) -> None:
        """Remove the user's statement, so that a person's knowledge is computed again."""
        line, memory, refs = self._space.line, self._space.memory, self.asked.refs
        self._space.change(
            self.tr("Saying who knows it"),
            lambda _ctx: memory.knowledge.unsay_known(line, refs, name),
        )

    def read_telling(self, knower: Knower) -> None:
        """Show the messages from which a person knows it."""
        self._space.floor_wanted.emit(knower.from_floor, knower.from_floor)

    def _read(self) -> None:
        line, memory, refs = self._space.line, self._space.memory, self.asked.refs
        if line.chat_id and refs:
            self._reading.ask(lambda ctx: _known(ctx, memory, line, refs[:MOST_ASKED]))

    @Slot(object)
    def _on_read(self, known: Knowers) -> None:
        self.known = known
        self.shown.emit(known)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.knowledge and changes.chat_id == self._space.chat_id:
            self._read()


def _known(ctx: JobContext, memory: Memory, line: Line, refs: tuple[Ref, ...]) -> Knowers:
    cast = tuple(memory.knowledge.actors(ctx, line))
    if len(refs) == 1:
        return Knowers(tuple(memory.knowledge.who(ctx, line, refs[0])), None, cast)
    counts: dict[str, int] = {}
    for ref in refs:
        ctx.check()
        for knower in memory.knowledge.who(ctx, line, ref):
            counts[knower.actor] = counts.get(knower.actor, 0) + 1
    return Knowers((), counts, cast)


MOST_OFFERED = 300  # names offered in a list; other names can be typed


@dataclass(frozen=True, slots=True)
class Groups:
    """The members of the groups; ``groups`` and ``people`` are the offered names."""

    rows: tuple[Membership, ...] = ()
    groups: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    last_floor: int = 0


class GroupList(WorkspaceModel):
    """State and commands of the groups dialog. It reads only while active (`set_active`)."""

    shown = Signal(object)  # Groups

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.groups = Groups()
        self._query = LiveQuery(
            workspace,
            "groups",
            self._ask,
            self._show,
            concerns=lambda changes: changes.knowledge and changes.chat_id == workspace.chat_id,
            forget=lambda: self._show(Groups()),
            parent=self,
        )
        self._query.set_active(False)

    def set_active(self, *, active: bool) -> None:
        """Start or stop reading; called when the dialog opens and closes."""
        self._query.refresh()  # each opening makes a new dialog
        self._query.set_active(active)

    def say(self, group: str, name: str, *, is_member: bool, floor: int) -> None:
        """State that a person joins or leaves a group at a floor."""
        line, memory = self._space.line, self._space.memory
        self._space.change(
            self.tr("Saying who is of a group"),
            lambda _ctx: memory.knowledge.say_member(
                line, group, name, is_member=is_member, floor=floor
            ),
        )

    def take_back(self, one: Membership) -> None:
        """Remove all statements about a person in a group."""
        line, memory = self._space.line, self._space.memory
        self._space.change(
            self.tr("Saying who is of a group"),
            lambda _ctx: memory.knowledge.unsay_member(line, one.group, one.name),
        )

    def _ask(self) -> Callable[[JobContext], Groups] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id:
            return None

        def read(ctx: JobContext) -> Groups:
            rows = memory.knowledge.memberships(line)
            entities = memory.graph.find_entities(line, "", MOST_OFFERED)
            named = [one.group for one in rows]
            named += [e.name for e in entities if e.type in ("concept", "unknown")]
            return Groups(
                tuple(rows),
                tuple(dict.fromkeys(named)),
                tuple(memory.knowledge.actors(ctx, line)[:MOST_OFFERED]),
                max(0, memory.messages.count(line) - 1),
            )

        return read

    def _show(self, groups: Groups) -> None:
        self.groups = groups
        self.shown.emit(groups)


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets, the newest first; ``cast`` are all persons who could know."""

    rows: tuple[Secret, ...] = ()
    cast: tuple[str, ...] = ()


class SecretList(WorkspaceModel):
    """State and commands of the secrets dialog. It reads only while active (`set_active`)."""

    shown = Signal(object)  # Secrets

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.secrets = Secrets()
        self._query = LiveQuery(
            workspace,
            "secrets",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.set_active(False)

    def set_active(self, *, active: bool) -> None:
        """Start or stop reading; called when the dialog opens and closes."""
        self._query.refresh()  # each opening makes a new dialog
        self._query.set_active(active)

    def keep_from(self, secrets: Sequence[Secret], names: Sequence[str]) -> None:
        """Set who must not learn these secrets."""
        line, memory = self._space.line, self._space.memory
        refs = [(secret.kind, secret.ref) for secret in secrets]
        self._space.change(
            self.tr("Saying who must not learn it"),
            lambda _ctx: memory.knowledge.keep_from(line, refs, names),
        )

    def ask_who(self, secrets: Sequence[Secret]) -> None:
        """Ask for the dialog that shows who knows these secrets."""
        refs = tuple((secret.kind, secret.ref) for secret in secrets)
        text = secrets[0].text if len(secrets) == 1 else ""
        self._space.who_wanted.emit(AskedMemories(refs, text, max(s.last for s in secrets)))

    def read_source(self, secret: Secret) -> None:
        self._space.floor_wanted.emit(secret.first, secret.last)

    def _ask(self) -> Callable[[JobContext], Secrets] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id:
            return None
        return lambda ctx: Secrets(
            tuple(memory.knowledge.secrets(ctx, line)), tuple(memory.knowledge.actors(ctx, line))
        )

    def _show(self, secrets: Secrets) -> None:
        self.secrets = secrets
        self.shown.emit(secrets)

    def _forget(self) -> None:
        self._show(Secrets())

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and (changes.knowledge or changes.rows or changes.texts or changes.messages)


class KnowingModels(WorkspaceModel):
    """The viewmodels of the knowledge dialogs, each made when first asked for."""

    @cached_property
    def who(self) -> WhoKnows:
        return WhoKnows(self._space, self)

    @cached_property
    def groups(self) -> GroupList:
        return GroupList(self._space, self)

    @cached_property
    def secrets(self) -> SecretList:
        return SecretList(self._space, self)


class Viewpoint(WorkspaceModel):
    """The character and the floor as which a chat is seen.

    ``names`` are read only when asked for: knowledge may have to be computed first.
    """

    changed = Signal(str)  # the character; empty for the curator
    names_read = Signal(object)  # list[str], most events perceived first
    at_changed = Signal(object)  # the floor, None for now
    last_read = Signal(object)  # last floor of the shown line

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.names: list[str] = []
        self._reading = newest_answer(workspace, self._on_read, self)
        self._counting = newest_answer(workspace, self.last_read, self)
        workspace.actor_changed.connect(self.changed)
        workspace.at_changed.connect(self.at_changed)
        workspace.chat_changed.connect(self._on_chat_changed)

    @property
    def current(self) -> str:
        return self._space.actor

    def view_as(self, name: str) -> None:
        """Show everything as this character knows it; empty for the curator's view."""
        self._space.view_as(name)

    @property
    def at(self) -> int | None:
        return self._space.at

    def view_at(self, floor: int | None) -> None:
        """Show everything as of a floor; None shows the present."""
        self._space.view_at(floor)

    def view_before(self) -> None:
        """Show everything as of the last floor but one; the floor dial starts there."""
        line, memory = self._space.line, self._space.memory
        if line.chat_id and self._space.at is None:
            job = self._space.look_up(lambda _ctx: max(0, memory.messages.count(line) - 2))
            job.succeeded.connect(
                lambda floor: self._space.view_at(floor) if line == self._space.line else None
            )

    def _read_last(self) -> None:
        line, memory = self._space.line, self._space.memory
        if line.chat_id:
            self._counting.ask(lambda _ctx: memory.messages.count(line) - 1)

    @Slot()
    def read(self) -> None:
        line, memory = self._space.line, self._space.memory
        if line.chat_id:
            self._reading.ask(lambda ctx: memory.knowledge.actors(ctx, line))

    @Slot(object)
    def _on_read(self, names: list[str]) -> None:
        self.names = names
        self.names_read.emit(names)

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        self._reading.drop()
        self._counting.drop()
        self.names = []
        if self._space.at is not None:
            self._read_last()
