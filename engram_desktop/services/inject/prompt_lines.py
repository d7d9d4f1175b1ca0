"""The lines of an injected text: how each memory is written, with floors and days.

Each memory is one line with the floors it can be looked up on. What was chosen for the question
stands under its day, each line after bare floor numbers: repeating the day and a word for floors in
each line took a third of a chat of short messages, and brackets alone two tokens a line. Delimiters
inside a memory are defused, so that a story cannot close the block it is quoted in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.claims.marks import Tongue
from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.inject import (
    Allowance,
    KnownRelation,
    Manner,
    Part,
    QuotedMessage,
    ago_label,
    cut_short,
    day_label,
    defused,
    words_of,
)
from engram_desktop.domain.memory.event import EventNode, story_key
from engram_desktop.domain.recall.query import (
    InjectedLine,
    Injection,
    ItemFilter,
    ItemKind,
    RecallHit,
)
from engram_desktop.domain.text.cleaning import story
from engram_desktop.domain.text.scene_heading import (
    NONE,
    SceneHeading,
    beside,
    scene_heading,
    status_lines,
    without_heading,
)
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.knowledge.heard import messages_heard_at
from engram_desktop.storage.chat.chat_store import ChatStore

OF_VOLUMES: frozenset[Part] = frozenset(("earlier", "earlier_recalled"))
_DATED: frozenset[Part] = frozenset(("always", "recalled", "snippets"))
PROFILE_CHARS = 240  # of an entity's description, to leave room for others; not measured
WORDS: dict[Tongue, dict[str, str]] = {
    "zh": {
        "summaries": "此前剧情，请保持一致：",
        "earlier": "前情（本聊天之前的故事）《{0}》：",
        "own": "本聊天：",
        "present": "此刻在场：",
        "now": "现在是{0}。",
        "before": "以下是往事，行首是楼层。",
        "past": "以下是往事。",
        "plain": "",
        "attributed": "写明了是多久以前、谁说的：当作往事提起，不要当成眼前的事。",
        "light": "让这些自然地影响回复，不要复述，也不要逐条提起。",
        "meant": "玩家这句话所指：",
        "entities": "关键实体",
        "relations": "关系",
        "floors": "第{0}–{1}楼",
        "floor": "第{0}楼",
        "until": "至第{0}楼止",
        "day": "第{0}天",
        "said": "{0}说",
        "you": "你",
        "aliases": "又名{0}",
        "between": "、",
        "char": "人物",
        "loc": "地点",
        "item": "物品",
        "concept": "概念",
        "unknown": "",
    },
    "en": {
        "summaries": "The story so far; stay consistent with it:",
        "earlier": "Earlier story (before this chat), “{0}”:",
        "own": "This chat:",
        "present": "Present now:",
        "now": "Now is {0}.",
        "before": " What follows happened before, by floor.",
        "past": " What follows happened before.",
        "plain": "",
        "attributed": " It says how long ago and by whom: speak of it as of the past.",
        "light": " Let these colour the reply where they fit; do not recite or list them.",
        "meant": "What the player's message refers to: ",
        "entities": "Key Entities",
        "relations": "Relations",
        "floors": "floors {0}–{1}",
        "floor": "floor {0}",
        "until": "until floor {0}",
        "day": "Day {0}",
        "said": "{0} said",
        "you": "you",
        "aliases": "also {0}",
        "between": ", ",
        "char": "character",
        "loc": "place",
        "item": "thing",
        "concept": "concept",
        "unknown": "",
    },
    "ja": {
        "summaries": "これまでの物語。矛盾のないように：",
        "earlier": "前の物語（このチャットより前）『{0}』：",
        "own": "このチャット：",
        "present": "今この場にいる者：",
        "now": "今は{0}。",
        "before": "以下は過去の出来事。行頭はフロア番号。",
        "past": "以下は過去の出来事。",
        "plain": "",
        "attributed": "どれほど前に誰が言ったかを記す。過去のこととして触れること。",
        "light": "返事に自然ににじませ、復唱も列挙もしないこと。",
        "meant": "プレイヤーの言葉が指すもの：",
        "entities": "主な人物と物",
        "relations": "関係",
        "floors": "フロア{0}–{1}",
        "floor": "フロア{0}",
        "until": "フロア{0}まで",
        "day": "第{0}日",
        "said": "{0}の言葉",
        "you": "あなた",
        "aliases": "別名{0}",
        "between": "、",
        "char": "人物",
        "loc": "場所",
        "item": "物",
        "concept": "概念",
        "unknown": "",
    },
}


@dataclass(frozen=True, slots=True)
class PromptLine:
    """One line of the text: its part, its place in the order, and its source.

    ``day`` is the heading it stands under: a day, or the volume of an earlier story. ``ref`` is the
    id of the event or entity of a line without hits.
    """

    part: Part
    order: tuple[int, int, int, str]
    text: str
    hits: tuple[RecallHit, ...] = ()
    day: str = ""
    ref: str = ""

    @property
    def cost(self) -> int:
        return estimate_tokens(self.text) + 2

    def injected(self) -> InjectedLine:
        """Return the line with its kind, reference, floors and reasons, for the user."""
        is_dated = self.part in _DATED
        is_of_volume = self.part in OF_VOLUMES  # memories of other chats cannot be edited from here
        hits = () if is_of_volume else self.hits
        best = max(hits, key=lambda hit: hit.score, default=None)
        kind: ItemKind | Literal[""] = ""
        if best is not None:
            kind = best.item.kind
        elif self.ref:
            kind = "event" if is_dated else "entity"
        return InjectedLine(
            self.part,
            self.text,
            self.cost,
            kind,
            best.item.ref if best is not None else self.ref,
            self.order[:2] if is_dated else None,
            best.why if best is not None else {},
        )


def event_line(part: Part, event: EventNode, words: dict[str, str], *, when: str) -> PromptLine:
    """Return the line of an event of the story so far; ``when`` is used if it has no story time."""
    source = event.source_range
    head = head_of(cited(source.start_index, source.end_index, words), when, place_of(event))
    text = f"- {head} {in_a_line(event.summary)}"
    return PromptLine(part, story_key(event), text, ref=event.id)


def recalled_line(event: EventNode, text: str, hits: tuple[RecallHit, ...], day: str) -> PromptLine:
    """Return the line of a recalled event that says ``text``, under the heading ``day``."""
    source = event.source_range
    floors = floors_of(source.start_index, source.end_index)
    place = f"{head_of(place_of(event))} " if place_of(event) else ""
    return PromptLine("recalled", story_key(event), f"{floors} {place}{in_a_line(text)}", hits, day)


def quotes_line(quotes: list[QuotedMessage], hits: Sequence[RecallHit]) -> PromptLine:
    """Return the line that quotes some messages: floors, then who says what."""
    first, last = quotes[0].floor, quotes[-1].floor
    text = f"{floors_of(first, last)} {words_of(quotes)}"
    order = (first, last, 0, quotes[0].ref)
    return PromptLine("snippets", order, text, tuple(hits), quotes[0].when)


def log_line(hit: RecallHit, day: str) -> PromptLine:
    """Return the line of a private log, with the floors it is about."""
    item = hit.item
    text = f"{floors_of(item.start_index, item.end_index)} {in_a_line(item.content)}"
    return PromptLine(
        "snippets", (item.start_index, item.end_index, 1, item.ref), text, (hit,), day
    )


def head_of(*notes: str) -> str:
    return f"[{' · '.join(note for note in notes if note)}]"


def place_of(event: EventNode) -> str:
    """Return the time and place that an event itself gives."""
    return " ".join(p for p in (event.raw_data.timestamp, event.raw_data.location) if p)


def floors_of(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}–{last}"


def entity_line(
    rank: int, entity: EntityNode, words: dict[str, str], part: Part = "entities"
) -> PromptLine:
    notes = [words[entity.type]] if words[entity.type] else []
    if entity.aliases:
        notes.append(words["aliases"].format(words["between"].join(entity.aliases[:3])))
    aside = f" ({'; '.join(notes)})" if notes else ""
    profile = cut_short(" ".join(entity.description.split()), PROFILE_CHARS)
    profile_text = f": {profile}" if profile else ""
    told = in_a_line(entity.name + aside + profile_text)
    return PromptLine(part, (rank, 0, 0, entity.id), f"- {told}", ref=entity.id)


def names_line(names: Sequence[str], words: dict[str, str]) -> PromptLine:
    """Return the line of the names of those present."""
    return PromptLine("present", (-1, 0, 0, ""), f"- {in_a_line(words['between'].join(names))}")


def relation_line(
    rank: int, relation: KnownRelation, words: dict[str, str], part: Part = "relations"
) -> PromptLine:
    notes = [cited(*relation.floors, words)] if relation.floors else []
    if relation.until is not None:
        notes.append(words["until"].format(relation.until))
    cite = f" [{' · '.join(notes)}]" if notes else ""
    sentence = relation.sentence
    return PromptLine(part, (rank, 0, 0, sentence), f"- {in_a_line(sentence)}{cite}")


def cited(first: int, last: int, words: dict[str, str]) -> str:
    if first == last:
        return words["floor"].format(first)
    return words["floors"].format(first, last)


def in_a_line(text: str) -> str:
    """Return ``text`` on one line, unable to close the block it is quoted in."""
    return defused(" ".join(text.split()), "engram_", "relevant_")


def _last(highest: int | None, now: int) -> int:
    return now if highest is None else min(highest, now)


# Newest messages looked at, messages of these that must have a heading, and floors for which a
# heading holds, since the player's messages and replies of a group have none.
_NEWEST_HEADED, _LEAST_HEADED, _HEADING_HOLDS = 24, 4, 3
_LEAST_DAYS = 2  # numbered days in a story: “the fifth day” said once is no calendar
_READ_AT_ONCE = 2  # floors whose possible headings are read in one query


@dataclass(frozen=True, slots=True)
class _Headed:
    """The headings of the newest messages by floor, and whether there are enough to rely on.

    ``has_scenes``: enough of them give an hour or a place. ``panels``: labels of status lines, by
    the speaker who uses them.
    """

    headings: dict[int, SceneHeading]
    is_headed: bool
    has_scenes: bool
    panels: dict[str, set[str]]


def _headings_of_newest(store: ChatStore, branch_id: str, now: int) -> _Headed:
    """Read the headings of the newest messages, and the status lines of each speaker.

    A single date in a list is no heading, so several messages must have one. Messages that the
    asker did not hear are counted too: only the presence of headings is learnt.
    """

    def read() -> _Headed:
        first = max(0, now - _NEWEST_HEADED + 1)
        said = store.messages.sayings(branch_id, first, now)
        headings = [scene_heading(saying.text) for saying in said]
        labels = Counter(
            (saying.name, label)
            for saying in said
            if saying.role != "user" and (found := status_lines(story(saying.text)))
            for label in found.labels
        )
        panels: dict[str, set[str]] = {}
        for (name, label), count in labels.items():
            if count >= _LEAST_HEADED:
                panels.setdefault(name, set()).add(label)
        is_headed = sum(bool(heading.day) for heading in headings) >= _LEAST_HEADED
        has_scenes = sum(bool(heading.beside_day) for heading in headings) >= _LEAST_HEADED
        return _Headed(dict(enumerate(headings, first)), is_headed, has_scenes, panels)

    return store.database.until_written.of((_headings_of_newest, branch_id, now), read)


class Calendar:
    """Labels of floors by day, up to the last floor that ``where`` allows.

    If messages have headings or status bars (`scene_heading`), only these give the day, since the
    day of sending belongs to another world. The asker gets the days of messages they heard, and no
    others. Numbered days of the story (第42天) last until the next one is named; they are read for
    the curator only.
    """

    def __init__(
        self, store: ChatStore, where: ItemFilter, manner: Manner, language: Tongue
    ) -> None:
        self._store, self._manner, self._language = store, manner, language
        self._where, self._branch_id = where, where.branches[0][0]
        last = store.messages.count(self._branch_id) - 1
        self.now = last if where.at is None else min(last, where.at)
        self._sent = store.messages.sent_at(self._branch_id, [self.now]) if last >= 0 else {}
        self._now_sent = self._sent.get(self.now)
        highest = dict(where.branches)
        marks = () if where.actor is not None else store.items.story_days()
        self._marks = sorted(
            (floor, day)
            for branch, floor, day in marks
            if branch in highest and floor <= _last(highest[branch], self.now)
        )
        if len({day for branch, _floor, day in marks if branch in highest}) < _LEAST_DAYS:
            self._marks = []
        self._asked: set[int] = set()  # floors whose headings are read together
        newest = _headings_of_newest(store, self._branch_id, self.now)
        self._headings: dict[int, SceneHeading] = {}  # heading of each floor itself
        if where.actor is None:
            self._headings |= newest.headings
        self._days: dict[int, str] = {}
        self._panels, self._is_headed = newest.panels, newest.is_headed
        self._has_scenes = newest.has_scenes

    def read(self, floors: Iterable[int]) -> None:
        """Read, in one query, when these floors were sent or what their headings say."""
        self.expect(floors := tuple(floors))
        if self._is_headed:
            return
        unread = [floor for floor in floors if floor not in self._sent]
        self._sent |= dict.fromkeys(unread, 0)
        self._sent |= self._store.messages.sent_at(self._branch_id, unread)

    def expect(self, floors: Iterable[int]) -> None:
        """Announce floors that may be asked for, so that their headings are read together."""
        self._asked.update(floors)

    def note(self, floor: int, sent_at: int | None) -> None:
        """Store when a floor was sent, if that is known already."""
        self._sent[floor] = sent_at or 0

    def label(self, floor: int) -> str:
        """Return the day of a floor, or how long ago it was; "" if it is not known."""
        if self._manner == "attributed":
            back = self.now - floor
            sent = None if self._is_headed else self._sent.get(floor)
            return ago_label(sent, self._now_sent, back, self._language)
        return self._day(floor, self._now_sent)

    def story_of(self, floor: int, name: str, text: str, label: str) -> tuple[str, tuple[str, ...]]:
        """Return a message of ``name`` as it is quoted under ``label``, and the scene it gives.

        The heading named by ``label`` is removed, and so are status lines of a character that uses
        them; their hours and places are returned as the scene. In the "attributed" manner the
        heading stays.
        """
        told: tuple[str, ...] = ()
        found = status_lines(text) if name in self._panels else None
        if found and found.rest and 2 * len(found.labels & self._panels[name]) > len(found.labels):
            told = tuple(part for value in found.scene for part in beside(value, label))
            text = found.rest
        heading = self._headings.get(floor, NONE)  # it was read for the label
        if heading is NONE or self._manner == "attributed":
            return text, told
        rest, more = without_heading(text, label)
        if rest == text:  # the heading may be in a status bar, which is not quoted
            more = tuple(part for part in heading.beside_day if part not in text)
        return rest, tuple(dict.fromkeys((*more, *told)))

    def span(self, first: int, last: int) -> str:
        """Return the days of the first and the last of these floors."""
        days = (self._day(floor, self._now_sent) for floor in (first, last))
        ends = dict.fromkeys(day for day in days if day)
        return "–".join(ends)

    def now_label(self) -> str:
        """Return the present floor, its day with the year, and the scene; "" in an empty chat."""
        if self.now < 0:
            return ""
        words = WORDS[self._language]
        day = self._day(self.now, None)
        told = (cited(self.now, self.now, words), day, " ".join(map(in_a_line, self._scene_now())))
        return " · ".join(part for part in told if part)

    def _scene_now(self) -> tuple[str, ...]:
        """Return the hour and place given by the newest messages' headings or status bars."""
        if not self._has_scenes:
            return ()
        floors = range(self.now, max(-1, self.now - _HEADING_HOLDS - 1), -1)
        self._read_headings(set(floors))
        told = (self._headings[floor].beside_day for floor in floors if floor in self._headings)
        return next((parts for parts in told if parts), ())

    def _day(self, floor: int, year_of: int | None) -> str:
        """Return the day of a floor, with its year unless that is the year of ``year_of``."""
        if self._is_headed:
            return self._heading_at(floor) or self._story_day(floor)
        sent = self._sent.get(floor)
        return self._story_day(floor) or day_label(sent, year_of, self._language)

    def _heading_at(self, floor: int) -> str:
        """Return the day of the newest heading on this floor or the few before it."""
        if floor not in self._days:
            self._read_days({floor, *self._asked})
        return self._days[floor]

    def _read_days(self, floors: Set[int]) -> None:
        self._asked.clear()
        left = sorted(floors - self._days.keys())
        is_few = len(left) <= _READ_AT_ONCE
        for back in range(_HEADING_HOLDS + 1):  # for most floors it is this one or the one before
            left = [floor for floor in left if not self._days.get(floor)]
            furthest = _HEADING_HOLDS if is_few else back
            self._read_headings(
                {floor - n for floor in left for n in range(back, furthest + 1) if floor >= n}
            )
            self._days |= {
                floor: self._headings[floor - back].day if floor >= back else "" for floor in left
            }

    def _read_headings(self, floors: Set[int]) -> None:
        unread = sorted(floors - self._headings.keys())
        if not unread:
            return
        if self._where.actor is None:  # the curator: no floor is missing
            said = self._store.messages.texts_at(self._branch_id, unread)
            texts = dict(zip(unread, said, strict=False))
        else:
            heard = messages_heard_at(self._store, self._where, unread)
            texts = {message.seq: message.text for message in heard}
        self._headings |= dict.fromkeys(unread, NONE)  # messages that were not heard give no day
        self._headings |= {floor: scene_heading(text) for floor, text in texts.items()}

    def _story_day(self, floor: int) -> str:
        at = bisect_right(self._marks, (floor, 10**9))
        return WORDS[self._language]["day"].format(self._marks[at - 1][1]) if at else ""


