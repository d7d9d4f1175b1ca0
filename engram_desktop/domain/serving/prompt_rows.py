"""Split one text into its messages: a prompt, by marks of a template or by names, or a message.

The names are those that would end the reply (stop texts), and the one that the prompt ends with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engram_desktop.domain.serving.request import JOINED, LINE, FrontRequest, ListedMessage
from engram_desktop.domain.values import dataclass

_LAST_NAME = re.compile(r"(?:^|[\n>\]])[ \t]*([^\n:：<>\[\]|]{1,60})[:：]\s*\Z")
_ANY_ROW = re.compile(r"[\n>\]][ \t]*([^\n:：<>\[\]|]{1,60})[:：]")
_RECURS = 2  # times a name occurs in a prompt that ends with it: in the card, or as a speaker
# Marks that an instruct template puts behind a message.
_MARKS = re.compile(
    r"(?:\s*(?:<\|[^|\n]{1,40}\|>|<(?:end|start)_of_turn>|\[/?INST\]|</?s>|###[^\n]{0,40}:)"
    r"\s*(?:system|user|assistant|model)?\s*)+\Z"
)
_LEAST_ROWS = 2  # lines with a name before them, to count as messages
_MARK_CHARS = 300  # characters at the end of a message that may be marks
Row = tuple[str, str, str]  # (role, name, text)


def rows_of_prompt(request: FrontRequest) -> tuple[list[Row], str]:
    """Return the messages of a prompt and the next speaker.

    All names are "" if only marks separate the messages; then a name may precede the text, and some
    messages are the system's. Empty if neither marks nor names are found.
    """
    turns = turns_of_prompt(request)
    if turns is None or turns.ending.role != "assistant":
        return [], ""
    told, opening = _without_opening(turns)
    if "\n" in opening:
        return [], ""
    told = [row for row in told if row.role != "system" or row.index > 0]
    if turns.ending.is_by_names:
        speaker = turns.ending.name or turns.said[-1].name
        return [(row.role, row.name, row.text) for row in told if row.role != "system"], speaker
    speaker = turns.ending.name
    names = [*_names_that_end(request), speaker]
    rows = [_row(row, names) for row in told]
    if speaker and all(name for role, name, _text in rows if role != "system"):
        return rows, speaker
    return [(role, "", f"{name}: {text}" if name else text) for role, name, text in rows], ""


def opening_of_prompt(request: FrontRequest) -> str:
    """Return the beginning of the reply: the line behind the name that a prompt ends with."""
    turns = turns_of_prompt(request)
    is_reply = turns is not None and turns.ending.role == "assistant"
    return _without_opening(turns)[1] if turns is not None and is_reply else ""


def _without_opening(turns: PromptTurns) -> tuple[list[ListedMessage], str]:
    """Return the messages without the begun reply, and that reply."""
    rows, ending = list(turns.said), turns.ending
    is_begun = ending.is_begun and bool(rows) and rows[-1].role == "assistant"
    return (rows[:-1], rows[-1].text) if is_begun else (rows, "")


# Beginnings of a turn in the templates of instruct models, grouped by family.
_TURNS = tuple(
    re.compile(turn, re.IGNORECASE)
    for turn in (
        r"<\|im_start\|>(system|user|assistant|[^\n<|]{1,60}(?=\n|\Z))\n?",
        r"<\|im_(system|user|assistant)\|>(?:system|user|assistant)<\|im_middle\|>",
        r"<\|start_header_id\|>([^\n<|]{1,60})<\|end_header_id\|>\n*",
        r"<\|header_start\|>(system|user|assistant)<\|header_end\|>\n*",
        r"<\|start\|>(system|developer|user|assistant)(?:<\|channel\|>\w+)?<\|message\|>",
        r"<start_of_turn>(system|user|model)\n?",
        r"<\|turn>(system|user|model)\n?",
        r"<\|(system|user|chatbot)_token\|>",
        r"<\|(system|userprompt|response)\|>",
        r"<[|｜](system|user|assistant|model)[|｜]>",
        r"\[(/?INST|/?SYSTEM_PROMPT)\]",  # the model speaks behind both
        r"\{\{\[(SYSTEM|INPUT|OUTPUT)\]\}\}",
        r"(?:\A|\n)### ?(system|instruction|input|user|human|response|assistant)(?: \([^\n)]*\))?:"
        r"(?: ?\([^\n)]*\))?\s*(?:#### (?P<name>[^\n:：]{1,60})[:：]\s*)?",
        r"(?:\A|\n|</s>| (?-i:(?=USER: |ASSISTANT: |GPT: )))(system|user|assistant|gpt):",
    )
)
# The role of a mark; any other word of a mark is a name.
_ROLES = {
    **dict.fromkeys(("user", "inst", "instruction", "input", "human", "userprompt"), "user"),
    **dict.fromkeys(("system", "developer", "system_prompt", "tool", "ipython"), "system"),
    **dict.fromkeys(
        ("assistant", "model", "chatbot", "response", "output", "gpt", "/inst", "/system_prompt"),
        "assistant",
    ),
}
_TURN_ENDS = re.compile(
    r"<\|im_end\|>|<\|eot_id\|>|<\|eot\|>|<end_of_turn>|<turn\|>|</s>|<\|end\|>"
    r"|<[|｜]end.of.sentence[|｜]>|<\|end_?of_?\w+\|>"
    r"|\{\{\[(?:SYSTEM|INPUT|OUTPUT)_END\]\}\}",
    re.IGNORECASE,
)
# The text before the first mark of Alpaca's family; it describes no character.
_PREAMBLE = re.compile(r"Below is an instruction that describes a task\b[^\n]*", re.IGNORECASE)
# What SillyTavern's templates put in as the player's where a model must be spoken to first.
_ALIGNMENT = "Let's get started. Please respond based on the information and instructions"
# Separator that SillyTavern's templates put before the chat and before each example of it. Between
# the lines of a message it is a scene break.
_CHAT_BEGINS = re.compile(r"(?:\A|\n)\s*\*{3}\s*(?:\n|\Z)")
# Behind these, Alpaca-Single-Turn and Libra have all messages in one turn, at most with names.
_ALL_IN_ONE = re.compile(r"\n(?:<START OF CHAT>|### START ROLEPLAY:)\n")
_METHARME = "<|model|>"  # its mark of the system occurs before the chat only
_NAME_BEFORE = re.compile(r"[ \t]*([^\n:：<>\[\]|]{1,60})[:：][ \t]*")
_NAME_ALONE = re.compile(r"[ \t]*([^\n:：<>\[\]|]{1,60})[:：]\s*\Z")


@dataclass(frozen=True)
class PromptEnding:
    """Whose turn a prompt ends with: "user", "assistant" or "system"; and the name there, or "".

    "system" is an order to be answered outside the story. ``is_by_names``: only names separate the
    messages; a name may be part of a text. ``has_system``: its marks separate system messages;
    otherwise these are sent as the player's. ``is_begun``: the turn contains text already.
    """

    role: str
    name: str = ""
    is_by_names: bool = False
    has_system: bool = True
    is_begun: bool = False


@dataclass(frozen=True)
class PromptTurns:
    """The text before the chat as one system message, the messages, and the ending.

    A reply that was begun is the last of the messages.
    """

    said: tuple[ListedMessage, ...]
    ending: PromptEnding


def turns_of_prompt(request: FrontRequest) -> PromptTurns | None:
    """Return the messages between the marks of an instruct template, else those behind names.

    The last mark gives the family: marks of another family are part of a text. Behind a closed
    message of the player's the model writes its own mark. None without marks and names.
    """
    text = request.said[0].text if request.kind == "completion" and request.said else ""
    names = _names_that_end(request)
    turns = _turns(text, names)
    if len(turns) < _LEAST_ROWS or _ALL_IN_ONE.search(text):  # otherwise only the reply has a mark
        return _turns_by_names(request, text) if text else None
    if turns[-1].is_closed and turns[-1].role == "user" and not turns[-1].behind.strip():
        turns.append(_Turn("assistant", "", len(text), len(text), "", "", is_closed=False))
    if turns[-1].is_closed:
        return None
    if turns[-1].role == "user" and "\n" in turns[-1].said.strip():  # a player called “User”
        return _turns_by_names(request, text)
    begin = max((n for n, turn in enumerate(turns) if turn.begins_chat), default=0)
    is_behind = turns[begin].ends_before_chat
    before = text[: turns[begin].end if is_behind else turns[begin].start].strip()
    *told, last = turns[begin + is_behind :]
    alone = _NAME_ALONE.match(last.said)
    name = alone[1].strip() if alone else last.name
    said = [row for turn in told for row in turn.rows if row.text]
    rows = [ListedMessage(0, "system", before)] if before else []
    has_people = bool(before) and not _PREAMBLE.fullmatch(before)
    rows += _with_notes(_with_people(said, names, has_people=has_people), [name, *names])
    is_begun = bool(last.said.strip()) and not alone
    if is_begun:  # blanks behind it belong to the reply
        rows.append(ListedMessage(0, last.role, last.said.lstrip()))
    ordered = tuple(replace(row, index=at) for at, row in enumerate(rows))
    is_metharme = text.startswith(_METHARME, last.start)
    has_system = any(turn.role == "system" for turn in turns) and not is_metharme
    ending = PromptEnding(last.role, name, has_system=has_system, is_begun=is_begun)
    return PromptTurns(ordered, ending)


def _turns_by_names(request: FrontRequest, text: str) -> PromptTurns | None:
    """Return the messages behind the names that would end the reply, or that end the prompt.

    A reply that was begun is behind a name that recurs.
    """
    names = _names_that_end(request)
    alone = _LAST_NAME.search(text[-_MARK_CHARS:])
    name = alone[1].strip() if alone else ""
    name = "" if name.startswith("#") else name  # “### Response:” is a mark
    player = next((other for other in names if other != name), name if name in names else "")
    if not player:
        return None
    known = [player, *names, name or _name_behind(text, player)]
    begin = max((mark.end() - 1 for mark in _ALL_IN_ONE.finditer(text)), default=0)
    starts = list(_row_starts(list(filter(None, known))).finditer(text, begin))
    if len(starts) < _LEAST_ROWS:
        return None
    rows = [ListedMessage(0, "system", text[: starts[0].start()].strip())]
    for n, start in enumerate(starts):
        is_last = n == len(starts) - 1
        said = text[start.end() :] if is_last else text[start.end() : starts[n + 1].start() + 1]
        role = "user" if start[1] == player else "assistant"
        said = said.lstrip() if is_last else _unmarked(said)
        rows.append(ListedMessage(0, role, said, start[1], joint=LINE))
    ordered = (replace(row, index=at) for at, row in enumerate(row for row in rows if row.text))
    role = "user" if rows[-1].name == player else "assistant"
    ending = PromptEnding(role, name, is_by_names=True, is_begun=not name)
    return PromptTurns(tuple(ordered), ending)


def _name_behind(text: str, player: str) -> str:
    """Return a name behind the player's last message that occurs elsewhere in the prompt too."""
    rows = list(_row_starts([player]).finditer(text))
    named = _ANY_ROW.search(text, rows[-1].end()) if rows else None
    name = named[1].strip() if named else ""
    return name if text.count(name) >= _RECURS else ""


