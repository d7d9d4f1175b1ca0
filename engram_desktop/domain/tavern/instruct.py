"""Text-completion templates of SillyTavern: instruct mode and the story string."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from engram_desktop.domain.values import dataclass

# Story strings: the template of a text completion prompt's head, ``{{#if persona}}…{{/if}}``.
# Supported is what such templates use: values by name, ``#if`` and ``#unless`` with ``else``,
# comments, and ``~`` to trim blanks. An unknown name is left to the macros.


MAX_DEPTH = 40  # nested blocks: bounds recursion
_TAG = re.compile(
    r"\{\{(?P<before>~?)(?:!--(?P<long>.*?)--|(?P<note>![^}]*)"
    r"|\{?\s*(?P<sign>[#/^]?)\s*(?P<name>[A-Za-z_][\w.-]*)(?P<rest>[^{}]*?))(?P<after>~?)\}\}\}?",
    re.DOTALL,
)
_BLOCKS = ("if", "unless")


@dataclass(slots=True)
class _Open:
    """An open block: whether its condition is true, and whether the text around it is shown."""

    name: str
    is_true: bool
    is_shown_around: bool
    is_else: bool = False

    @property
    def is_shown(self) -> bool:
        return self.is_shown_around and self.is_true != self.is_else


class BadStoryStringError(ValueError):
    """A block that is unclosed, or closed twice."""


def rendered(template: str, values: Mapping[str, str], macro: Callable[[str], str]) -> str:
    """Return ``template`` with its values; ``macro`` returns the values of other names.

    Raises BadStoryStringError.
    """
    pieces: list[str] = []
    blocks: list[_Open] = []
    at = 0
    for tag in _TAG.finditer(template):
        start, end = _reach(template, tag)
        if not blocks or blocks[-1].is_shown:
            pieces.append(template[at : max(at, start)])
        at = max(at, end)
        value = _read(tag, blocks, values, macro)
        if value and (not blocks or blocks[-1].is_shown):
            pieces.append(value)
    if blocks:
        raise BadStoryStringError(blocks[-1].name)
    return "".join([*pieces, template[at:]])


def _read(
    tag: re.Match[str], blocks: list[_Open], values: Mapping[str, str], macro: Callable[[str], str]
) -> str:
    """Open or close blocks; returns the text of a tag."""
    sign, name = tag["sign"], tag["name"]
    if name is None:
        return ""
    is_shown = not blocks or blocks[-1].is_shown
    if sign == "#":
        if name not in _BLOCKS or len(blocks) >= MAX_DEPTH:
            raise BadStoryStringError(name)
        is_true = bool(values.get(tag["rest"].strip()))
        blocks.append(_Open(name, is_true == (name == "if"), is_shown))
    elif sign == "/":
        if not blocks or blocks.pop().name != name:
            raise BadStoryStringError(name)
    elif name == "else" or sign == "^":
        if not blocks:
            raise BadStoryStringError(name)
        blocks[-1].is_else = True
    elif is_shown:
        return values[name] if name in values else macro(name)
    return ""


def _reach(template: str, tag: re.Match[str]) -> tuple[int, int]:
    """Return the span of a tag: a block's tag alone on its line takes the whole line."""
    start, end = tag.start(), tag.end()
    if tag["sign"] or tag["name"] is None or tag["name"] == "else":
        head = template[:start].rpartition("\n")[2]
        tail = template[end:].partition("\n")[0]
        if not head.strip() and not tail.strip():
            start -= len(head)
            end = min(len(template), end + len(tail) + 1)
    if tag["before"]:
        start = len(template[:start].rstrip())
    if tag["after"]:
        end = len(template) - len(template[end:].lstrip())
    return start, end


# The prompt of a text completion model: messages between sequences, after a story string, as
# SillyTavern 1.19 builds it for an answer of the character. Values only: the caller gives the texts
# and the macros' values.


Place = Literal["", "first", "last"]
Fill = Callable[[str], str]
_NAME = re.compile(r"\{\{name\}\}", re.IGNORECASE)
_IN_CHAT = 1  # a story string among the messages


@dataclass(frozen=True, slots=True)
class Templates:
    """The instruct and the context template, as in their files."""

    instruct: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)

    def sequence(self, *names: str) -> str:
        """Return the first of these sequences that is not empty."""
        texts = (self.instruct.get(name) for name in names)
        return next((text for text in texts if isinstance(text, str) and text), "")

    def says(self, name: str) -> bool:
        return bool(self.instruct.get(name))

    @property
    def is_on(self) -> bool:
        return self.says("enabled")

    @property
    def break_(self) -> str:
        return "\n" if self.says("wrap") else ""

    @property
    def names(self) -> str:
        """Whether names precede messages: none, force (in groups) or always."""
        return str(self.instruct.get("names_behavior") or "none")


