"""How well findings are found: ``python -m benchmarks.findings`` with any of the options below.

Prints what was found and what is false, by kind, beside the aims, on the stories of
`tests/findings_stories` (``--set``); with ``--prompts`` what of them stands unmarked in prompts.
``--truthful`` adds the claims of a model that reads every row of the truth table and nothing else:
what is then not found is lost by the rules that findings follow. ``--model URL`` asks a real model
behind an endpoint for events and claims, as the program does; ``--library FOLDER`` keeps what it
answered, which is not asked for again. ``--conflicts FILE`` counts how
often something is found in dialogues without a contradiction: JSON Lines with the turns u1, b1, u2,
b2 and label 0. ``--chats FILES`` counts the findings of chats that have no truth table: with
``--show`` somebody reads which of them are none.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from engram_desktop.domain.claims.answer import (
    BlockMessage,
    read_claims,
    with_answers,
)
from engram_desktop.domain.claims.claim import FINDING_KINDS, Claim, Finding
from engram_desktop.domain.claims.findings import findings_of
from engram_desktop.domain.claims.people import (
    FoundPeople,
    all_names,
    beside_each_other,
    candidates,
    short_forms,
    story_names,
    story_people,
)
from engram_desktop.domain.claims.reading import MessageClaims, read_message
from engram_desktop.domain.claims.referents import genders
from engram_desktop.domain.claims.wording import floors_with, index_words
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.draft import ExtractorChoice
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.formats.chats.chat_jsonl import read_chat_bytes
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.knowledge import claims
from engram_desktop.services.memory import Memory
from tests.factories import write_chat
from tests.findings_stories import SETS, Story, stories

_MARK = re.compile(r"〔至第\d+楼〕|\[until floor \d+\]|〔谎言〕|\[a lie\]|〔误以为〕|\[mistaken\]")
AIMS = {"superseded": 0.70, "promise": 0.70, "lie": 0.50, "contradiction": 0.50, "mistaken": 0.50}


class TextLines:
    """Lines of floors that are in memory."""

    def __init__(self, texts: Sequence[str], claims: Sequence[MessageClaims]) -> None:
        self._texts = texts
        self._claims = claims
        self._floors: defaultdict[str, list[int]] = defaultdict(list)

    def at(self, floor: int) -> Sequence[Claim]:
        return self._claims[floor].lines if 0 <= floor < len(self._claims) else ()

    def with_words(
        self, first: int, last: int, words: Iterable[str], least: int = 1
    ) -> Iterable[int]:
        if not self._floors:
            for floor, text in enumerate(self._texts):
                for word in index_words(text):
                    self._floors[word].append(floor)
        return floors_with(self._floors, first, last, words, least)


def read_all(
    messages: Sequence[tuple[str, str]],
    player: str,
    answered: Sequence[Claim] = (),
    known: Sequence[str] = (),
) -> tuple[list[MessageClaims], list[Finding], float]:
    """Return the claims of each message, the findings, and the time a message took, in ms.

    ``answered`` are claims that a model hands back, ``known`` people that the user named.
    """
    found = [candidates(text) for _sender, text in messages]
    people, senders = story_people(messages, [player], known, FoundPeople.of(found).likely())
    names = story_names(people, player)
    senders = beside_each_other(senders)
    persons = [s.name for s in senders.values() if not s.is_narrator and s.name != player]
    known_as = genders(messages, names, persons)
    read: list[MessageClaims] = []
    context = None
    start = time.perf_counter()
    for floor, (sender, text) in enumerate(messages):
        got, context = read_message(floor, text, senders[sender], names, context, known_as)
        read.append(got)
    spent = (time.perf_counter() - start) * 1000 / max(1, len(messages))
    for floor in {claim.floor for claim in answered}:
        of_floor = [claim for claim in answered if claim.floor == floor]
        read[floor] = MessageClaims(
            tuple(of_floor),
            tuple(with_answers(read[floor].lines, of_floor)),
        )
    facts = [claim for got in read for claim in got.facts]
    lines = TextLines([text for _sender, text in messages], read)
    follows = findings_of(facts, lines, len(messages) - 1, all_names(people))
    return read, follows, spent


_FACETS = ("work", "home", "health", "bond")
_OUTCOMES = {"kept": "keeps", "broken": "breaks", "given_up": "drops"}


def truthful(story: Story) -> list[Claim]:
    """Return the claims of a model that reads every row of a truth table, and nothing else."""
    rows: list[dict[str, Any]] = []
    for number, case in enumerate(story.cases):
        floors = [story.floors(keys)[0] for keys in case["floors"]]
        first, last = floors[0], floors[-1]
        words = str(case.get("old") or case.get("text"))
        who = str(case.get("who") or case["about"])
        row = {"about": who, "polarity": True, "value": words, "quote": words, "floor": first}
        row |= {"speaker": who, "how": "said", "facet": "deed"}
        if story.messages[first][1].find(words) < 0:
            continue
        shows = row | {"floor": last, "quote": story.messages[last][1].strip()[-12:]}
        shows |= {"how": "narrated", "speaker": ""}
        status = case.get("status", "").split()[:1]
        match case["kind"]:
            case "superseded":
                facet = _FACETS[number % len(_FACETS)]  # the table does not say which
                row |= {"facet": facet, "how": "narrated", "speaker": ""}
                shows |= {"facet": facet, "value": "otherwise"}
            case "lie":
                shows |= {"polarity": False, "sign": "untrue"}
            case "mistaken":
                shows |= {"polarity": False, "sign": "errs"}
            case "contradiction":
                row |= {"facet": "origin"}
                shows |= {"facet": "origin", "how": "said", "value": "2", "speaker": story.player}
            case _:
                row |= {"facet": "will", "value": ""}
                shows |= {"facet": "other", "sign": _OUTCOMES.get("".join(status), "")}
        is_sure = case["kind"] != "promise" or shows["sign"]
        rows += [row, *([shows] if is_sure else [])]
    told = [BlockMessage(n, sender, text) for n, (sender, text) in enumerate(story.messages)]
    return list(read_claims(rows, told, story.people).claims)


def matches(finding: Finding, case: dict[str, Any], story: Story) -> bool:
    """Whether a finding is the one that a row of the truth table tells of."""
    if finding.kind != case["kind"]:
        return False
    first, *later = [story.floors(keys) for keys in case["floors"]]
    words = str(case.get("old") or case.get("text"))
    if finding.quotes[0].floor not in first:
        return False
    quote, whole = finding.quotes[0].text, story.messages[first[0]][1]
    at, said = whole.find(words), whole.find(quote)
    near = said <= at < said + len(quote) + 1 or at <= said < at + len(words) or words in quote
    if finding.kind in ("superseded", "contradiction"):
        return near and (not later or finding.quotes[-1].floor in later[0])
    return near


def _is_same(name: str, other: str) -> bool:
    return bool(name) and (
        name == other or name in short_forms(other) or other in short_forms(name)
    )


class Modelled:
    """Stories in a library, summarised by a model behind ``url``; with "" by rules."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        self._extractor: ExtractorChoice = "llm" if url else "extractive"
        folder.mkdir(parents=True, exist_ok=True)
        self._chats = folder / "findings.json"  # name of a story -> id of its chat
        environ = {"ENGRAM_LLM_BASE_URL": url, "ENGRAM_LLM_MODEL": "model"} if url else {}
        self.memory = Memory.open(folder, environ=environ)
        for key, value in (
            ("keys.storage", "session"),
            ("embed.local", "hash"),
            ("llm.timeout", 1800),
            ("summary.newest", 0),  # all floors are read, as where the story has gone on
        ):
            self.memory.settings.set(key, value)

    def line_of(self, story: Story) -> Line:
        """Return the line of a story, read in and summarised the first time it is asked for."""
        known = json.loads(self._chats.read_text("utf-8")) if self._chats.is_file() else {}
        if story.name not in known:
            context, memory = NullContext(), self.memory
            file = write_chat(self._folder / f"{story.name}.jsonl", story.messages, story.player)
            known[story.name] = memory.imports.import_file(context, file).chat_id
            memory.pipeline.summarise(context, Line.main(known[story.name]), None, self._extractor)
            self._chats.write_text(json.dumps(known), "utf-8")
        return Line.main(known[story.name])

    def read(self, story: Story) -> tuple[list[MessageClaims], list[Finding], float]:
        """Return the claims of each floor, the findings, and the time a message took, in ms."""
        line, context = self.line_of(story), NullContext()
        start = time.perf_counter()
        findings = self.memory.findings.findings(context, line)
        spent = (time.perf_counter() - start) * 1000 / len(story.messages)
        store = self.memory.session.chat(line.chat_id)
        told = claims.load(context, store, line.branch_id, keeps=False)
        read = [
            MessageClaims(tuple(told.facts_of(floor, floor)), tuple(told.at(floor)))
            for floor in range(len(story.messages))
        ]
        return read, findings, spent


