"""Asks the program what somebody knows, on every road, and counts what leaks and what is found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engram_desktop.domain.graph.entity import Around
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.line import Line as ChatLine
from engram_desktop.domain.memory.message import Role
from engram_desktop.domain.recall.query import RecallQuery, explain
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.omniscience.reader import Line, Secret, Story
from tests.omniscience.truth import known, leaks

CTX = NullContext()


@dataclass
class Tally:
    """What asking came to; ``leaked`` are (road, question, actor, floor, branch, secrets)."""

    asked: int = 0
    leaked: list[tuple[str, str, str, int, str, tuple[str, ...]]] = field(default_factory=list)
    known: int = 0
    found: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    not_found: list[tuple[str, str, int]] = field(default_factory=list)  # question, actor, floor

    @property
    def leak_share(self) -> float:
        """Return the share of questions whose answer, by any road, holds what it must not."""
        return len({row[1:] for row in self.leaked}) / max(1, self.asked)

    @property
    def found_share(self) -> float:
        return self.found / max(1, self.known)


def import_story(memory: Memory, story: Story, folder: Path) -> ChatLine:
    """Import a story as a group chat, its branches as forks."""
    path = folder / "story.jsonl"
    header: dict[str, object] = {"user_name": "unused", "character_name": "unused"}
    rows = [header, *(_row(line) for line in story.main)]
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), "utf-8")
    chat_id = memory.imports.import_file(CTX, path).chat_id
    assert chat_id is not None
    main = ChatLine(chat_id, MAIN_BRANCH)
    for branch in story.branches.values():
        memory.branches.fork(main, at=branch.fork, name=branch.name)
        here = line_of(memory, main, branch.name)
        for line in branch.lines:
            role: Role = "user" if line.role == "user" else "assistant"
            memory.messages.append(here, line.name, role, line.text)
    return main


def _row(line: Line) -> dict[str, object]:
    return {"name": line.name, "is_user": line.role == "user", "mes": line.text}


def line_of(memory: Memory, main: ChatLine, branch: str) -> ChatLine:
    """Return the line of a branch of the story."""
    if not branch:
        return main
    return ChatLine(main.chat_id, memory.branches.find(main.chat_id, branch))


def ask_everything(
    memory: Memory,
    story: Story,
    main: ChatLine,
    floors: Iterable[int | None],
    questions: int = 2,
    one_in: int = 1,
) -> Tally:
    """Ask as everybody, on every branch, at these floors (None: the last).

    Asked about are all secrets that the person knows at the end of the main line, all that they
    know at one of the two floors only, and of the others one in ``one_in``: other ones at each
    floor and on each branch.
    """
    tally = Tally()
    floor_list = list(floors)
    places = 0
    for branch in ("", *story.branches):
        line = line_of(memory, main, branch)
        last = len(story.lines(branch)) - 1
        for at in floor_list:
            if at is not None and (branch or at > last):
                continue  # before a branch parts from the main line it knows what that knows
            floor = last if at is None else at
            places += 1
            for number, actor in enumerate(story.people, places):
                for secret in _asked_for(story, actor, branch, floor, number, one_in):
                    for question in secret.questions[:questions]:
                        query = RecallQuery(
                            question, 10, actor=actor, branch_id=line.branch_id, at=floor
                        )
                        _ask(memory, story, line, branch, query, tally, secret)
    return tally


def _asked_for(
    story: Story, actor: str, branch: str, at: int, first: int, one_in: int
) -> Iterator[Secret]:
    last = len(story.main) - 1
    is_end = not branch and at == last
    for turn, secret in enumerate(story.secrets, first):
        is_known = known(story, actor, secret, at, branch)
        is_other = is_known != known(story, actor, secret, last)
        if is_other or (is_end and is_known) or not turn % one_in:
            yield secret


def _ask(
    memory: Memory,
    story: Story,
    line: ChatLine,
    branch: str,
    query: RecallQuery,
    tally: Tally,
    secret: Secret,
) -> None:
    actor, at, question = query.actor, query.at, query.text
    assert at is not None
    assert actor is not None
    tally.asked += 1
    result = memory.recall.ask(CTX, line.chat_id, query)
    shown = "\n".join(hit.item.content for hit in result.hits)
    injection = memory.inject.compose(CTX, line.chat_id, query)
    for road, text in (
        ("recall", shown),
        ("explain", json.dumps(explain([result]).to_json(), ensure_ascii=False)),
        ("inject", injection.text),
    ):
        if escaped := leaks(story, actor, text.replace(question, ""), at, branch):
            tally.leaked.append((road, question, actor, at, branch, tuple(escaped)))
    if known(story, actor, secret, at, branch):
        tally.known += 1
        is_found = any(key in shown + injection.text for key in secret.keys)
        tally.found += is_found
        if not is_found:
            tally.missed[secret.id] += 1
            tally.not_found.append((question, actor, at))


def other_roads(
    memory: Memory, story: Story, main: ChatLine, folder: Path
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return (road, actor, secrets) of what leaks by graph, state, exports and search."""
    leaked = []
    for branch in ("", *story.branches):
        line = line_of(memory, main, branch)
        last = len(story.lines(branch)) - 1
        for number, actor in enumerate(story.people):
            roads = _roads(memory, line, actor, folder / f"{branch or 'main'}{number}")
            for road, text in (*roads, ("search", _searched(memory, story, line, actor))):
                if escaped := leaks(story, actor, text, last, branch):
                    leaked.append((road, actor, tuple(escaped)))
    return leaked


def _searched(memory: Memory, story: Story, line: ChatLine, actor: str) -> str:
    """Return all that somebody is shown who searches for the key words of every secret."""
    actors = memory.knowledge.askers(CTX, line, [actor])
    typed = [f'"{key}"' for secret in story.secrets for key in secret.keys]
    results = [memory.search.find(CTX, text, line, actors, limit=1_000) for text in typed]
    hits = [hit for result in results for group in result.groups for hit in group.hits]
    return "\n".join(f"{hit.title.text}\n{hit.passage.text}" for hit in hits)


def _roads(memory: Memory, line: ChatLine, actor: str, folder: Path) -> Iterator[tuple[str, str]]:
    actors = memory.knowledge.askers(CTX, line, [actor])
    yield "graph", json.dumps(memory.graph.node_link(line, actors), ensure_ascii=False)
    yield "graphml", memory.graph.graphml(line, actors)
    view = memory.graph.picture(line, Around(None, 2, 500), actors)
    yield "neighbourhood", repr(view)
    count = memory.messages.count(line)
    heard = memory.knowledge.heard(CTX, line, actor, 0, count - 1)
    yield "messages", "\n".join(message.text for message in heard)
    yield "state", repr(memory.knowledge.state(CTX, line, [actor]))
    folder.mkdir()
    forms: Sequence[str] = ("worldbook", "markdown", "json", "engram")
    for form in forms:
        target = folder / form
        memory.care.export(CTX, line, target, form, actors)  # type: ignore[arg-type]
        yield f"export {form}", target.read_text("utf-8")