@dataclass(frozen=True, slots=True)
class SentMessage:
    """One message as it is sent."""

    name: str
    text: str
    is_user: bool = False
    is_narrator: bool = False


@dataclass(frozen=True, slots=True)
class TextPrompt:
    """Builds a prompt. ``fill`` fills macros; ``user`` and ``char`` are names."""

    templates: Templates
    fill: Fill
    user: str
    char: str
    is_group: bool = False

    def whole(
        self,
        story: Mapping[str, str],
        messages: Sequence[SentMessage],
        examples: Sequence[str] = (),
        instruction: str = "",
    ) -> str:
        """Return the whole prompt. Raises BadStoryStringError.

        ``examples`` are blocks of messages, each after ``<START>``; ``instruction`` follows the
        history.
        """
        shown = [*messages, *([SentMessage("", instruction, is_user=True)] if instruction else [])]
        blocks = self.examples(examples)
        head = self.head(dict(story) | {"mesExamples": "".join(blocks)})
        text = "".join([head, *blocks, self._chat_start(), self._said(shown)])
        return text.replace("\r", "")

    def head(self, story: Mapping[str, str]) -> str:
        """Return the story string, between its own sequences."""
        context, templates = self.templates.context, self.templates
        values = dict(story) | {"user": self.user, "char": self.char, "trim": "{{trim}}"}
        text = rendered(str(context.get("story_string") or ""), values, self._macro)
        text = self.fill(text).lstrip("\n")
        suffix, wraps = templates.sequence("story_string_suffix"), templates.says("wrap")
        if context.get("story_string_position") == _IN_CHAT:
            return text
        if text and not text.endswith("\n") and (not templates.is_on or (wraps and not suffix)):
            text += "\n"
        if not templates.is_on or not text:
            return text
        if prefix := templates.sequence("story_string_prefix"):
            text = _NAME.sub("System", self.fill(prefix)) + templates.break_ + text
        return text + self.fill(suffix)

    def _macro(self, name: str) -> str:
        return self.fill(f"{{{{{name}}}}}")

    def _chat_start(self) -> str:
        start = str(self.templates.context.get("chat_start") or "")
        return self.fill(f"{start}\n") if start else ""

    def _said(self, messages: Sequence[SentMessage]) -> str:
        """Return the messages, and the beginning of an answer."""
        last_of_user = max((n for n, m in enumerate(messages) if m.is_user), default=-1)
        texts = []
        for n, message in enumerate(messages):
            place: Place = "last" if n == last_of_user else "first" if n == 0 else ""
            texts.append(self.message(message, place))
        if texts and (not self.templates.is_on or self.templates.says("wrap")):
            texts[-1] = texts[-1].removesuffix("\n")
        filler = self._filler(messages)
        return "".join([filler, *texts]) + self.opening("".join(texts))

    def _filler(self, messages: Sequence[SentMessage]) -> str:
        """Return a message of the player for a history that does not begin with one."""
        filler = self.templates.sequence("user_alignment_message")
        if not self.templates.is_on or not filler or (messages and messages[0].is_user):
            return ""
        return self.message(SentMessage(self.user, self.fill(filler), is_user=True), "first")

    def message(self, message: SentMessage, place: Place = "") -> str:
        """Return one message between its sequences; without a template ``name: text``."""
        if not self.templates.is_on:
            is_named = message.name and not message.is_narrator
            return f"{message.name}: {message.text}\n" if is_named else f"{message.text}\n"
        prefix, suffix = self._sequences(message, place)
        if self.templates.says("macro"):
            prefix, suffix = (
                _NAME.sub(lambda _m: message.name or "System", self.fill(text))
                for text in (prefix, suffix)
            )
        text = f"{message.name}: {message.text}" if self._is_named(message) else message.text
        suffix = suffix or self.templates.break_
        return self.templates.break_.join(part for part in (prefix, text + suffix) if part)

    def _is_named(self, message: SentMessage) -> bool:
        if message.is_narrator or not message.name:
            return False
        is_other = self.is_group and message.name != self.user
        return self.templates.names == "always" or (self.templates.names == "force" and is_other)

    def _sequences(self, message: SentMessage, place: Place) -> tuple[str, str]:
        templates = self.templates
        if message.is_narrator:
            kind = "input" if templates.says("system_same_as_user") else "system"
            return templates.sequence(f"{kind}_sequence"), templates.sequence(f"{kind}_suffix")
        kind = "input" if message.is_user else "output"
        names = [f"{kind}_sequence"]
        if place:
            names.insert(0, f"{place}_{kind}_sequence")
        return templates.sequence(*names), templates.sequence(f"{kind}_suffix")

    def opening(self, said: str) -> str:
        """Return the beginning of an answer of the character, after ``said``."""
        templates = self.templates
        if not templates.is_on:
            if not templates.context.get("always_force_name2"):
                return ""
            return ("" if said.endswith("\n") else "\n") + f"{self.char}:"
        usual = templates.sequence("output_sequence")
        last = templates.sequence("last_output_sequence")
        sequence = last or usual
        is_named = bool(self.char) and (
            templates.names == "always" or (self.is_group and templates.names == "force")
        )
        if templates.says("macro"):
            sequence = _NAME.sub(lambda _m: self.char or "System", self.fill(sequence))
        text = templates.break_ + sequence
        if is_named:
            is_filled = last and _ends_blank(usual) and not _ends_blank(last)
            filler = usual[-1:] if is_filled else ""
            text += f"{templates.break_}{filler}{self.char}:"
        if templates.says("wrap"):
            text = text.rstrip()
        return text if is_named else text + templates.break_

    def examples(self, blocks: Sequence[str]) -> list[str]:
        """Return the examples, each block after the separator, its messages between sequences."""
        separator = str(self.templates.context.get("example_separator") or "")
        heading = self.fill(separator) + "\n" if separator else ""
        plain = [heading + block.removeprefix("<START>\n") for block in blocks]
        if not self.templates.is_on or self.templates.says("skip_examples"):
            return plain
        texts: list[str] = []
        for block in blocks:
            spoken = _spoken(block.removeprefix("<START>\n"), self.user, self.char)
            if spoken:
                texts += [heading] * bool(heading)
                texts += [self._example(message) for message in spoken]
        return texts or plain

    def _example(self, message: SentMessage) -> str:
        names = self.templates.names
        is_named = names == "always" or (names == "force" and message.is_user)
        text = f"{message.name}: {message.text}" if is_named else message.text
        prefix, suffix = self._sequences(message, "")
        if self.templates.says("macro"):
            prefix, suffix = (
                _NAME.sub(lambda _m: message.name, self.fill(part)) for part in (prefix, suffix)
            )
            suffix = suffix or self.templates.break_
        return self.templates.break_.join(part for part in (prefix, text + suffix) if part)


