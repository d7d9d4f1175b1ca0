"""A request in the OpenAI protocol, read from untrusted JSON, and how its texts are compared.

Invalid parts are left out, so that a request, which is sent on as it came, never fails because of
them. Texts are compared without blanks: front ends trim, join and indent messages and change line
ends, and so a message can be found within a whole prompt.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass

RequestKind = Literal["chat", "completion"]


JOINED = "\n\n"  # between messages of one role that a front end joins
LINE = "\n"  # between messages of a prompt with names only


@dataclass(frozen=True, slots=True)
class ListedMessage:
    """One message of a request: its index in the request's list, role, name and text.

    ``role`` is system, user, assistant or tool, or any other that was sent; "developer" is read as
    system. ``text`` is the joined text of its parts if the content is a list; "" without text.
    ``joint`` is the separator between it and others that a front end joins with it.
    """

    index: int
    role: str
    text: str
    name: str = ""
    joint: str = JOINED


@dataclass(frozen=True, slots=True)
class FrontRequest:
    """One request of a front end. A text completion has one ``said``: the whole prompt.

    ``path_chat`` is NAME of ``/chat/NAME/v1``; ``header_chat`` and ``header_speaker`` are the
    headers X-Engram-Chat and X-Engram-Speaker. ``stops`` are texts that end the reply; ``tools``
    are names of functions the model may call; ``asks_json``: the answer must be JSON, so it is no
    reply of a story.
    """

    kind: RequestKind
    said: tuple[ListedMessage, ...]
    model: str = ""
    path_chat: str = ""
    header_chat: str = ""
    header_speaker: str = ""
    stops: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    asks_json: bool = False


MAX_SAID = 200_000  # messages of one request: with more, it is not read (`TooManyMessages`)
MAX_NAMES = 200  # stop texts and tools read: more than any front end sends
# A front end may put documents, with instructions, before the player's message.
_DOCUMENTS = re.compile(r"\s{0,8}#{1,4} ?Task:\s{0,8}Respond to the user query", re.IGNORECASE)
_AFTER = ("</context>", "<user_query>")
MAX_NAME = 200  # characters of a name that are read
_ROLES = {"developer": "system", "model": "assistant", "human": "user", "function": "tool"}


class TooManyMessages(InputError):
    """The request has ``count`` messages: too many."""

    text = QT_TRANSLATE_NOOP("errors", "A request of {count} messages is more than memory reads.")
    hint = QT_TRANSLATE_NOOP("errors", "It went on without memory, and nothing of it was kept.")


def read_request(
    body: Mapping[str, Any],
    *,
    path_chat: str,
    header_chat: str,
    header_speaker: str,
) -> FrontRequest:
    """Parse the JSON of a chat or text completion. Raises TooManyMessages."""
    kind: RequestKind = "completion" if _is_completion(body) else "chat"
    said = _prompt(body.get("prompt")) if kind == "completion" else _messages(body.get("messages"))
    return FrontRequest(
        kind,
        said,
        _name(body.get("model")),
        path_chat,
        header_chat,
        header_speaker,
        _texts(body.get("stop") or body.get("stopping_strings") or body.get("stop_sequence")),
        _tools(body.get("tools")),
        _asks_json(body),
    )


def encodable(value: object) -> str:
    """Return a text that UTF-8 can encode; "" if ``value`` is no text."""
    if not isinstance(value, str):
        return ""
    text = value.replace("\x00", "") if "\x00" in value else value
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of an emoji; two halves are joined
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _is_completion(body: Mapping[str, Any]) -> bool:
    return not isinstance(body.get("messages"), list) and "prompt" in body


def _prompt(value: object) -> tuple[ListedMessage, ...]:
    """Return the prompt of a text completion; of several prompts, the first text."""
    prompts = value if isinstance(value, list) else [value]
    text = next((prompt for prompt in prompts if isinstance(prompt, str)), "")
    return (ListedMessage(0, "", encodable(text)),)


def _messages(value: object) -> tuple[ListedMessage, ...]:
    rows = value if isinstance(value, list) else []
    if len(rows) > MAX_SAID:
        raise TooManyMessages(count=len(rows))
    return tuple(
        ListedMessage(n, _role(row.get("role")), _spoken(row), _name(row.get("name")))
        for n, row in enumerate(rows)
        if isinstance(row, dict)
    )


def _spoken(row: Mapping[str, Any]) -> str:
    """Return the text of a message, without documents before it."""
    text = _content(row.get("content"))
    if not _DOCUMENTS.match(text):
        return text
    said = text
    for mark in _AFTER:
        said = said.rpartition(mark)[2]
    return said.replace("</user_query>", "").strip() or text


def _role(value: object) -> str:
    role = _name(value).lower()
    return _ROLES.get(role, role)


def _content(value: object) -> str:
    """Return the text of a content: a text, or a list of parts."""
    if isinstance(value, list):
        texts = (_part(part) for part in value)
        return "\n".join(text for text in texts if text)
    return _part(value)


def _part(value: object) -> str:
    if isinstance(value, dict):
        text = value.get("text")
        return encodable(text.get("value")) if isinstance(text, dict) else encodable(text)
    return encodable(value)


def _name(value: object) -> str:
    return encodable(value).strip()[:MAX_NAME]


def _texts(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    texts = (encodable(text)[:MAX_NAME] for text in values[:MAX_NAMES])
    return tuple(text for text in texts if text)


def _tools(value: object) -> tuple[str, ...]:
    tools = value[:MAX_NAMES] if isinstance(value, list) else []
    functions = [tool.get("function", tool) for tool in tools if isinstance(tool, dict)]
    names = (_name(function.get("name")) for function in functions if isinstance(function, dict))
    return tuple(name for name in names if name)


def _asks_json(body: Mapping[str, Any]) -> bool:
    form = body.get("response_format")
    kind = form.get("type") if isinstance(form, dict) else form
    return kind in ("json_object", "json_schema") or any(
        body.get(key) for key in ("json_schema", "grammar", "guided_json")
    )


SEEN = re.compile("[^\\s\u200b-\u200f\u2060\ufeff]")  # a character that stays in a plain text
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff]")
# Ends of a sentence or part: punctuation, line ends, brackets and marks around names.
_ENDS = re.compile(r"[\n\r。！？!?.:：;；…<>\[\]|“”\"「」*]+")
_SCRIPT = re.compile(r"\n[ \t*]*[^\n:：]{1,40}[:：][ \t*]*\S")  # a second line with a name
# Bytes of UTF-8 that are worth one: some seven words, or thirteen Chinese characters. Unrelated
# texts seldom have as much in common.
UNIT = 40
MOST = 2.5  # the highest worth of one message: however long, it may be copied
SHORTEST_PIECE = 18  # bytes of a sentence that is looked up: three words, six Chinese characters
# Messages whose sentences are held: two long lines. Each new message reads all of its line again.
_TEXTS_KEPT = 512
PIECES_KEPT = 3  # of a message: the longest, so that one survives an edit


def plain(text: str) -> str:
    """Return ``text`` without blanks and invisible characters."""
    return _INVISIBLE.sub("", "".join(text.split()))


_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_OPENING_TAG = re.compile(r"<([A-Za-z\u4e00-\u9fff][\w-]{0,40})[^<>\n]{0,300}>")
_SIGNS = frozenset("|#>╭╰│├└┌═─━▁▔")  # first characters of tables, bars and frames
_UNWRAPPED = 3  # blocks that may be the story: of a reply the longest, unless a thought is longer
_MOST_ENDLESS = 50  # unclosed tags that are searched, each to the end of the text
_BRACKETED = re.compile(r"[【\[［].*[】\]］]")


@lru_cache(maxsize=_TEXTS_KEPT)
def split_blocks(text: str) -> tuple[str, tuple[str, ...]]:
    """Return ``text`` without marked-up blocks, and each of these blocks, plain.

    Blocks are tags with their content, comments, fenced code, lines in brackets, and lines that
    begin with a sign: thoughts and status bars, which scripts of a front end remove from older
    messages. Linear in the length of the text.
    """
    spans = sorted(_marked_up(text), key=lambda span: (span[0], -span[1]))
    story, blocks, at = [], [], 0
    for start, end in spans:
        if start >= at:
            story.append(text[at:start])
            blocks.append(plain(text[start:end]))
            at = end
    story.append(text[at:])
    return "".join(story), tuple(blocks)


def split_thought(text: str) -> tuple[str, str]:
    """Return (thought, reply); an unclosed thought stays in the reply.

    The thought is "" if the text does not begin with one.
    """
    match = _THOUGHT.match(text)
    if match is not None:
        closing = f"</{match[1].lower()}>"
        end = text.lower().find(closing, match.end())
        if end >= 0 and len(text.lower()) == len(text):
            return text[match.end() : end].strip(), text[end + len(closing) :].lstrip()
    return "", text


def leaves_out_blocks(stored: str, shown: str) -> bool:
    """Return whether ``shown`` is ``stored`` with only marked-up blocks or tags removed.

    A thought before it is ignored: it is stored beside a reply.
    """
    stored, shown = split_thought(stored)[1], split_thought(shown)[1]
    shown_story, shown_blocks = split_blocks(shown)
    for text in (stored, *unwrapped(stored)):
        story, blocks = split_blocks(text)
        if Counter(shown_blocks) <= Counter(blocks) and plain(story) == plain(shown_story):
            return True
    return False


def unwrapped(text: str) -> list[str]:
    """Return ``text`` without the tags around one of its blocks, for each of the longest blocks.

    Many cards put the story of a reply into a tag, such as <content>, that is not sent again.
    """
    blocks = sorted(_tagged(text), key=lambda block: block[1] - block[0], reverse=True)
    texts = []
    for start, end in blocks[:_UNWRAPPED]:
        inner = text[text.find(">", start) + 1 : text.rfind("</", start, end)]
        texts.append(f"{text[:start]}{inner}{text[end:]}")
    return texts


def _marked_up(text: str) -> Iterator[tuple[int, int]]:
    yield from _between(text, "<!--", "-->")
    yield from _between(text, "```", "```")
    yield from _tagged(text)
    start = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare and not bare[0].isalnum():
            is_sign = bare[0] in _SIGNS or unicodedata.category(bare[0]) == "So"
            if is_sign or _BRACKETED.fullmatch(bare):
                yield start, start + len(line)
        start += len(line)


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    """Yield tags with their content; nested tags are part of the outer one."""
    endless: set[str] = set()
    at = 0
    for tag in _OPENING_TAG.finditer(text):
        if tag.start() < at or tag[1] in endless:
            continue
        if len(endless) > _MOST_ENDLESS:
            return
        close = text.find(f"</{tag[1]}", tag.end())
        end = text.find(">", close) if close >= 0 else -1
        if end < 0:
            endless.add(tag[1])
            continue
        at = end + 1
        yield tag.start(), at


def _between(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            return
        at = end + len(closing)
        yield start, at


def original_end(text: str, plain_end: int) -> int:
    """Return the offset in ``text`` where the first ``plain_end`` letters of its plain text end."""
    last = next(islice(SEEN.finditer(text), max(0, plain_end - 1), None), None)
    return last.end() if last else len(text)


def is_script(text: str) -> bool:
    """Return whether several lines of a text have names: then these are part of the text."""
    return bool(_SCRIPT.search(text))


def worth(plain_text: str) -> float:
    """Return how much a text proves: 0 for nothing, at most `MOST`."""
    return min(MOST, len(plain_text.encode("utf-8", "surrogatepass")) / UNIT)


def pieces(text: str) -> Iterator[str]:
    """Yield the sentences of a text that are long enough to be looked up, plain."""
    for part in _ENDS.split(text):
        if len(part) * 3 >= SHORTEST_PIECE:
            piece = plain(part)
            if len(piece.encode("utf-8", "surrogatepass")) >= SHORTEST_PIECE:
                yield piece


@lru_cache(maxsize=_TEXTS_KEPT)
def longest_pieces(text: str) -> tuple[str, ...]:
    """Return the sentences by which a message is indexed."""
    longest_first = sorted(set(pieces(text)), key=lambda piece: (-len(piece), piece))
    return tuple(longest_first[:PIECES_KEPT])
