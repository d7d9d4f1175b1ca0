"""What an operation changed, and the name of its undo step.

Every service that writes returns `Changes`. A name is a template with numbers, so that a window can
translate it.
"""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any, Protocol, Self

from typing_extensions import override

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, english
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
ARCHIVE = _T("steps", "Archive {count} events")
RESTORE = _T("steps", "Make {count} events always visible")
LOCK = _T("steps", "Lock {count} events")
UNLOCK = _T("steps", "Unlock {count} events")
DELETE = _T("steps", "Delete {count} events")
BRING_BACK = _T("steps", "Bring back {count} events")
EDIT = _T("steps", "Edit “{summary}”")
EDIT_MANY = _T("steps", "Edit {count} events")
REPLACE = _T("steps", "Replace “{find}” in {count} events")
JOIN_EVENTS = _T("steps", "Join {count} events into one")
SPLIT_EVENT = _T("steps", "Split “{summary}” at floor {floor}")
KEEP_APART = _T("steps", "Keep {count} similar events apart")
ADD = _T("steps", "Add “{summary}”")
CONFIRM = _T("steps", "Confirm {count} events")
UNCONFIRM = _T("steps", "No longer confirm {count} events")
SUMMARISE = _T("steps", "Summarise floors {first}–{last}")
CONSOLIDATE = _T("steps", "Consolidate {count} events")
TRIM = _T("steps", "Trim {count} events into outlines")
MEND_OUTLINES = _T("steps", "Take outlines apart that are no longer true")
UNTRIM = _T("steps", "Take an outline of {count} events apart")
EDIT_ENTITY = _T("steps", "Edit {name}")
MERGE = _T("steps", "Merge {names} into {target}")
DISMISS = _T("steps", "Keep {one} and {other} apart")
FIND_SAME = _T("steps", "Look for duplicates among {count} entities")
HIDE_ENTITY = _T("steps", "Hide {name} from the graph")
SHOW_ENTITY = _T("steps", "Show {name} in the graph again")
PROFILES = _T("steps", "Update the profiles of {count} entities")
REFLECT = _T("steps", "Look back on floors {first}–{last}")
ADD_RELATION = _T("steps", "Add the relation “{fact}”")
EDIT_RELATION = _T("steps", "Reword the relation “{fact}”")
END_RELATION = _T("steps", "Say when “{fact}” was true")
DELETE_RELATION = _T("steps", "Delete the relation “{fact}”")
MOVE_NODE = _T("steps", "Move {name} in the graph")
MOVE_NODES = _T("steps", "Lay out {count} entities again")
SPLIT = _T("steps", "Split {name} from {target}")
ADD_LOG = _T("steps", "Add a private log of {name}")
EDIT_LOG = _T("steps", "Edit a private log of {name}")
DELETE_LOGS = _T("steps", "Delete {count} private logs")
ANSWER_FINDING = _T("steps", "Answer a finding: {answer}")
NOTE_THREAD = _T("steps", "Note the thread “{text}”")
FORGET_THREADS = _T("steps", "Forget {count} noted threads")
ADD_ENTITY = _T("steps", "Add {name} to the graph")
PUT_AWAY = _T("steps", "Put away in the inbox: {text}")
PUT_OFF = _T("steps", "Put off in the inbox: {text}")
SET_STATE = _T("steps", "Set the state {path}")
REMOVE_STATE = _T("steps", "Remove the state {path}")
PLAY_SAY = _T("steps", "Say floor {floor}")
PLAY_REPLY = _T("steps", "Reply of {name} on floor {floor}")
PLAY_REROLL = _T("steps", "Another reply of {name} on floor {floor}")
PLAY_GO_ON = _T("steps", "Go on with floor {floor}")
PLAY_SWIPE = _T("steps", "Choose reading {number} of floor {floor}")
PLAY_CORRECT = _T("steps", "Correct what floor {floor} left")
LAB_SAVE = _T("steps", "Save a question of the lab: {query}")
LAB_DELETE = _T("steps", "Delete a question of the lab: {query}")
SAY_KNOWN = _T("steps", "Say what {name} knows of {count} memories")
SAY_PRESENT = _T("steps", "Say who was there on {count} floors")
SAY_MEMBER = _T("steps", "Say when {name} is of {group}")
SAY_GRID = _T("steps", "Say who was there or knows it: {count} cells")
SAY_SECRET = _T("steps", "Say who must not learn {count} memories")
WRITE_NOTE = _T("steps", "Write a private note on “{what}”")
DELETE_NOTE = _T("steps", "Delete the private note on “{what}”")
MUTE = _T("steps", "Do not use again: {what}")
UNMUTE = _T("steps", "Allow again: {what}")
IMPORT = _T("steps", "Import {count} messages")
ADOPT = _T("steps", "Take over {count} memories of other tools")
FOLLOW = _T("steps", "Follow the file: {changed} changed, {removed} removed, {added} added")
SERVED = _T("steps", "Keep what a front end shows from floor {floor} on")
SERVED_REPLY = _T("steps", "Keep the reply of {name} on floor {floor}")
ADD_MESSAGE = _T("steps", "Add floor {floor}")
EDIT_MESSAGE = _T("steps", "Edit floor {floor}")
DELETE_MESSAGES = _T("steps", "Delete {count} messages")
HIDE = _T("steps", "Hide {count} messages")
SHOW = _T("steps", "Show {count} messages")
SAVE_DRAFTS = _T("steps", "Save {count} reviewed blocks")
DISCARD_DRAFTS = _T("steps", "Discard {count} drafts")
REDO_RANGE = _T("steps", "Take the new summary of floors {first}–{last}")
AUTO_FROM = _T("steps", "Begin automatic summaries at floor {floor}")
ENTITY_CURSOR = _T("steps", "Note that entities are up to date to floor {floor}")
REDO_STALE = _T("steps", "Summarise {count} stale ranges again")
FORK = _T("steps", "Fork “{name}” at floor {floor}")
RENAME_BRANCH = _T("steps", "Rename the branch “{name}”")
DELETE_BRANCH = _T("steps", "Delete the branch “{name}”")
MERGE_WORLDBOOK = _T("steps", "Take {count} entries of “{file}” into the memory")

