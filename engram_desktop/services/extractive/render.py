"""From chosen units to a few sentences that say who did what, and to the words as they were."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engram_desktop.domain.graph.naming import is_entity_name
from engram_desktop.services.extractive import reported_en, reported_zh
from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.lines import Line, Quote
from engram_desktop.services.extractive.narrated import listener, narrated
from engram_desktop.services.extractive.pick import GESTURE, acts
from engram_desktop.services.extractive.reported import Report, plain
from engram_desktop.services.extractive.spans import sentences
from engram_desktop.services.extractive.times import without_day

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
_LONG = {"zh": 70, "en": 190}


def tell(
    quotes: Sequence[Quote], lines: Sequence[Line], known: Background, room: int
) -> tuple[str, set[int]]:
    """Tell ``quotes``, best first, in the order of the story, in about ``room`` characters.

    Returns the text, and the places in the block of what it tells.
    """
    chosen: list[tuple[int, list[Report]]] = []
    for quote in quotes:
        if quote.order in {order for order, _reports in chosen}:
            continue
        reports = list(_reports(quote, lines, known))
        size = sum(len(r.subject) + len(r.lead) + len(r.body) for r in reports)
        if not reports or (chosen and size > room):
            continue
        first = _what_is_meant(quote, lines)
        if first is not None and first.order not in {order for order, _reports in chosen}:
            before = list(_reports(first, lines, known))
            chosen.append((first.order, before))
            room -= sum(len(r.body) for r in before)
        chosen.append((quote.order, reports))
        room -= size
        if room <= 0:
            break
    told = [report for _order, reports in sorted(chosen, key=lambda c: c[0]) for report in reports]
    return _joined(told, known.language), {order for order, _reports in chosen}


def _what_is_meant(quote: Quote, lines: Sequence[Line]) -> Quote | None:
    """Return what is shown right before somebody says what it is."""
    if not quote.unit.is_speech or not _THIS.match(quote.unit.text):
        return None
    return next(
        (
            q
            for q in lines[quote.line].quotes
            if q.order == quote.order - 1 and not q.unit.is_speech
        ),
        None,
    )


def heart(quotes: Sequence[Quote], lines: Sequence[Line], known: Background) -> str:
    """Tell the first of ``quotes`` that can be told, in one sentence."""
    for quote in quotes:
        reports = list(_reports(quote, lines, known))
        if reports:
            best = max(reports, key=lambda report: report.weight)
            return _joined([best], known.language)
    return ""


def quoted(quotes: Sequence[Quote], lines: Sequence[Line], known: Background) -> str:
    """Give ``quotes`` in their own words; neighbours of one speaker share a mention."""
    parts: list[str] = []
    said: list[str] = []
    spoke = ""
    ordered = sorted(quotes, key=lambda quote: quote.order)
    for at, quote in enumerate(ordered):
        line = lines[quote.line]
        if quote.unit.is_speech:
            speaker = line.message.name
            said.append(_QUOTES.sub("’" if known.language == "en" else "", quote.unit.text))
            after = ordered[at + 1] if at + 1 < len(ordered) else None
            is_next = after is not None and after.order == quote.order + 1
            if after is not None and is_next and after.unit.is_speech and after.line == quote.line:
                continue
            parts.append(_speech(speaker, said, known, again=spoke == speaker))
            said, spoke = [], speaker
        else:
            parts.append(_ended(narrated(quote, line, known), known.language))
            spoke = ""
    return ("" if known.language == "zh" else " ").join(parts)


def _reports(quote: Quote, lines: Sequence[Line], known: Background) -> Iterator[Report]:
    line = lines[quote.line]
    name = line.message.name
    if not quote.unit.is_speech:
        text = _deeds(plain(narrated(quote, line, known)), known).rstrip(" ，,、：:；;—-")
        if text:
            subject = name if text.startswith(name) and not line.is_narrator else ""
            body = text[len(subject) :]
            told = body if known.language == "zh" else body.lstrip()
            yield Report(subject, "", told, is_deed=True, line=quote.line)
        return
    whom = listener(quote.line, lines, known)
    found: list[Report] = []
    for sentence in sentences(quote.unit.text):
        named = _CALLED.match(sentence)
        if named and named[1] in known.people and named[1] != name:
            whom, sentence = named[1], sentence[named.end() :]  # noqa: PLW2901
        if known.language == "zh":
            report = reported_zh.report(sentence, name, whom, _talking(quote.line, lines))
        else:
            gender = known.pronoun.get(name, "")
            report = reported_en.report(sentence, name, whom, gender, known.capitals)
        if report is not None:
            found.append(report)
    long = 20 if known.language == "zh" else 60
    worth = [report.weight * (0.6 + 0.4 * min(1.0, len(report.body) / long)) for report in found]
    best = sorted(range(len(found)), key=lambda n: (-worth[n], n))[:_SENTENCES]
    for n in sorted(best):
        if worth[n] >= 0.5 * max(worth):
            yield replace(found[n], line=quote.line)


def _deeds(text: str, known: Background) -> str:
    """Leave out what day it is, which an event says elsewhere, and smiles beside deeds."""
    text = _SAYING.sub("", without_day(text))
    parts = sentences(text)
    if len(parts) > 1:
        is_zh = known.language == "zh"
        told = [part for part in parts if acts(part, is_zh=is_zh) > GESTURE]
        if told and len(told) < len(parts):
            text = ("" if is_zh else " ").join(told)
    return text


def _talking(at: int, lines: Sequence[Line]) -> int:
    near = lines[max(0, at - 6) : at + 6]
    return len({line.message.name for line in near if not line.is_narrator})


def _joined(told: Sequence[Report], language: str) -> str:
    """Put reports into sentences; a speaker is named once where two of theirs follow."""
    parts: list[str] = []
    held: list[Report] = []
    seen: set[tuple[str, str]] = set()
    for report in told:
        if (report.subject, report.body) in seen:
            continue
        seen.add((report.subject, report.body))
        size = sum(len(r.lead) + len(r.body) for r in held) + len(report.body)
        fits = len(held) < _CLAUSES and size <= _LONG[language]
        fits = fits and not (held and held[-1].body.rstrip("”").endswith(("？", "?")))
        fits = fits and not (held and report.is_deed and not held[-1].is_deed)
        fits = fits and not (held and report.line - held[-1].line > 2)
        fits = fits and not (held and _ENDS_INSIDE.search(held[-1].body.rstrip("。.！!？? ")))
        if not (held and held[-1].subject == report.subject and report.subject and fits):
            parts += [_sentence(held, language)] if held else []
            if held and report.subject and held[-1].subject == report.subject:
                held = [_again(report, held[-1], language)]
                continue
            held = []
        held.append(report)
    parts += [_sentence(held, language)] if held else []
    return ("" if language == "zh" else " ").join(parts)


def _again(report: Report, before: Report, language: str) -> Report:
    """Say that somebody goes on: 凯尔还说."""
    if _manner(before) != _manner(report) or not report.lead:
        return report
    return replace(report, lead=f"还{report.lead}" if language == "zh" else f"also {report.lead}")


def _manner(report: Report) -> str:
    return report.lead.removeprefix("还").removeprefix("also ").rstrip("，")


def _sentence(held: Sequence[Report], language: str) -> str:
    first = held[0]
    is_zh = language == "zh"
    glue = "" if is_zh else " "
    text = glue.join(part for part in (first.subject, first.lead, first.body) if part)
    for before, report in pairwise(held):
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


def _speech(speaker: str, said: Sequence[str], known: Background, *, again: bool) -> str:
    is_english = known.language == "en"
    text = " ".join(said) if is_english else _ended("".join(said), "zh")
    if again or not is_entity_name(speaker):
        return f"“{text}”"
    return f"{speaker}: “{text}”" if is_english else f"{speaker}说：“{text}”"


def _ended(text: str, language: str) -> str:
    text = text.rstrip(" ，,、：:；;~～—-")
    is_ended = text.rstrip('”’」』"').endswith(_END)
    return text if is_ended else text + ("。" if language == "zh" else ".")
