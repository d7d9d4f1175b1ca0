"""Fork a line, name and delete branches, compare the memories of two branches.

A fork copies no message and no event: it reads its parent's up to the fork. Entity items are
written for the fork, because entity cards are made of many events.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import DELETE_BRANCH, FORK, RENAME_BRANCH, Changes, StepLabel
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import MAIN_BRANCH, Branch, BranchComparison, Line, new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.formats.chats.chat_jsonl import is_named_after, name_of
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session


_T = QT_TRANSLATE_NOOP
_UNNAMED = "branch"  # name of an unnamed branch, with a number behind it
_GIVEN_NAME = re.compile(rf"{_UNNAMED} \d+(?: \(\d+\))?")


def branches(store: ChatStore) -> list[Branch]:
    """Return every branch, the main one first, with its numbers of messages and events."""
    return [
        Branch(
            branch_id,
            parent_id,
            fork_seq,
            name,
            source,
            store.messages.count(branch_id),
            store.events.counts(branch_id).total,
        )
        for branch_id, parent_id, fork_seq, name, source in store.branches.rows()
    ]


def fork(store: ChatStore, branch_id: str, at: int, name: str = "") -> tuple[str, Changes]:
    """Make a branch that shares the floors of ``branch_id`` up to ``at``. Raises InputError."""
    count = store.messages.count(branch_id)
    if not 0 <= at < count:
        raise InputError(
            Phrase(
                _T("reports", "There is no floor {at} to fork at; the last is {last}."),
                at=at,
                last=count - 1,
            )
        )
    fork_id, _group = fork_step(store, branch_id, at, name)
    label = StepLabel(FORK, {"name": _name_of(store, fork_id), "floor": at})
    return fork_id, Changes(chat_id=store.chat_id, branches=True, undo_label=label)


def fork_step(
    store: ChatStore, branch_id: str, at: int, name: str, *, source: str = ""
) -> tuple[str, int]:
    """As `fork`; returns the branch and its undo group, so that messages can join the step.

    With ``at`` -1 the branch shares no floor.
    """
    branch_name = _free_name(store, name.strip() or f"{_UNNAMED} {store.branches.count()}")
    owner = store.branches.owner(branch_id, at)
    fork_id = new_id()[:12]
    with store.step(StepLabel(FORK, {"name": branch_name, "floor": at})) as group:
        store.branches.add(fork_id, owner, at, branch_name, source)
        store.messages.shared.inherit(branch_id, fork_id)
        store.entities.refresh_items(store.entities.known_on(fork_id), [fork_id])
        store.update_cursor(fork_id)
    return fork_id, group


def copy_to_branch(store: ChatStore, branch_id: str, first: int, last: int) -> str:
    """Copy floors of a line to a branch that forks before them, in the caller's step."""
    fork_id, _group = fork_step(store, branch_id, first - 1, "")
    store.messages.append(fork_id, first, store.messages.as_parsed(branch_id, first, last))
    return fork_id


def rename(store: ChatStore, branch_id: str, name: str) -> Changes:
    """Give a branch another name. Raises InputError if it is empty or taken."""
    new_name = name.strip()
    taken_names = {row[3] for row in store.branches.rows() if row[0] != branch_id}
    if not new_name or new_name in taken_names:
        raise InputError(
            Phrase(
                _T("reports", "A branch cannot be called “{wanted}”: the name is empty or taken."),
                wanted=new_name,
            )
        )
    label = StepLabel(RENAME_BRANCH, {"name": _name_of(store, branch_id)})
    with store.step(label):
        store.branches.rename(branch_id, new_name)
    return Changes(chat_id=store.chat_id, branches=True, undo_label=label)


