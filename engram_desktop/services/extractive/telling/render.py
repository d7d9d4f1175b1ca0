"""From chosen units to a few sentences that say who did what, and to the words as they were."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engram_desktop.domain.graph.naming import is_entity_name
from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.cut_messages import CutMessage, Quote
from engram_desktop.services.extractive.pick import GESTURE, acts
from engram_desktop.services.extractive.telling import reported_en, reported_zh
from engram_desktop.services.extractive.telling.narrated import listener, narrated
from engram_desktop.services.extractive.telling.reported import Report, plain
from engram_desktop.services.extractive.words.spans import sentences
from engram_desktop.services.extractive.words.times import without_day

_QUOTES = re.compile('[“”「」『』"]')
_END = tuple("。！？!?….…")
_CALLED = re.compile(r"([^\W\d_][\w·]{1,7})[，,！!] ?(?=\w)")
_SAYING = re.compile(  # what is said is told by itself
    "(?:[，,][^，,。]{0,6})?(?<![听小传])(?:说道|问道|笑道|答道|说|问)[：:，,。]?$"
)
_THIS = re.compile("[这那它]|(?:this|these|it)\\b", re.IGNORECASE)
_ENDS_INSIDE = re.compile(r"[。！？!?]|\.\s")
_SENTENCES = 2  # of one unit
_CLAUSES = 2  # in one sentence
# Characters, beyond which nothing is joined to a sentence; not measured.
_LONG = {"zh": 70, "en": 190}


def tell(
    quotes: Sequence[Quote], block: Sequence[CutMessage], background: Background, room: int
) -> tuple[str, set[int]]:
    """Tell ``quotes``, best first, in the order of the story, in about ``room`` characters.

    Returns the text, and the places in the block of what it tells.
    """
    passages: list[tuple[int, list[Report]]] = []
    for quote in quotes:
        if quote.order in {order for order, _reports in passages}:
            continue
        reports = list(_reports(quote, block, background))
        size = sum(len(r.subject) + len(r.lead) + len(r.body) for r in reports)
        if not reports or (passages and size > room):
            continue
        shown = _shown_before(quote, block)
        if shown is not None and shown.order not in {order for order, _reports in passages}:
            before = list(_reports(shown, block, background))
            passages.append((shown.order, before))
            room -= sum(len(r.body) for r in before)
        passages.append((quote.order, reports))
        room -= size
        if room <= 0:
            break
    ordered = [
        report for _order, reports in sorted(passages, key=lambda c: c[0]) for report in reports
    ]
    return _joined(ordered, background.language), {order for order, _reports in passages}


def _shown_before(quote: Quote, block: Sequence[CutMessage]) -> Quote | None:
    """Return what is shown right before somebody says what it is."""
    if not quote.unit.is_speech or not _THIS.match(quote.unit.text):
        return None
    return next(
        (
            q
            for q in block[quote.position].quotes
            if q.order == quote.order - 1 and not q.unit.is_speech
        ),
        None,
    )


def heart(quotes: Sequence[Quote], block: Sequence[CutMessage], background: Background) -> str:
    """Tell the first of ``quotes`` that can be told, in one sentence."""
    for quote in quotes:
        reports = list(_reports(quote, block, background))
        if reports:
            best = max(reports, key=lambda report: report.weight)
            return _joined([best], background.language)
    return ""


def quoted(quotes: Sequence[Quote], block: Sequence[CutMessage], background: Background) -> str:
    """Give ``quotes`` in their own words; neighbours of one speaker share a mention."""
    parts: list[str] = []
    spoken: list[str] = []
    spoke = ""
    ordered = sorted(quotes, key=lambda quote: quote.order)
    for at, quote in enumerate(ordered):
        message = block[quote.position]
        if quote.unit.is_speech:
            speaker = message.source.name
            spoken.append(_QUOTES.sub("’" if background.language == "en" else "", quote.unit.text))
            after = ordered[at + 1] if at + 1 < len(ordered) else None
            is_next = after is not None and after.order == quote.order + 1
            if (
                after is not None
                and is_next
                and after.unit.is_speech
                and after.position == quote.position
            ):
                continue
            parts.append(_speech(speaker, spoken, background, again=spoke == speaker))
            spoken, spoke = [], speaker
        else:
            parts.append(_ended(narrated(quote, message, background), background.language))
            spoke = ""
    return ("" if background.language == "zh" else " ").join(parts)


def _reports(quote: Quote, block: Sequence[CutMessage], background: Background) -> Iterator[Report]:
    message = block[quote.position]
    name = message.source.name
    if not quote.unit.is_speech:
        text = _deeds(plain(narrated(quote, message, background)), background).rstrip(
            " ，,、：:；;—-"
        )
        if text:
            subject = name if text.startswith(name) and not message.is_narrator else ""
            body = text[len(subject) :]
            rest = body if background.language == "zh" else body.lstrip()
            yield Report(subject, "", rest, is_deed=True, position=quote.position)
        return
    whom = listener(quote.position, block, background)
    reports: list[Report] = []
    for sentence in sentences(quote.unit.text):
        named = _CALLED.match(sentence)
        if named and named[1] in background.people and named[1] != name:
            whom, sentence = named[1], sentence[named.end() :]  # noqa: PLW2901
        if background.language == "zh":
            report = reported_zh.report(sentence, name, whom, _talking(quote.position, block))
        else:
            gender = background.pronoun.get(name, "")
            report = reported_en.report(sentence, name, whom, gender, background.capitals)
        if report is not None:
            reports.append(report)
    long = 20 if background.language == "zh" else 60
    # what is shorter than a clause counts less, down to .6 of its weight; set by hand
    worth = [report.weight * (0.6 + 0.4 * min(1.0, len(report.body) / long)) for report in reports]
    best = sorted(range(len(reports)), key=lambda n: (-worth[n], n))[:_SENTENCES]
    for n in sorted(best):
        if worth[n] >= 0.5 * max(worth):
            yield replace(reports[n], position=quote.position)


def _deeds(text: str, background: Background) -> str:
    """Leave out what day it is, which an event says elsewhere, and smiles beside deeds."""
    text = _SAYING.sub("", without_day(text))
    parts = sentences(text)
    if len(parts) > 1:
        is_zh = background.language == "zh"
        deeds = [part for part in parts if acts(part, is_zh=is_zh) > GESTURE]
        if deeds and len(deeds) < len(parts):
            text = ("" if is_zh else " ").join(deeds)
    return text


def _talking(at: int, block: Sequence[CutMessage]) -> int:
    near = block[max(0, at - 6) : at + 6]
    return len({message.source.name for message in near if not message.is_narrator})


def _joined(reports: Sequence[Report], language: str) -> str:
    """Put reports into sentences; a speaker is named once where two of theirs follow."""
    parts: list[str] = []
    clauses: list[Report] = []
    told_clauses: set[tuple[str, str]] = set()
    for report in reports:
        if (report.subject, report.body) in told_clauses:
            continue
        told_clauses.add((report.subject, report.body))
        size = sum(len(r.lead) + len(r.body) for r in clauses) + len(report.body)
        fits = len(clauses) < _CLAUSES and size <= _LONG[language]
        fits = fits and not (clauses and clauses[-1].body.rstrip("”").endswith(("？", "?")))
        fits = fits and not (clauses and report.is_deed and not clauses[-1].is_deed)
        fits = fits and not (clauses and report.position - clauses[-1].position > 2)
        fits = fits and not (clauses and _ENDS_INSIDE.search(clauses[-1].body.rstrip("。.！!？? ")))
        if not (clauses and clauses[-1].subject == report.subject and report.subject and fits):
            parts += [_sentence(clauses, language)] if clauses else []
            if clauses and report.subject and clauses[-1].subject == report.subject:
                clauses = [_again(report, clauses[-1], language)]
                continue
            clauses = []
        clauses.append(report)
    parts += [_sentence(clauses, language)] if clauses else []
    return ("" if language == "zh" else " ").join(parts)


def _again(report: Report, before: Report, language: str) -> Report:
    """Say that somebody goes on: 凯尔还说."""
    if _manner(before) != _manner(report) or not report.lead:
        return report
    return replace(report, lead=f"还{report.lead}" if language == "zh" else f"also {report.lead}")


def _manner(report: Report) -> str:
    return report.lead.removeprefix("还").removeprefix("also ").rstrip("，")


def _sentence(clauses: Sequence[Report], language: str) -> str:
    first = clauses[0]
    is_zh = language == "zh"
    glue = "" if is_zh else " "
    text = glue.join(part for part in (first.subject, first.lead, first.body) if part)
    for before, report in pairwise(clauses):
        text = text.rstrip("。.！!；;，,")
        if report.lead and _manner(report) == _manner(before):
            text += ("；" if is_zh else "; ") + report.body
        elif is_zh:
            text += ("，又" if report.lead else "，") + report.lead + report.body
        else:
            more = f"{report.lead} {report.body}".strip()
            text += f", and {more}"
    text = text[:1].upper() + text[1:] if not is_zh else text
    return _ended(text, language)


def _speech(
    speaker: str, sentences_said: Sequence[str], background: Background, *, again: bool
) -> str:
    is_english = background.language == "en"
    text = " ".join(sentences_said) if is_english else _ended("".join(sentences_said), "zh")
    if again or not is_entity_name(speaker):
        return f"“{text}”"
    return f"{speaker}: “{text}”" if is_english else f"{speaker}说：“{text}”"


def _ended(text: str, language: str) -> str:
    text = text.rstrip(" ，,、：:；;~～—-")
    is_ended = text.rstrip('”’」』"').endswith(_END)
    return text if is_ended else text + ("。" if language == "zh" else ".")
