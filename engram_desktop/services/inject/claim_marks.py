"""Add findings to a prompt: marks on lines that are over or untrue, and promises that are due.

A line is marked as a lie or a mistake for the curator and for characters that know so, not for the
deceived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.claim import Finding
from engram_desktop.domain.claims.marks import PromptMarks, day_come, days_pass, due
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.recall.query import InjectedLine, Injection, ItemFilter
from engram_desktop.domain.text.cleaning import story
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.services.inject.prompt_lines import OF_VOLUMES, PromptLine, in_a_line
from engram_desktop.services.knowledge.heard import floors_heard

if TYPE_CHECKING:
    from engram_desktop.domain.claims.marks import Tongue
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.knowledge.line_claims import LineClaims
    from engram_desktop.storage.chat.chat_store import ChatStore

READ_NOW = 64  # messages read before a prompt: as many as come in between two summaries
# A word on more floors than this identifies no promise: names, “know”, “help”, 一起. Set by hand.
_EVERYDAY_LEAST, _EVERYDAY_SHARE = 6, 25
_ITS_DAY = 12  # floors for which a promise is recalled after its day has come: about a scene
_RECENT = 2  # last floors that may mention what a promise waits for


class ClaimMarks:
    """Marks for the prompts of one asker."""

    def __init__(
        self, store: ChatStore, where: ItemFilter, findings: Sequence[Finding], line: LineClaims
    ) -> None:
        self._store = store
        self._where = where
        self._line = line
        self._findings = findings
        self._marked: dict[tuple[str, int, int], str] = {}
        self._by_language: dict[Tongue, PromptMarks] = {}

    def marked(self, lines: Sequence[PromptLine], language: Tongue, now: int) -> list[PromptLine]:
        """Return the lines, with marks on what is over or untrue at floor ``now``."""
        marks = self._by_language.get(language)
        if marks is None:
            known = [f for f in self._findings if self._is_known(f, now)]
            marks = self._by_language[language] = PromptMarks(known, language)
        if not marks:
            return list(lines)
        told = []
        for line in lines:
            if line.part in OF_VOLUMES:  # findings are about this chat only
                told.append(line)
                continue
            first, last = line.order[:2] if line.part not in _UNDATED else (0, now)
            key = (line.text, first, last)
            text = self._marked.get(key)
            if text is None:  # the same lines are composed again in each filling pass
                text = self._marked[key] = marks.marked(line.text, first, last)
            told.append(line if text == line.text else replace(line, text=text))
        return told

    def due(self, said: str, language: Tongue, now: int, room: int) -> str:
        """Return one line with the promises that ``said`` or the last floors bring up; "" for none.

        Promises of the last floors themselves are left out: they are still in the prompt.
        """
        last = self._store.messages.texts_at(
            self._where.branches[0][0], list(range(max(0, now - _RECENT + 1), now + 1))
        )
        known = [
            f
            for f in self._findings
            if f.kind == "promise" and f.floors[0] <= now - _RECENT and self._is_known(f, now)
        ]
        spoken = "\n".join(map(story, [said, *last]))
        most = max(_EVERYDAY_LEAST, now // _EVERYDAY_SHARE)

        @cache
        def is_everyday(word: str) -> bool:
            return len(list(self._line.with_words(0, now, {word}))) > most

        come: list[str] = []
        if days_pass(self._line, now - _ITS_DAY + 1, now):  # otherwise no day can have come
            come = [f.id for f in known if f.status == "open" and self._is_day_of(f, now)]
        return in_a_line(due(known, spoken, language, room, is_everyday, come))

    def _is_day_of(self, promise: Finding, now: int) -> bool:
        """Return whether the day a promise waits for came within the last `_ITS_DAY` floors."""
        by = day_come(promise, self._line, now)
        return by is not None and now - by.floor < _ITS_DAY

    def _is_known(self, finding: Finding, now: int) -> bool:
        """Return whether the asker knows a finding at floor ``now``.

        Its last floor must lie in the past, and the asker must have heard that floor. A lie not
        revealed yet is known to the curator and to the liar; a mistake, to those it names as
        knowing it.
        """
        if finding.kind == "promise":
            is_told = finding.floors[0] <= now
            if finding.known_to and self._where.actor is not None:  # a silent vow
                return is_told and self._knows(finding)
            return is_told and self._hears(finding, finding.floors[0])
        is_later = finding.floors[-1] > now
        if finding.kind == "lie" and (is_later or finding.status == "told"):
            is_told = finding.floors[0] <= now
            return is_told and (self._where.actor is None or self._is_of(finding))
        if is_later:
            return False
        if (
            finding.kind == "mistaken"
            and finding.status == "held"
            and self._where.actor is not None
        ):
            return self._knows(finding)  # what only the narration says is known to no character
        return self._hears(finding, finding.floors[-1])

    def _knows(self, finding: Finding) -> bool:
        norms = self._where.asker.norms
        return any(norm_name(name) in norms for name in finding.known_to)

    def _is_of(self, finding: Finding) -> bool:
        norms = self._where.asker.norms
        return any(norm_name(name) in norms for name in finding.who)

    def _hears(self, finding: Finding, floor: int) -> bool:
        if self._where.actor is None or self._is_of(finding):
            return True
        norms = self._where.asker.norms
        people = self._line.there[floor] if floor < len(self._line.there) else ()
        return any(norm_name(p) in norms for p in people) or floor in self._floors_heard

    @cached_property
    def _floors_heard(self) -> frozenset[int]:
        """Return the floors of findings that the asker heard anything of, in one query."""
        floors = {floor for f in self._findings for floor in (f.floors[0], f.floors[-1])}
        return floors_heard(self._store, self._where, sorted(floors))


_UNDATED = frozenset(("entities", "relations", "present"))


def marks_for(
    ctx: JobContext,
    findings: FindingsService | None,
    store: ChatStore,
    line: Line,
    where: ItemFilter,
) -> ClaimMarks | None:
    """Return the marks for a prompt; None if more messages are unread than a prompt waits for."""
    near = findings.near(ctx, line, READ_NOW) if findings is not None else None
    return ClaimMarks(store, where, *near) if near is not None and near[0] else None


def with_due(injection: Injection, line: str) -> Injection:
    """Append the line of due promises to an injection."""
    if not line or not injection.text:
        return injection
    text = f"{injection.text}\n\n{line}"
    sections = {**injection.sections, "promises": line}
    told = InjectedLine("promises", line, estimate_tokens(line))
    return replace(
        injection,
        text=text,
        sections=sections,
        tokens=estimate_tokens(text),
        lines=(*injection.lines, told),
    )
