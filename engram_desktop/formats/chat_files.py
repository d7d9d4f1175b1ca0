"""Open a chat by its path, after making sure by its content that it is one.

Stands above both that which tells kinds of files apart and that which reads chats.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.phrase import Phrase
from engram_desktop.formats.chats.chat_jsonl import ChatFile, look_through, stamp_of
from engram_desktop.formats.chats.foreign_chats import chats_of
from engram_desktop.formats.plain_file import read_plain
from engram_desktop.formats.sniff import IN_WORDS, MAX_JSON, WrongKind, sniff
from engram_desktop.formats.text_lines import find_encoding, lines_of, read_lines


def read_chat(path: Path) -> ChatFile:
    """Look through the chat at ``path``. Raises InputError, OSError.

    A line that cannot be read is a warning; a file without any message is one too if it is empty
    or holds a header, and an error if it is something else.
    """
    kind = sniff(path)
    if kind not in {"chat_jsonl", "empty"}:
        raise WrongKind(file=path.name, kind=Phrase(IN_WORDS[kind]))
    stamp = stamp_of(path)
    encoding = find_encoding(path)
    return look_through(path, encoding, read_lines(path, encoding), stamp)


def read_foreign_chats(path: Path) -> list[ChatFile]:
    """Return the chats in a file of another program. Raises WrongKind, OSError.

    Several in one file have their own names, or numbers, and each a source of its own.
    """
    stamp = stamp_of(path)
    foreign = chats_of(read_plain(path, MAX_JSON).decode(find_encoding(path), "replace"))
    if not foreign:
        raise WrongKind(file=path.name, kind=Phrase(IN_WORDS["unknown"]))
    are_several = len(foreign) > 1
    chats = []
    for number, chat in enumerate(foreign, start=1):
        lines = lines_of(io.BytesIO(chat.jsonl), "utf-8")
        source = path.with_name(f"{path.name}#{number}") if are_several else path
        file = look_through(source, "utf-8", lines, stamp, keeps=True)
        name = chat.name or (f"{path.stem} {number}" if are_several else path.stem)
        chats.append(replace(file, name=name, header=""))
    return chats
