"""Stored worldbooks: import, edit, export, and the ones that are on in a chat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import (
    ADD_ENTRY,
    DELETE_ENTRIES,
    DELETE_ENTRY,
    DELETE_WORLDBOOK,
    EDIT_ENTRIES,
    EDIT_ENTRY,
    HAND_ON_ENTRIES,
    IMPORT_WORLDBOOK,
    JOIN_WORLDBOOK,
    RENAME_WORLDBOOK,
    REPLACE_WORLDBOOK,
    WORLDBOOK_GLOBAL,
    WORLDBOOK_IN_CHAT,
    WORLDBOOK_NOT_GLOBAL,
    WORLDBOOK_NOT_IN_CHAT,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import NotFound, Unreadable
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.reports import Clash, FileWarning, ImportPreview, ImportReport
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import (
    Entry,
    Worldbook,
    WorldbookFault,
    WorldbookRow,
    with_fields,
)
from engram_desktop.formats import world_info
from engram_desktop.formats.json_values import parse_text, table_of, text_of
from engram_desktop.formats.plain_file import open_plain
from engram_desktop.formats.png_chunks import is_worldbook_in
from engram_desktop.formats.world_info import WorldbookFile
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.characters import user_of
from engram_desktop.services.library.whole_file import write_new
from engram_desktop.services.worldbooks.memory_worldbook import MARK
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import NewWorldbook, WorldbookStore

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore


_T = QT_TRANSLATE_NOOP
MAX_WARNINGS = 20  # warnings shown of one file; the others are counted
_NO_ENTRY = _T("reports", "Entry {uid} is no entry; it is kept in the file and not used.")
_BAD_FIELD = _T("reports", "Entry {uid}: “{field}” holds nothing usable; its default is used.")
_MORE = _T("reports", "{count} more warnings like these")
_RENAMED = _T("reports", "There is another book of this name: it was stored as “{name}”.")
_SAMPLE = 3  # entries shown before an import
_TYPED = frozenset({"comment", "content", "keys", "secondary_keys"})  # saved while they are typed


def read_file(path: Path) -> WorldbookFile:
    """Parse a worldbook. Raises InputError."""
    try:
        return world_info.read_worldbook(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def is_worldbook_picture(path: Path) -> bool:
    """Return whether a PNG holds a NovelAI worldbook and no card. Raises InputError."""
    try:
        with open_plain(path) as file:
            return is_worldbook_in(file)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def preview(store: WorldbookStore, path: Path) -> ImportPreview:
    """Return what importing a worldbook would do."""
    file = read_file(path)
    entries = file.parsed.worldbook.entries
    same = store.same_file(file.original, path.name)
    return ImportPreview(
        file=str(path),
        kind="worldbook",
        name=path.stem,
        characters=(),
        messages=0,
        hidden=0,
        swipes=0,
        first_at=None,
        last_at=None,
        sample=tuple((entry.title, entry.content[:200]) for entry in entries[:_SAMPLE]),
        chat_id=None,
        chat_name=same.name if same else None,
        new_messages=0,
        warnings=_warnings(file.parsed.faults),
        entries=len(entries),
        clash="" if same or store.named(path.stem) is None else path.stem,
    )


def import_worldbook(
    library: Library, ctx: JobContext, path: Path, name: str | None, on_clash: Clash = "both"
) -> ImportReport:
    """Import a worldbook, unless this very file is stored already.

    ``on_clash`` says what happens if the name is taken.
    """
    file = read_file(path)
    there = library.worldbooks.named(path.stem) if on_clash != "both" else None
    if there is None:
        return ctx.write(lambda: store_worldbook(library, file, name or path.stem, path))
    write = _replace if on_clash == "replace" else _join
    return ctx.write(lambda: write(library, there, file, path))


def _replace(library: Library, row: WorldbookRow, file: WorldbookFile, path: Path) -> ImportReport:
    """Replace a worldbook by a file; its bindings stay."""
    count = len(file.parsed.worldbook.entries)
    label = StepLabel(REPLACE_WORLDBOOK, {"name": row.name})
    new = NewWorldbook(
        row.name, file.title, file.kind, path.name, file.original, file.content, count
    )
    with library.step(label):
        library.worldbooks.renew(row.id, new)
    return _joined_report(row, path, label, added=count, skipped=0)


def _join(library: Library, row: WorldbookRow, file: WorldbookFile, path: Path) -> ImportReport:
    """Add the entries of a file that a worldbook does not have."""
    store = library.worldbooks
    content, added = world_info.joined(store.content(row.id), file.content)
    label = StepLabel(JOIN_WORLDBOOK, {"name": row.name, "count": added})
    if added:
        with library.step(label):
            store.replace(row.id, content, row.entries + added)
    skipped = len(file.parsed.worldbook.entries) - added
    return _joined_report(row, path, label, added=added, skipped=skipped)


def _joined_report(
    row: WorldbookRow, path: Path, label: StepLabel, *, added: int, skipped: int
) -> ImportReport:
    return ImportReport(
        file=str(path),
        kind="worldbook",
        chat_id=None,
        messages=0,
        added=added,
        skipped=skipped,
        changes=Changes(worldbooks=added > 0, undo_label=label if added else None),
        name=row.name,
    )


def store_worldbook(
    library: Library, file: WorldbookFile, name: str, path: Path, character_id: str | None = None
) -> ImportReport:
    """Store what was parsed from ``path`` as ``name``; a file is stored only once.

    Runs inside the caller's transaction.
    """
    store = library.worldbooks
    count = len(file.parsed.worldbook.entries)
    warnings = _warnings(file.parsed.faults)
    new = NewWorldbook(
        name, file.title, file.kind, path.name, file.original, file.content, count, character_id
    )
    with library.step(StepLabel(IMPORT_WORLDBOOK, {"name": name})):
        same = (
            store.same_file(file.original, path.name)
            if character_id is None
            else store.same_as(file.original, character_id)
        )
        row = same or store.add(new)
    if same is None and row.name != name:
        warnings = (FileWarning(0, Phrase(_RENAMED, name=row.name)), *warnings)
    return ImportReport(
        file=str(path),
        kind="worldbook",
        chat_id=None,
        messages=0,
        added=0 if same else count,
        skipped=count if same else 0,
        warnings=warnings,
        changes=Changes(worldbooks=same is None),
        name=row.name,
    )


def _warnings(faults: Collection[WorldbookFault]) -> tuple[FileWarning, ...]:
    phrases = [
        Phrase(_BAD_FIELD, uid=fault.uid, field=fault.field)
        if fault.field
        else Phrase(_NO_ENTRY, uid=fault.uid)
        for fault in list(faults)[:MAX_WARNINGS]
    ]
    if len(faults) > MAX_WARNINGS:
        phrases.append(Phrase(_MORE, count=len(faults) - MAX_WARNINGS))
    return tuple(FileWarning(0, text) for text in phrases)


def read(store: WorldbookStore, row: WorldbookRow) -> Worldbook:
    """Parse the entries of a stored worldbook."""
    return world_info.parse_worldbook(store.content(row.id), row.name).worldbook


def write_file(store: WorldbookStore, row: WorldbookRow, target: Path, *, original: bool) -> int:
    """Write a worldbook, or the file it came from, to a new file; returns its entry count."""
    write_new(target, store.original(row.id) if original else store.content(row.id))
    return row.entries


def change_entries(
    library: Library, row: WorldbookRow, uids: Collection[int | str], fields: Mapping[str, Any]
) -> Changes:
    """Set these fields of every entry in ``uids``. Raises NotFound for a missing entry."""
    entries = _entries_of(read(library.worldbooks, row), uids)
    pairs = [(entry, with_fields(entry, fields)) for entry in entries]
    is_typing = len(entries) == 1 and fields.keys() <= _TYPED
    typed = f"{row.id} {entries[0].uid} {sorted(fields)}" if is_typing else ""
    label = _about(EDIT_ENTRY, EDIT_ENTRIES, row, entries)
    with library.step(label, typed=typed):
        _save(library.worldbooks, row, lambda content: world_info.edited(content, pairs))
    return Changes(worldbooks=True, undo_label=label)


def change_each(
    library: Library,
    row: WorldbookRow,
    fields_by_uid: Mapping[int | str, Mapping[str, Any]],
    label: StepLabel,
) -> Changes:
    """Set fields of each entry, as one step. Raises NotFound."""
    entries = _entries_of(read(library.worldbooks, row), fields_by_uid)
    pairs = [(entry, with_fields(entry, fields_by_uid[entry.uid])) for entry in entries]
    label = StepLabel(label.text, {"count": len(entries), "name": row.name} | label.params)
    with library.step(label):
        _save(library.worldbooks, row, lambda content: world_info.edited(content, pairs))
    return Changes(worldbooks=True, undo_label=label)


def add_entry(library: Library, row: WorldbookRow, entry: Entry) -> tuple[Entry, Changes]:
    """Add an entry; returns it with its number."""
    store = library.worldbooks
    label = StepLabel(ADD_ENTRY, {"name": row.name})
    with library.step(label):
        content, added = world_info.added(store.content(row.id), entry)
        store.replace(row.id, content, row.entries + 1)
    return added, Changes(worldbooks=True, undo_label=label)


def delete_entries(library: Library, row: WorldbookRow, uids: Collection[int | str]) -> Changes:
    """Delete entries of a worldbook. Raises NotFound for a missing entry."""
    entries = _entries_of(read(library.worldbooks, row), uids)
    label = _about(DELETE_ENTRY, DELETE_ENTRIES, row, entries)
    with library.step(label):
        _save(library.worldbooks, row, lambda content: world_info.without(content, entries))
    return Changes(worldbooks=True, undo_label=label)


def hand_on_entries(
    library: Library, row: WorldbookRow, uids: Collection[int | str], target: WorldbookRow
) -> Changes:
    """Move entries, with all their fields, to another worldbook. Raises NotFound.

    An entry that the target holds already is not added again.
    """
    store = library.worldbooks
    worldbook = read(store, row)
    moved = _entries_of(worldbook, uids)
    others = [entry for entry in worldbook.entries if entry not in moved]
    only_moved = world_info.without(store.content(row.id), others)
    label = StepLabel(HAND_ON_ENTRIES, {"count": len(moved), "name": row.name, "new": target.name})
    with library.step(label):
        content, added = world_info.joined(store.content(target.id), only_moved)
        store.replace(target.id, content, target.entries + added)
        _save(store, row, lambda content: world_info.without(content, moved))
    return Changes(worldbooks=True, undo_label=label)


def rename(library: Library, row: WorldbookRow, name: str) -> Changes:
    """Rename a worldbook; the same name is no change."""
    new_name = name.strip() or row.name
    label = StepLabel(RENAME_WORLDBOOK, {"name": row.name, "new": new_name})
    if new_name != row.name:
        with library.step(label):
            library.worldbooks.rename(row.id, new_name)
    return Changes(worldbooks=True, undo_label=label)


def delete(library: Library, row: WorldbookRow) -> Changes:
    """Delete a worldbook and its bindings."""
    label = StepLabel(DELETE_WORLDBOOK, {"name": row.name})
    with library.step(label):
        library.worldbooks.delete(row.id)
    return Changes(worldbooks=True, undo_label=label)


def set_global(library: Library, row: WorldbookRow, *, is_global: bool) -> Changes:
    """Set whether a worldbook is on in every chat."""
    label = StepLabel(WORLDBOOK_GLOBAL if is_global else WORLDBOOK_NOT_GLOBAL, {"name": row.name})
    with library.step(label):
        library.worldbooks.set_global(row.id, is_global=is_global)
    return Changes(worldbooks=True, undo_label=label)


def set_in_chat(library: Library, row: WorldbookRow, chat_id: str, *, is_on: bool) -> Changes:
    """Switch a worldbook on or off in a chat. Raises NotFound."""
    params = {"name": row.name, "chat": library.chat_name(chat_id)}
    label = StepLabel(WORLDBOOK_IN_CHAT if is_on else WORLDBOOK_NOT_IN_CHAT, params)
    with library.step(label):
        library.bindings.set_in_chat(row.id, chat_id, is_on=is_on)
    return Changes(worldbooks=True, undo_label=label)


def _about(one: str, many: str, row: WorldbookRow, entries: Sequence[Entry]) -> StepLabel:
    if len(entries) == 1:
        return StepLabel(one, {"entry": entries[0].title, "name": row.name})
    return StepLabel(many, {"count": len(entries), "name": row.name})


def _entries_of(worldbook: Worldbook, uids: Collection[int | str]) -> list[Entry]:
    by_uid = {entry.uid: entry for entry in worldbook.entries}
    for uid in uids:
        if uid not in by_uid:
            raise NotFound("entry", uid)
    return [by_uid[uid] for uid in dict.fromkeys(uids)]


def _save(store: WorldbookStore, row: WorldbookRow, change: Callable[[bytes], bytes]) -> None:
    before = store.content(row.id)
    content = change(before)
    if content == before:
        return
    entries = world_info.parse_worldbook(
        content, row.name
    ).worldbook.entries  # a missing or broken book has no entries
    store.replace(row.id, content, len(entries))


# SillyTavern's three strategies: the lowest rank goes first.
_RANKS: dict[str, dict[str, int]] = {
    "evenly": {"character": 2, "global": 2},
    "character": {"character": 2, "global": 3},
    "global": {"character": 3, "global": 2},
}


@dataclass(frozen=True, slots=True)
class Sources:
    """The worldbooks that are on, their ranks and places, and names missing in the library."""

    rows: tuple[WorldbookRow, ...]
    ranks: dict[str, int]
    places: dict[str, int]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bindings:
    """Ids of worldbooks by the reason they are on, each list in its order; "" is ignored."""

    everywhere: tuple[str, ...] = ()
    chat: tuple[str, ...] = ()
    persona: tuple[str, ...] = ()
    character: tuple[str, ...] = ()


def ranked(bound: Bindings, strategy: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return the rank of each worldbook, and its place among entries of equal order.

    As in SillyTavern: the chat's own worldbook first, then the player's; those of the character and
    of every chat by ``strategy``. A worldbook that is on for several reasons counts for the first
    of: every chat, this chat, the player, the character.
    """
    ranks = _RANKS[strategy]
    tiers = (
        (ranks["global"], bound.everywhere),
        (0, bound.chat),
        (1, bound.persona),
        (ranks["character"], bound.character),
    )
    rank_of: dict[str, int] = {}
    for rank, names in tiers:
        for name in filter(None, names):
            rank_of.setdefault(name, rank)
    return rank_of, {name: place for place, name in enumerate(rank_of)}


