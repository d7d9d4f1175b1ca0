"""Knowledge of characters, claims and findings, the inbox, and private notes."""

from __future__ import annotations

import argparse
from typing import Any

from engram_desktop.cli.verb import Call, Verb, chat_and_branch, floor_range
from engram_desktop.domain.claims.claim import (
    FACT_ANSWERS,
    FINDING_KINDS,
    PROMISE_ANSWERS,
    Claim,
    Finding,
    FindingKind,
)
from engram_desktop.domain.claims.marks import Tongue, listed, nothing
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.inbox import INBOX_KINDS, PUT_OFF_HOURS, InboxAction, InboxItem
from engram_desktop.domain.knowledge.knowing import Knower, Membership, Secret
from engram_desktop.domain.memory.private_note import NoteKind, PrivateNote

# `who`, `present`, `secrets`: who knows what, who was there, and what only some know.


Ref = tuple[str, str]


def _who_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "memory",
        metavar="MEMORY",
        help="id or key of an event, id of a log, id or name of an entity, or a floor such as #12",
    )
    say = parser.add_mutually_exclusive_group()
    say.add_argument("--knows", metavar="NAME", help="say that they know it")
    say.add_argument("--knows-not", metavar="NAME", help="say that they do not")
    say.add_argument("--unsay", metavar="NAME", help="take back what was said of them")
    say.add_argument("--keep-from", metavar="NAME,NAME", help="who must not learn it")
    parser.add_argument(
        "--from",
        dest="floor",
        type=int,
        default=0,
        metavar="FLOOR",
        help="with --knows: since when",
    )


def _is_saying(args: argparse.Namespace) -> bool:
    said = (args.knows, args.knows_not, args.unsay, args.keep_from)
    return any(value is not None for value in said)


def _who(call: Call) -> None:
    args, knowledge = call.args, call.memory.knowledge
    ref = _memory(call)
    if args.knows is not None or args.knows_not is not None:
        name = args.knows if args.knows is not None else args.knows_not
        is_known = args.knows is not None
        knowledge.say_known(call.line, [ref], name, known=is_known, from_floor=args.floor)
    elif args.unsay is not None:
        knowledge.check_person(call.ctx, call.line, args.unsay)
        knowledge.unsay_known(call.line, [ref], args.unsay)
    elif args.keep_from is not None:
        knowledge.keep_from(call.line, [ref], _names(args.keep_from))
    knowers = knowledge.who(call.ctx, call.line, ref)
    call.say_if_behind()
    lines = [_line(knower) for knower in knowers]
    call.output.document([_row(k) for k in knowers], lines or ["Nobody knows it."])


def _memory(call: Call) -> Ref:
    """Return the memory that MEMORY names. Raises NotFound."""
    name: str = call.args.memory
    memory, chat_id = call.memory, call.chat_id
    if name.startswith("#") and name[1:].isdecimal():
        floor = int(name[1:])
        messages = memory.messages.slice(call.line, floor, floor)
        if not messages:
            raise NotFound("message", name)
        return "turn", messages[0].id
    event = memory.events.find_one(chat_id, name)
    if event is None and name.isdecimal():
        event = memory.events.fetch(chat_id, [int(name)]).get(int(name))
    if event is not None and not event.is_deleted:
        return "event", event.id
    ref = memory.knowledge.find(call.line, name)
    if ref is not None:
        return ref
    return "entity", memory.graph.find_entity(chat_id, name).id


def _row(knower: Knower) -> dict[str, Any]:
    kind, ref = knower.told_by
    return {
        "actor": knower.actor,
        "from_floor": knower.from_floor,
        "how": knower.how,
        "told_by": {"kind": kind, "id": ref} if ref else None,
        "confidence": knower.confidence,
        "is_said": knower.is_said,
    }


def _line(knower: Knower) -> str:
    by = f" ({knower.told_by[0]} {knower.told_by[1]})" if knower.told_by[1] else ""
    return f"{knower.actor}: {knower.how}, from floor {knower.from_floor}{by}"