def _ends_blank(text: str) -> bool:
    return text != text.rstrip()


def _spoken(block: str, user: str, char: str) -> list[SentMessage]:
    """Split a block of examples into messages: one ends where the other begins to speak."""
    messages: list[SentMessage] = []
    lines: list[str] = []
    is_user: bool | None = None

    def end() -> None:
        if is_user is not None:
            name = user if is_user else char
            text = "\n".join(lines).replace(f"{name}:", "", 1).strip()
            messages.append(SentMessage(name, text, is_user))

    for line in block.split("\n"):
        said_by = _speaker(line, user, char)
        if said_by is not None and said_by != is_user:
            if is_user is not None:
                end()
                lines = []
            is_user = said_by
        lines.append(line)
    end()
    return messages


def _speaker(line: str, user: str, char: str) -> bool | None:
    """Return whether the line begins a message of the player; None if of neither."""
    if line.startswith(f"{user}:"):
        return True
    return False if line.startswith(f"{char}:") else None


# Texts of SillyTavern's settings for macros: sequences, system prompt, notes. Values only.


@dataclass(frozen=True, slots=True)
class TavernTexts:
    """``macros`` are texts by macro; ``notes`` are author's notes by card file.

    The two flags tell whether a card's own prompts replace those of the settings.
    """

    macros: Mapping[str, str] = field(default_factory=dict)
    system_prompt: str = ""
    instruction: str = ""  # follows the history
    notes: Mapping[str, str] = field(default_factory=dict)
    templates: Templates | None = None  # if a text completion model is used
    prefers_card_prompt: bool = True
    prefers_card_instruction: bool = True


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A member of a group, by the card file."""

    avatar: str
    is_muted: bool = False
