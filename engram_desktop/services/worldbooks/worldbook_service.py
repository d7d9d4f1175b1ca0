"""Worldbooks: kept in the library, bound to chats, and scanned to see what fires."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import FileExists, InputError, NotFound, StorageError, Unreadable
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.text.regex_script import WORLD_INFO
from engram_desktop.domain.worldbooks.merging import KeptFault, KeptReport, KeptWorldbook
from engram_desktop.domain.worldbooks.scan import Speaker
from engram_desktop.domain.worldbooks.worldbook import Entry, Trigger, Worldbook, WorldbookRow
from engram_desktop.formats.plain_file import BAD_NAME, is_utf8
from engram_desktop.formats.tavern import folder as tavern_folder
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.local_embedder import Vectors
from engram_desktop.moving import file_name
from engram_desktop.services import characters
from engram_desktop.services.library.whole_file import EMPTY, hash_of, replace_file, write_new
from engram_desktop.services.prompts import macro_scope
from engram_desktop.services.prompts import native as natives
from engram_desktop.services.worldbooks import memory_worldbook, scan, stored
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.followed import plain_path
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import digest

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes, StepLabel
    from engram_desktop.domain.graph.entity import EntityType
    from engram_desktop.domain.reports import Clash, ImportPreview, ImportReport
    from engram_desktop.domain.worldbooks.activation import Activation
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session


class WorldbookService:
    """Worldbooks. They belong to the library, not to a chat."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._vectors: dict[tuple[str, str], Vectors] = {}  # vectors of entries' contents, by model

    def preview_file(self, path: Path) -> ImportPreview:
        """Return what importing a worldbook would do. Raises InputError."""
        return stored.preview(self._session.library.worldbooks, path)

    def import_file(
        self, ctx: JobContext, path: Path, name: str | None = None, on_clash: Clash = "both"
    ) -> ImportReport:
        """Import a worldbook; the same file twice changes nothing."""
        return stored.import_worldbook(self._session.library, ctx, path, name, on_clash)

    def export(
        self, ctx: JobContext, name_or_id: str, target: Path, *, original: bool = False
    ) -> int:
        """Write a worldbook to a new file, as SillyTavern reads it; returns its entry count.

        What is unchanged stays so to the byte. ``original`` writes the file as it was imported, in
        the format of its own program.
        """
        ctx.check()
        row = self.find(name_or_id)
        return stored.write_file(self._session.library.worldbooks, row, target, original=original)

    def all(self) -> list[WorldbookRow]:
        """Return every worldbook, by name."""
        return self._session.library.worldbooks.rows()

    def find(self, name_or_id: str) -> WorldbookRow:
        """Return the worldbook with this id, name or title. Raises NotFound."""
        return self._session.library.worldbooks.find(name_or_id)

    def read(self, worldbook_id: str) -> Worldbook:
        """Return the parsed entries of a worldbook. Raises NotFound."""
        return self._read(worldbook_id)

    def content(self, worldbook_id: str) -> bytes:
        """Return the content of a worldbook's file."""
        return self._session.library.worldbooks.content(self.find(worldbook_id).id)

    def of_chat(self, line: Line) -> list[WorldbookRow]:
        """Return the worldbooks on in a chat: its own, the player's, its characters', global ones.

        Its own is the one that SillyTavern has bound to it, if the library has that.
        """
        return list(self._sources(line).rows)

    def missing(self, line: Line) -> list[str]:
        """Return the names of worldbooks that should be on in a chat but are not in the library."""
        return list(self._sources(line).missing)

    def bound_to(self, chat_id: str) -> set[str]:
        """Return the ids of the worldbooks that the user bound to this chat."""
        return self._session.library.bindings.in_chat(chat_id)

    def activate(
        self,
        ctx: JobContext,
        line: Line,
        chosen_worldbooks: Sequence[str | Worldbook] | None = None,
        *,
        at: int | None = None,
        seed: int = 0,
        trigger: Trigger = "normal",
    ) -> Activation:
        """Return which entries would fire for the reply after floor ``at``, and why or why not.

        ``chosen_worldbooks`` are names, or worldbooks that are not stored, such as that of a
        memory; None: those that are on in the chat. Embeds entries if they may fire by meaning.
        Raises NotFound.
        """
        rows = self._spoken_for(line, at) if chosen_worldbooks is None else chosen_worldbooks
        worldbooks = [self._read(one) for one in rows]
        settings, meaning = self._session.settings(line.chat_id), None
        if settings.lore_meaning:
            embedder, most = self._session.clients.embedder(), settings.lore_meaning_entries
            meaning = scan.meaning_of(ctx, embedder, self._vectors, most)
        place = replace(self._place(ctx, line, at), trigger=trigger)
        return self._activation(ctx, place, worldbooks, seed, meaning)

    def _said(
        self, ctx: JobContext, line: Line, floor: int, pending: str = "", *, with_own: bool = True
    ) -> Activation:
        """Return which entries fire for the reply after ``floor`` to ``pending``.

        ``with_own`` False leaves out worldbooks made from memories, since the asker gets those
        memories as it may know them. Embeds nothing, so that it can run beside requests.
        """
        place = replace(self._place(ctx, line, floor), pending=pending)
        rows = self._spoken_for(line, floor)
        mark = memory_worldbook.MARK.strip()
        worldbooks = [self._read(r) for r in rows if with_own or not r.name.startswith(mark)]
        return self._activation(ctx, place, worldbooks, 0)

    def context(self, ctx: JobContext, line: Line, floor: int, pending: str = "") -> str:
        """Return the worldbooks' text for the reply after ``floor`` to ``pending``."""
        activation = self._said(ctx, line, floor, pending, with_own=False)
        return memory_worldbook.context(activation, self._as_told(ctx, line))

    def outlets(self, ctx: JobContext, line: Line, floor: int) -> Mapping[str, str]:
        """Return the texts of entries for outlets, by outlet name."""
        activation = self._said(ctx, line, floor)
        return memory_worldbook.outlets(activation, self._as_told(ctx, line))

    def known_names(self, line: Line) -> Mapping[str, EntityType]:
        """Return the names in cards, worldbooks and the graph of a chat, with their types."""
        store = self._session.chat(line.chat_id)
        worldbooks = map(self._read, self.of_chat(line))
        rows = characters.characters_of_chat(self._session.library, store)
        cards = [name for row in rows for name in (row.name, row.nickname)]
        return scan.known_names(store, line.branch_id, cards, worldbooks)

    def change_entries(
        self, worldbook_id: str, uids: Collection[int | str], fields: Mapping[str, Any]
    ) -> Changes:
        """Change fields of entries, named as in `Entry`. Raises NotFound."""
        return stored.change_entries(self._session.library, self.find(worldbook_id), uids, fields)

    def change_each(
        self,
        worldbook_id: str,
        fields_by_uid: Mapping[int | str, Mapping[str, Any]],
        label: StepLabel,
    ) -> Changes:
        """Set fields of each entry, as one step called ``label``. Raises NotFound."""
        return stored.change_each(
            self._session.library, self.find(worldbook_id), fields_by_uid, label
        )

    def budget(self) -> int:
        """Return the token budget of all entries, in a chat without settings of its own."""
        return scan.options_of(self._session.settings()).budget

    def add_entry(self, worldbook_id: str, entry: Entry) -> tuple[Entry, Changes]:
        """Add an entry with the smallest free number."""
        return stored.add_entry(self._session.library, self.find(worldbook_id), entry)

    def delete_entries(self, worldbook_id: str, uids: Collection[int | str]) -> Changes:
        return stored.delete_entries(self._session.library, self.find(worldbook_id), uids)

    def hand_on_entries(
        self, worldbook_id: str, uids: Collection[int | str], target_id: str
    ) -> Changes:
        """Move entries to another worldbook, as one step. Raises NotFound."""
        row, target = self.find(worldbook_id), self.find(target_id)
        return stored.hand_on_entries(self._session.library, row, uids, target)

    def set_global(self, worldbook_id: str, *, is_global: bool) -> Changes:
        """Switch a worldbook on for every chat, or only for those of its character."""
        return stored.set_global(
            self._session.library, self.find(worldbook_id), is_global=is_global
        )

    def set_in_chat(self, worldbook_id: str, chat_id: str, *, is_on: bool) -> Changes:
        """Bind a worldbook to one chat, or remove that binding. Raises NotFound."""
        return stored.set_in_chat(
            self._session.library, self.find(worldbook_id), chat_id, is_on=is_on
        )

    def rename(self, worldbook_id: str, name: str) -> Changes:
        """Rename a worldbook; if the name is taken, to the first free name that begins like it."""
        return stored.rename(self._session.library, self.find(worldbook_id), name)

    def delete(self, worldbook_id: str) -> Changes:
        """Delete a worldbook. The file it came from is not touched."""
        return stored.delete(self._session.library, self.find(worldbook_id))

    def _read(self, one: str | Worldbook | WorldbookRow) -> Worldbook:
        if isinstance(one, Worldbook):
            return one
        row = self.find(one) if isinstance(one, str) else one
        return stored.read(self._session.library.worldbooks, row)

    def _spoken_for(self, line: Line, at: int | None) -> Sequence[WorldbookRow]:
        """Return the worldbooks that are on for the next speaker after floor ``at``."""
        library, store = self._session.library, self._session.chat(line.chat_id)
        row = characters.who_speaks(library, store, line.branch_id, at)
        return self._sources(line, [row.id] if row else []).rows

    def _sources(self, line: Line, owners: list[str] | None = None) -> stored.Sources:
        """Return the worldbooks on for these ``owners`` (character ids); None: all of the chat."""
        library, store = self._session.library, self._session.chat(line.chat_id)
        if owners is None:
            owners = sorted({row.id for row in characters.characters_of_chat(library, store)})
        own_names = {Path(row.path).stem for row in library.kept.rows(line.chat_id)}
        own_names.add(memory_worldbook.worldbook_title(store, library.chat_name(line.chat_id)))
        return stored.sources(library, owners, store, own_names, line.branch_id)

    def _place(self, ctx: JobContext, line: Line, at: int | None) -> scan.ScanPlace:
        session = self._session
        settings, store, library = (
            session.settings(line.chat_id),
            session.chat(line.chat_id),
            session.library,
        )
        row = characters.who_speaks(library, store, line.branch_id, at)
        card = characters.character_of(library, row) if row else None
        user = characters.user_of(library, line.chat_id)
        speaker = Speaker(tag_names=characters.tag_names(library, line.chat_id))
        if row and card:
            file, tags = PurePath(row.avatar).stem, user.tagged.get(row.avatar)
            speaker = replace(speaker, file=file, tags=tags, card_tags=card.tags)
        native = self._native(ctx, line).for_prompts(with_programs=False)
        return scan.ScanPlace(
            store,
            settings,
            macro_scope.ChatSays(library, store, settings, line.branch_id).filled,
            line.branch_id,
            at,
            card,
            speaker,
            user.lore,
            native if native.scripts else None,
        )

    def _activation(
        self,
        ctx: JobContext,
        place: scan.ScanPlace,
        worldbooks: Sequence[Worldbook],
        seed: int,
        meaning: scan.Meaning | None = None,
    ) -> Activation:
        settings = place.settings
        bound = self._sources(Line(place.store.chat_id, place.branch_id))
        # A worldbook that is off is bound like one of a character.
        rank = stored.character_rank(settings)
        ranks = {worldbook.name: bound.ranks.get(worldbook.name, rank) for worldbook in worldbooks}
        options = scan.options_of(settings, ranks, bound.places)
        stage = scan.Stage(place, scan.pattern_test(self._session.javascript), meaning)
        return scan.simulate(ctx, stage, worldbooks, options, seed)

    def _native(self, ctx: JobContext, line: Line) -> natives.Native:
        session = self._session
        store, settings = session.chat(line.chat_id), session.settings(line.chat_id)
        return natives.native_of(
            session.library, ctx, store, settings, line.branch_id, session.javascript
        )

    def _as_told(self, ctx: JobContext, line: Line) -> memory_worldbook.AsTold:
        """Return a function that runs programs and regex scripts on entries, like SillyTavern."""
        for_prompts = self._native(ctx, line).for_prompts(with_programs=True)
        return lambda content, depth: for_prompts.text(content, WORLD_INFO, depth)