def _names(text: str) -> list[str]:
    parts = text.replace("，", ",").replace("、", ",").split(",")
    return [part.strip() for part in parts if part.strip()]


_FLOORS_AT_ONCE = 1_000  # floors listed at once, some MB where each is a page


def _present_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--range", type=floor_range, metavar="A-B", help="floors (default: all)")
    say = parser.add_mutually_exclusive_group()
    say.add_argument("--set", metavar="NAME,NAME", help="say who perceives these floors")
    say.add_argument("--unset", action="store_true", help="let rules and models say it again")


def _present(call: Call) -> None:
    args, knowledge = call.args, call.memory.knowledge
    first, last = args.range or (0, call.memory.messages.count(call.line) - 1)
    if args.set is not None or args.unset:
        ids = [m.id for m in call.memory.messages.slice(call.line, first, last)]
        knowledge.say_present(call.line, ids, None if args.unset else _names(args.set))
    knowledge.derive(call.ctx, call.line.chat_id)
    call.say_if_behind()
    for start in range(first, last + 1, _FLOORS_AT_ONCE):
        end = min(last, start + _FLOORS_AT_ONCE - 1)
        for row in knowledge.present(call.ctx, call.line, start, end):
            if call.output.as_json:
                call.output.row(row.to_json())
            else:
                call.output.document(None, [str(row)])


_ALL_KNOWN = "There is no event or private log that only some know."


def _secrets(call: Call) -> None:
    secrets = call.memory.knowledge.secrets(call.ctx, call.line)
    call.say_if_behind()
    lines = [_secret_line(secret) for secret in secrets]
    call.output.document([_secret(s) for s in secrets], lines or [_ALL_KNOWN])


def _secret(secret: Secret) -> dict[str, Any]:
    return {
        "kind": secret.kind,
        "id": secret.ref,
        "text": secret.text,
        "start_index": secret.first,
        "end_index": secret.last,
        "known_to": list(secret.knowers),
        "kept_from": list(secret.kept_from),
    }


def _secret_line(secret: Secret) -> str:
    kept = f"; not: {', '.join(secret.kept_from)}" if secret.kept_from else ""
    return f"{secret.first}-{secret.last}  {', '.join(secret.knowers) or '–'}{kept}  {secret.text}"


def _group_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("group", nargs="?", default="", metavar="GROUP", help="only this group")
    say = parser.add_mutually_exclusive_group()
    say.add_argument("--join", metavar="NAME", help="say that they join it")
    say.add_argument("--leave", metavar="NAME", help="say that they leave it")
    say.add_argument("--unsay", metavar="NAME", help="take back all that was said of them and it")
    parser.add_argument(
        "--from", dest="floor", type=int, default=0, metavar="FLOOR", help="since when (default: 0)"
    )


def _is_saying_member(args: argparse.Namespace) -> bool:
    return any(value is not None for value in (args.join, args.leave, args.unsay))


def _group(call: Call) -> None:
    args, knowledge = call.args, call.memory.knowledge
    group: str = args.group
    is_asked = group != "" and not _is_saying_member(args)
    groups = {norm_name(one.group): one.group for one in knowledge.memberships(call.line)}
    if (is_asked or args.unsay is not None) and norm_name(group) not in groups:
        raise NotFound("group", group, list(groups.values()))
    if args.unsay is not None:
        knowledge.check_person(call.ctx, call.line, args.unsay)
        knowledge.unsay_member(call.line, group, args.unsay)
    elif _is_saying_member(args):
        is_member = args.join is not None
        name = args.join if is_member else args.leave
        knowledge.say_member(call.line, group, name, is_member=is_member, floor=args.floor)
    rows = [
        one
        for one in knowledge.memberships(call.line)
        if not group or norm_name(one.group) == norm_name(group)
    ]
    lines = [_member_line(row) for row in rows]
    call.output.document([row.to_json() for row in rows], lines or ["Nobody is of a group."])


