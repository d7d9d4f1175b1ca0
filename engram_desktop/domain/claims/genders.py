"""The pronouns of people in a story (he or she), from the pronouns around their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from engram_desktop.domain.claims.people import FIRST_PERSON, without_speech
from engram_desktop.domain.claims.subjects import OBJECT
from engram_desktop.domain.knowledge.thoughts import NameFinder

_SENTENCES = re.compile(r"[^。！？!?\n.]+")
_SURELY_TOLD = 2  # votes by the pronoun after a sentence's subject, the most reliable ones
_HE_SHE = re.compile(
    r"(?<![A-Za-z])(?:(he|him|his)|(she|her|hers))(?![A-Za-z])|(他)|(她)", re.IGNORECASE
)
# He and she as subject, his and her own: not “poured her a cup”. 他 and 她: see _CLAUSE_HEAD.
_OF_SUBJECT = re.compile(
    r"(?<![A-Za-z])(?:(he|his)|(she|her(?= \w)(?! (?:an?|the|on|in|to|with|for|and|out|away|back|up"
    r"|down|by|from|as|at|that|what|how|if|when|who|over|into|off)\b)))(?![A-Za-z])"
    r"|(?:(他)|(她))(?![们人])",
    re.IGNORECASE,
)
_ASIDE_MARKS = ("*", "（", "(", "_")
_PRONOUN_AT_HEAD = re.compile(
    r"[\s*（(_]*(?:(?:then|but|and|so|still)\s+)?(?:(he|his)|(she|her)|(他)|(她))(?![A-Za-z们])",
    re.IGNORECASE,
)
_FAMILY_CALLED = re.compile(  # 江师妹, 沈公子
    r"([\u4e00-\u9fff])(?:(师姐|师妹|姑娘|小姐|夫人|太太|女士|婶|姨|嫂|大娘)|师兄|师弟|公子|先生|少爷|大叔|大哥|大爷|大人)"
)
_CLAUSE_HEAD = re.compile(
    r"[，；：—][却也又便就则而但可只还才]?$"
)  # 江映雪没有接|他的话 is about another person
# Yes, miss. The title of the person a card speaks to: the player, if there is only one card.
_CALLED_AS = re.compile(
    r"[,“\"]\s*(?:(sir|mister|m['’]lord|my lord|young man)|(miss|ma['’]am|madam|m['’]lady|my lady"
    r"|young lady))\b(?-i: [A-Z]\w+)?\s*[.,!?…”\"]",
    re.IGNORECASE,
)
# You're the new girl. 你这丫头. What the player is said to be.
_YOU_ARE = re.compile(
    r"\byou(?:['’]re| are) (?:an?|the|my|one) (?:[a-z]+ ){0,2}"
    r"(?:(boy|man|lad|fellow)|(girl|woman|lady|lass))\b"
    r"|你(?:这个?|真?是个?)[傻臭小野死]?(?:(小子|男人|小伙子)|(丫头|姑娘|女人|女孩子?))",
    re.IGNORECASE,
)
_TITLE_BEFORE = re.compile(
    r"\b(?:(Mr\.?|Sir|Lord|Brother)|(?:Mrs\.?|Miss|Ms\.?|Lady|Sister|Madam)) (?:[A-Z]\. )?$"
)
_LONGEST_TITLE = 12  # characters with a first letter: Brother A.
_SURELY_PLAYER = 3  # pronouns by which a character calls the player he or she
_NEAR = 40  # characters after a name in which a pronoun means its person


def genders(
    messages: Iterable[tuple[str, str]], names: NameFinder, persons: Collection[str] = ()
) -> dict[str, str]:
    """Return ``m`` or ``f`` by person, from the pronouns of the narration.

    ``messages`` are (sender, text). A pronoun after a name means its person, most reliably if a
    sentence begins with the name and the next with the pronoun; a pronoun at the beginning of a
    message, without names before it, means the sender if ``persons`` contains the sender.
    """
    votes: Counter[str] = Counter()
    presented: Counter[str] = Counter()  # from other speakers, used if no other votes exist
    by_title: Counter[str] = Counter()  # by family name
    alone: Counter[tuple[str, int]] = Counter()  # pronouns of senders who name no other person
    called_as: Counter[str] = Counter()  # by the characters who speak to the player
    for sender, text in messages:
        if sender != names.player:
            called_as[sender] += sum(1 if call[1] else -1 for call in _CALLED_AS.finditer(text))
            said_to_be = (1 if call[1] or call[3] else -1 for call in _YOU_ARE.finditer(text))
            called_as[sender] += _SURELY_TOLD * sum(said_to_be)
        _vote_titles(text, names, votes)
        _vote_presented(text, names, presented)
        told = without_speech(text)
        is_told = told != text or text.lstrip()[:1] in _ASIDE_MARKS  # bare speech is about others
        for called in _FAMILY_CALLED.finditer(text):
            by_title[called[1]] += 1 if called[2] is None else -1
        if _HE_SHE.search(told) is None:
            continue
        is_third = sender in persons and is_told and FIRST_PERSON.search(told) is None
        _vote(told, sender if is_third else "", names, votes)
        if is_third and {m.name for m in names.find(told)} <= {sender, names.player}:
            alone.update((sender, _side(pronoun)) for pronoun in _HE_SHE.finditer(told))
    families = Counter(name[0] for name in names.all)
    for name in names.all:
        is_of_family = families[name[0]] == 1 and name[0] not in "小老阿"  # 小姑娘 is not 小满
        if is_of_family and not name.isascii():
            votes[name] += _SURELY_TOLD * by_title[name[0]]
    told_of = {**presented, **{name: count for name, count in votes.items() if count}}
    known = {name: "m" if count > 0 else "f" for name, count in told_of.items() if count}
    if names.player and names.player not in known:
        side = sum(called_as.values()) if len(called_as) == 1 else 0
        known |= {names.player: "m" if side > 0 else "f"} if side else _player(names, known, alone)
    return known


def _player(
    names: NameFinder, known: Mapping[str, str], alone: Mapping[tuple[str, int], int]
) -> dict[str, str]:
    """Return the player's gender, by the pronouns of senders who name no one else."""
    for side, gender in ((1, "m"), (-1, "f")):
        others = sum(
            n
            for (who, of), n in alone.items()
            if of == side and known.get(who) not in (gender, None)
        )
        if others >= _SURELY_PLAYER:
            return {names.player: gender}
    return {}