# The `[Engram]` worldbook of a chat's memory: shown, and kept in step with files. A file is
# written only while its SHA-256 is that of the last writing, so that nobody's edits are lost. The
# hash of the next content is stored before the writing, so that after a kill in between the file
# is recognised as ours.


def keep(
    library: Library, ctx: JobContext, chat_id: str, branch_id: str, target: Path
) -> KeptReport:
    """Write the worldbook of a chat's memory to a new file, and keep it in step from now on.

    Raises FileExists, NotFound if its folder does not exist, StorageError.
    """
    path = plain_path(target)
    with file_errors(path):  # the name may be too long
        if path.exists():
            raise FileExists(path=path)
    if not path.parent.is_dir():
        raise NotFound("folder", path.parent)
    if not is_utf8(path):
        raise Unreadable(Phrase(BAD_NAME), path=path)
    row = KeptWorldbook(str(path), chat_id, branch_id)
    try:
        with file_errors(path):
            return _bring(library, ctx, row, is_asked=True)
    except StorageError:
        ctx.write(lambda: library.kept.remove(row.path))
        raise


def sync(library: Library, ctx: JobContext, row: KeptWorldbook, *, is_asked: bool) -> KeptReport:
    """Write a kept file from the memory, or return why it is left as it is.

    A missing file is written again only if ``is_asked``. Raises Cancelled.
    """
    try:
        with file_errors(Path(row.path)):
            return _bring(library, ctx, row, is_asked=is_asked)
    except NotFound:
        return _left(library, ctx, row, "lost")
    except (StorageError, InputError):
        return _left(library, ctx, row, "unwritable")


