"""Open a chat by its path, after making sure by its content that it is one.

Stands above both that which tells kinds of files apart and that which reads chats.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.phrase import Phrase
from engram_desktop.formats.chats.chat_jsonl import ChatFile, look_through
from engram_desktop.formats.chats.foreign_chats import chats_of
from engram_desktop.formats.sniff import IN_WORDS, MAX_JSON, WrongKind, sniff
from engram_desktop.formats.source_file import SourceFile, opened
from engram_desktop.formats.text_lines import lines_of


def read_chat(file: Path | SourceFile) -> ChatFile:
    """Look through a chat. Raises InputError, OSError.

    A line that cannot be read is a warning; a file without any message is one too if it is empty
    or holds a header, and an error if it is something else.
    """
    source = opened(file)
    kind = sniff(source)
    if kind not in {"chat_jsonl", "empty"}:
        raise WrongKind(file=source.path.name, kind=Phrase(IN_WORDS[kind]))
    return look_through(
        source.path, source.encoding, source.lines(), source.stamp, keeps=source.is_kept
    )


def read_foreign_chats(file: Path | SourceFile) -> list[ChatFile]:
    """Return the chats in a file of another program. Raises WrongKind, OSError.

    Several in one file have their own names, or numbers, and each a source of its own.
    """
    source = opened(file)
    path, stamp = source.path, source.stamp
    foreign = chats_of(source.read(MAX_JSON).decode(source.encoding, "replace"))
    if not foreign:
        raise WrongKind(file=path.name, kind=Phrase(IN_WORDS["unknown"]))
    are_several = len(foreign) > 1
    chats = []
    for number, chat in enumerate(foreign, start=1):
        lines = lines_of(io.BytesIO(chat.jsonl), "utf-8")
        place = path.with_name(f"{path.name}#{number}") if are_several else path
        read = look_through(place, "utf-8", lines, stamp, keeps=True)
        name = chat.name or (f"{path.stem} {number}" if are_several else path.stem)
        chats.append(replace(read, name=name, header=""))
    return chats