_FACTS: tuple[Part, ...] = ("entities", "relations")
_TIMELINE: tuple[Part, ...] = ("recalled", "snippets")


def text_of(
    lines: Sequence[PromptLine], language: Tongue, allowance: Allowance, now: str
) -> tuple[dict[str, str], str]:
    """Return the sections by name, and the whole text; both empty if there are no lines.

    The story so far comes first, since it does not change with the question and a prompt cache
    survives; then what was chosen, in time order, after a line that names the present floor.
    """
    words = WORDS[language]

    def section(*parts: Part, heading: str = "{0}") -> str:
        of_parts = sorted((line for line in lines if line.part in parts), key=lambda x: x.order)
        told, day = [], ""
        for line in of_parts:
            if line.day and line.day != day:
                told.append(heading.format(line.day))
            day = line.day
            told.append(line.text)
        return "\n".join(told)

    is_one_line = allowance.order == "story"
    sections = {
        "earlier": section("earlier", heading=words["earlier"]),
        "summaries": section("always", *(_TIMELINE if is_one_line else ())),
        "present": section("present"),
        "earlier_recalled": section("earlier_recalled", heading=words["earlier"]),
        "snippets": "" if is_one_line else section(*_TIMELINE),
    } | {part: section(part) for part in _FACTS}
    sections = {name: text for name, text in sections.items() if text}
    so_far = [sections["earlier"]] if "earlier" in sections else []
    for part in ("summaries", "present"):
        if part in sections:
            so_far += [words[part], sections[part]]
    chosen = [sections[name] for name in ("earlier_recalled", "snippets") if name in sections]
    if len(chosen) > 1:
        chosen.insert(1, words["own"])
    chosen += [f"{words[part]}:\n{sections[part]}" for part in _FACTS if part in sections]
    if not so_far and not chosen:
        return {}, ""
    told = now and words["now"].format(now)
    blocks = []
    if so_far:
        blocks.append("\n".join(("<engram_summaries>", *so_far, "</engram_summaries>")))
    if chosen:
        has_floors = len(chosen) > 1 or "earlier_recalled" not in sections
        before = words["before" if has_floors else "past"]
        told = f"{told}{before}{words[allowance.manner]}".lstrip()
        blocks.append("\n".join(("<relevant_memories>", told, *chosen, "</relevant_memories>")))
    else:
        blocks.append(told)
    return sections, "\n\n".join(blocks).rstrip()


def frame_cost(language: Tongue, allowance: Allowance, now: str, *, has_story: bool) -> int:
    """Return the tokens of the text without its lines."""
    words = WORDS[language]
    frame = "<relevant_memories></relevant_memories>"
    headings = ["now", "before", allowance.manner]
    if has_story:
        frame += "<engram_summaries></engram_summaries>"
        headings.append("summaries")
    return estimate_tokens(f"{frame} {now} {' '.join(words[name] for name in headings)}")


def meaning_line(output: str, language: Tongue) -> str:
    """Return the line that says what the player's message means to the model (note 001 §3)."""
    return f"{WORDS[language]['meant']}{in_a_line(output)}" if output else ""


def with_meaning(injection: Injection, line: str, output: str) -> Injection:
    """Append the meaning of the message as the last line, since it changes with every message."""
    if not line:
        return injection
    text = f"{injection.text}\n\n{line}".strip()
    sections = {**injection.sections, "output": output}
    return replace(injection, text=text, sections=sections, tokens=estimate_tokens(text))
