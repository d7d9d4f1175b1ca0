"""Findings from the claims of a line, computed when a chat is read and never stored.

Superseded facts, lies, mistakes, contradictions and promises. A rule needs a shared subject before
it reports a contradiction, and reports nothing when in doubt.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import chain, islice
from typing import Protocol

from engram_desktop.domain.claims.addresses import (
    THOUGHT_NEAR,
    ClaimsOfAddress,
    each_once,
    gives_a_name,
    is_one_speech,
    lie_of,
    of_one_kind,
    quote_of,
    shares_words,
    status_of,
)
from engram_desktop.domain.claims.answer import DENIALS, OUTCOMES, Cited, address_of, denied, linked
from engram_desktop.domain.claims.claim import Claim, ClaimList, Facet, Finding, Quote, answers_of
from engram_desktop.domain.claims.echoes import Echoes
from engram_desktop.domain.claims.lasting import KEY
from engram_desktop.domain.claims.mistakes import mistakes_of
from engram_desktop.domain.claims.outcomes import Promises
from engram_desktop.domain.claims.untruths import (
    CITES,
    WatchedDenials,
    answers_what,
    belies,
    calls_liar,
    claims_nothing,
    exposes,
    last_saying,
    may_accuse,
    names_no_lie,
    owned_up,
    said_falsely,
    shared_content,
)
from engram_desktop.domain.claims.vows import is_vow
from engram_desktop.domain.claims.wording import (
    ClaimWords,
    fold_thing,
    inside_of,
    is_denial_of,
    least_shared,
    same_value,
    words_of,
)
from engram_desktop.domain.values import dataclass

# Floors read in one pass: each kind of finding reads their sentences, and a promise those of the
# 1,500 floors before them. They stay in memory for so long (`LineClaims`).
_AT_A_TIME = 1_024
_LAID_BESIDE = 6  # sentences before a denial with which it is compared
_MOST_LIES = 60  # of one floor: as many as a message has claims
_CONFESSED = 400  # floors after which a confession is no longer compared with earlier words
_LOOKED_AT = 12  # newest floors in which the words that a confession takes back are searched
_BARE, _BARE_LIE = 24, 32  # characters of a confession without content, such as: I lied
_BEFORE = 2  # sentences before such a confession that say what was true
_EXPOSED = 3  # floors in which the hearer of a lie may find it out
_LIED_TO = re.compile(r"\blied to you\b", re.IGNORECASE)
_SAYS_LIED = re.compile(  # With these words a speaker takes back what they have just said.
    r"(?<!没)(?<!没有)(?<!不)骗|(?<!没)谎|吹牛|没有?说实话|编的|坦白|承认(?!错)|我招|好吧，是我"
    r"|假的"
    r"|\b(?:lied|lying|made (?:it|that) up|bragging|admit|confess|it was me|false|no fooling"
    r"|hidden it)\b"
    r"|(?:\bnot|n['’]t)(?: been| tell(?: you| him| her| them)?)? (?:honest|the truth)\b",
    re.IGNORECASE,
)
_KEPT_QUIET = re.compile("瞒")
# With these words a speaker says that their words were untrue; others only begin to be frank.
_OWNS_UP = re.compile(
    r"骗|谎|瞒|我招|交代|坦白[，,]|承认(?!你|他|她)|(?<!不)是我(?:干|做|杀|偷|害|拿)的"
    r"|我说[^，。]{1,12}，?是(?:怕|为了)"
    r"|(?<![A-Za-z])(?:lie[ds]?|lying|admit|confess|made (?:it|that) up|it was me|I did it"
    r"|(?:wasn['’]t|was not|haven['’]t been) (?:honest|truthful|in|at|there)|name)(?![A-Za-z])",
    re.IGNORECASE,
)
_FRANK = 2  # words that a frank sentence shares with the one that it contradicts
_NEVER = re.compile(r"没|不|(?<![A-Za-z])(?:no|not|never)(?![A-Za-z])|n['’]t")
_NO_NAMES = frozenset(
    "user you me player assistant ai bot human char character narrator gm"
    " 用户 玩家 我 你 机器人 助手 主角 旁白".split()
)
_OF_THE_LIVING: tuple[Facet, ...] = ("home", "work")
_Address = tuple[str, str]  # the person or thing, and the facet
FactsOf = Callable[[int, int], Sequence[Claim]]  # of the floors from the first to the last
_TALKS = re.compile(
    r"他说|她说|(?<![A-Za-z])(?:he|she|they) sa(?:id|ys)(?![A-Za-z])", re.IGNORECASE
)


class FloorTexts(Protocol):
    """The sentences of floors, read when they are needed."""

    def at(self, floor: int) -> Sequence[Claim]:
        """Return all sentences of a floor, with their speakers."""

    def with_words(
        self, first: int, last: int, words: Iterable[str], least: int = 1
    ) -> Iterable[int]:
        """Return the floors ``first``..``last`` that contain at least ``least`` of these words."""


@dataclass
class LineFindings:
    """The findings of a line as far as it was read; it can be continued with the next floors.

    No floor is read twice: claims of new floors are compared with the stored ones of earlier
    floors.
    """

    names: Mapping[str, frozenset[str]]  # by person all their names, in lower case
    next_floor: int = 0
    said: dict[_Address, ClaimList] = field(default_factory=dict)  # claims that denials may deny
    denied: dict[Quote, Finding] = field(default_factory=dict)  # by the denied quote
    lies: list[Finding] = field(default_factory=list)
    mistakes: dict[Quote, Finding] = field(default_factory=dict)
    wrong: set[Quote] = field(default_factory=set)  # quotes of lies and mistakes
    untrue: set[tuple[int, int]] = field(default_factory=set)  # the same, by floor and start
    claims: dict[_Address, ClaimList] = field(default_factory=dict)
    at_address: dict[_Address, list[Finding]] = field(default_factory=dict)
    promises: Promises = field(default_factory=Promises)
    cited: Cited = field(default_factory=Cited)
    linked: dict[str, Finding] = field(default_factory=dict)  # a model's findings, by id
    echoes: Echoes = field(default_factory=Echoes)
    shown: WatchedDenials = field(default_factory=WatchedDenials)
    touched: dict[_Address, None] = field(default_factory=dict)  # not compared yet since a claim

    def copy(self) -> LineFindings:
        """Return an independent copy."""
        return LineFindings(
            self.names,
            self.next_floor,
            dict(self.said),
            dict(self.denied),
            list(self.lies),
            dict(self.mistakes),
            set(self.wrong),
            set(self.untrue),
            dict(self.claims),
            dict(self.at_address),
            self.promises.copy(),
            self.cited.copy(),
            dict(self.linked),
            self.echoes.copy(),
            self.shown.copy(),
            dict(self.touched),
        )

    def go_on(
        self,
        facts_of: FactsOf,
        lines: FloorTexts,
        last_floor: int,
        between: Callable[[int], object] = int,
        read_to: int = -1,
    ) -> None:
        """Add the findings from the claims of the next floors, up to ``last_floor``.

        ``facts_of`` returns claims, ``lines`` the sentences of all floors. ``between`` is called
        with the next floor before every few floors, and before each address is compared; if it
        raises, what was added until then stays, and can be continued. ``read_to`` is the last of
        the floors that a model read.
        """
        self.promises.read_to = max(self.promises.read_to, read_to)
        called: dict[str, bool] = {}
        while True:
            between(self.next_floor)
            last = min(last_floor, self.next_floor + _AT_A_TIME - 1)
            part = facts_of(self.next_floor, last)
            _Deriver(self, part, facts_of, lines, last, last_floor, called).derive()
            self.promises.go_on(part, lines, self.next_floor, last)
            self.echoes.go_on(part, lines)
            self.next_floor = last + 1
            if last == last_floor:
                break
        self._compare_claims(between)

    def _compare_claims(self, between: Callable[[int], object]) -> None:
        """Compare the claims at each address that got one, without those known to be wrong."""
        for address in [*self.touched]:
            between(self.next_floor)
            claims = [c for c in self.claims[address] if quote_of(c) not in self.wrong]
            claims.sort(key=lambda c: (c.floor, c.start))
            here = ClaimsOfAddress(claims, self.untrue)
            self.at_address[address] = here.findings(address[1]) if len(claims) > 1 else []
            del self.touched[address]

    def findings(self, lines: FloorTexts) -> list[Finding]:
        """Return the findings in the order of the floors; ``lines``: those of all floors."""
        found = [*self.linked.values(), *self.denied.values(), *self.lies, *self.mistakes.values()]
        found += [f for at_address in self.at_address.values() for f in at_address]
        found = of_one_kind(found, self.claims)
        found += self.echoes.findings(found)
        found += map(self.echoes.moved, self.promises.findings())
        places: dict[Quote, int] = {}
        found = each_once(
            found,
            lambda one, other: (
                not self._are_two(one, other) and is_one_speech(lines, places, one, other)
            ),
        )
        return sorted(found, key=lambda f: (f.quotes[0].floor, f.kind, f.id))

    def _are_two(self, one: Finding, other: Finding) -> bool:
        """Return whether a model denies two statements in two places: they are two lies."""
        of_model = {one.quotes[0], other.quotes[0]} <= self.denied.keys()
        return of_model and one.quotes[-1] != other.quotes[-1]


@dataclass
class _Deriver:
    known: LineFindings
    facts: Sequence[Claim]  # of the new floors
    facts_of: FactsOf
    lines: FloorTexts
    last_floor: int
    story_to: int  # last floor in which a sender's name may be called
    called: dict[str, bool]  # whether it is, of names asked for so far
    resolved: list[Claim] = field(default_factory=list)  # denials by a model, compared with claims

    def derive(self) -> None:
        known = self.known
        self._follow_links()
        self._deny_addresses()
        known.lies = self._lies()
        lies = {lie.quotes[0] for lie in known.lies} | known.denied.keys()
        facts = [c for c in self.facts if c not in self.resolved] if self.resolved else self.facts
        mistakes_of(facts, self.lines, lies, known.mistakes)
        known.mistakes = {q: f for q, f in known.mistakes.items() if q not in lies}
        known.touched |= dict.fromkeys(self._add_claims())
        wrong = lies | known.mistakes.keys()
        for quote in wrong - known.wrong:
            known.touched |= dict.fromkeys(
                address
                for claim in self.facts_of(quote.floor, quote.floor)
                if quote_of(claim) == quote
                for address, _claim in _addressed(claim)
            )
        known.wrong = wrong

    # lies: told, then found out

    def _lies(self) -> list[Finding]:
        found = list(self.known.lies)
        told = {f.quotes[0] for f in found}
        for claim in self.facts:
            if gives_a_name(claim) and claim.how in ("said", "written") and claim.speaker:
                own = self.known.names.get(claim.speaker, frozenset((claim.speaker.casefold(),)))
                name = claim.value.casefold()
                is_own = any(name in known or known in name for known in own)
                if not is_own and self._is_called_in_story(claim.speaker):
                    found.append(lie_of(claim))
                    self.known.untrue.add((claim.floor, claim.start))
                    told.add(found[-1].quotes[0])
        for said, lie in self._belied(told):
            if lie.quotes[0] not in told:
                told.add(lie.quotes[0])
                found.append(lie)
                self.known.untrue.add((said.floor, said.start))
        return self._found_out(found)

    def _belied(self, told: Set[Quote]) -> Iterator[tuple[Claim, Finding]]:
        """Yield words that the narration, a thing or a thought shows to be a lie."""
        for hint in self.facts:
            if hint.sign == "hint" and hint.how == "narrated":
                before = self._said_on_floor_before(hint)
                if before is not None:
                    yield before, lie_of(before, hint)
        floors = range(self.known.next_floor, self.last_floor + 1)
        yield from self.known.shown.lies(self.facts, self.lines, floors, told)
        for floor in sorted({c.floor for c in self.facts if self._may_deny(c)}):
            for said, denial in islice(self._denied_within(floor), _MOST_LIES):
                yield said, lie_of(said, denial)

    def _is_called_in_story(self, name: str) -> bool:
        """Return whether a story uses the sender's name: it uses no name like User."""
        if name not in self.called and name.casefold() not in _NO_NAMES:
            units = words_of(name).units
            floors = self.lines.with_words(0, self.story_to, units, max(1, len(units)))
            self.called[name] = next(iter(floors), None) is not None
        return self.called.get(name, False)

    @staticmethod
    def _may_deny(claim: Claim) -> bool:
        return claim.sign in ("untrue", "hint") and claim.how in ("thought", "narrated")

    def _denied_within(self, floor: int) -> Iterable[tuple[Claim, Claim]]:
        """Yield a floor's statements denied there by their speaker's thought or the narration."""
        lines = self.lines.at(floor)
        said: defaultdict[str | None, list[tuple[int, Claim]]] = defaultdict(list)  # None: all
        for number, denial in enumerate(lines):
            if denial.how in ("said", "written"):
                if denial.sign not in ("asked", "unreal") and not denial.depth:
                    said[None].append((number, denial))
                    said[denial.speaker].append((number, denial))
                continue
            is_own = denial.how == "thought" and denial.speaker
            near = said[denial.speaker if is_own else None][-_LAID_BESIDE:]
            if denial.how == "ooc" or not near:
                continue
            is_sure = denial.sign == "untrue" and not self._is_resolved(denial)
            last_number, _last = near[-1]
            told = words_of(denial.quote)
            if is_sure and not any(words_of(c.quote).shared(told) for _n, c in near):
                # It was a good lie. He had not been near Kirkwall.
                goes_on = [c for c in lines[number : number + 3] if c.how == denial.how]
                told = ClaimWords.joined(words_of(c.quote) for c in goes_on)
            best = max(near, key=lambda row: (words_of(row[1].quote).shared(told), row[0]))[1]
            overlap = words_of(best.quote).shared(told)
            least = least_shared(denial)
            flips = any(is_denial_of(denial.quote, c.quote, least) for _n, c in near)
            if flips:
                best = next(
                    c for _n, c in reversed(near) if is_denial_of(denial.quote, c.quote, least)
                )
            gap = number - last_number - 1
            if _TALKS.search(best.quote) and not flips:
                continue
            if flips or (is_sure and (overlap or gap <= THOUGHT_NEAR)):
                yield (best if overlap or flips else _whole_speech(near)), denial

    def _found_out(self, told: list[Finding]) -> list[Finding]:
        """Compare confessions with earlier words: lies that were told, and beliefs."""
        found = list(told)
        denied = {q.floor for f in told for q in f.quotes[1:]}
        taken = {f.quotes[0] for f in told}
        taken |= self._exposures(found)
        for confession in self.facts:
            is_one = confession.sign in ("admits", "untrue") and confession.how != "thought"
            if not is_one or names_no_lie(confession.quote) or self._is_resolved(confession):
                continue
            if confession.how == "narrated" and confession.floor in denied:
                continue
            around = self._around(confession)
            known = owned_up(confession, found)
            if known is not None:
                lie = found[known]
                quotes = (lie.quotes[0], quote_of(confession))
                found[known] = replace(lie, status="found_out", quotes=quotes)
                continue
            cited = self._reproach(confession)
            said = (
                self._said_before(confession, around)
                if cited is None
                else self._said_as_cited(cited, confession)
            )
            if (words := said_falsely(confession)) or answers_what(confession, self.lines):
                said = last_saying(confession, words, self.lines) if words else None
            if said is not None and quote_of(said) not in taken:
                taken.add(quote_of(said))
                found.append(lie_of(said, around[1], found_out=True))
                self.known.untrue.add((said.floor, said.start))
        return found

    def _exposures(self, found: list[Finding]) -> set[Quote]:
        """Add the lies that their hearers find out, and return their quotes."""
        taken: set[Quote] = set()
        for sign in self.facts:
            lie = self._exposed(sign) if sign.sign == "exposes" else None
            if lie is None:
                continue
            at = next((n for n, f in enumerate(found) if f.quotes[0] == lie.quotes[0]), None)
            if at is None:
                found.append(lie)
            elif found[at].status == "told":
                found[at] = lie
            taken.add(lie.quotes[0])
            self.known.untrue.add((lie.quotes[0].floor, self._start_of(lie)))
        return taken

    def _said_on_floor_before(self, hint: Claim) -> Claim | None:
        """Return the last statement of the two previous floors if the narration belies it."""
        if any(c.how == "said" and c.start < hint.start for c in self.lines.at(hint.floor)):
            return None
        for floor in (hint.floor - 1, hint.floor - 2):
            for line in reversed(self.lines.at(floor)):
                is_said = line.how == "said" and not line.sign and not line.depth
                if is_said and line.speaker and (not hint.about or hint.about == line.speaker):
                    is_of_it = shared_content(line.quote, hint.quote) > 0
                    return line if belies(line, hint, 1, is_of_it=is_of_it) else None
        return None

    def _exposed(self, sign: Claim) -> Finding | None:
        """Return the lie that a hearer finds out in the floors right behind it."""
        if not sign.speaker or sign.how != "said" or sign.depth:
            return None
        speech = " ".join(c.quote for c in self.lines.at(sign.floor) if c.speaker == sign.speaker)
        for floor in range(sign.floor, max(-1, sign.floor - _EXPOSED - 1), -1):
            for line in reversed(self.lines.at(floor)):
                is_before = (line.floor, line.start) < (sign.floor, sign.start)
                is_said = line.how in ("said", "written") and not line.sign and not line.depth
                is_other = line.speaker and line.speaker != sign.speaker
                if not (is_before and is_said and is_other and may_accuse(sign, line)):
                    continue
                if exposes(line, speech, sign.floor) and not is_vow(line.quote):
                    return lie_of(line, sign, found_out=True)
        return None

    def _start_of(self, lie: Finding) -> int:
        first = lie.quotes[0]
        rows = (c.start for c in self.lines.at(first.floor) if c.quote.strip() == first.text)
        return next(rows, -1)

    def _around(self, confession: Claim) -> tuple[Sequence[Claim], Claim]:
        """Return the sentences of a confession's speech, and the one to quote."""
        lines = [
            c
            for c in self.lines.at(confession.floor)
            if c.speaker == confession.speaker
            and c.how == confession.how
            and (c.how != "narrated" or not confession.about or c.about in ("", confession.about))
        ]
        at = next((n for n, c in enumerate(lines) if c.start >= confession.start), 0)
        most = _BARE_LIE if _SAYS_LIED.search(confession.quote) else _BARE
        first = max(0, at - _BEFORE) if len(confession.quote) < most else at
        return lines[first : at + 4], confession

    def _said_before(
        self, confession: Claim, around: tuple[Sequence[Claim], Claim]
    ) -> Claim | None:
        """Return the earlier words of the same speaker that a confession takes back."""
        is_frank = confession.sign == "admits" and _OWNS_UP.search(confession.quote) is None
        told_lines = [around[1]] if is_frank else around[0]
        words = ClaimWords.joined(words_of(c.quote) for c in told_lines)
        if not words:
            return None
        first = max(0, confession.floor - _CONFESSED)
        best: tuple[int, Claim] | None = None
        around_text = " ".join(c.quote for c in around[0])
        least = min(2, max(1, len(words.units) // 2))
        near = list(self.lines.with_words(first, confession.floor - 1, words.units, least))
        if _SAYS_LIED.search(confession.quote):
            near += range(max(first, confession.floor - _EXPOSED - 1), confession.floor)
        for floor in sorted(set(near))[-_LOOKED_AT:]:
            for line in self.lines.at(floor):
                if line.how not in ("said", "written") or line.sign or line.depth:
                    continue
                own = not confession.speaker or line.speaker == confession.speaker
                own = own and not calls_liar(confession, line.speaker)
                own = own and not _told_others(line, confession)
                told_of = confession.sign == "untrue" and any(
                    line.speaker and line.speaker in c.quote for c in around[0]
                )
                if not (own or told_of) or claims_nothing(line.quote):
                    continue
                least_flip = _FRANK if is_frank else 1
                flips = any(is_denial_of(c.quote, line.quote, least_flip) for c in told_lines)
                shared = words_of(line.quote).shared(words)
                is_told = not is_frank and shared >= 2
                is_told = is_told or (own and _is_of_just_now(confession, line, around_text))
                if _KEPT_QUIET.search(confession.quote):
                    is_told = is_told and _NEVER.search(line.quote) is not None
                if flips or is_told:
                    score = shared + (4 if flips else 0)
                    if best is None or score >= best[0]:
                        best = (score, line)
        return None if best is None else best[1]

    def _reproach(self, confession: Claim) -> Claim | None:
        """Return the words before “I lied” that cite the lie: You said it was from your sister."""
        if not _SAYS_LIED.search(confession.quote) or confession.how != "said":
            return None
        before = [*self.lines.at(confession.floor - 1), *self.lines.at(confession.floor)]
        told = (c for c in before if (c.floor, c.start) < (confession.floor, confession.start))
        cited = [c for c in told if c.speaker != confession.speaker and CITES.search(c.quote)]
        return cited[-1] if cited else None

    def _said_as_cited(self, cited: Claim, confession: Claim) -> Claim | None:
        """Return the last words of who lied that are cited: one of their words is enough."""
        words = words_of(CITES.sub(" ", cited.quote))
        first = max(0, confession.floor - _CONFESSED)
        floors = set(self.lines.with_words(first, cited.floor, words.units))
        for floor in sorted(floors, reverse=True):
            for line in self.lines.at(floor):
                is_own = line.how in ("said", "written") and line.speaker == confession.speaker
                is_said = is_own and not line.sign and not line.depth
                if is_said and words_of(line.quote).shared(words):
                    return line
        return None

    def _follow_links(self) -> None:
        """Apply a model's claims about earlier words that it cites."""
        known = self.known
        for claim in self.facts:
            if not claim.is_model:
                continue
            if claim.of and claim.sign not in OUTCOMES:
                before = known.cited.meant(claim, self.lines)
                finding = linked(before, claim) if before is not None else None
                if before is not None and finding is not None:
                    self._link(before, claim, finding)
            known.cited.add(claim)

    def _link(self, before: Claim, claim: Claim, finding: Finding) -> None:
        known = self.known
        if claim.sign not in DENIALS:
            known.linked[finding.id] = finding
            return
        self.resolved.append(claim)
        first = quote_of(before)
        if status_of(known.denied.get(first)) <= status_of(finding):
            known.denied[first] = finding
        known.untrue.add((before.floor, before.start))

    def _deny_addresses(self) -> None:
        """Compare denials from a model with earlier claims of the same address."""
        known = self.known
        said: defaultdict[_Address, list[Claim]] = defaultdict(list)
        for claim in self.facts:
            address = address_of(claim)
            may_deny = claim.is_model and (claim.sign in DENIALS or claim.how == "thought")
            if may_deny and claim not in self.resolved:  # what cites words denies nothing else
                earlier = known.said.get(address, ClaimList())
                before = self._denied_by(claim, chain(reversed(said[address]), reversed(earlier)))
                if before is not None:
                    self.resolved.append(claim)
                    first = quote_of(before)
                    if status_of(known.denied.get(first)) <= 1:
                        known.denied[first] = denied(before, claim)
                    known.untrue.add((before.floor, before.start))
            if claim.about and claim.value and claim.how in ("said", "written"):
                said[address].append(claim)
        _extend(known.said, said)

    def _is_resolved(self, line: Claim) -> bool:
        """Return whether a sentence is a denial for which a model cites the denied words."""
        return any(
            c.floor == line.floor and c.start < line.end and line.start < c.end
            for c in self.resolved
        )

    @staticmethod
    def _denied_by(denial: Claim, said: Iterable[Claim]) -> Claim | None:
        """Return the newest claim that a denial may refer to; ``said`` begins with the newest."""
        for claim in said:
            if claim.depth or (claim.floor, claim.start) == (denial.floor, denial.start):
                continue
            own = claim.speaker == denial.speaker
            if (denial.how == "thought" or denial.sign == "admits") and not own:
                continue
            if denial.sign not in DENIALS and claim.floor != denial.floor:
                continue
            if claim.facet == "deed" and not shares_words(claim, denial):
                continue  # a person may have many occupations, but one home
            is_same_value = same_value(claim.facet, claim.value, denial.value)
            if denial.value and is_same_value == (claim.polarity == denial.polarity):
                continue
            return claim
        return None

    # addresses: superseded facts and contradictions

    def _add_claims(self) -> Iterable[_Address]:
        """Add claims to their addresses, and return the addresses."""
        claims: dict[_Address, list[Claim]] = {}
        for claim in self.facts:
            for address, told in _addressed(claim):
                claims.setdefault(address, []).append(told)
        _extend(self.known.claims, claims)
        return claims


def _told_others(line: Claim, confession: Claim) -> bool:
    """Return whether those who hear that they were lied to did not hear these words."""
    if not (_LIED_TO.search(confession.quote) and line.hearers and confession.hearers):
        return False
    return set(line.hearers).isdisjoint(confession.hearers)


def _extend(claims: dict[_Address, ClaimList], more: Mapping[_Address, list[Claim]]) -> None:
    """Add later claims to their addresses."""
    for address, new in more.items():
        claims[address] = claims.get(address, ClaimList()).with_more(new)


def _addressed(claim: Claim) -> Iterator[tuple[_Address, Claim]]:
    """Yield the addresses at which a claim is compared, with what it says there."""
    if not claim.about or gives_a_name(claim) or claim.facet in ("other", "will", "deed"):
        return
    if claim.how in {"ooc", "thought"}:
        return
    about = claim.about.casefold()
    if claim.facet in ("place", "owner", "amount") and claim.trigger != "emptied":
        about = fold_thing(claim.about)
    yield from _laid_at(about, claim)


def _laid_at(about: str, claim: Claim) -> Iterator[tuple[_Address, Claim]]:
    """Yield the addresses of a claim: a bond has two, and a death also ends the home."""
    if claim.facet == "work" and claim.trigger == "rank":
        yield (f"{about} rank", "work"), claim  # a promotion keeps the occupation
        return
    if claim.facet == "origin" and claim.trigger.startswith(KEY):
        yield (f"{about} {claim.trigger}", "origin"), claim
        return
    is_counted = claim.facet == "amount" and bool(claim.trigger)
    if is_counted and claim.quote.isascii():
        about = f"{claim.trigger.casefold()}: {about}"  # two persons may each have arrows
    yield (about, claim.facet), claim
    if is_counted and not claim.quote.isascii():  # 弹匣里有七发子弹, 只剩两发子弹
        yield (fold_thing(claim.trigger), "amount"), claim
    is_inside = claim.facet == "place" and claim.polarity and claim.trigger != "person"
    if is_inside and claim.value.isascii() and (inside := inside_of(claim.value)):
        yield (
            (inside, "place"),
            replace(claim, about=inside, sign="states"),
        )  # of a place's content
    if claim.facet == "bond" and claim.trigger:
        other = replace(claim, about=claim.trigger, trigger=claim.about)
        yield (claim.trigger.casefold(), "bond"), other
    if claim.facet == "alive" and claim.polarity and claim.value == "dead" and not claim.depth:
        for facet in _OF_THE_LIVING:
            yield (about, facet), replace(claim, facet=facet, value="", polarity=False, sign="ends")


def _is_of_just_now(confession: Claim, line: Claim, text: str) -> bool:
    """Return whether “I lied”, with the ``text`` around it, may mean what was said just before."""
    is_near = confession.floor - line.floor <= _EXPOSED + 1
    says_so = is_near and _SAYS_LIED.search(confession.quote) is not None
    return says_so and shared_content(text, line.quote) > 0


def _whole_speech(said: Sequence[tuple[int, Claim]]) -> Claim:
    """Return the last statement as one claim: consecutive sentences of one speaker."""
    number, last = said[-1]
    together = [last]
    for before, claim in reversed(said[-THOUGHT_NEAR - 1 : -1]):
        if before != number - 1 or claim.speaker != last.speaker:
            break
        together.insert(0, claim)
        number = before
    quote = (" " if last.quote.isascii() else "").join(c.quote.strip() for c in together)
    return replace(last, start=together[0].start, quote=quote)


def _floor(claim: Claim) -> int:
    return claim.floor


def findings_of(
    facts: Sequence[Claim],
    lines: FloorTexts,
    last_floor: int,
    names: Mapping[str, frozenset[str]] | None = None,
    between: Callable[[int], object] = int,
) -> list[Finding]:
    """Return the findings from the claims of a line, in the order of its floors.

    ``names``: by person all their names, in lower case. ``between`` as in `LineFindings.go_on`.
    """

    def facts_of(first: int, last: int) -> Sequence[Claim]:
        start = bisect_left(facts, first, key=_floor)
        return facts[start : bisect_left(facts, last + 1, start, key=_floor)]

    found = LineFindings(names or {})
    read_to = max((claim.floor for claim in facts if claim.of is not None), default=-1)
    found.go_on(facts_of, lines, last_floor, between, read_to)
    return found.findings(lines)


def answered(findings: Iterable[Finding], answers: Mapping[str, str]) -> list[Finding]:
    """Return findings with the answers of the user, given by finding id."""
    found: list[Finding] = []
    for finding in findings:
        answer = answers.get(finding.id, "")
        if answer not in answers_of(finding.kind):
            found.append(finding)
            continue
        status = finding.status
        if finding.kind == "contradiction":
            status = "answered"
        elif finding.kind == "promise":
            status = answer
        found.append(replace(finding, answer=answer, status=status))
    return found
