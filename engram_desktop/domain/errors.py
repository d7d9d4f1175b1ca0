"""The errors a user can do something about. Anything else that is raised is a bug.

KnownError
├── InputError            a file or a value the user gave cannot be read
│   ├── NotFound          no such chat, event, entity, file
│   ├── BadSetting        a value outside what its setting declares
│   ├── ScriptFailed      a pattern or program of the user's that is none
│   │   └── ScriptStopped one that took too long, or too much memory
│   ├── PromptFailed      a template whose program fails: the request is not made
│   └── PromptStopped     a template whose program never ends
├── StorageError          the library on disk
│   ├── LibraryBusy       another program holds it
│   ├── NewerDatabase     written by a later version; never touched
│   ├── LibraryGone       moved or replaced under it
│   │   └── DatabaseClosed by this program itself, which deleted the chat
│   ├── DamagedDatabase   cannot be read as what it should be
│   │   └── PartlyBackedUp a backup was made without the chats that are damaged
│   └── DiskFull
├── Conflict              what was read has changed meanwhile
├── NothingToUndo
├── MemoryOff             the chat's memory mode forbids it
└── LlmError              an endpoint
    ├── NotConfigured
    ├── BadEndpoint       the base URL is empty or not a URL
    ├── Unreachable       no answer, or none in time
    │   └── NoConnection  nobody is there: the host, the port, the proxy, the certificate
    ├── Refused           401, 403
    ├── RateLimited       429 after all retries
    ├── ServerError       any other HTTP answer that is an error
    │   └── NoVersion     404 at a base URL that does not end in /v1 or the like
    ├── DailyCapReached   the next request would pass the user's own limit of tokens
    └── BadAnswer         the model answered something that is not what was asked
        ├── AnswerTooLong more than any answer needs; it was not read to its end
        └── ModelLoops    one short piece over and over
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase

_T = QT_TRANSLATE_NOOP
_FEW_NAMED = 12  # names in an error: a line or two of a terminal
_KINDS = (
    _T("reports", "chat"),
    _T("reports", "event"),
    _T("reports", "entity"),
    _T("reports", "relation"),
    _T("reports", "suggestion"),
    _T("reports", "branch"),
    _T("reports", "message"),
    _T("reports", "private log"),
    _T("reports", "setting"),
    _T("reports", "folder"),
    _T("reports", "resource"),
    _T("reports", "draft"),
    _T("reports", "regex script"),
    _T("reports", "prompt"),
    _T("reports", "world book"),
    _T("reports", "preset"),
    _T("reports", "entry"),
    _T("reports", "character"),
    _T("reports", "kept world book"),
    _T("reports", "kept folder"),
    _T("reports", "conflict"),
    _T("reports", "deleted chat"),
    _T("reports", "finding"),
    _T("reports", "known person"),
    _T("reports", "volume"),
    _T("reports", "group"),
    _T("reports", "state"),
)


class KnownError(Exception):
    """A known error: ``text`` says what happened and why, ``hint`` what to do next.

    Both are templates over ``params`` so that the window can translate them; ``str()`` is one line
    of English. There ``command_hint`` replaces the hint: what to type instead of click.
    """

    text: ClassVar[str] = QT_TRANSLATE_NOOP("errors", "{detail}")
    hint: ClassVar[str] = ""
    command_hint: ClassVar[str] = ""

    def __init__(self, detail: str = "", **params: object) -> None:
        self.params: dict[str, object] = {"detail": detail, **params}
        super().__init__(detail)

    @property
    def phrase(self) -> Phrase:
        """What happened, without the hint, for a report."""
        return Phrase(self.text, "errors", **self.params)

    @override
    def __str__(self) -> str:
        hint = self.command_hint or self.hint
        parts = (self.text.format_map(self.params), hint.format_map(self.params))
        return " ".join(" ".join(part.split()) for part in parts if part)


class InputError(KnownError):
    """A file or value given by the user cannot be used."""


class NotFound(InputError):
    """``kind`` (one of `_KINDS`) and ``name`` of what is missing; ``there`` are the existing ones.

    A command lists them; the window offers them for choice.
    """

    text = QT_TRANSLATE_NOOP("errors", "There is no {kind} “{name}”.")

    def __init__(self, kind: str, name: object, there: Sequence[str] = ()) -> None:
        super().__init__(kind=Phrase(kind), name=name)
        self._there = there

    @override
    def __str__(self) -> str:
        if not self._there:
            return super().__str__()
        more = ", …" if len(self._there) > _FEW_NAMED else "."
        there = " ".join(", ".join(self._there[:_FEW_NAMED]).split())
        return f"{super().__str__()} There are: {there}{more}"


class Ambiguous(InputError):
    """``name`` matches several things of one ``kind``; ``ids`` lists them."""

    text = QT_TRANSLATE_NOOP("errors", "{count} have the name “{name}”: {ids}.")
    hint = QT_TRANSLATE_NOOP("errors", "Say which one by its id.")

    def __init__(self, name: object, ids: Sequence[str]) -> None:
        super().__init__(name=name, count=len(ids), ids=", ".join(ids))


class FileExists(InputError):
    """``path`` of a file that would be overwritten."""

    text = QT_TRANSLATE_NOOP("errors", "{path} exists already.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Only new files are written, nothing is replaced: choose another name."
    )


class KeptForAnother(FileExists):
    """``path`` of a folder that holds the memories of another chat or branch."""

    text = QT_TRANSLATE_NOOP(
        "errors", "The folder {path} is kept in step with another chat or branch."
    )
    hint = QT_TRANSLATE_NOOP("errors", "Choose another folder, or let that one go first.")


class Unreadable(InputError):
    """``path``, and in ``detail`` the system's message."""

    text = QT_TRANSLATE_NOOP("errors", "{path} cannot be read: {detail}.")