def _member_line(one: Membership) -> str:
    until = "" if one.left is None else f" until floor {one.left}"
    return f"{one.group}: {one.name}, from floor {one.joined}{until}"


_KNOWLEDGE_VERBS = (
    Verb("who", _who_arguments, _who, writes=True, can_read_only=True, must_write=_is_saying),
    Verb(
        "present",
        _present_arguments,
        _present,
        writes=True,
        can_read_only=True,
        must_write=lambda args: args.set is not None or args.unset,
    ),
    Verb(
        "group",
        _group_arguments,
        _group,
        writes=True,
        can_read_only=True,
        must_write=_is_saying_member,
    ),
    Verb("secrets", chat_and_branch, _secrets, writes=True, can_read_only=True),
)


# `claims`, `findings`, `finding`, `thread`: who asserts what, what follows from it, and answers.


def _claims_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--at", type=int, metavar="FLOOR", help="as told up to this floor")


def _claims(call: Call) -> None:
    found = call.memory.findings.claims(call.ctx, call.line, _floor(call))
    nothing_told = "Nothing is asserted."
    call.output.listing(found, Claim.to_json, lambda claim: [_claim_line(claim)], nothing_told)


def _claim_line(claim: Claim) -> str:
    what = f"{claim.about} · {claim.facet}" if claim.about else claim.facet
    value = f" = {'' if claim.polarity else '¬'}{claim.value}" if claim.value else ""
    quote = " ".join(claim.quote.split())
    return f"{claim.floor:>6} {claim.how:<8} {claim.speaker or '–'}: {what}{value}  “{quote}”"


def _findings_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--kind", choices=FINDING_KINDS, help="only findings of this kind")
    parser.add_argument("--as", dest="actor", default="", metavar="X", help="only what X knows of")
    parser.add_argument("--at", type=int, metavar="FLOOR", help="as told up to this floor")


def _findings(call: Call) -> None:
    args = call.args
    kinds = (args.kind,) if args.kind else ()
    found = call.memory.findings.findings(call.ctx, call.line, kinds, args.actor, _floor(call))
    tongue = _tongue(call)
    call.output.listing(found, Finding.to_json, lambda f: listed(f, tongue), nothing(tongue))


def _finding_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("id", metavar="ID", help="id of a finding, as `findings` lists it")
    answers = (*FACT_ANSWERS, *PROMISE_ANSWERS)
    say = parser.add_mutually_exclusive_group()
    say.add_argument(
        "--answer",
        choices=answers,
        help="which statement is true, or what became of a promise; one step that can be undone",
    )
    say.add_argument("--unanswer", action="store_true", help="take the answer back")


def _finding(call: Call) -> None:
    args, findings = call.args, call.memory.findings
    line = call.line
    if args.answer is not None or args.unanswer:
        findings.answer(call.ctx, line, args.id, args.answer or "")
    found = next((f for f in findings.findings(call.ctx, line) if f.id == args.id), None)
    if found is None:
        raise NotFound("finding", args.id)
    call.output.document(found.to_json(), listed(found, _tongue(call)))


_THREADS: tuple[FindingKind, ...] = ("promise",)


def _thread_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="only this thread, by its id as listed here"
    )
    parser.add_argument("--status", choices=PROMISE_ANSWERS, help="only threads that stand so")
    change = parser.add_mutually_exclusive_group()
    change.add_argument(
        "--note", metavar="WORDS", help="note these words of a message as an open thread"
    )
    change.add_argument(
        "--answer", choices=PROMISE_ANSWERS, help="what became of it; one step that can be undone"
    )
    change.add_argument("--unanswer", action="store_true", help="take the answer back")
    change.add_argument("--forget", action="store_true", help="take a noted thread away")
    parser.add_argument(
        "--floor", type=int, metavar="FLOOR", help="of which message the words of --note are"
    )