def move_branch(store: ChatStore, branch_id: str, file: Path, moved: Path) -> Changes:
    """Store that a branch is read from ``moved`` instead of ``file``, as one step.

    A branch named after the old file is renamed after the new one.
    """
    name = _name_of(store, branch_id)
    label = StepLabel(RENAME_BRANCH, {"name": name})
    with store.step(label):
        store.branches.set_source(branch_id, moved.name)
        if file.stem != moved.stem and is_named_after(name, file):
            store.branches.rename(branch_id, _free_name(store, name_of(moved)))
    return Changes(chat_id=store.chat_id, branches=True)


def name_branch(store: ChatStore, branch_id: str, file: Path) -> Changes:
    """Name a branch that has a default name after the file it is read from now, as one step."""
    name = _name_of(store, branch_id)
    if not _GIVEN_NAME.fullmatch(name):
        return Changes(chat_id=store.chat_id)
    with store.step(StepLabel(RENAME_BRANCH, {"name": name})):
        store.branches.set_source(branch_id, file.name)
        store.branches.rename(branch_id, _free_name(store, name_of(file)))
    return Changes(chat_id=store.chat_id, branches=True)


def delete(store: ChatStore, branch_id: str) -> Changes:
    """Delete a branch and its own messages; never the main one or one that others fork from."""
    if branch_id == MAIN_BRANCH:
        raise InputError(
            Phrase(_T("reports", "The main branch cannot be deleted; delete the chat instead."))
        )
    if store.branches.children(branch_id):
        raise InputError(
            Phrase(_T("reports", "Other branches fork from this one; delete them first."))
        )
    label = StepLabel(DELETE_BRANCH, {"name": _name_of(store, branch_id)})
    with store.step(label):
        store.branches.remove(branch_id)
    return Changes(chat_id=store.chat_id, branches=True, undo_label=label)


def compare(store: ChatStore, first: str, second: str) -> BranchComparison:
    """Return the events that only one of two branches sees, and those that both see."""
    first_events = store.events.find(EventQuery(branch_id=first))
    second_events = store.events.find(EventQuery(branch_id=second))
    in_one, in_other = set(first_events), set(second_events)
    return BranchComparison(
        tuple(pk for pk in first_events if pk not in in_other),
        tuple(pk for pk in second_events if pk not in in_one),
        tuple(pk for pk in first_events if pk in in_other),
    )


def _name_of(store: ChatStore, branch_id: str) -> str:
    names = [row[3] for row in store.branches.rows() if row[0] == store.branches.find(branch_id)]
    return names[0]


def _free_name(store: ChatStore, base_name: str) -> str:
    taken_names = {row[3] for row in store.branches.rows()}
    name, number = base_name, 2
    while name in taken_names:
        name, number = f"{base_name} ({number})", number + 1
    return name


class BranchService:
    """Branches of a chat. A ``branch_id`` is an id, never a name; see `find`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self, chat_id: str) -> list[Branch]:
        """Return every branch of a chat, the main one first."""
        return branches(self._session.chat(chat_id))

    def has(self, line: Line) -> bool:
        return line.branch_id in self._session.chat(line.chat_id).branches.ids()

    def find(self, chat_id: str, name_or_id: str) -> str:
        """Return the id of the branch with this id or name. Raises NotFound."""
        return self._session.chat(chat_id).branches.find(name_or_id)

    def fork(self, line: Line, *, at: int, name: str = "") -> tuple[str, Changes]:
        """Make a branch that shares floors up to ``at``; returns its id. Raises InputError."""
        return fork(self._session.chat(line.chat_id), line.branch_id, at, name)

    def rename(self, line: Line, name: str) -> Changes:
        return rename(self._session.chat(line.chat_id), line.branch_id, name)

    def delete(self, line: Line) -> Changes:
        """Delete a branch that no other forks from. Raises InputError."""
        return delete(self._session.chat(line.chat_id), line.branch_id)

    def compare(self, chat_id: str, first: str, second: str) -> BranchComparison:
        """Return the events that only one of two branches sees, and those that both see."""
        return compare(self._session.chat(chat_id), first, second)