def _unmarked(said: str) -> str:
    """Return a message without the marks that an instruct template puts behind it."""
    return (said[:-_MARK_CHARS] + _MARKS.sub("", said[-_MARK_CHARS:])).strip()


@dataclass(frozen=True)
class _Turn:
    """The text from a mark to the next; ``behind`` is the text there after its end mark.

    ``name`` is the speaker, if the mark gives a name instead of a role.
    """

    role: str
    name: str
    start: int
    end: int
    body: str
    behind: str
    is_closed: bool
    has_mark: bool = True

    @property
    def said(self) -> str:
        begin = _CHAT_BEGINS.match(self.body)
        return self.body[begin.end() :] if begin else self.body

    @property
    def joint(self) -> str:
        """Return the separator before a note: a line end if unclosed and named or unmarked."""
        return JOINED if self.is_closed or (self.has_mark and not self.name) else LINE

    @property
    def rows(self) -> tuple[ListedMessage, ...]:
        """Return its message, and the note or order behind its end mark, which has no mark."""
        own = ListedMessage(0, self.role, self.said.strip(), self.name, self.joint)
        return own, ListedMessage(0, "system", "" if self.ends_before_chat else self.behind.strip())

    @property
    def ends_before_chat(self) -> bool:
        """Return whether the chat begins behind it: its text is no message."""
        is_at_end = any(m.end() == len(self.said) for m in _CHAT_BEGINS.finditer(self.said))
        return is_at_end or _CHAT_BEGINS.search(self.behind) is not None

    @property
    def begins_chat(self) -> bool:
        return self.ends_before_chat or _CHAT_BEGINS.match(self.body) is not None


