"""Splits a message into parts, and finds the speaker, thinker or writer of each.

The sender of a message does not say all of it: a narrator speaks for many, and a character quotes
others. A speech belongs to the person named by the words around it, else to the one whose turn it
is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from engram_desktop.domain.claims.antecedents import (
    SHE,
    UNKNOWN,
    speaker_behind,
    stranger_leads,
    whole_stranger,
)
from engram_desktop.domain.claims.claim import How
from engram_desktop.domain.claims.people_ja import (
    ACTS_BEHIND,
    LEADS_JA,
    TELLS_OF_TEXT,
    calls_ja,
)
from engram_desktop.domain.claims.speech import (
    ARTICLES,
    AT_HEAD,
    CALLS,
    FIRST_HEAD,
    FIRST_SAYS,
    GUESSES,
    HEADED,
    INNER,
    INNER_SAYS,
    KANA,
    KIN_OF,
    LEAD,
    LED_IN,
    NAME_SAYS,
    OWN_WORDS,
    REPEATS_SELF,
    SAID_NEAR,
    SAYS,
    SAYS_THEN,
    SENTENCE_END,
    SOMEBODY_NEW,
    SPEAKS_NOW,
    TAG,
    TAG_EN,
    TAG_ZH,
    TAGGED,
    THE_SORT_SAYS,
    TITLE_BEFORE,
    UNQUOTED,
    VERB_THEN_NAME,
    YOU_SAY,
    YOU_TOLD,
    Context,
    MessageSender,
    Part,
    is_quotation,
)
from engram_desktop.domain.claims.strangers import (
    PASSING,
    bare_name,
    introduced,
    is_unknown,
    last_of,
    without_unnamed,
)
from engram_desktop.domain.claims.subjects import (
    FIRST,
    OBJECT,
    PRONOUN,
    Mentioned,
    is_read_out,
    is_written,
    owner_of_last,
    signer_of,
    writer_of,
)
from engram_desktop.domain.claims.unquoted import Unquoted
from engram_desktop.domain.knowledge.parts import TextPart, pieces_of
from engram_desktop.domain.knowledge.thoughts import THINKS, is_thought_bracket
from engram_desktop.domain.text.sentences import remarks

_TITLE = 12  # characters before a name that may contain its longest title: Princess
_BARE = 3  # characters of a noun used as a name: 老婆婆
_CALLED_ONLY = 12  # characters of a speech that only calls a person
_KEPT = 8  # names of the last speakers and persons mentioned: a scene has no more


def _told_until(content: str, mark: re.Match[str] | None) -> int:
    """Return where the narration of a thought ends: behind a colon (心道：…) the thought begins."""
    is_quoted = mark is not None and content[mark.end() : mark.end() + 1] in (":", "：")
    return mark.start() if mark is not None and is_quoted else len(content)


class _Reader(Unquoted):
    """Reads the parts of one message in order."""

    def __init__(self, text: str, sender: MessageSender, names: Mentioned, before: Context) -> None:
        self.outside = remarks(text)
        shown = text
        for start, end in reversed(self.outside):
            shown = shown[:start] + " " * (end - start) + shown[end:]
        super().__init__(shown, pieces_of(shown), sender, names, before)
        self.text = text
        self.introduced: dict[int, str] = {}  # speakers who give their name, by the line's start
        self.called_on: dict[tuple[int, str], tuple[str, ...]] = {}  # by line and speaker
        self.tells_of_self = bool(self.own) and self._is_first_person()

    def _is_first_person(self) -> bool:
        """Return whether “I” in narration is the sender, more often than he or she begins it."""
        told = [self.text[p.start : p.end] for p in self.pieces if p.kind in ("told", "bracket")]
        first = sum(OWN_WORDS.search(words) is not None for words in told)
        return first > 0 and first >= sum(HEADED.match(words) is not None for words in told)

    def parts(self) -> Iterator[Part]:
        for start, end in self.outside:
            yield Part("ooc", start, end, self.sender.name)
        line_speaker: dict[int, str] = {}
        for number, piece in enumerate(self.pieces):
            if piece.kind == "speech" and not self._is_term(piece):
                yield from self._speech(number, piece, line_speaker)
            elif piece.kind == "tag" or (piece.kind == "bracket" and self._is_thought(piece)):
                yield Part("thought", piece.start, piece.end, self._thinker(piece))
            elif piece.kind in ("told", "speech", "bracket"):
                before = self.pieces[number - 1] if number else None
                is_behind = before is not None and before.kind == "speech"
                yield self._told(piece, behind=is_behind)

    def _told(self, piece: TextPart, *, behind: bool) -> Part:
        """Return the narration, or speech without quotes; ``behind`` a speech it may be a tag."""
        text = self.shown
        content = text[piece.start : piece.end]
        if piece.is_starred and is_thought_bracket(content, stars=True):
            return Part("thought", piece.start, piece.end, self.own)
        is_tag = behind and self._is_tag(piece)
        if self._is_said(piece) and not is_tag:
            heard = tuple([n for n in self.turns if n not in (self.own, UNKNOWN)][-1:])
            others = tuple(n for n in self.recent[-_KEPT:] if n != self.own)
            told_of = others[-1] if others else ""
            self._take_turn(self.own)
            self._called_in(piece.start, piece.end)
            return Part(
                "said", piece.start, piece.end, self.own, heard, subject=told_of, recent=others
            )
        mark = THINKS.search(content)
        found = self.subject_in(piece.start, piece.start + _told_until(content, mark))
        for mention in self.names.find(text, piece.start, piece.end):
            if mention.name not in (self.own, found) and not is_unknown(mention.name):
                self.recent = [*(n for n in self.recent if n != mention.name), mention.name]
        if found:
            self._told_of(found)
        if mark is not None:
            is_own = piece.is_starred and not found and not content[: mark.start()].strip("* ")
            thinker = (self.own if is_own else "") or found or self.subject or self.own
            return Part("thought", piece.start, piece.end, "" if is_unknown(found) else thinker)
        recent = tuple(self.recent[-_KEPT:])
        return Part("narrated", piece.start, piece.end, subject=self.subject, recent=recent)

    def _is_tag(self, piece: TextPart) -> bool:
        """Return whether the narration behind a speech names its speaker."""
        text, start = self.shown, piece.start
        if TAG_EN.match(text, start, start + 60) or TAG_ZH.match(text, start, start + 20):
            return True
        return bool(self._tagged_name(piece))

    def _tagged_name(self, piece: TextPart) -> str:
        """Return who is named with a verb of speech behind a speech: says Pip, Pip says."""
        text, start = self.shown, piece.start
        mention = next(iter(self.names.find(text, start, min(piece.end, start + 30))), None)
        if mention is None:
            return ""
        lead = text[start : mention.start]
        is_tag = VERB_THEN_NAME.fullmatch(lead) or (
            not lead.strip(" ,，*") and NAME_SAYS.match(text, mention.end, piece.end)
        )
        return mention.name if is_tag else ""

    def context(self) -> Context:
        """Return what the next message needs to know of this one and of the previous ones."""
        named: dict[str, None] = {}
        pieces = self.pieces if self.names.find(self.shown) else ()
        for piece in pieces:  # in a sentence the first name matters most
            inside = dict.fromkeys(
                m.name
                for m in self.names.find(self.shown, piece.start, piece.end)
                if m.name in self.spoken or not is_unknown(m.name)
            )
            for name in reversed(list(inside)):
                named.pop(name, None)
                named[name] = None
        passing = (UNKNOWN, *PASSING)
        turns = [name for name in self.turns if name not in passing]
        recent = [name for name in self.recent if name not in named and name not in passing]
        named = {name: None for name in named if name not in passing}
        rest = [name for name in named if name not in self.turns[-1:]]
        recent += [*rest, *(name for name in turns[-1:] if name not in recent)]
        return Context(tuple(turns[-_KEPT:]), last_of(recent, _KEPT), *self._speaks_next())

    def _tells(self, piece: TextPart) -> bool:
        """Return whether a bracket tells an action of another person."""
        text, start = self.shown, piece.start + 1
        if OWN_WORDS.search(text, start, piece.end) or THINKS.search(text, start, piece.end):
            return False
        mention = next(iter(self.names.find(text, start, piece.end)), None)
        if mention is None or mention.start - start > AT_HEAD:
            return False
        is_guess = GUESSES.search(text, start, piece.end) is not None
        return not is_guess and bool(self.subject_in(start, piece.end - 1))

    def _is_thought(self, piece: TextPart) -> bool:
        if self._tells(piece):
            return False
        content = self.shown[piece.start : piece.end].strip("（）()* ")
        if self.sender.is_narrator and not THINKS.search(content) and "我" not in content:
            return False  # a narrator uses brackets for others, too
        return is_thought_bracket(content)

    def _thinker(self, piece: TextPart) -> str:
        start = piece.start + 1
        content = self.shown[start : piece.end]
        mark = THINKS.search(content)
        if mark is not None:
            found = self.subject_in(start, start + _told_until(content, mark))
            if found and not is_unknown(found):
                return found
        return self.own or self.subject or ""

    def _speech(self, number: int, piece: TextPart, line_speaker: dict[int, str]) -> Iterator[Part]:
        text = self.shown
        start, end = piece.start + 1, piece.end
        if end > start and text[end - 1] in '”"」』':
            end -= 1
        if text[piece.start] in "「『" and THINKS.search(text[start : start + 4]):
            yield Part("thought", start, end, self.subject or self.own)
            return
        lead_start, lead_end = self._lead(number)
        kind: How = "written" if self._is_written(number, text[lead_start:lead_end]) else "said"
        hearers: tuple[str, ...] = ()
        if kind == "written":
            speaker = writer_of(text, lead_start, lead_end, self.names, self.own) or signer_of(
                text, start, end, self.names
            )
            speaker = speaker or (self.own if KANA.search(text, start, end) else "")
        else:
            speaker = self._speaker(number, start, end, line_speaker)
            self._spoke(speaker, piece.line, line_speaker)
            called = self._called_in(piece.start + 1, piece.end) - {speaker}
            self.answers = (min(called), number) if len(called) == 1 else ("", -1)
            hearers = tuple(sorted(called)) or self.called_on.pop((piece.line, speaker), ())
            begun = SENTENCE_END.search(text, start, end)
            begun_to = self.names.find(text, start, begun.start()) if begun is not None else ()
            if not hearers or (begun is not None and called.isdisjoint(m.name for m in begun_to)):
                near = self._hearers(lead_start, lead_end, speaker, self._behind(number))
                hearers = tuple(dict.fromkeys((*near, *hearers)))
            if called and end - start <= _CALLED_ONLY:
                self.called_on[piece.line, speaker] = hearers  # “段屿，” … “我错怪你了。”
        others = tuple(name for name in self.recent[-_KEPT:] if name != speaker)
        told_of = others[-1] if others else ""
        whole = Part(kind, start, end, speaker, hearers, 0, told_of, others)
        yield from self._with_quotes(whole)

    def _behind(self, number: int) -> TextPart | None:
        """Return the narration right behind a speech, on its line."""
        behind = self.pieces[number + 1 : number + 2]
        is_told = bool(behind) and behind[0].kind == "told"
        return behind[0] if is_told and behind[0].line == self.pieces[number].line else None

    def _speaker(self, number: int, start: int, end: int, line_speaker: dict[int, str]) -> str:
        """Return the speaker of the text from ``start``: a self-introduced or mentioned person."""
        text, piece = self.shown, self.pieces[number]
        known = (self.own, self.names.player, *self.turns, *self.recent, self.subject)
        speaker = introduced(text, self.names, start, end, known)
        line_start = text.rfind("\n", 0, start)
        if speaker and not is_unknown(speaker):
            if self.strangers:
                subject = self.subject
                self._is_named(self._named(number, piece, line_speaker), speaker)
                self.subject = subject
            if is_unknown(line_speaker.get(piece.line, "")):
                self.introduced[line_start] = speaker
            return speaker
        speaker = self._named(number, piece, line_speaker)
        if not is_unknown(speaker):
            return speaker
        unnamed = line_speaker[piece.line] = speaker
        name = bare_name(text, self.names, start, end)
        is_own = bool(name) and (name != self.names.player or name == self.own)
        if is_own and not is_unknown(name) and (unnamed == UNKNOWN or name not in known):
            self._is_named(unnamed, name)
            self.introduced[line_start] = name
            return name
        if unnamed != UNKNOWN:
            return unnamed
        self._take_turn(UNKNOWN)
        return ""

    def _with_quotes(self, whole: Part) -> Iterator[Part]:
        """Yield a speech in pieces, around the words of others that it repeats."""
        text, at = self.shown, whole.start
        for inner in INNER.finditer(text, whole.start, whole.end):
            before = text[max(whole.start, inner.start() - 40) : inner.start()]
            if not before.strip() and inner.start() == whole.start:
                before = UNQUOTED.sub(" ", text[max(0, whole.start - 90) : whole.start])
                before = TAGGED.sub("", before)
            words = next(group for group in inner.groups() if group is not None)
            is_own = inner.start() == whole.start and OWN_WORDS.search(words) is not None
            is_repeated = INNER_SAYS.search(before) or is_quotation(words, before)
            if not is_repeated and not (is_own and inner.end() < whole.end):
                continue
            if at < inner.start():
                yield replace(whole, start=at, end=inner.start())
            quoted = self._inner_speaker(whole.start, inner.start(), whole.speaker)
            first = inner.start() + 1
            told = (whole.speaker,) if whole.speaker else ()
            part = replace(whole, kind="said", start=first, end=first + len(words))
            yield replace(part, speaker=quoted, hearers=told, depth=1)
            at = inner.end()
        if at < whole.end:
            yield replace(whole, start=at)

    def _spoke(self, speaker: str, line: int, line_speaker: dict[int, str]) -> None:
        self.spoken[speaker or UNKNOWN] = self.spoken.pop(speaker or UNKNOWN, None)
        if speaker:
            line_speaker[line] = speaker
            self._take_turn(speaker)
            self._told_of(speaker)

    def _is_written(self, number: int, lead: str) -> bool:
        """Return whether a quotation is in a letter, a message or on a sign."""
        after = self.pieces[number + 1] if number + 1 < len(self.pieces) else None
        is_told = after is not None and after.kind == "told"
        behind = self.shown[after.start : after.end] if after is not None and is_told else ""
        return is_read_out(behind) or is_written(lead)

    def _lead(self, number: int) -> tuple[int, int]:
        """Return the narration right before a speech: on its line, or above it after a colon."""
        piece = self.pieces[number]
        first = piece.start
        at = number - 1
        while at >= 0:
            before = self.pieces[at]
            if before.kind == "speech" and not self._is_term(before):
                break
            if before.kind == "tag" or (before.kind == "bracket" and not self._tells(before)):
                break
            if before.line != piece.line and not self._opens_next_line(number, at):
                break
            if piece.start - before.start > LEAD * 2:
                break
            first = before.start
            at -= 1
        return first, piece.start

    def _opens_next_line(self, number: int, at: int) -> bool:
        ended = self.shown[self.pieces[at].start : self.pieces[number].start].rstrip()
        is_led_in = ended.endswith(("：", ":")) or TELLS_OF_TEXT.search(ended[-24:]) is not None
        return is_led_in and self.pieces[number].line - self.pieces[at].line <= 2

    def _named(self, number: int, piece: TextPart, line_speaker: Mapping[int, str]) -> str:
        """Return the speaker: by the words around the speech, else by whose turn it is."""
        after = self._behind(number)
        lead_start, lead_end = self._lead(number)
        is_answer = self._answers_at_once(number)
        goes_on = "" if is_answer else line_speaker.get(piece.line, "")
        tagged = "" if after is None else self._tagged_name(after)
        if (
            goes_on
            and tagged in ("", goes_on)
            and (
                self._is_of_one(lead_start, lead_end, after)
                or self._only_tags(lead_start, lead_end, goes_on)
                or self._is_in_sentence(lead_start, lead_end, goes_on)
            )
        ):
            return goes_on
        called = self._called_in(piece.start + 1, piece.end)
        is_led_in = SAYS_THEN.search(self.shown, max(lead_start, lead_end - LED_IN), lead_end)
        is_next = self._leads_next(lead_start, lead_end, after)
        is_next = is_next or self._leads_by_deeds(number, lead_start, lead_end)
        is_told = self.names.last(self.shown, lead_start, lead_end) is not None
        found = "" if is_led_in or is_next else self._tag_behind(after, is_told=is_told)
        is_called = found in called
        found = "" if is_called else found
        if not found and self.shown[lead_start:lead_end].strip():
            found = self._last_subject(lead_start, lead_end)
            if found in self.sender.beside and not self._leads_in(lead_start, lead_end):
                found = ""
        found = UNKNOWN if is_called and not found else found
        # a newcomer mentioned between two speeches takes over the line
        is_new = found == UNKNOWN and SOMEBODY_NEW.search(self.shown, lead_start, lead_end)
        is_nobodys = not found or found in called or (found == UNKNOWN and not is_new)
        goes_on = goes_on if self._may_be_tagged(goes_on, after) else ""
        found = goes_on or ("" if found != UNKNOWN else found) if is_nobodys else found
        found = found or self._untold(number, after, called)
        if found == self.own and self._is_of_deed(piece):
            return UNKNOWN
        is_players = found == self.names.player and not self._you_say(lead_start, piece, after)
        if is_players and self._is_last_line(number):
            return self._not_player(called)
        return self.own if is_players and self.own not in called else found

    def _leads_next(self, start: int, end: int, after: TextPart | None) -> bool:
        """Return whether a person is named before a speech, and another is led in behind it."""
        if after is None or not self.shown[after.start : after.end].endswith((":", "：")):
            return False
        return self.names.last(self.shown, start, end) is not None

    def _leads_by_deeds(self, number: int, start: int, end: int) -> bool:
        """Return whether deeds stand before speeches here: the one behind is of who speaks next."""
        after = self._behind(number)
        is_last = all(piece.kind != "speech" for piece in self.pieces[number + 2 : number + 3])
        if after is None or is_last or self.pieces[0].kind == "speech" or self._is_tag(after):
            return False
        stop = min(after.end, after.start + TAG)
        is_said = SAYS.search(self.shown, after.start, stop) or SAYS.search(self.shown, start, end)
        return not is_said and bool(self.names.find(self.shown, start, end))

    def _you_say(self, start: int, speech: TextPart, after: TextPart | None) -> bool:
        """Return whether the player may speak in another's message: words about “you” say so."""
        if not self.own or self.own == self.names.player or not self._writes_to_player:
            return True
        if YOU_SAY.search(self.shown, start, speech.start) is not None:
            return True
        stop = after.end if after is not None else speech.end
        return YOU_SAY.search(self.shown, speech.end, min(stop, speech.end + TAG)) is not None

    def _called_in(self, start: int, end: int) -> set[str]:
        """Return the persons called by name in a speech: they are not its speaker."""
        text, called = self.shown, set()
        for mention in self.names.find(text, start, end):
            if is_unknown(mention.name) and mention.end - mention.start > _BARE:
                continue  # “外门弟子，练气四层。” says what a person is
            # only a title and a mark are before it
            lead = text[max(start, mention.start - _TITLE) : mention.start].rstrip(" ")
            lead = TITLE_BEFORE.sub("", lead).rstrip(" ")
            is_head = not lead or lead[-1] in "，,。.！!？?…—"
            ended = SENTENCE_END.search(text, mention.end, end)
            to_hearer = YOU_TOLD.search(text, mention.end, ended.start() if ended else end)
            # “Tobias. I've flown the Belt.”, but not: Tobias, what are you doing?
            is_own = mention.name == self.own and not lead and to_hearer is None
            is_call = is_head and CALLS.match(text, mention.end, end) is not None
            is_call = is_call or calls_ja(text, start, mention.start, mention.end, end)
            if is_call and not is_own:
                called.add(mention.name)
                self.called_last = mention.name
        return called

    def _is_of_one(self, start: int, end: int, after: TextPart | None) -> bool:
        """Return whether a line has one speaker: no one is named between two speeches of it."""
        if self.somebody_new.search(self.shown, start, end):
            return False
        stop = end if after is None else min(after.end, after.start + TAG)
        named = [*self.names.find(self.shown, start, end)]
        if after is not None:
            named += self.names.find(self.shown, after.start, stop)
        return not named and not FIRST_SAYS.search(self.shown, start, stop)

    def _leads_in(self, start: int, end: int) -> bool:
        """Return whether narration before a speech says that a person speaks."""
        return SPEAKS_NOW.search(self.shown[start:end].rstrip(" *")[-SAID_NEAR:]) is not None

    def _untold(self, number: int, after: TextPart | None, called: Collection[str]) -> str:
        """Return the speaker if no words before a speech name one; never one of ``called``."""
        if self.own and not number:  # a character's message that begins with speech
            behind = self.shown[after.start : after.end] if after is not None else ""
            found = "" if after is None else self.subject_in(after.start, after.end)
            if is_unknown(found):
                return found
            return self._opener(self.pieces[0].start, behind, called)
        answers = self._came_in(number) or self._answerer(number)
        is_silent = answers in self.sender.beside and answers not in self.spoken
        answers = "" if is_silent or answers in called else answers
        if answers and answers != UNKNOWN:
            self.subject = answers
        if after is not None:
            found = self.subject_in(after.start, min(after.end, after.start + LEAD))
            is_new = self.somebody_new.match(self.shown, after.start) is not None
            if is_new or (found and found not in called):
                return found or UNKNOWN
        later = self._later_on_line(number) or answers or self._told_above(number)
        later = later or self._goes_on_speaking(number)
        if later and later not in called:
            return later
        if self.strangers and (not self.own or self.are_strangers_there):
            return UNKNOWN  # one of them may speak, and no words say which
        is_last_line = is_silent and self._is_last_line(number)
        turn = self._not_player(called) if is_last_line else ""
        turn = turn or self.own or self._turn(number)
        return "" if turn in called else turn

    def _goes_on_speaking(self, number: int) -> str:
        """Return the last speaker of this message if only narration lines are in between."""
        spoke = self._spoke_before(number)
        line = self.pieces[number].line
        between = self.pieces[spoke + 1 : number] if spoke >= 0 else ()
        between = [p for p in between if p.line > self.pieces[spoke].line]
        is_apart = bool(between) and all(p.kind == "told" and p.line < line for p in between)
        return self.turns[-1] if is_apart and self.turns else ""

    def _told_above(self, number: int) -> str:
        """Return the person mentioned on the line right above a speech, if it has no speech."""
        line, at = self.pieces[number].line, number - 1
        if at < 0 or self.pieces[at].line == line:
            return ""
        above = self.pieces[at].line
        while at >= 0 and self.pieces[at].line == above:
            if self.pieces[at].kind != "told" and not self._is_term(self.pieces[at]):
                return ""
            at -= 1
        first, last = self.pieces[at + 1].start, self.pieces[number - 1].end
        is_new = not self.tells_of_self and self._new_on_line(last)
        found = UNKNOWN if is_new else self._last_subject(first, last)
        return "" if found in self.sender.beside else found

    def _answerer(self, number: int) -> str:
        """Return who answers if a speech follows another on a new line, without narration."""
        line = self.pieces[number].line
        at = number - 1
        while at >= 0 and self.pieces[at].kind == "told" and self.pieces[at].line < line:
            at -= 1  # narration behind the previous speech, on its own line
        before = self.pieces[at] if at >= 0 else None
        if before is None or before.kind != "speech":
            return ""
        if before.line == line and not self._answers_at_once(number):
            return ""
        if at < number - 1 and self.pieces[number - 1].line != before.line:
            return ""
        if not self.turns or self._is_term(before):
            return ""
        called, by = self.answers
        if called and self.pieces[by] is before:
            return called
        return next((name for name in reversed(self.turns) if name != self.turns[-1]), "")

    def _last_subject(self, start: int, end: int) -> str:
        """Return the subject of the last sentence of the narration before a speech."""
        text = self.shown
        bounds = [start, *(m.end() for m in SENTENCE_END.finditer(text, start, end)), end]
        for first, last in reversed(list(pairwise(bounds))):
            words = text[first:last]
            is_kin = KIN_OF.match(words) is not None  # the relative, not whom “his” means
            found = self._subject_told(first, last) if words.strip() and not is_kin else ""
            owner = owner_of_last(text, first, last, self.names)
            found = owner if owner and (self.own or owner != self.names.player) else found
            is_own = self.tells_of_self and FIRST_HEAD.match(words) is not None
            if is_own and not self._leads_in(first, last):
                return self.own  # 我接过一箱，对上鲁可的眼神，笑了笑
            if found:
                return found
            is_of_nobody = self.names.last(text, first, last) is None
            is_new = is_kin or self.somebody_new.match(words) is not None
            if is_new or (is_of_nobody and stranger_leads(words, self.own)):
                return UNKNOWN
            is_said = self.own and SAYS_THEN.search(words) is not None
            if is_said and is_of_nobody:
                return self.subject if PRONOUN.search(words) else self.own
        if PRONOUN.search(text[start:end]):
            return self.subject
        return UNKNOWN if text[start:end].rstrip().endswith(("：", ":")) and not self.own else ""

    def _subject_told(self, first: int, last: int) -> str:
        """Return the subject of a sentence: also an unknown name, or a noun such as the girl."""
        words = self.shown[first:last]
        whole = whole_stranger(words, self.own)
        if whole and self.names.last(self.shown, first, first + len(whole)) is None:
            return UNKNOWN
        sort = THE_SORT_SAYS.search(words)
        found = self.subject_in(first, last)
        return found or ("" if sort is None else self._described(sort[1], first + sort.start()))

    def _tag_behind(self, after: TextPart | None, *, is_told: bool = True) -> str:
        """Return the person named by a tag behind a speech: “…” said Hale / 陆掌柜说.

        In Japanese who acts there is the speaker, unless another ``is_told`` of before the speech.
        """
        if after is None:
            return ""
        text, start = self.shown, after.start
        stop = min(after.end, start + 60)
        match = TAG_EN.match(text, start, stop) or TAG_ZH.match(text, start, stop)
        if match is not None:
            word = next(group for group in match.groups() if group is not None).casefold()
            return self.own if word in FIRST else self._tagged(after, word)
        mention = next(iter(self.names.find(text, start, stop)), None)
        ended = text[max(0, start - 8) : start].rstrip(' *"”')[-1:]
        if mention is None:
            return speaker_behind(text[start:stop], self.own, ended)
        if PRONOUN.match(text, start):
            return ""
        lead = text[start : mention.start]
        says = TITLE_BEFORE.sub("", lead.rstrip(" ")) + lead[len(lead.rstrip(" ")) :]
        is_tag = VERB_THEN_NAME.fullmatch(says) or lead.strip(" ,，*") in ARTICLES
        if KANA.search(text, start, stop) and (not lead.strip() or LEADS_JA.fullmatch(lead)):
            is_tag = not is_told and ACTS_BEHIND.match(text, mention.end) is not None
        if is_unknown(mention.name) and ended == "." and text[mention.start].isupper():
            is_tag = False  # “Don't tell him.” The grey man grins: a sentence of its own
        return mention.name if is_tag else ""

    def _turn(self, number: int) -> str:
        """Return the speaker if no words name one: the last mentioned, or the one who answers."""
        before = self._spoke_before(number)
        silent = self.sender.beside.difference(self.spoken)  # they send messages of their own
        is_behind = before >= 0 and not self._narration_since(self.pieces[before], number)
        if is_behind and len(self.turns) >= 2:
            return "" if self.turns[-2] in silent else self.turns[-2]
        if before < 0 and self.turns and self.subject in ("", self.turns[-1]):
            others = [n for n in self.turns[:-1] if n != self.turns[-1] and n not in silent]
            return self.subject or (others[-1] if others else "")
        return self.subject

    def _spoke_before(self, number: int) -> int:
        """Return the index of the last speech before a piece, -1 without one."""
        before = range(number - 1, -1, -1)
        spoke = (n for n in before if self.pieces[n].kind == "speech")
        return next((n for n in spoke if not self._is_term(self.pieces[n])), -1)

    def _later_on_line(self, number: int) -> str:
        line = self.pieces[number].line
        for later in range(number + 1, min(number + 5, len(self.pieces))):
            piece = self.pieces[later]
            if piece.line != line:
                break
            if piece.kind == "told":
                found = self._tag_behind(piece) or self.subject_in(
                    piece.start, min(piece.end, piece.start + LEAD)
                )
                if found:
                    return found
        return ""

    def _inner_speaker(self, start: int, end: int, outer: str) -> str:
        """Return the person whose words a speaker repeats: the last other one named before them."""
        text = self.shown
        first = max(start, end - 200) if end > start else max(0, start - 90)
        found = ""
        for mention in self.names.find(text, first, end):
            lead = text[max(first, mention.start - 10) : mention.start]
            if not OBJECT.search(lead) or re.search(r"(?:and|the|和|与)\s*$", lead):
                found = mention.name
        near = text[max(first, end - 40) : end]
        if REPEATS_SELF.search(near):
            return outer
        pronoun = next(iter(reversed(PRONOUN.findall(near))), "").casefold()
        if found or not pronoun or self.strangers:
            return found
        meant, gender = self._meant_by(pronoun, outer), "f" if pronoun in SHE else "m"
        is_sure = self.names.gender(meant) == gender and meant != self.names.player
        return meant if is_sure else ""


def _named_later(parts: Sequence[Part], shown: str, names: Mapping[int, str]) -> Iterator[Part]:
    """Yield parts, with the speech of an unknown person under the name given later on its line.

    ``names`` are the persons who give their names, by the start of the line.
    """
    for part in parts:
        name = names.get(shown.rfind("\n", 0, part.start), "")
        is_theirs = name and part.kind == "said" and not part.speaker and not part.depth
        yield replace(part, speaker=name) if is_theirs else part


def read_parts(
    text: str, sender: MessageSender, names: Mentioned, before: Context | None
) -> tuple[list[Part], Context]:
    """Return the parts of a message in the order of the text, and the context for the next one."""
    reader = _Reader(text, sender, names, before or Context())
    parts = sorted(reader.parts(), key=lambda part: (part.start, part.depth))
    unnamed = reader.unnamed
    known = [without_unnamed(part, unnamed) for part in parts] if len(unnamed) > 1 else parts
    return list(_named_later(known, reader.shown, reader.introduced)), reader.context()
