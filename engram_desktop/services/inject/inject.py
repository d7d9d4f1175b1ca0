"""The text of an injection: the story so far, then what was chosen for the question.

The block of the story does not change with the question, so that a prompt cache survives; what was
chosen follows in time order, behind a line that says which floor is now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.inject.injection import Allowance, Part
from engram_desktop.domain.recall.query import Injection
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.services.inject.prompt_lines import WORDS, PromptLine, in_a_line
from engram_desktop.services.prompts.prompts import Language

_FACTS: tuple[Part, ...] = ("entities", "relations")
_TIMELINE: tuple[Part, ...] = ("recalled", "snippets")


def text_of(
    lines: Sequence[PromptLine], language: Language, allowance: Allowance, now: str
) -> tuple[dict[str, str], str]:
    """Return the sections by name, and the whole text; both empty where there are no lines."""
    words = WORDS[language]

    def section(*parts: Part) -> str:
        of_parts = sorted((line for line in lines if line.part in parts), key=lambda x: x.order)
        told, day = [], ""
        for line in of_parts:
            if line.day and line.day != day:
                told.append(line.day)
            day = line.day
            told.append(line.text)
        return "\n".join(told)

    is_one_line = allowance.order == "story"
    sections = {
        "summaries": section("always", *(_TIMELINE if is_one_line else ())),
        "present": section("present"),
        "snippets": "" if is_one_line else section(*_TIMELINE),
    } | {part: section(part) for part in _FACTS}
    sections = {name: text for name, text in sections.items() if text}
    story = []
    if "summaries" in sections:
        story += [words["summaries"], sections["summaries"]]
    if "present" in sections:
        story += [words["present"], sections["present"]]
    chosen = [sections["snippets"]] if "snippets" in sections else []
    chosen += [f"{words[part]}:\n{sections[part]}" for part in _FACTS if part in sections]
    if not story and not chosen:
        return {}, ""
    told = words["now"].format(now)
    blocks = []
    if story:
        blocks.append("\n".join(("<engram_summaries>", *story, "</engram_summaries>")))
    if chosen:
        told += words["before"] + words[allowance.manner]
        blocks.append("\n".join(("<relevant_memories>", told, *chosen, "</relevant_memories>")))
    else:
        blocks.append(told)
    return sections, "\n\n".join(blocks)


def frame_cost(language: Language, allowance: Allowance, now: str, *, has_story: bool) -> int:
    """Return what the text costs beside its lines."""
    words = WORDS[language]
    frame = "<relevant_memories></relevant_memories>"
    headings = ["now", "before", allowance.manner]
    if has_story:
        frame += "<engram_summaries></engram_summaries>"
        headings.append("summaries")
    return estimate_tokens(f"{frame} {now} {' '.join(words[name] for name in headings)}")


def meaning_line(output: str, language: Language) -> str:
    """Return how a prompt says what a model takes the player's message to mean (note 001 §3)."""
    return f"{WORDS[language]['meant']}{in_a_line(output)}" if output else ""


def with_meaning(injection: Injection, line: str, output: str) -> Injection:
    """Add what the message means, as the last line: it changes with every message."""
    if not line:
        return injection
    text = f"{injection.text}\n\n{line}".strip()
    sections = {**injection.sections, "output": output}
    return replace(injection, text=text, sections=sections, tokens=estimate_tokens(text))