def _is_thread_changed(args: argparse.Namespace) -> bool:
    return args.note is not None or args.answer is not None or args.unanswer or args.forget


def _thread(call: Call) -> None:
    args, findings, line = call.args, call.memory.findings, call.line
    _check_thread(args)
    if args.note is not None:
        findings.note_thread(call.ctx, line, args.floor, args.note)
        threads = [
            thread
            for thread in findings.findings(call.ctx, line, _THREADS)
            if thread.quotes[0].floor == args.floor and args.note.strip() in thread.quotes[0].text
        ]
    elif args.answer is not None or args.unanswer:
        findings.answer(call.ctx, line, _thread_called(call).id, args.answer or "")
        threads = [_thread_called(call)]
    elif args.forget:
        forgotten = _thread_called(call)
        first = forgotten.quotes[0]
        ids = findings.noted_at(line, first.floor, first.text)
        if not ids:
            raise InputError("This thread was found in the text; only noted ones are forgotten.")
        findings.forget_threads(line, ids)
        threads = findings.findings(call.ctx, line, _THREADS)
    elif args.id is not None:
        threads = [_thread_called(call)]
    else:
        threads = findings.findings(call.ctx, line, _THREADS)
    threads = [t for t in threads if args.status in (None, t.status)]
    noted = findings.noted_words(line)
    tongue = _tongue(call)
    lines = [line for thread in threads for line in listed(thread, tongue)]
    rows = [t.to_json() | {"noted": t.quotes[0].text.strip() in noted} for t in threads]
    call.output.document(rows, lines or [nothing(tongue)])


def _check_thread(args: argparse.Namespace) -> None:
    """Check that the options go together. Raises InputError."""
    if (args.note is None) != (args.floor is None):
        raise InputError("--note takes the words, --floor the message they are of: give both.")
    if args.note is not None and args.id is not None:
        raise InputError("A new thread has no ID yet: leave it out with --note.")
    if args.id is None and (args.answer is not None or args.unanswer or args.forget):
        raise InputError("Name the thread by its ID.")


def _thread_called(call: Call) -> Finding:
    """Return the thread of ID. Raises NotFound."""
    found = call.memory.findings.findings(call.ctx, call.line, _THREADS)
    thread = next((one for one in found if one.id == call.args.id), None)
    if thread is None:
        raise NotFound("finding", call.args.id)
    return thread


def _floor(call: Call) -> int | None:
    """Return the floor of --at. Raises NotFound if the line does not have it."""
    at: int | None = call.args.at
    if at is not None and not 0 <= at < call.memory.messages.count(call.line):
        raise NotFound("message", f"#{at}")
    return at


def _tongue(call: Call) -> Tongue:
    return call.memory.findings.tongue(call.line)


_FINDINGS_VERBS = (
    Verb("claims", _claims_arguments, _claims, writes=True, can_read_only=True),
    Verb("findings", _findings_arguments, _findings, writes=True, can_read_only=True),
    Verb(
        "finding",
        _finding_arguments,
        _finding,
        writes=True,
        can_read_only=True,
        must_write=lambda args: args.answer is not None or args.unanswer,
    ),
    Verb(
        "thread",
        _thread_arguments,
        _thread,
        writes=True,
        can_read_only=True,
        must_write=_is_thread_changed,
    ),
)


# `inbox`: what waits for a decision.


def _inbox_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--kind", choices=INBOX_KINDS, help="only what waits of this kind")
    parser.add_argument(
        "--put-off", dest="is_put_off", action="store_true", help="list what was put off instead"
    )
    decide = parser.add_mutually_exclusive_group()
    decide.add_argument(
        "--accept",
        metavar="ID",
        help="save a draft, ask again, say that it is right, merge, join: what its kind is about",
    )
    decide.add_argument(
        "--dismiss",
        metavar="ID",
        help="discard a draft, keep two apart, or put it away until it changes",
    )
    decide.add_argument("--later", metavar="ID", help=f"put it off for {PUT_OFF_HOURS} hours")