def character_rank(settings: Settings) -> int:
    """Return the rank of a character's worldbooks."""
    return _RANKS[settings.lore_strategy]["character"]


def worldbook_of_chat(store: ChatStore, branch_id: str) -> str:
    """Return the name of the worldbook that SillyTavern has bound to a chat; "" if none."""
    for branch, _highest in store.branches.path(branch_id):
        raw = store.branches.header(branch)
        if raw:
            metadata = table_of(table_of(parse_text(raw)).get("chat_metadata"))
            return text_of(metadata.get("world_info"))
    return ""


def sources(
    library: Library,
    owners: list[str],
    store: ChatStore,
    own_names: Collection[str],
    branch_id: str,
) -> Sources:
    """Return the worldbooks that are on in a chat.

    ``own_names`` are names a front end may use for the worldbook of the chat's own memory: it is
    not reported as missing, and an imported copy of it is off in this chat.
    """
    chat_id, bindings = store.chat_id, library.bindings
    look = _Look(library, chat_id, own_names)
    settings = library.settings(chat_id)
    chat = [
        *look.named(worldbook_of_chat(store, branch_id)),
        *look.bound(bindings.in_chat(chat_id)),
    ]
    character = [
        *look.bound(bindings.of_characters(owners)),
        *library.worldbooks.of_characters(owners),
    ]
    everywhere = [row for row in look.rows.values() if row.is_global]
    order = {name: place for place, name in enumerate(user_of(library, chat_id).lore.books)}
    bound = Bindings(
        look.ids(sorted(everywhere, key=lambda row: order.get(row.name, len(order)))),
        look.ids(chat),
        look.ids(look.named(settings.persona_book.strip())),
        look.ids(character),
    )
    ranks, places = ranked(bound, settings.lore_strategy)
    rows = sorted((look.rows[worldbook_id] for worldbook_id in ranks), key=lambda row: row.name)
    return Sources(
        tuple(rows),
        {row.name: ranks[row.id] for row in rows},
        {row.name: places[row.id] for row in rows},
        tuple(look.missing),
    )


class _Look:
    """Finds worldbooks by name and by binding, and collects names that are missing."""

    def __init__(self, library: Library, chat_id: str, own_names: Collection[str]) -> None:
        self._worldbooks = library.worldbooks
        self._chat_id = chat_id
        self._own_names = own_names
        self.rows = {row.id: row for row in library.worldbooks.rows()}
        self.missing: list[str] = []

    def named(self, name: str) -> list[WorldbookRow]:
        if not name:
            return []
        try:
            return [self._worldbooks.find(name)]
        except NotFound:
            if name not in self._own_names:
                self.missing.append(name)
            return []

    def ids(self, rows: Collection[WorldbookRow]) -> tuple[str, ...]:
        return tuple(row.id for row in rows if not self.is_own(row))

    def is_own(self, row: WorldbookRow) -> bool:
        """Return whether a worldbook was made from this chat's memory: it holds the chat's id."""
        is_ours = row.title.startswith(MARK) or row.name in self._own_names
        return is_ours and self._chat_id.encode() in self._worldbooks.content(row.id)

    def bound(self, ids: Collection[str]) -> list[WorldbookRow]:
        return [row for worldbook_id, row in self.rows.items() if worldbook_id in ids]