class _Figures:
    """Counts over all stories."""

    def __init__(
        self, *, show: bool, is_truthful: bool = False, modelled: Modelled | None = None
    ) -> None:
        self.show = show
        self.modelled = modelled
        self.is_truthful = is_truthful
        self.found: Counter[str] = Counter()
        self.there: Counter[str] = Counter()
        self.false: Counter[str] = Counter()
        self.count: Counter[str] = Counter()

    def add(self, story: Story) -> None:
        """Measure one story."""
        if self.modelled is None:
            answered = truthful(story) if self.is_truthful else []
            read, findings, spent = read_all(story.messages, story.player, answered)
        else:
            read, findings, spent = self.modelled.read(story)
        used: set[str] = set()
        for case in story.cases:
            hits = [f for f in findings if matches(f, case, story)]
            used |= {f.id for f in hits}
            self._case(story, case, hits)
        self.count["items"] += len(findings)
        for finding in findings:
            if finding.id not in used:
                self.false[finding.kind] += 1
                self._say(story, "no case:", finding.kind, finding.status, *finding.quotes)
        quotes = [quote for finding in findings for quote in finding.quotes]
        for decoy in story.decoys:
            floor = story.floors(decoy["floor"])[0]
            self.count["decoys"] += 1
            if any(q.floor == floor and decoy["text"] in q.text for q in quotes):
                self.count["decoys reported"] += 1
                self._say(story, "decoy", decoy)
        for row in story.ooc:
            got = read[story.floors(row["floor"])[0]]
            told = [c for c in (*got.facts, *got.lines) if c.how != "ooc"]
            self.count["ooc"] += any(row["text"] in c.quote for c in told)
        for row in story.retold:
            self._retold(story, row, read)
        print(f"{story.name}: {len(findings)} findings, {spent:.2f} ms a message")

    def _case(self, story: Story, case: dict[str, Any], hits: list[Finding]) -> None:
        kind = case["kind"]
        is_right = bool(hits) and hits[0].status in case.get("status", hits[0].status).split()
        if not case.get("optional"):
            self.there[kind] += 1
            self.found[kind] += bool(hits)
            self.count["right status"] += kind == "promise" and is_right
        if not is_right:
            self._say(story, hits[0].status if hits else "not found", case)

    def _retold(self, story: Story, row: dict[str, Any], read: Sequence[MessageClaims]) -> None:
        floor = story.floors(row["floor"])[0]
        at = story.messages[floor][1].index(row["text"])
        line = next((c for c in read[floor].lines if c.start <= at < c.end), None)
        self.count["retold"] += 1
        right = row["speaker"].split("|")  # all that somebody without a name is called
        if line is None or line.how in right or any(_is_same(line.speaker, one) for one in right):
            return
        self.count["wrong" if line.speaker else "nobody"] += 1
        self._say(story, repr(line.speaker), "says", row)

    def _say(self, story: Story, *words: object) -> None:
        if self.show:
            print(f"  {story.name}:", *words)

    def tell(self) -> None:
        """Print the figures beside the aims."""
        count = self.count
        for kind in FINDING_KINDS:
            if self.there[kind]:
                share = self.found[kind] / self.there[kind]
                told = f"{self.found[kind]} of {self.there[kind]} = {share:.2f}"
                print(f"{kind}: {told} (aim {AIMS[kind]:.2f})")
        right, promises = count["right status"], max(1, self.there["promise"])
        print(
            f"promises with the right status: {right} of {promises} = {right / promises:.2f} (.60)"
        )
        false, items = self.false.total(), max(1, count["items"])
        print(
            f"items that are no case: {false} of {items} = {false / items:.2f} (.15)",
            dict(self.false),
        )
        print(f"decoys reported: {count['decoys reported']} of {count['decoys']} (.10)")
        print(f"facts of remarks out of character: {count['ooc']} (0)")
        wrong = f"{count['wrong']} of {count['retold']}"
        print(
            f"retold speech under the wrong person: {wrong} (.03), under nobody {count['nobody']}"
        )