# Steps of the library rather than a chat.
IMPORT_WORLDBOOK = _T("steps", "Import the world book “{name}”")
RENAME_CHAT = _T("steps", "Rename the chat “{name}” to “{new}”")
REPLACE_WORLDBOOK = _T("steps", "Put a file in the place of the world book “{name}”")
JOIN_WORLDBOOK = _T("steps", "Add {count} entries of a file to “{name}”")
RENAME_WORLDBOOK = _T("steps", "Rename the world book “{name}” to “{new}”")
DELETE_WORLDBOOK = _T("steps", "Delete the world book “{name}”")
ADD_ENTRY = _T("steps", "Add an entry to “{name}”")
EDIT_ENTRY = _T("steps", "Edit the entry “{entry}” of “{name}”")
EDIT_ENTRIES = _T("steps", "Edit {count} entries of “{name}”")
DELETE_ENTRY = _T("steps", "Delete the entry “{entry}” of “{name}”")
DELETE_ENTRIES = _T("steps", "Delete {count} entries of “{name}”")
HAND_ON_ENTRIES = _T("steps", "Move {count} entries of “{name}” to “{new}”")
SORT_ENTRIES = _T("steps", "Give {count} entries of “{name}” the order of the list")
MOVE_ENTRIES = _T("steps", "Move {count} entries of “{name}”")
HEAD_ENTRIES = _T("steps", "Put {count} entries of “{name}” under “{heading}”")
BARE_ENTRIES = _T("steps", "Take {count} entries of “{name}” from under their heading")
HEADING_ON = _T("steps", "Switch “{heading}” of “{name}” on")
HEADING_OFF = _T("steps", "Switch “{heading}” of “{name}” off")
WORLDBOOK_GLOBAL = _T("steps", "Switch “{name}” on in every chat")
WORLDBOOK_NOT_GLOBAL = _T("steps", "No longer switch “{name}” on in every chat")
WORLDBOOK_IN_CHAT = _T("steps", "Switch “{name}” on in the chat “{chat}”")
WORLDBOOK_NOT_IN_CHAT = _T("steps", "No longer switch “{name}” on in the chat “{chat}”")
BIND_WORLDBOOK = _T("steps", "Switch “{name}” on in the chats of {character}")
IMPORT_CARD = _T("steps", "Import the character “{name}”")
DELETE_CARD = _T("steps", "Delete the character “{name}”")
IMPORT_SCRIPTS = _T("steps", "Import {count} regex scripts")
SCRIPT_ON = _T("steps", "Switch the regex script “{name}” on")
SCRIPT_OFF = _T("steps", "Switch the regex script “{name}” off")
MOVE_SCRIPT = _T("steps", "Move the regex script “{name}”")
DELETE_SCRIPT = _T("steps", "Delete the regex script “{name}”")
EDIT_PROMPT = _T("steps", "Edit the prompt “{task}”")
RESET_PROMPT = _T("steps", "Use the built-in prompt “{task}” again")
PROMPT_MODEL = _T("steps", "Choose the model for “{task}”")
MAKE_VOLUME = _T("steps", "Make the volume “{name}”")
UPDATE_VOLUME = _T("steps", "Update the volume “{name}”")
IMPORT_VOLUME = _T("steps", "Import the volume “{name}”")
DELETE_VOLUME = _T("steps", "Delete the volume “{name}”")
ATTACH_VOLUME = _T("steps", "Let “{chat}” read the volume “{name}”")
DETACH_VOLUME = _T("steps", "No longer let “{chat}” read the volume “{name}”")
TAKE_FOLDER = _T("steps", "Take things in from the folder {folder}")


