"""Split a message into parts, and say whose each is: who speaks, thinks or writes the words.

The sender of a message does not say all of it: a narrator speaks for many, and a character quotes
others. Each speech belongs to whom the words around it name, else to whose turn it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from engram_desktop.domain.claims.claim import How
from engram_desktop.domain.claims.introductions import bare_name, introduced, means_player
from engram_desktop.domain.claims.speech import (
    ARTICLES,
    AT_HEAD,
    CALLS,
    CLOSES,
    FIRST_SAYS,
    HEADED,
    INNER,
    INNER_SAYS,
    IT_SAYS,
    KANA,
    LEAD,
    MEN,
    NAME_SAYS,
    NEW_WITHIN,
    OPENS,
    OWN_DEED,
    OWN_WORDS,
    REPEATS_SELF,
    SAID_NEAR,
    SAYS_THEN,
    SENTENCE_END,
    SOMEBODY_NEW,
    SPEAKS_NOW,
    STOPS,
    TAG,
    TAG_EN,
    TAG_ZH,
    TAGGED,
    TERM,
    UNQUOTED,
    VERB_THEN_NAME,
    WHO_SAYS,
    WOMEN,
    WRITING,
    WRITTEN_NEAR,
    YOU_TOLD,
    Context,
    MessageSender,
    Part,
)
from engram_desktop.domain.claims.subjects import (
    FIRST,
    LIKELY_MAN,
    OBJECT,
    PRONOUN,
    WOMAN,
    Mentioned,
    subject_of,
)
from engram_desktop.domain.knowledge.parts import READS, TextPart, pieces_of
from engram_desktop.domain.knowledge.thoughts import THINKS, is_thought_bracket
from engram_desktop.domain.text.sentences import remarks

UNKNOWN = "?"  # somebody without a name speaks
_NEAR_TURNS = 3  # speeches before one of which the last by another is answered
_CALLED_ONLY = 12  # characters of a speech that only calls somebody
_KEPT = 8  # names of those who spoke or were told of last: a scene holds no more


class _Reader:
    """Reads the parts of one message in order."""

    def __init__(self, text: str, sender: MessageSender, names: Mentioned, before: Context) -> None:
        self.text = text
        self.sender = sender
        self.names = names
        self.own = "" if sender.is_narrator else names.who(sender.name)
        self.turns = list(before.turns)
        self.recent = [name for name in before.recent if name != self.own]
        self.subject = self.own
        self.called_on: dict[tuple[int, str], tuple[str, ...]] = {}  # by line and speaker
        self.spoken: set[str] = set()  # who has spoken in this message so far
        self.outside = remarks(text)
        shown = text
        for start, end in reversed(self.outside):
            shown = shown[:start] + " " * (end - start) + shown[end:]
        self.shown = shown
        self.pieces = pieces_of(shown)
        self.tells_of_self = bool(self.own) and self._is_first_person()
        self.has_brackets = any(
            p.kind == "bracket" and text.startswith(OWN_DEED, p.start + 1) for p in self.pieces
        )
        self.has_stars = any(piece.is_starred for piece in self.pieces)
        self.has_speech = any(
            piece.kind == "speech" and not self._is_term(piece) for piece in self.pieces
        )

    def _is_first_person(self) -> bool:
        """Whether the sender is “I” in what is told, more often than he or she begins it."""
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
        """Return what is told, or said outside of quotes; ``behind`` a speech it may be a tag."""
        text = self.shown
        content = text[piece.start : piece.end]
        if piece.is_starred and is_thought_bracket(content, stars=True):
            return Part("thought", piece.start, piece.end, self.own)
        is_tag = behind and self._is_tag(piece)
        if self._is_said(piece) and not is_tag:
            heard = tuple([name for name in self.turns if name != self.own][-1:])
            others = tuple(n for n in self.recent[-_KEPT:] if n != self.own)
            told_of = others[-1] if others else ""
            if self.turns[-1:] != [self.own]:
                self.turns.append(self.own)
            return Part(
                "said", piece.start, piece.end, self.own, heard, subject=told_of, recent=others
            )
        found = self.subject_in(piece.start, piece.end)
        for mention in self.names.find(text, piece.start, piece.end):
            if mention.name not in (self.own, found):
                self.recent = [*(n for n in self.recent if n != mention.name), mention.name]
        if found:
            self._told_of(found)
        if THINKS.search(content) is not None:
            thinker = found or self.subject or self.own
            return Part("thought", piece.start, piece.end, thinker)
        recent = tuple(self.recent[-_KEPT:])
        return Part("narrated", piece.start, piece.end, subject=self.subject, recent=recent)

    def _is_tag(self, piece: TextPart) -> bool:
        """Whether what is told behind a speech says whose it is."""
        text, start = self.shown, piece.start
        if TAG_EN.match(text, start, start + 60) or TAG_ZH.match(text, start, start + 20):
            return True
        mention = next(iter(self.names.find(text, start, min(piece.end, start + 30))), None)
        if mention is None or text[start : mention.start].strip(" ,，*"):
            return False
        return NAME_SAYS.match(text, mention.end, piece.end) is not None

    def _told_of(self, name: str) -> None:
        self.subject = name
        if self.recent[-1:] != [name]:
            self.recent = [*(other for other in self.recent if other != name), name]

    def context(self) -> Context:
        """Return what the next message has to know of this one and of those before."""
        named: dict[str, None] = {}
        pieces = self.pieces if self.names.find(self.shown) else ()
        for piece in pieces:  # of a sentence the first who is named matters most
            inside = dict.fromkeys(
                m.name for m in self.names.find(self.shown, piece.start, piece.end)
            )
            for name in reversed(list(inside)):
                named.pop(name, None)
                named[name] = None
        recent = [name for name in self.recent if name not in named]
        rest = [name for name in named if name not in self.turns[-1:]]
        recent += [*rest, *(name for name in self.turns[-1:] if name not in recent)]
        return Context(tuple(self.turns[-_KEPT:]), tuple(recent[-_KEPT:]))

    def _is_said(self, piece: TextPart) -> bool:
        """Whether words outside of quotes are spoken, as chats write that star their deeds."""
        if piece.kind != "told" or piece.is_starred or not self.own:
            return False
        if self.has_stars or self.has_brackets:
            return not (self.sender.quotes and self._is_at_quotes(piece))
        return not self.sender.quotes and not self.has_speech

    def _is_at_quotes(self, piece: TextPart) -> bool:
        """Whether words stand right behind a speech in quotes, or right before one."""
        before = self.shown[: piece.start].rstrip(" ")[-1:]
        after = self.shown[piece.end : piece.end + 1]
        return before in CLOSES or after in OPENS

    def _tells(self, piece: TextPart) -> bool:
        """Whether a bracket tells what somebody else does."""
        text, start = self.shown, piece.start + 1
        if OWN_WORDS.search(text, start, piece.end) or THINKS.search(text, start, piece.end):
            return False
        mention = next(iter(self.names.find(text, start, piece.end)), None)
        if mention is None or mention.start - start > AT_HEAD:
            return False
        return bool(self.subject_in(start, piece.end - 1))

    def _is_thought(self, piece: TextPart) -> bool:
        if self._tells(piece):
            return False
        content = self.shown[piece.start : piece.end].strip("（）()* ")
        if self.sender.is_narrator and not THINKS.search(content) and "我" not in content:
            return False  # who tells of others tells in brackets too
        return is_thought_bracket(content)

    def _thinker(self, piece: TextPart) -> str:
        inside = self.shown[piece.start : piece.end].strip("（）()* ")
        mark = THINKS.search(inside)
        if mark is not None:
            found = self.subject_in(piece.start + 1, piece.end)
            if found:
                return found
        return self.own or self.subject or ""

    def _is_term(self, piece: TextPart) -> bool:
        """Whether what is quoted is a name or a term within a sentence."""
        inner = self.shown[piece.start + 1 : max(piece.start + 1, piece.end - 1)].strip()
        if len(inner) > TERM or any(char in STOPS for char in inner):
            return False
        before = self.shown[max(0, piece.start - 1) : piece.start]
        after = self.shown[piece.end : piece.end + 1]
        return bool(before) and before not in "：:，,。！？!?\n " and after not in "\n "

    def subject_in(self, start: int, end: int) -> str:
        """Return the person who does what the last clause with a subject tells."""
        return subject_of(self.shown, start, end, self.names, self._meant_at)

    def _meant_at(self, pronoun: str, at: int) -> str:
        """Return whom a pronoun means: of those told of before it on its line, or else before."""
        if pronoun in FIRST or pronoun in ("你", "您", "you"):
            return self._meant_by(pronoun)
        gender = "f" if pronoun in ("she", "her", "她") else "m"
        near = [n for n in self._told_on_line(at) if self.names.gender(n) in (gender, "")]
        sure = [name for name in near if self.names.gender(name) == gender]
        if self.tells_of_self:
            near = [name for name in near if name != self.own]
        elif near and not sure and near[0] != self.subject and self._is_own_gender(gender):
            return self.own
        if not near and self._is_player(pronoun, at):
            return self.names.player
        return (sure or near or [self._meant_by(pronoun)])[0]

    def _is_own_gender(self, gender: str) -> bool:
        return bool(self.own) and self.names.gender(self.own) == gender

    def _told_on_line(self, at: int) -> list[str]:
        """Return who is told of on the line before ``at``, outside of quotes, the last first."""
        text = self.shown
        first = text.rfind("\n", 0, at) + 1
        spoken = [p for p in self.pieces if p.kind == "speech" and first < p.end and p.start < at]
        named = [
            m.name
            for m in self.names.find(text, first, at)
            if not OBJECT.search(text[max(first, m.start - 14) : m.start])
            and not any(p.start <= m.start < p.end for p in spoken)
        ]
        return list(dict.fromkeys(reversed(named)))

    def _meant_by(self, pronoun: str, but: str = "") -> str:
        """Return whom a pronoun of the narration means."""
        if pronoun in FIRST:
            return self.own
        recent = [n for n in (self.subject, *reversed(self.recent)) if n and n != but]
        if self.tells_of_self:
            recent = [name for name in recent if name != self.own]
        if self.sender.is_narrator and self.subject != self.names.player:
            recent = [name for name in recent if name != self.names.player]
        if pronoun in ("你", "您", "you"):
            return self.names.player if self.own != self.names.player else ""
        found = self.names.meant_by(pronoun, recent, self.subject)
        return found or ("" if self.sender.quotes else self.own)

    def _is_player(self, pronoun: str, at: int) -> bool:
        """Whether a character who tells in the third person means who writes to them."""
        if self.tells_of_self or not self.own:
            return False
        return means_player(self.shown, self.names, self.own, pronoun, at)

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
            speaker = self._writer(lead_start, lead_end) or self._signer(start, end)
        else:
            known = (self.own, self.names.player, *self.turns, *self.recent, self.subject)
            speaker = introduced(self.shown, self.names, start, end, known)
            speaker = speaker or self._named(number, piece, line_speaker)
            if speaker == UNKNOWN:
                line_speaker[piece.line] = UNKNOWN
                speaker = bare_name(self.shown, self.names, start, end)
            self._spoke(speaker, piece.line, line_speaker)
            called = self._called_in(piece) - {speaker}
            hearers = tuple(sorted(called)) or self.called_on.pop((piece.line, speaker), ())
            hearers = hearers or self._hearers(lead_start, lead_end, speaker)
            if called and end - start <= _CALLED_ONLY:
                self.called_on[piece.line, speaker] = hearers  # “段屿，” … “我错怪你了。”
        others = tuple(name for name in self.recent[-_KEPT:] if name != speaker)
        told_of = others[-1] if others else ""
        whole = Part(kind, start, end, speaker, hearers, 0, True, told_of, others)
        yield from self._with_quotes(whole)

    def _with_quotes(self, whole: Part) -> Iterator[Part]:
        """Yield a speech in the pieces around what it repeats of others."""
        text, at = self.shown, whole.start
        for inner in INNER.finditer(text, whole.start, whole.end):
            before = text[max(whole.start, inner.start() - 40) : inner.start()]
            if not before.strip() and inner.start() == whole.start:
                before = UNQUOTED.sub(" ", text[max(0, whole.start - 90) : whole.start])
                before = TAGGED.sub("", before)
            words = next(group for group in inner.groups() if group is not None)
            is_own = inner.start() == whole.start and OWN_WORDS.search(words) is not None
            if not INNER_SAYS.search(before) and not (is_own and inner.end() < whole.end):
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
        if speaker:
            self.spoken.add(speaker)
            line_speaker[line] = speaker
            if self.turns[-1:] != [speaker]:
                self.turns.append(speaker)
            self._told_of(speaker)

    def _is_written(self, number: int, lead: str) -> bool:
        """Whether what is quoted stands in a letter, a message or on a sign."""
        after = self.pieces[number + 1] if number + 1 < len(self.pieces) else None
        if self._is_read_out(after):
            return True
        if not lead or not WRITTEN_NEAR.search(lead[-40:]) or WHO_SAYS.search(lead):
            return False
        return bool(READS.search(lead[-60:]) or WRITING.search(lead[-60:]))

    def _is_read_out(self, after: TextPart | None) -> bool:
        """Whether a text is said to say it: “…,” it said."""
        if after is None or after.kind != "told":
            return False
        return IT_SAYS.match(self.shown[after.start : after.start + 30]) is not None

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
        return ended.endswith(("：", ":")) and self.pieces[number].line - self.pieces[at].line <= 2

    def _named(self, number: int, piece: TextPart, line_speaker: Mapping[int, str]) -> str:
        """Return who speaks: by the words around the speech, else by whose turn it is."""
        after = self.pieces[number + 1] if number + 1 < len(self.pieces) else None
        if after is not None and (after.kind != "told" or after.line != piece.line):
            after = None
        lead_start, lead_end = self._lead(number)
        goes_on = line_speaker.get(piece.line, "")
        if goes_on and self._is_of_one(lead_start, lead_end, after):
            return goes_on
        called = self._called_in(piece)
        is_led_in = SAYS_THEN.search(self.shown, max(lead_start, lead_end - 8), lead_end)
        found = "" if is_led_in else self._tag_behind(after)
        if found in called:
            found = UNKNOWN
        if not found and self.shown[lead_start:lead_end].strip():
            found = self._last_subject(lead_start, lead_end)
            if found in self.sender.beside and not self._leads_in(lead_start, lead_end):
                found = ""
        found = goes_on if not found or found in called else found
        return found or self._untold(number, after, called)

    def _called_in(self, piece: TextPart) -> set[str]:
        """Return who is spoken to by name in a speech: they do not say it."""
        text, called = self.shown, set()
        for mention in self.names.find(text, piece.start + 1, piece.end):
            lead = text[piece.start + 1 : mention.start].rstrip(" ")
            is_head = not lead or lead[-1] in "，,。.！!？?…—"
            is_own = mention.name == self.own and not lead  # “Tobias. I've flown the Belt.”
            if is_head and not is_own and CALLS.match(text, mention.end, piece.end):
                called.add(mention.name)
        return called

    def _is_of_one(self, start: int, end: int, after: TextPart | None) -> bool:
        """Whether a line has one speaker: nobody else is named between two speeches of it."""
        if SOMEBODY_NEW.search(self.shown, start, end):
            return False
        stop = end if after is None else min(after.end, after.start + TAG)
        named = [*self.names.find(self.shown, start, end)]
        if after is not None:
            named += self.names.find(self.shown, after.start, stop)
        return not named and not FIRST_SAYS.search(self.shown, start, stop)

    def _leads_in(self, start: int, end: int) -> bool:
        """Whether narration before a speech says that somebody speaks."""
        return SPEAKS_NOW.search(self.shown[start:end].rstrip(" *")[-SAID_NEAR:]) is not None

    def _untold(self, number: int, after: TextPart | None, called: Collection[str]) -> str:
        """Return who speaks where no words before a speech say so; not who is ``called``."""
        if self.own and not number:
            return self.own  # a person's message that begins with speech
        answers = self._answerer(number)
        if answers in called or (answers in self.sender.beside and answers not in self.spoken):
            answers = ""
        if answers:
            self.subject = answers
        if after is not None:
            found = self.subject_in(after.start, min(after.end, after.start + LEAD))
            if found or (SOMEBODY_NEW.match(self.shown, after.start) and not answers):
                return found
        later = self._later_on_line(number) or answers or self._told_above(number)
        if later and later not in called:
            return later
        turn = self.own or self._turn(number)
        return "" if turn in called else turn

    def _told_above(self, number: int) -> str:
        """Return of whom the line right above a speech tells, where nobody speaks on it."""
        line, at = self.pieces[number].line, number - 1
        if at < 0 or self.pieces[at].line == line:
            return ""
        above = self.pieces[at].line
        while at >= 0 and self.pieces[at].line == above:
            if self.pieces[at].kind != "told":
                return ""
            at -= 1
        found = self._last_subject(self.pieces[at + 1].start, self.pieces[number - 1].end)
        return "" if found == UNKNOWN or found in self.sender.beside else found

    def _answerer(self, number: int) -> str:
        """Return who answers where one speech follows another on a new line, untold of."""
        line = self.pieces[number].line
        at = number - 1
        while at >= 0 and self.pieces[at].kind == "told" and self.pieces[at].line < line:
            at -= 1  # what is told behind the speech before, on its own line
        before = self.pieces[at] if at >= 0 else None
        if before is None or before.kind != "speech" or before.line == line:
            return ""
        if at < number - 1 and self.pieces[number - 1].line != before.line:
            return ""
        if not self.turns or self._is_term(before):
            return ""
        return next((name for name in reversed(self.turns) if name != self.turns[-1]), "")

    def _last_subject(self, start: int, end: int) -> str:
        """Return the subject of the last sentence of the narration before a speech."""
        text = self.shown
        bounds = [start, *(m.end() for m in SENTENCE_END.finditer(text, start, end)), end]
        for first, last in reversed(list(pairwise(bounds))):
            words = text[first:last]
            found = self.subject_in(first, last) if words.strip() else ""
            if found:
                return found
            if SOMEBODY_NEW.match(words):
                return UNKNOWN
            is_said = self.own and SAYS_THEN.search(words) is not None
            if is_said and self.names.last(text, first, last) is None:
                return self.subject if PRONOUN.search(words) else self.own
        if PRONOUN.search(text[start:end]):
            return self.subject
        return UNKNOWN if text[start:end].rstrip().endswith(("：", ":")) and not self.own else ""

    def _tag_behind(self, after: TextPart | None) -> str:
        """Return who is named by a tag behind a speech: “…” said Hale / 陆掌柜说."""
        if after is None:
            return ""
        text, start = self.shown, after.start
        stop = min(after.end, start + 60)
        match = TAG_EN.match(text, start, stop) or TAG_ZH.match(text, start, stop)
        if match is not None:
            word = next(group for group in match.groups() if group is not None).casefold()
            return self.own if word in FIRST else self._tagged(after, word)
        mention = next(iter(self.names.find(text, start, stop)), None)
        if mention is None or PRONOUN.match(text, start):
            return ""
        lead = text[start : mention.start]
        is_tag = VERB_THEN_NAME.fullmatch(lead) or lead.strip(" ,，*") in ARTICLES
        if not lead.strip() and KANA.search(text, start, stop):
            is_tag = False  # 「…」花子は頷いた。 tells of another
        return mention.name if is_tag else ""

    def _tagged(self, tag: TextPart, word: str) -> str:
        """Return whom a tag means by he, she or the captain."""
        if " " in word:
            return self._described(word.rsplit(maxsplit=1)[-1], tag.start)
        if self._tells_of_somebody_new(self._told_before(tag)):
            return UNKNOWN
        if goes_on := self._goes_on(tag, word):
            return goes_on
        if self._told_on_line(tag.start):
            return self._meant_at(word, tag.start)
        if self._is_player(word, tag.start):
            return self.names.player
        return self._meant_by(word, self._before_on_other_line(tag, word))

    def _told_before(self, tag: TextPart) -> list[TextPart]:
        """Return what is told right before the speech that a tag stands behind."""
        before = [p for p in self.pieces if p.end <= tag.start][:-1]
        last = next((n for n in range(len(before), 0, -1) if before[n - 1].kind != "told"), 0)
        return before[last:]

    def _tells_of_somebody_new(self, told: Sequence[TextPart]) -> bool:
        """Whether the last of these sentences that are told brings in somebody without a name."""
        for piece in reversed(told):
            if piece.kind != "told":
                continue
            new = NEW_WITHIN.search(self.shown, piece.start, piece.end)
            named = self.names.last(self.shown, piece.start, piece.end)
            if named is not None and (new is None or named.start < new.start()):
                return False
            if new is not None:
                return True
        return False

    def _goes_on(self, tag: TextPart, pronoun: str) -> str:
        """Return who spoke before on the line of a tag, where a pronoun may mean them."""
        spoke = [p for p in self.pieces if p.kind == "speech" and p.end <= tag.start]
        if len(spoke) < 2 or spoke[-2].line != tag.line or not self.turns:
            return ""
        gender = "f" if pronoun in ("she", "her", "她") else "m"
        named = self.names.last(self.shown, spoke[-2].end, spoke[-1].start)
        last = named.name if named is not None else self.turns[-1]
        return last if self.names.gender(last) in (gender, "") and last != self.own else ""

    def _before_on_other_line(self, tag: TextPart, pronoun: str) -> str:
        """Return who spoke on the line before, where another fits a pronoun better."""
        right = WOMAN if pronoun in ("she", "her", "她") else LIKELY_MAN
        last = self.turns[-1] if self.turns else ""
        spoke = [p for p in self.pieces if p.kind == "speech" and p.end <= tag.start]
        if len(spoke) < 2 or spoke[-2].line == tag.line or not last or right.search(last):
            return ""
        if self.names.gender(last) == ("f" if right is WOMAN else "m"):
            return ""
        return last if any(right.search(name) for name in self.recent) else ""

    def _described(self, word: str, at: int) -> str:
        """Return the person whose name holds a word such as captain, or whom “the girl” means."""
        for name in self.names.all:
            if word.casefold() in name.casefold().split():
                return name
        gender = "f" if word in WOMEN else "m" if word in MEN else ""
        if not gender:
            return self.subject
        others = {self.own, self.names.player if self.sender.is_narrator else ""}
        near = [*self._told_on_line(at), *reversed(self.recent)]
        near = [name for name in near if name not in others]
        return next((n for n in near if self.names.gender(n) == gender), UNKNOWN)

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

    def _turn(self, number: int) -> str:
        """Return who speaks when nothing says so: the one told of last, or the one who answers."""
        before = [p for p in self.pieces[:number] if p.kind == "speech" and not self._is_term(p)]
        if before and len(self.turns) >= 2 and not self._narration_since(before[-1], number):
            return self.turns[-2]
        if not before and self.turns and self.subject in ("", self.turns[-1]):
            others = [name for name in self.turns[:-1] if name != self.turns[-1]]
            return self.subject or (others[-1] if others else "")
        return self.subject

    def _narration_since(self, last: TextPart, number: int) -> bool:
        between = self.shown[last.end : self.pieces[number].start]
        return any(char.isalnum() for char in between)

    def _hearers(self, start: int, end: int, speaker: str) -> tuple[str, ...]:
        """Return whom the words before a speech address, else who was told of last."""
        found = []
        for mention in self.names.find(self.shown, max(start, end - LEAD), end):
            lead = self.shown[max(start, mention.start - 8) : mention.start]
            if re.search(r"(?:[对向跟朝]着?|告诉|问|(?:to|at|tells?|told|asks?|asked) )$", lead):
                found.append(mention.name)
        if not found and self.own and YOU_TOLD.search(self.shown, start, end):
            found = [name for name in (self.names.player,) if name not in (self.own, speaker, "")]
        if not found:
            here = {
                m.name
                for p in self.pieces
                if p.kind != "speech" and p.start < end
                for m in self.names.find(self.shown, p.start, p.end)
            } - {speaker, self.own}
            told_here = [name for name in self.recent if name in here][-1:]
            spoke = [name for name in self.turns[-_NEAR_TURNS:] if name != speaker][-1:]
            told = [name for name in self.recent if name != speaker][-1:]
            found = told_here or spoke or told
        return tuple(dict.fromkeys(found))

    def _writer(self, start: int, end: int) -> str:
        """Return whose letter or message it is, as far as the words before it name them."""
        text = self.shown[start:end]
        match = re.search(r"([\w·]{2,12})(?:发来|写来|寄来)", text)
        mentions = self.names.find(self.shown, start, end)
        for mention in mentions:
            tail = self.shown[mention.end : mention.end + 12]
            if re.match(
                r"(?:的?(?:短信|消息|信|回复|来信|发来|写道)|['’]s (?:letter|text|reply|message))",
                tail,
            ):
                return mention.name
        if match is not None:
            return re.sub(r"^.*(?:是|的)", "", match[1])
        if re.match(r"[\s*]*(?:回复|her reply|his reply)", text, re.IGNORECASE):
            return self.own
        return ""

    def _signer(self, start: int, end: int) -> str:
        """Return whose name stands behind a dash at the end of a letter."""
        last = self.names.last(self.shown, start, end)
        if last is None or self.shown[last.end : end].strip(" 。.\n"):
            return ""
        return (
            last.name if self.shown[start : last.start].rstrip().endswith(("—", "–", "-")) else ""
        )

    def _inner_speaker(self, start: int, end: int, outer: str) -> str:
        """Return whose words a speaker repeats: of the one named last before them."""
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
        if found:
            return found
        pronoun = next(iter(reversed(PRONOUN.findall(near))), "").casefold()
        return self._meant_by(pronoun, outer) if pronoun else ""


def read_parts(
    text: str, sender: MessageSender, names: Mentioned, before: Context | None = None
) -> tuple[list[Part], Context]:
    """Return the parts of a message in the order of the text, and what the next has to know."""
    reader = _Reader(text, sender, names, before or Context())
    parts = sorted(reader.parts(), key=lambda part: (part.start, part.depth))
    return parts, reader.context()