def measure_prompts(of: str, folder: Path, url: str) -> None:
    """Print how many superseded values and remarks stand unmarked in prompts of 1,500 tokens."""
    stale = asked = remarks = told = 0
    read = Modelled(folder, url)
    for story in stories(of):
        line = read.line_of(story)
        texts = []
        for case in story.cases:
            if case["kind"] != "superseded" or case.get("optional"):
                continue
            query = RecallQuery(case.get("ask") or f"{case['about']}？ {case['old']}")
            text = read.memory.inject.compose(NullContext(), line.chat_id, query, 1500).text
            texts.append(text)
            at = text.find(case["old"])
            asked += at >= 0
            stale += at >= 0 and not _MARK.search(text[at : at + len(case["old"]) + 120])
        for row in story.ooc:
            told += 1
            remarks += any(row["text"] in text for text in texts)
    read.memory.close()
    print(f"superseded values that stand as present: {stale} of {asked} quoted (.05)")
    print(f"remarks out of character in prompts: {remarks} of {told} (0)")


def measure_conflicts(file: Path) -> None:
    """Print how often dialogues without a contradiction are said to have one."""
    kinds: Counter[str] = Counter()
    count = 0
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["label"] == 0:
            count += 1
            turns = [("甲", row["u1"]), ("乙", row["b1"]), ("甲", row["u2"]), ("乙", row["b2"])]
            kinds.update({finding.kind for finding in read_all(turns, "甲")[1]})
    print(f"{count} dialogues without a contradiction (.03):", dict(kinds))