def _turns(text: str, names: Sequence[str]) -> list[_Turn]:
    families = [list(mark.finditer(text)) for mark in _TURNS]
    marks = max(families, key=lambda found: found[-1].end() if found else -1)
    has_head = bool(marks) and text[: marks[0].start()].strip() != ""
    speaker = marks[-1][1].strip() if marks else ""
    player = next((name for name in names if name != speaker), "")
    turns: list[_Turn] = []
    ends = [mark.start() for mark in marks[1:]] + [len(text)] * bool(marks)
    for mark, end in zip(marks, ends, strict=True):
        # “### Input:” is the player's; a prompt without such a mark has a note there
        is_note = has_head and mark[0].strip().casefold() == "### input:"
        role = "system" if is_note else _ROLES.get(mark[1].casefold(), "")
        name = (mark.groupdict().get("name") or "") if role else mark[1].strip()
        role = _ROLES.get(name.casefold(), role) if name else role  # “#### System:” asks for a task
        role = role or ("user" if name == player else "assistant")
        body = text[mark.end() : end]
        closing = _TURN_ENDS.search(body)
        behind = body[closing.end() :] if closing else ""
        body = body[: closing.start()] if closing else body
        turns.append(_Turn(role, name, mark.start(), end, body, behind, closing is not None))
    is_of_replies = all(turn.role == "assistant" for turn in turns)
    return list(_with_unmarked(turns)) if is_of_replies else turns