class BadProfile(InputError):
    """A profile that is not YAML, or not a mapping of facts; ``detail`` says where."""

    text = QT_TRANSLATE_NOOP("errors", "The profile cannot be read: {detail}.")

    def __init__(self, detail: Phrase) -> None:
        super().__init__(detail=detail)


class BadSetting(InputError):
    """``key``, ``value`` and why."""

    text = QT_TRANSLATE_NOOP("errors", "The setting {key} cannot be “{value}”: {detail}.")

    def __init__(self, key: str, value: object, detail: str) -> None:
        super().__init__(detail, key=key, value=value)


class ScriptFailed(InputError):
    """``detail`` is JavaScript's message; ``lines`` are the lines of the error, innermost first."""

    text = QT_TRANSLATE_NOOP("errors", "The script cannot be run: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "The text was left as it was.")
    lines: tuple[int, ...] = ()


class ScriptStopped(ScriptFailed):
    """It took more than ``seconds``, or all the memory allowed."""

    text = QT_TRANSLATE_NOOP(
        "errors", "The script was stopped: it took longer than {seconds} s, or too much memory."
    )


class PromptFailed(InputError):
    """A program in a user's template fails, in ``line`` of ``part`` of the ``task``'s template."""

    text = QT_TRANSLATE_NOOP(
        "errors", "The prompt “{task}” cannot be made: {part}, line {line}: {detail}."
    )
    hint = QT_TRANSLATE_NOOP("errors", "Nothing was sent. Mend the prompt, or reset it.")


class PromptStopped(InputError):
    """A program in ``part`` of the template of a ``task`` does not end."""

    text = QT_TRANSLATE_NOOP(
        "errors",
        "The prompt “{task}” cannot be made: the program in its {part} takes too long, or too much"
        " memory.",
    )
    hint = PromptFailed.hint


class StorageError(KnownError):
    """The library on disk."""


class LibraryBusy(StorageError):
    """``holder`` is the process that holds the lock, as far as known.

    ``is_stale``: it has certainly ended, or runs on another computer where that cannot be checked.
    """

    is_stale = False

    text = QT_TRANSLATE_NOOP("errors", "The library {path} is in use by {holder}.")
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Close that window or wait for that command, then try again.",
    )
    command_hint = f"{hint} A command waits for as long as the setting library.wait says."


class ReadOnlyLibrary(StorageError):
    """``path`` cannot be written; reading is possible."""

    text = QT_TRANSLATE_NOOP("errors", "The library {path} can only be read.")
    hint = QT_TRANSLATE_NOOP("errors", "Copy it to a place where it can be written.")


class NewerDatabase(StorageError):
    """``path`` was written in format ``found``; this program knows up to ``known``."""

    text = QT_TRANSLATE_NOOP(
        "errors", "{path} was written by a newer Engram (format {found}, this one knows {known})."
    )
    hint = QT_TRANSLATE_NOOP("errors", "Update Engram. The file was not touched.")


class LibraryGone(StorageError):
    """``path`` of a file that was deleted, moved or replaced while it was open."""

    text = QT_TRANSLATE_NOOP("errors", "{path} was moved, deleted or replaced while it was open.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Nothing more is written. Put it back, then close Engram and open it again."
    )


class DatabaseClosed(LibraryGone):
    """``path`` was closed during a query, since this program deleted or replaced its chat."""


class DamagedDatabase(StorageError):
    """``path`` of a database, and in ``detail`` what is wrong with it."""

    text = QT_TRANSLATE_NOOP("errors", "{path} cannot be read: {detail}.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "It was left as it is. Library health mends what it can, and restores a backup."
    )
    command_hint = "It was left as it is. Restore a backup, or run “engram doctor”."


class PartlyBackedUp(DamagedDatabase):
    """The backup at ``path`` is complete except for the chats in ``names``, which are damaged."""

    text = QT_TRANSLATE_NOOP("errors", "The backup holds everything but {names}: {detail}.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "What is damaged was left as it is. Older backups have it as it was then."
    )
    command_hint = ""