def _bring(library: Library, ctx: JobContext, row: KeptWorldbook, *, is_asked: bool) -> KeptReport:
    name = library.chat_name(row.chat_id)
    worldbook = memory_worldbook.memory_worldbook(
        ctx, library.chat(row.chat_id), name, row.branch_id
    )
    content = worldbook.kept_content(ctx)
    ctx.check()
    path, new_hash = Path(row.path), digest(content)
    file_hash = hash_of(path)
    fault = _fault(row, file_hash, new_hash, is_asked=is_asked)
    if fault:
        return _left(library, ctx, row, fault)
    if file_hash != new_hash:
        intent = replace(row, hash=file_hash or "", next_hash=new_hash)
        ctx.write(lambda: library.kept.put(intent))
        if file_hash is None:
            write_new(path, b"")  # claim the name: two programs cannot both make it
        replace_file(path, content)
    is_old = file_hash == new_hash and row.written_at
    written_at = row.written_at if is_old else library.clock()
    new_row = KeptWorldbook(
        row.path, row.chat_id, row.branch_id, new_hash, "", len(worldbook.rows), written_at
    )
    if new_row != row:
        ctx.write(lambda: library.kept.put(new_row))
    return KeptReport(new_row, is_written=file_hash != new_hash, is_news=bool(row.fault))