def _with_unmarked(turns: Sequence[_Turn]) -> Iterator[_Turn]:
    """Yield the turns of a template with a mark for replies only, and the player's messages."""
    for turn in turns:
        yield replace(turn, behind="")
        if turn.behind.strip():
            start, said = turn.end - len(turn.behind), _TURN_ENDS.split(turn.behind)[0]
            yield _Turn("user", "", start, turn.end, said, "", is_closed=False, has_mark=False)


def _with_people(
    said: Sequence[ListedMessage], names: Sequence[str], *, has_people: bool
) -> list[ListedMessage]:
    """Return messages in which a template's text about the characters is the system's.

    Some templates have no marks for it: unless it is elsewhere (``has_people``), it is the player's
    first message.
    """
    first = said[0].text if said and said[0].role == "user" else ""
    aligned = (n + 1 for n, row in enumerate(said[:3]) if row.text.startswith(_ALIGNMENT))
    tells = MAIN_PROMPT.search(first) is not None or any(name in first for name in names)
    is_first = not has_people and tells and all(row.role != "system" for row in said)
    count = next(aligned, int(is_first))
    return [*(replace(row, role="system") for row in said[:count]), *said[count:]]


def _with_notes(said: Sequence[ListedMessage], names: Sequence[str]) -> list[ListedMessage]:
    """Return messages without a name, if others of their role have one, as the system's.

    Some templates have no marks for texts that a front end puts between messages.
    """
    is_named = [bool(row.name or _named(row, names)) for row in said]
    counts = Counter((row.role, named) for row, named in zip(said, is_named, strict=True))
    roles = {role for role, named in counts if named and counts[role, True] >= counts[role, False]}
    return [
        row if named or row.role not in roles else replace(row, role="system")
        for row, named in zip(said, is_named, strict=True)
    ]


def _row(said: ListedMessage, names: Sequence[str]) -> Row:
    if said.name:
        return said.role, said.name, said.text
    named = _named(said, names)
    return said.role, named[1] if named else "", said.text[named.end() :] if named else said.text