class DiskFull(StorageError):
    """``path`` of the file that could not be written."""

    text = QT_TRANSLATE_NOOP("errors", "There is no space left to write {path}.")
    hint = QT_TRANSLATE_NOOP("errors", "Free some space; nothing that was finished is lost.")


class Conflict(KnownError):
    """What was read has changed meanwhile; ``detail`` says how. Nothing was written."""

    text = QT_TRANSLATE_NOOP("errors", "It was changed meanwhile: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Nothing was overwritten. Try again.")


class NothingToUndo(KnownError):
    text = QT_TRANSLATE_NOOP("errors", "There is nothing to undo or redo here.")


class MemoryOff(KnownError):
    """The memory mode of the chat forbids the operation."""

    text = QT_TRANSLATE_NOOP("errors", "Memory is off for this chat.")
    hint = QT_TRANSLATE_NOOP("errors", "Set its memory mode to vectors or graph to go on.")


class LlmError(KnownError):
    """An error of an endpoint. ``detail`` is in the server's own words."""


class NotConfigured(LlmError):
    """No endpoint is set up for ``task``."""

    text = QT_TRANSLATE_NOOP("errors", "No {task} endpoint is set up.")
    hint = QT_TRANSLATE_NOOP("errors", "Set one up in the settings, or go on without a model.")


class NoReleaseAddress(LlmError):
    """No address for newer versions is known."""

    text = QT_TRANSLATE_NOOP("errors", "This copy knows no address to ask for newer versions.")
    hint = QT_TRANSLATE_NOOP("errors", "Enter one in the settings, under “Newer versions”.")


class BadEndpoint(LlmError):
    """``url`` in a form that may be shown, and in ``detail`` its fault."""

    text = QT_TRANSLATE_NOOP("errors", "The address “{url}” cannot be used: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Enter the base URL, usually ending in /v1.")


class Unreachable(LlmError):
    """``url`` in a form that may be shown, and in ``detail`` what happened."""

    text = QT_TRANSLATE_NOOP("errors", "{url} did not answer: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Check the address, the server and the network.")


class NoConnection(Unreachable):
    """Nothing was reached: a further request would fail too."""


class Refused(LlmError):
    """``url`` answered with ``status`` 401 or 403."""

    text = QT_TRANSLATE_NOOP("errors", "{url} refused the key ({status}): {detail}")
    hint = QT_TRANSLATE_NOOP("errors", "Check the API key and what it may use.")


class RateLimited(LlmError):
    """``url`` answered with ``status``, even after all retries."""

    text = QT_TRANSLATE_NOOP("errors", "{url} asks to wait ({status}): {detail}")
    hint = QT_TRANSLATE_NOOP("errors", "What was finished is kept. Go on later.")


class ServerError(LlmError):
    """``url`` answered with any other error ``status``."""

    text = QT_TRANSLATE_NOOP("errors", "{url} answered with an error ({status}): {detail}")


class NoVersion(ServerError):
    """404 in JSON at a base URL without a version of the interface; ``better`` is one with it."""

    hint = QT_TRANSLATE_NOOP("errors", "If the server itself is right, try the base URL {better}.")


class TooLong(ServerError):
    """A request had more tokens than the model at ``url`` reads; ``detail`` is its message."""

    text = QT_TRANSLATE_NOOP(
        "errors", "The request is longer than the model at {url} reads ({status}): {detail}"
    )
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Load the model with a larger context, or let prompts and summaries take less: floors per"
        " summary, history and budget are in the settings.",
    )


class DailyCapReached(LlmError):
    """``used`` of ``cap`` tokens are spent today; the next request needs about ``wanted``."""

    text = QT_TRANSLATE_NOOP(
        "errors",
        "Today's limit of {cap} tokens would be passed: {used} are spent, the next request needs"
        " about {wanted}.",
    )
    hint = QT_TRANSLATE_NOOP(
        "errors", "What was finished is kept. Go on tomorrow, or raise the limit in the settings."
    )
    command_hint = "What was finished is kept. Go on tomorrow, or raise llm.daily_tokens."


class BadAnswer(LlmError):
    """``raw`` is the model's whole answer, for the user to mend by hand."""

    text = QT_TRANSLATE_NOOP("errors", "The model's answer cannot be used: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "The answer was kept. Try again, or try another model.")

    def __init__(self, detail: str = "", *, raw: str = "", **params: object) -> None:
        super().__init__(detail, **params)
        self.raw = raw


class AnswerTooLong(BadAnswer):
    """The server sent more than ``limit`` (characters, unless given): the rest was not read."""

    text = QT_TRANSLATE_NOOP("errors", "The answer is longer than {limit} and was not read on.")
    hint = QT_TRANSLATE_NOOP("errors", "Try again, or try another model or server.")


class ModelLoops(BadAnswer):
    """``detail`` is the piece that the model repeats endlessly."""

    text = QT_TRANSLATE_NOOP("errors", "The model repeats {detail} without end and was stopped.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Try again, or try another model. A higher temperature may help as well."
    )