def _fault(
    row: KeptWorldbook, file_hash: str | None, new_hash: str, *, is_asked: bool
) -> KeptFault:
    """Return "changed" if a file is not what was written last, "missing" if it is gone, else "".

    With ``is_asked`` a missing file is no fault.
    """
    if file_hash is None:
        return "" if is_asked else "missing"
    ours = {row.hash, row.next_hash, new_hash}
    if not row.hash:
        ours.add(EMPTY)  # claimed by us, and killed before it was written
    return "" if file_hash in ours else "changed"


def _left(library: Library, ctx: JobContext, row: KeptWorldbook, fault: KeptFault) -> KeptReport:
    new_row = replace(row, fault=fault)
    if new_row != row:
        ctx.write(lambda: library.kept.put(new_row))
    return KeptReport(new_row, is_news=new_row != row)


class KeptWorldbookService:
    """Worldbooks of memories. The memory is the truth, the file a copy."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def title(self, chat_id: str) -> str:
        """Return the title of the worldbook of a chat's memory."""
        return memory_worldbook.worldbook_title(
            self._session.chat(chat_id), self._session.library.chat_name(chat_id)
        )

    def memory_worldbook(self, ctx: JobContext, line: Line) -> memory_worldbook.MemoryWorldbook:
        """Return the worldbook of a branch's present memory. Writes nothing."""
        name = self._session.library.chat_name(line.chat_id)
        return memory_worldbook.memory_worldbook(
            ctx, self._session.chat(line.chat_id), name, line.branch_id
        )

    def suggested_file(self, chat_id: str) -> Path:
        """Return a file name for a kept worldbook, in SillyTavern's `worlds` if that is known."""
        name = Path(file_name(self.title(chat_id), ".json"))
        folder = self._session.library.settings().tavern_folder
        if not folder:
            return name
        try:
            handles = tavern_folder.find_handles(Path(folder))
        except tavern_folder.NoTavern:
            return name
        files = [Path(row.path) for row in self._session.library.followed.of_chat(chat_id)]
        handles_followed = [h for h in handles if any(file.is_relative_to(h) for file in files)]
        worlds = [h / "worlds" for h in (*handles_followed, *handles) if (h / "worlds").is_dir()]
        return worlds[0] / name if worlds else name

    def keep(self, ctx: JobContext, line: Line, target: Path) -> KeptReport:
        """Write a chat's memory to a new worldbook, and keep it in step.

        Raises InputError if the file exists.
        """
        return keep(self._session.library, ctx, line.chat_id, line.branch_id, target)

    def all(self, chat_id: str | None = None) -> list[KeptWorldbook]:
        """Return every file that is kept in step, or those of one chat."""
        return self._session.library.kept.rows(chat_id)

    def find(self, file: Path) -> KeptWorldbook:
        """Return the row of one kept file. Raises NotFound."""
        return self._session.library.kept.find(file)

    def sync(
        self,
        ctx: JobContext,
        chat_id: str | None = None,
        file: Path | None = None,
        *,
        is_asked: bool = False,
    ) -> list[KeptReport]:
        """Write kept files from the present memory. Raises NotFound for a file that is not kept."""
        store = self._session.library.kept
        rows = [store.find(file)] if file else store.rows(chat_id)
        reports = []
        for row in rows:
            ctx.check()
            reports.append(sync(self._session.library, ctx, row, is_asked=is_asked))
        return reports

    def keep_elsewhere(self, ctx: JobContext, file: Path, target: Path) -> KeptReport:
        """Keep a new file instead of a kept one; the old file stays as it is.

        Raises NotFound, InputError if the new one exists.
        """
        row = self._session.library.kept.find(file)
        report = keep(self._session.library, ctx, row.chat_id, row.branch_id, target)
        if report.worldbook.path != row.path:  # equal if the old file was moved away
            ctx.write(lambda: self._session.library.kept.remove(row.path))
        return report

    def take(self, ctx: JobContext, file: Path) -> ImportReport:
        """Import a kept file as a worldbook of its own, and stop keeping it in step.

        Raises NotFound, InputError.
        """
        row = self._session.library.kept.find(file)
        report = stored.import_worldbook(self._session.library, ctx, Path(row.path), None)
        ctx.write(lambda: self._session.library.kept.remove(row.path))
        return report

    def stop(self, file: Path) -> KeptWorldbook:
        """Stop keeping a file in step; the file stays. Raises NotFound."""
        row = self._session.library.kept.find(file)
        self._session.library.kept.remove(row.path)
        return row