# The counted things: for one, and in a template.
_ONE_OF = {
    "events": "event",
    "entities": "entity",
    "memories": "memory",
    "messages": "message",
    "floors": "floor",
    "cells": "cell",
    "logs": "log",
    "threads": "thread",
    "blocks": "block",
    "drafts": "draft",
    "ranges": "range",
    "entries": "entry",
    "scripts": "script",
}


@dataclass(frozen=True, slots=True)
class StepLabel:
    """``text`` is one of the templates above; ``str()`` gives the English sentence."""

    text: str
    params: dict[str, Any] = field(default_factory=dict)

    @override
    def __str__(self) -> str:
        return self.template.format_map(english(self.params))

    @property
    def template(self) -> str:
        """The English template, with its singular for 1: “1 event”."""
        before, count, after = self.text.partition("{count} ")
        if self.params.get("count") != 1:
            return self.text
        words = after.split(" ")
        return before + count + " ".join(_ONE_OF.get(word, word) for word in words)

    def to_json(self) -> str:
        return json.dumps([self.text, self.params], ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> StepLabel:
        template, params = json.loads(text)
        return cls(template, params)


@dataclass(frozen=True, slots=True)
class Changes:
    """The ids that changed by kind, how they changed, and the label of the undo step.

    ``events`` are keys (`EventNode.pk`) of events whose rows are to be read again, ``entities``
    entity ids. Each flag has one meaning, so that nothing unchanged is read again: a lock changes a
    row and sets no flag. Views refresh from this record only.
    """

    chat_id: str | None = None
    events: frozenset[int] = field(default_factory=frozenset)
    entities: frozenset[str] = field(default_factory=frozenset)
    messages: bool = False
    settings: bool = False
    library: bool = False  # the list of chats
    logs: bool = False  # private logs
    rows: bool = False  # events were added or removed
    order: bool = False  # events moved to other floors
    counts: bool = False  # events became archived, visible or stale: always visible text changed
    texts: bool = False  # texts of events changed
    trust: bool = False  # confidence of events changed
    graph: bool = False  # entities or relations were added, removed, merged; perhaps unknown which
    branches: bool = False  # branches were added, removed or renamed
    undo_label: StepLabel | None = None
    drafts: bool = False  # drafts for review, or failed blocks
    worldbooks: bool = False  # worldbooks and characters
    volumes: bool = False  # volumes, or which chats read them
    state: bool = False  # the user changed the state by hand; messages change it too
    recall: bool = False  # what recall must not use, or its trial weights
    index: bool = False  # the index of recall was rebuilt
    knowledge: bool = False  # the user set who knows what, or who was there
    inbox: bool = False  # items put away or put off in the inbox
    apart: bool = False  # events marked as not duplicates
    notes: bool = False  # private notes of the user

    @classmethod
    def of_memory(cls, chat_id: str | None) -> Self:
        """Return the changes that a pipeline may have made to a chat."""
        return cls(
            chat_id=chat_id,
            logs=True,
            rows=True,
            order=True,
            counts=True,
            texts=True,
            trust=True,
            graph=True,
            drafts=True,
        )

    @property
    def has_memory(self) -> bool:
        """Return whether the memory of a chat may have changed."""
        of_events = self.rows or self.order or self.counts or self.texts
        return of_events or self.graph or bool(self.entities)

    @property
    def may_change_duplicates(self) -> bool:
        """Return whether duplicates of events may have changed: texts, floors, or exceptions."""
        return self.rows or self.texts or self.order or self.apart

    def __or__(self, other: Self) -> Changes:
        return Changes(
            chat_id=self.chat_id or other.chat_id,
            events=self.events | other.events,
            entities=self.entities | other.entities,
            messages=self.messages or other.messages,
            settings=self.settings or other.settings,
            library=self.library or other.library,
            logs=self.logs or other.logs,
            rows=self.rows or other.rows,
            order=self.order or other.order,
            counts=self.counts or other.counts,
            texts=self.texts or other.texts,
            trust=self.trust or other.trust,
            graph=self.graph or other.graph,
            branches=self.branches or other.branches,
            undo_label=self.undo_label or other.undo_label,
            drafts=self.drafts or other.drafts,
            worldbooks=self.worldbooks or other.worldbooks,
            volumes=self.volumes or other.volumes,
            state=self.state or other.state,
            recall=self.recall or other.recall,
            index=self.index or other.index,
            knowledge=self.knowledge or other.knowledge,
            inbox=self.inbox or other.inbox,
            apart=self.apart or other.apart,
            notes=self.notes or other.notes,
        )


class HasChanges(Protocol):
    """A report of an operation, with its changes."""

    @property
    def changes(self) -> Changes: ...