def _inbox(call: Call) -> None:
    args, inbox = call.args, call.memory.inbox
    listed, every = inbox.waiting(call.ctx, call.line)
    decided = _decided(args)
    if decided is not None:
        action, item_id = decided
        item = next((i for i in every.items if i.id == item_id), None)
        if item is None:
            raise NotFound("item of the inbox", item_id)
        inbox.act(call.ctx, call.line, item, action)
        listed, every = inbox.waiting(call.ctx, call.line)
    items = listed.put_off if args.is_put_off else listed.waiting
    rows = [item for item in items if args.kind in (None, item.kind)]
    lines = [_inbox_line(item) for item in rows]
    if not args.is_put_off:
        more = {kind: n for kind, n in every.more.items() if args.kind in (None, kind)}
        lines += [f"and {count} more of the kind {kind}" for kind, count in more.items()]
    nothing = "Nothing of that is here." if items or args.is_put_off else "All done: nothing waits."
    call.output.document([item.to_json() for item in rows], lines or [nothing])


def _decided(args: argparse.Namespace) -> tuple[InboxAction, str] | None:
    actions: tuple[InboxAction, ...] = ("accept", "dismiss", "later")
    given = ((action, getattr(args, action)) for action in actions)
    return next(((action, item_id) for action, item_id in given if item_id is not None), None)


def _inbox_line(item: InboxItem) -> str:
    floors = "-".join(str(floor) for floor in dict.fromkeys(item.floors))
    return f"{item.id}  {item.kind:<13} {floors or '–':>9}  {item.text}"


# `note`: private notes of the user.


def _note_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "memory",
        nargs="?",
        metavar="MEMORY",
        help="id or key of an event, id or name of an entity, or a floor such as #12; without it:"
        " the chat itself, or the list of all notes",
    )
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--set", metavar="TEXT", help="write the note, in place of what it says")
    change.add_argument("--delete", action="store_true", help="delete the note")


def _note(call: Call) -> None:
    args, notes = call.args, call.memory.chats.notes
    is_change = args.delete or args.set is not None
    kind, ref = _noted(call)
    if args.set is not None and not args.set.strip():
        raise InputError("A note needs a text; --delete deletes it.")
    if is_change:
        notes.write(call.chat_id, kind, ref, args.set or "")
    found = notes.all(call.chat_id)
    if args.memory is not None or is_change:
        found = [note for note in found if note.kind == kind and note.ref in (ref, "")]
    nothing_there = "There is no note." if is_change or args.memory else "There are no notes."
    lines = [_note_line(note) for note in found]
    call.output.document([note.to_json() for note in found], lines or [nothing_there])


def _noted(call: Call) -> tuple[NoteKind, str]:
    """Return the thing that MEMORY names, or else the chat. Raises NotFound, InputError."""
    if call.args.memory is None:
        return "chat", call.chat_id
    kinds: dict[str, NoteKind] = {"turn": "message", "event": "event", "entity": "entity"}
    kind, ref = _memory(call)
    if kind not in kinds:
        raise InputError("A private log takes no note: it is your own words already.")
    return kinds[kind], ref


def _note_line(note: PrivateNote) -> str:
    floors = "" if note.floors is None else "-".join(str(f) for f in dict.fromkeys(note.floors))
    gone = "(deleted) " if note.is_gone else ""
    what = " ".join(note.what.split())[:40]
    return f"{note.kind:<8}{floors:>9}  {what}{': ' if what else ''}{gone}{note.text}"


VERBS = (
    *_KNOWLEDGE_VERBS,
    *_FINDINGS_VERBS,
    Verb(
        "inbox",
        _inbox_arguments,
        _inbox,
        writes=True,
        can_read_only=True,
        must_write=lambda args: _decided(args) is not None,
    ),
    Verb(
        "note", _note_arguments, _note, writes_if=lambda args: args.delete or args.set is not None
    ),
)
