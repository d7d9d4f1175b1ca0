"""The events of the list as a tree: each outline, and below it what it was made of.

The tree is a flat list of keys with depths: what is folded is not in it, so 100,000 events cost
what is on screen. An event whose outline is not in the list stands where the list has it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Qt, Slot
from typing_extensions import override

from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.events.event_list import EventList, EventListModel
from engram_desktop.viewmodels.workspace.live_query import AnyIndex, LiveQuery, RowRole
from engram_desktop.viewmodels.workspace.workspace import Workspace

DepthRole = RowRole + 1
FoldRole = RowRole + 2  # True: unfolded, False: folded, None: nothing stands below it
DEEPEST = 20  # levels followed: outlines never go so deep


@dataclass(frozen=True, slots=True)
class Tree:
    """Keys at the top, and keys below keys, in the order of the list."""

    roots: array[int]
    parts: Mapping[int, array[int]]
    parents: Mapping[int, int]

    def flat(self, keys: array[int], depth: int, unfolded: set[int]) -> tuple[Any, Any]:
        """Return the rows of ``keys`` and of what is unfolded below them: keys and depths."""
        if unfolded.isdisjoint(self.parts):
            return keys[:], array("b", [depth]) * len(keys)
        rows, depths = array("q"), array("b")
        for key in keys:
            rows.append(key)
            depths.append(depth)
            if key in unfolded and key in self.parts and depth < DEEPEST:
                more, deeper = self.flat(self.parts[key], depth + 1, unfolded)
                rows += more
                depths += deeper
        return rows, depths


def tree_of(keys: array[int], parents: Mapping[int, int]) -> Tree:
    """Put keys below those of their outlines that are among them."""
    there = set(keys)
    known = {
        key: parent
        for key, parent in parents.items()
        if key in there and parent in there and parent != key
    }
    roots = array("q", (key for key in keys if key not in known))
    parts: dict[int, array[int]] = {}
    for key in keys if known else ():
        if key in known:
            parts.setdefault(known[key], array("q")).append(key)
    return Tree(roots, parts, known)


class OutlineModel(EventListModel):
    depths: array[int]
    tree = Tree(array("q"), {}, {})

    def __init__(self, tree: OutlineTree, fetch: Callable[..., Any]) -> None:
        super().__init__(fetch, tree)
        self.depths = array("b")
        self.unfolded: set[int] = set()

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role == DepthRole:
            return self.depths[index.row()]
        if index.isValid() and role == FoldRole:
            (key,) = self.keys(index.row(), index.row())
            return key in self.unfolded if key in self.tree.parts else None
        if index.isValid() and role == Qt.ItemDataRole.AccessibleTextRole:
            level = self.tr("Level {level}").format(level=self.depths[index.row()] + 1)
            return f"{super().data(index, role)}. {level}"
        return super().data(index, role)


class OutlineTree(QObject):
    """Follows the list; reads while it is seen."""

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._events = events
        self.model = OutlineModel(self, events.fetch)
        self.model.noted = events.noted
        self._reading = LiveQuery(
            workspace,
            "outline tree",
            self._ask,
            self._show,
            concerns=lambda _changes: False,
            forget=self._forget,
            parent=self,
        )
        self._reading.set_active(False)
        events.found.connect(self._on_found)
        events.model.dataChanged.connect(self._on_other_content)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - shown or not
        self._reading.set_active(active)

    def toggle(self, row: int) -> None:
        """Fold what stands below a row, or unfold it."""
        model = self.model
        keys, depths = model.keys(), model.depths
        if not 0 <= row < len(keys) or keys[row] not in model.tree.parts:
            return
        key, depth = keys[row], depths[row]
        if key in model.unfolded:
            model.unfolded.discard(key)
            end = row + 1
            while end < len(keys) and depths[end] > depth:
                end += 1
            self._set(keys[: row + 1] + keys[end:], depths[: row + 1] + depths[end:])
            return
        model.unfolded.add(key)
        more, deeper = model.tree.flat(model.tree.parts[key], depth + 1, model.unfolded)
        self._set(
            keys[: row + 1] + more + keys[row + 1 :],
            depths[: row + 1] + deeper + depths[row + 1 :],
        )

    def reveal(self, key: int) -> None:
        """Unfold every outline above ``key``."""
        above: list[int] = []
        parents = self.model.tree.parents
        while key in parents and len(above) < DEEPEST:
            key = parents[key]
            above.append(key)
        for outline in reversed(above):
            row = self.model.row_of(outline)
            if row is not None and outline not in self.model.unfolded:
                self.toggle(row)

    def parent_row(self, row: int) -> int | None:
        (key,) = self.model.keys(row, row)
        parent = self.model.tree.parents.get(key)
        return None if parent is None else self.model.row_of(parent)

    def _set(self, keys: array[int], depths: array[int]) -> None:
        self.model.depths = depths
        self.model.set_keys(keys)

    def _ask(self) -> Callable[[JobContext], tuple[Tree, Any, Any]] | None:
        line, memory = self._space.line, self._space.memory
        keys, unfolded = self._events.model.keys(), set(self.model.unfolded)
        if not line.chat_id:
            return None

        def read(_ctx: JobContext) -> tuple[Tree, Any, Any]:
            tree = tree_of(keys, memory.events.parents(line.chat_id))
            return tree, *tree.flat(tree.roots, 0, unfolded)

        return read

    def _show(self, answer: tuple[Tree, Any, Any]) -> None:
        self.model.tree, keys, depths = answer
        self._set(keys, depths)

    def _forget(self) -> None:
        self.model.unfolded = set()
        self.model.tree = Tree(array("q"), {}, {})
        self._set(array("q"), array("b"))

    @Slot(int)
    def _on_found(self, _count: int) -> None:
        self._reading.refresh()

    @Slot()
    def _on_other_content(self) -> None:
        self.model.refresh()