def _vote_titles(text: str, names: NameFinder, votes: Counter[str]) -> None:
    """Add how often a title is before each name: Mr. Quill, narrated or said."""
    for mention in names.find(text):
        before = text[max(0, mention.start - _LONGEST_TITLE) : mention.start]
        if title := _TITLE_BEFORE.search(before):
            votes[mention.name] += _SURELY_TOLD if title[1] else -_SURELY_TOLD


_PRESENTS = re.compile(  # That's Imre. He's blind. 那是小满。他不会说话
    r"(?:(?:[Tt]hat|[Tt]his)(?:['’]s| is)|[Mm]eet|[Rr]emember) (?P<en>[A-Z]\w+)[.,!]"
    r"[”\"* ]*(?=[A-Z])"
    r"|(?:这|那)(?:就)?是(?P<zh>[\u4e00-\u9fff]{2,4})[。，！][”」]?(?:\*[^*\n]*\*)?[“「]?"
)


def _vote_presented(text: str, names: NameFinder, votes: Counter[str]) -> None:
    """Add the pronoun with which a speech continues after it introduces a person."""
    for found in _PRESENTS.finditer(text):
        head = _PRONOUN_AT_HEAD.match(text, found.end())
        name = found["en"] or found["zh"]
        if head is not None and names.is_known(name):
            votes[names.who(name)] += _side(head)


def _vote(told: str, subject: str, names: NameFinder, votes: Counter[str]) -> None:
    """Add for each person how often the narration calls them he, minus how often she.

    ``subject`` is the person meant by a pronoun at the beginning.
    """
    line_end, told_as = told.find("\n"), 0
    for sentence in _SENTENCES.finditer(told):
        if 0 <= line_end < sentence.start():  # on another line another person may speak
            subject, line_end = "", told.find("\n", sentence.start())
        mentions = list(names.find(told, sentence.start(), sentence.end()))
        if not mentions:
            head = _PRONOUN_AT_HEAD.match(sentence[0]) if subject else None
            if head is not None and told_as in (0, _side(head)):
                told_as = _side(head)  # She waits. He is late: he is another person
                votes[subject] += _SURELY_TOLD * told_as
            continue
        told_as = 0
        first = mentions[0]
        is_subject = not told[sentence.start() : first.start].strip(" *（(_")
        subject = first.name if is_subject else ""
        if len({mention.name for mention in mentions}) == 1:
            end = min(sentence.end(), first.end + _NEAR)
            found = _OF_SUBJECT.finditer(told, first.end, end)
            apart = (
                m
                for m in found
                if not OBJECT.search(told[max(0, m.start() - 14) : m.start()])
                and (not (m[3] or m[4]) or _CLAUSE_HEAD.search(told, first.end, m.start()))
            )
            behind = next(apart, None)
            votes[first.name] += _side(behind) if behind is not None else 0


def _side(pronoun: re.Match[str]) -> int:
    return 1 if pronoun[1] or pronoun[3] else -1