def _named(said: ListedMessage, names: Sequence[str]) -> re.Match[str] | None:
    """Find a speaker's name before a text."""
    named = _NAME_BEFORE.match(said.text) if said.role != "system" else None
    return named if named and named[1].strip() in names else None


def _names_that_end(request: FrontRequest) -> list[str]:
    stops = (stop.strip() for stop in request.stops)
    names = (stop.rstrip(":：").strip() for stop in stops if stop.endswith((":", "：")))
    return list(filter(None, names))


def _row_starts(names: Sequence[str]) -> re.Pattern[str]:
    spoken = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?:^|[\n>\]])[ \t]*({spoken})[:：]")


def is_story_prompt(request: FrontRequest) -> bool:
    """Return whether a prompt is a chat to continue: the text before it describes a character.

    So it is no task, even if the character is a translator.
    """
    rows = rows_of_prompt(request)[0] if request.kind == "completion" else []
    return sum(role != "system" for role, _name, _text in rows) > 1


# A whole chat in one message of the player, as SillyTavern's "single user message" sends it. The
# system prompt comes first, then each message with its speaker's name ("Alice: "); blank lines
# join them. Texts that the front end puts between messages have no name: they stay a part of the
# message before.

# SillyTavern's default main prompt.
MAIN_PROMPT = re.compile(
    r"Write (?P<char>[^\n]{1,80}?)'s next reply in a fictional chat between (?P=char)"
    r" and (?P<player>[^\n]{1,80}?)\."
)
# A line that a front end puts between examples and the chat, alone or joined to system lines.
STARTS = re.compile(
    r"\W{0,3}(?:start|begin) (?:a )?new|\W{0,3}开始新|\W{0,3}新的?(?:聊天|对话)", re.IGNORECASE
)
_NAMED = re.compile(r"(?:\A|\n\n)(?P<name>[^\n:\[\]<>(){}]{1,60}): ")
_PARAGRAPH = "\n\n"


def unfolded(said: Sequence[ListedMessage]) -> tuple[ListedMessage, ...]:
    """Return the system prompt and the messages of a chat in one message; () if it is none.

    The message must contain the mark of the chat's beginning, or the names of its speakers.
    ``index`` counts the returned messages.
    """
    text = said[0].text if len(said) == 1 and said[0].role == "user" else ""
    prompt = MAIN_PROMPT.search(text)
    begin = _begins_at(text, prompt.end() if prompt else -1)
    marks = list(_NAMED.finditer(text, begin)) if begin >= 0 else []
    names = [mark["name"] for mark in marks]
    if not names:
        return ()
    player = prompt["player"] if prompt else names[-1]
    speakers = _speakers(names, player, prompt["char"] if prompt else names[0])
    marks = [mark for mark in marks if mark["name"] in (player, *speakers)]
    if not marks:
        return ()
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    heads = (text[:begin], text[begin : marks[0].start()])
    rows = [ListedMessage(0, "system", head.strip()) for head in heads if head.strip()]
    for mark, end in zip(marks, ends, strict=True):
        role = "user" if mark["name"] == player else "assistant"
        rows.append(ListedMessage(0, role, text[mark.end() : end], mark["name"]))
    return tuple(replace(row, index=at) for at, row in enumerate(rows))


def _begins_at(text: str, prompt_end: int) -> int:
    """Return where the chat begins: behind the last line that marks it, else at the first name."""
    at, begin = 0, -1
    for paragraph in text.split(_PARAGRAPH):
        if STARTS.match(paragraph.rpartition("\n")[2]):
            begin = at + len(paragraph)
        at += len(paragraph) + len(_PARAGRAPH)
    if begin >= 0 or prompt_end < 0:
        return begin
    first = _NAMED.search(text, prompt_end)
    return first.start() if first else -1


def _speakers(names: Sequence[str], player: str, char: str) -> set[str]:
    """Return the speakers besides the player: ``char``, and names that answer repeatedly.

    A panel at the end of each reply ("Status: ") answers nobody.
    """
    counts = Counter(names)
    answers = {name for before, name in pairwise(names) if before == player}
    others = {name for name in answers if counts[name] >= _RECURS}
    return (others | {char}) - {player}