def measure_chats(files: Sequence[Path], *, show: bool) -> None:
    """Print how many findings chats have, by kind and for 1,000 messages."""
    kinds: Counter[str] = Counter()
    count = 0
    for file in files:
        said = list(read_chat_bytes(file, file.read_bytes(), (0, 0)).messages())
        messages = [(message.name, message.text) for message in said]
        player = next((message.name for message in said if message.role == "user"), "")
        count += len(messages)
        for finding in read_all(messages, player)[1]:
            kinds[finding.kind] += 1
            if show:
                quotes = " | ".join(f"{q.floor}: {q.text}" for q in finding.quotes)
                print(file.stem, finding.kind, finding.status, finding.about, "|", quotes)
    share = {kind: round(1000 * n / count, 1) for kind, n in kinds.items()}
    print(f"{count} messages, for 1,000 of them:", share)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", choices=SETS, default="tuned")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--truthful", action="store_true")
    parser.add_argument("--model", default="", metavar="URL", help="needs --library")
    parser.add_argument("--library", type=Path, help="kept between runs")
    parser.add_argument("--conflicts", type=Path)
    parser.add_argument("--prompts", action="store_true")
    parser.add_argument("--chats", type=Path, nargs="+")
    parser.add_argument("--bank", action="store_true")
    args = parser.parse_args()
    if args.bank:
        from benchmarks.changes_bank_zh import tell_bank  # it reads with what stands above

        tell_bank(show=args.show)
        return
    if args.conflicts:
        measure_conflicts(args.conflicts)
        return
    if args.chats:
        measure_chats(args.chats, show=args.show)
        return
    if args.prompts:
        with tempfile.TemporaryDirectory() as folder:
            measure_prompts(args.set, args.library or Path(folder) / "library", args.model)
        return
    modelled = Modelled(args.library, args.model) if args.library else None
    figures = _Figures(show=args.show, is_truthful=args.truthful, modelled=modelled)
    for story in stories(args.set):
        figures.add(story)
    figures.tell()


if __name__ == "__main__":
    main()
