"""Random stories, and who may know what of them, worked out without asking the program."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace
from itertools import count

from engram_desktop.domain.knowledge.knowing import PresenceSpan
from engram_desktop.domain.memory.event import PrivateLog, SourceRange
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.scope import ScopeName
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge import KnowledgeFix
from tests.factories import make_event, make_extraction, make_message

GROUP = "青云门"  # knows what the user says it knows
NAMES = ["爱丽丝", "鲍勃", "卡萝", "Dora", "旅人"]
FLOORS = 60
SPAN = SourceRange(0, 3)
SCOPES: tuple[ScopeName, ...] = ("shared", "shared", "global", "private", "conditional")


def story_told(store: ChatStore, seed: int) -> ChatStore:
    """Let somebody say something on each floor of a new chat."""
    chance = random.Random(seed)
    messages = [
        make_message(f"第{n}件事，暗号{n:05d}号。", chance.choice(NAMES)) for n in range(FLOORS)
    ]
    with store.database.writing():
        store.messages.append(MAIN_BRANCH, 0, messages)
    return store


def may_know(
    actor: str | None,
    scope: ScopeName,
    *,
    owner: str | None = None,
    participants: Collection[str] = (),
    condition: str | None = None,
    condition_holds: bool = False,
) -> bool:
    """Whether ``actor`` may know it. None is the human curator, who sees everything.

    ``participants`` are those who were there and those who were told since: of a shared memory
    nobody else knows.

    A ``condition`` counts in every scope: an unmet or unreadable one denies, and so does a
    missing one where the scope is conditional.
    """
    if actor is None:
        return True
    if (condition or scope == "conditional") and not condition_holds:
        return False
    match scope:
        case "global":
            return True
        case "shared":
            return actor == owner or actor in participants
        case "private":
            return actor == owner
        case "conditional":
            return True


class World:
    """One random chat, and what is true of it."""

    def __init__(self, store, seed, scopes=SCOPES):
        """``store`` holds ``FLOORS`` messages."""
        self.random = random.Random(seed)
        self.store = store
        self.scopes = scopes
        self.there = []  # by floor, who is there
        self.events = {}  # id: (scope, owner, floors, witnesses)
        self.logs = {}  # id: (scope, owner, linked event)
        self.conditions = {}  # id: the condition of an event or log, whatever its scope
        self.fixes = {}  # (kind, id, name): (known, from floor)
        self.edited = set()  # floors whose text is another than a model spoke of
        self.numbers = count(70_001)  # no event holds a word of another floor
        messages = self.store.messages.slice(MAIN_BRANCH, 0, FLOORS)
        self.there = [self.some_people() | {m.name} for m in messages]  # who speaks is there
        self.answer()
        self.add_events(40)
        self.add_logs(15)

    def some_condition(self):
        return self.random.choice([None, None, None, "好感度 > 90"])

    def some_people(self):
        return frozenset(self.random.sample(NAMES, self.random.randint(0, len(NAMES))))

    def answer(self):
        """Say of every floor who is there, as a model would."""
        rows = self.store.messages.slice(MAIN_BRANCH, 0, 10_000)
        with self.store.database.writing():
            self.store.presence.answer(
                (m.id, m.swipe_hash, [PresenceSpan(m.seq, m.seq, tuple(sorted(self.there[m.seq])))])
                for m in rows
            )

    def add_events(self, number):
        events = []
        for _ in range(number):
            first = self.random.randrange(len(self.there))
            last = min(len(self.there) - 1, first + self.random.randrange(4))
            witnesses = self.random.choice([None, tuple(sorted(self.some_people()))])
            scope = self.random.choice(self.scopes)
            owner = self.random.choice(NAMES) if scope == "private" else None
            data = make_extraction(f"事件{next(self.numbers):05d}号", witnesses=witnesses)
            condition = self.some_condition()
            event = make_event(
                data.summary,
                first,
                last,
                raw_data=data,
                scope=scope,
                owner=owner,
                condition=condition,
            )
            events.append(event)
            self.conditions[event.id] = condition
            self.events[event.id] = (scope, owner, (first, last), witnesses)
        with self.store.database.writing():
            self.store.events.add(events, 1)

    def add_logs(self, number):
        logs = []
        for _ in range(number):
            scope = self.random.choice(self.scopes)
            linked = self.random.choice([None, *self.events])
            owner = self.random.choice(NAMES)
            log_id = f"日志{next(self.numbers):05d}号"
            condition = self.conditions[log_id] = self.some_condition()
            logs.append(
                PrivateLog(
                    0,
                    log_id,
                    MAIN_BRANCH,
                    owner,
                    log_id,
                    SourceRange(0, 3),
                    (),
                    linked,
                    scope,
                    condition,
                )
            )
            self.logs[log_id] = (scope, owner, linked)
        with self.store.database.writing():
            self.store.logs.add(logs, 1)

    def change(self):
        """Something happens: an edit, a correction, an event that goes."""
        what = self.random.randrange(6)
        if what == 0:
            event_id = self.random.choice(list(self.events))
            name, is_known = self.random.choice([*NAMES, GROUP]), self.random.random() < 0.5
            floor = self.random.randrange(60)
            with self.store.database.writing():
                fix = KnowledgeFix("event", event_id, name, is_known, floor)
                self.store.knowledge.fix([fix])
            self.fixes["event", event_id, name] = (is_known, floor)
        elif what == 1:
            floor = self.random.randrange(60)
            self.there[floor] = self.some_people()
            [message] = self.store.messages.slice(MAIN_BRANCH, floor, floor)
            with self.store.database.writing():
                self.store.presence.say([message.id], sorted(self.there[floor]))
        elif what == 4:
            floor = self.random.randrange(60)
            [message] = self.store.messages.slice(MAIN_BRANCH, floor, floor)
            text = f"改过的第{next(self.numbers)}句，暗号{floor:05d}号。"
            parsed = make_message(text, message.name)
            with self.store.database.writing():
                row = (message.id, MAIN_BRANCH, floor, parsed)
                self.store.messages.rewrite([row])
                self.store.messages.update_turn_hashes(MAIN_BRANCH, [floor, floor + 1])
            self.edited.add(floor)
        elif what == 5:
            event_id = self.random.choice(list(self.events))
            event = self.store.events.by_ids([event_id])[0]
            condition = self.conditions[event_id] = self.some_condition()
            with self.store.database.writing():
                self.store.events.replace([replace(event, condition=condition)], 2)
        elif what == 2 and len(self.events) > 10:
            event_id = self.random.choice(list(self.events))
            pk = self.store.events.by_ids([event_id])[0].pk
            with self.store.database.writing():
                self.store.events.delete([pk], 2)
            self.events.pop(event_id)
        else:
            self.add_events(2)

    def is_edited(self, kind, ref):
        """Whether a memory tells of a message that was edited."""
        if kind == "log":
            linked = self.logs[ref][2]
            return linked in self.events and self.is_edited("event", linked)
        first, last = (int(ref),) * 2 if kind == "turn" else self.events[ref][2]
        return not self.edited.isdisjoint(range(first, last + 1))

    def floor_of(self, kind, ref):
        """Return the last floor that a memory tells of."""
        if kind == "turn":
            return int(ref)
        return self.events[ref][2][1] if kind == "event" else SPAN.end_index

    def witnesses(self, event_id):
        """Return who lived through an event that is still there."""
        _scope, _owner, (first, last), said = self.events[event_id]
        floors = self.there[first : last + 1]
        if said is None:
            return frozenset.intersection(*floors)
        anybody = frozenset.union(*floors)
        return frozenset(said) & anybody

    def may_know(self, name, kind, ref, at, fulfilled, until=-1):
        """Work out by the rule itself whether somebody may know a memory.

        ``until`` is the last floor on which it was of the group; before the first for never.
        """
        if (kind, ref, name) not in self.fixes and (kind, ref, GROUP) in self.fixes:
            is_known, floor = self.fixes[kind, ref, GROUP]
            is_guarded = self.events[ref][0] == "conditional" or self.conditions[ref]
            if is_known and floor <= min(at, until) and (not is_guarded or ref in fulfilled):
                return True
        if (kind, ref, name) in self.fixes:
            is_known, floor = self.fixes[kind, ref, name]
            is_guarded = self.events[ref][0] == "conditional" or self.conditions[ref]
            return is_known and floor <= at and (not is_guarded or ref in fulfilled)
        if kind == "turn":
            return name in self.there[int(ref)]
        if kind == "event":
            scope, owner, _floors, _said = self.events[ref]
            people = self.witnesses(ref) if scope == "shared" else ()
        else:
            scope, owner, linked = self.logs[ref]
            people = ()
            if scope == "shared" and linked in self.events:
                shared = [n for n in NAMES if self._is_in_audience(linked, n)]
                people = shared
        return may_know(
            name,
            scope,
            owner=owner,
            participants=people,
            condition=self.conditions[ref],
            condition_holds=ref in fulfilled,
        )

    def _is_in_audience(self, event_id, name):
        scope, owner, _floors, _said = self.events[event_id]
        if scope in ("global", "conditional"):
            return False  # an audience of everybody names nobody: nothing is shared by it
        if scope == "private":
            return name == owner
        return name in self.witnesses(event_id)
