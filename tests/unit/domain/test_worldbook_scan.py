"""Worldbooks: which entries fire."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.pipeline.automation import Counters, Decision, Limits, blocks, decide
from engram_desktop.domain.worldbooks.activation import Options, ScanTexts, activate
from engram_desktop.domain.worldbooks.scan import (
    Effect,
    KeyIndex,
    ScanRules,
    ScanText,
    Speaker,
    Timers,
    refusal,
)
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter, Entry, Logic

# SillyTavern's rules of activation, case by case, each with the reason a player is told.

# The newest message is first.
CHAT = (
    "第三句：回到月光酒馆。",
    "第二句：the innkeeper waved",
    "第一句：钥匙 Ring",
)  # newest first


def entry(uid=0, *keys, **fields):
    return Entry(uid, tuple(keys), comment=f"E{uid}", content=fields.pop("content", "x"), **fields)


def run(entries, chat=CHAT, options=None, seed=0, is_in=None, **scene):
    text = ScanText(chat, scene.pop("fields", {}))
    pairs = [(("书", e.uid), e) for e in entries]
    return activate(pairs, ScanTexts(text, is_in=is_in, **scene), options or Options(), seed)


def whys(*entries, **scene):
    return {o.key[1]: o.reason.why for o in run(entries, **scene).outcomes}


def why(one, **scene):
    outcome = run([one], **scene).outcomes[0]
    assert str(outcome.reason.phrase)
    assert outcome.has_fired == outcome.reason.fires
    return outcome.reason.why


DEEP = Options(rules=ScanRules(depth=10))
EXACT = Options(rules=ScanRules(is_case_sensitive=True))
WHOLE = Options(rules=ScanRules(depth=10, match_whole_words=True))


@pytest.mark.parametrize(
    ("one", "scene", "expected"),
    [
        # lamps and filters
        (entry(is_constant=True), {}, "constant"),
        (entry(is_constant=True, is_disabled=True), {}, "disabled"),
        (entry(), {}, "no_key"),
        (entry(0, "酒馆", triggers=("swipe",)), {}, "trigger"),
        (entry(0, "酒馆", triggers=("swipe",)), {"trigger": "swipe"}, "key"),
        (entry(0, "酒馆", character_filter=CharacterFilter(("Alice",))), {}, "character"),
        (
            entry(0, "酒馆", character_filter=CharacterFilter(("Alice",))),
            {"speaker": Speaker("Alice")},
            "key",
        ),
        (
            entry(0, "酒馆", character_filter=CharacterFilter(("Alice",), is_exclude=True)),
            {"speaker": Speaker("Alice")},
            "character",
        ),
        (
            entry(0, "酒馆", character_filter=CharacterFilter((), ("t",))),
            {"speaker": Speaker(card_tags=("t",))},
            "key",
        ),
        # depth
        (entry(0, "酒馆"), {}, "key"),
        (entry(0, "钥匙"), {}, "no_mention"),
        (entry(0, "钥匙"), {"options": DEEP}, "key"),
        (entry(0, "钥匙", scan_depth=3), {}, "key"),
        (entry(0, "酒馆", scan_depth=0), {}, "no_mention"),
        (entry(0, "句：回"), {}, "key"),
        (entry(0, "。第二"), {"options": DEEP}, "no_mention"),
        # without messages to scan, nothing else is scanned either
        (
            entry(0, "龙", scan_depth=0, matches=frozenset({"scenario"})),
            {"fields": {"scenario": "龙"}},
            "no_mention",
        ),
        (entry(is_constant=True, scan_depth=0), {}, "constant"),
        # filters by tag: all but those, and both lists at once
        (
            entry(0, "酒馆", character_filter=CharacterFilter((), ("t",), is_exclude=True)),
            {"speaker": Speaker(card_tags=("t",))},
            "character",
        ),
        (
            entry(0, "酒馆", character_filter=CharacterFilter((), ("t",), is_exclude=True)),
            {"speaker": Speaker(card_tags=("u",))},
            "key",
        ),
        (
            entry(0, "酒馆", character_filter=CharacterFilter(("Alice",), ("t",))),
            {"speaker": Speaker("Alice", card_tags=("u",))},
            "character",
        ),
        (entry(0, "酒馆", character_filter=CharacterFilter()), {}, "key"),
        (entry(0, "酒馆", triggers=("swipe", "normal")), {"trigger": "normal"}, "key"),
        # what was switched off counts before everything
        (entry(content="@@activate", is_disabled=True), {}, "disabled"),
        (entry(0, "酒馆", triggers=("swipe",), is_constant=True), {}, "trigger"),
        (entry(is_constant=True, delay=4), {}, "delay"),
        # case and whole words
        (entry(0, "INNKEEPER"), {}, "key"),
        (entry(0, "INNKEEPER"), {"options": EXACT}, "no_mention"),
        (entry(0, "INNKEEPER", case_sensitive=False), {"options": EXACT}, "key"),
        (entry(0, "Innkeeper", case_sensitive=True), {}, "no_mention"),
        (entry(0, "inn"), {}, "key"),
        (entry(0, "inn"), {"options": WHOLE}, "no_mention"),
        (entry(0, "inn", match_whole_words=True), {}, "no_mention"),
        (entry(0, "月光", match_whole_words=True), {}, "key"),
        (entry(0, "ring"), {"options": WHOLE}, "key"),
        (entry(0, "he innkeeper w"), {"options": WHOLE}, "key"),
        (entry(0, " 酒馆 "), {}, "key"),
        # secondary keys
        (entry(0, "酒馆", secondary_keys=("月光", "x")), {}, "keys"),
        (entry(0, "酒馆", secondary_keys=("y", "x")), {}, "secondary"),
        (entry(0, "酒馆", secondary_keys=("y",), is_selective=False), {}, "key"),
        (entry(0, "酒馆", secondary_keys=("月光", "x"), logic=Logic.NOT_ALL), {}, "keys"),
        (entry(0, "酒馆", secondary_keys=("月光", "回"), logic=Logic.NOT_ALL), {}, "secondary"),
        (entry(0, "酒馆", secondary_keys=("x", "y"), logic=Logic.NOT_ANY), {}, "keys"),
        (entry(0, "酒馆", secondary_keys=("x", "月光"), logic=Logic.NOT_ANY), {}, "secondary"),
        (entry(0, "酒馆", secondary_keys=("月光", "回"), logic=Logic.AND_ALL), {}, "keys"),
        (entry(0, "酒馆", secondary_keys=("月光", "x"), logic=Logic.AND_ALL), {}, "secondary"),
        # the card's texts, only where asked for
        (entry(0, "龙"), {"fields": {"scenario": "龙与雪"}}, "no_mention"),
        (entry(0, "龙", matches=frozenset({"scenario"})), {"fields": {"scenario": "龙"}}, "key"),
        # decorators, meaning
        (entry(content="@@activate\n正文"), {}, "decorator"),
        (entry(is_constant=True, content="@@depth 4\n@@dont_activate\n正文"), {}, "forbidden"),
        # an order nobody knows lets the next line stand in; one that is known does not
        (entry(is_constant=True, content="@@dont_activate\n@@@activate\nx"), {}, "forbidden"),
        (entry(content="@@new\n@@@activate\nx"), {}, "decorator"),
        (entry(content="@@@activate\nx"), {}, "no_key"),
        (entry(content="x\n@@activate"), {}, "no_key"),
        (entry(is_constant=True, content="@@dont_activate"), {}, "forbidden"),
        (entry(is_vectorized=True), {"meaning": {("书", 0): 0.7}}, "meaning"),
        (entry(is_vectorized=True), {}, "meaning_off"),
        (entry(is_vectorized=True), {"meaning": {}}, "no_key"),
        (entry(0, "无", is_vectorized=True), {}, "meaning_off"),
        (entry(0, "无", is_vectorized=True), {"meaning": {}}, "no_mention"),
        (entry(0, "酒馆", is_vectorized=True), {}, "key"),
        # time
        (entry(0, "酒馆", delay=4), {}, "delay"),
        (entry(0, "酒馆", delay=3), {}, "key"),
        # chance
        (entry(is_constant=True, probability=0), {}, "chance"),
        (entry(is_constant=True, probability=0, use_probability=False), {}, "constant"),
        # budget
        (entry(is_constant=True, content="字" * 100), {"options": Options(budget=50)}, "budget"),
        (
            entry(is_constant=True, content="字" * 100, ignore_budget=True),
            {"options": Options(budget=50)},
            "constant",
        ),
        # recursion
        (entry(is_constant=True, delay_until_recursion=1), {}, "waits"),
    ],
)
def test_one_entry(one, scene, expected):
    assert why(one, **scene) == expected


def python_pattern(source, flags, text):
    return re.search(source, text, re.IGNORECASE if "i" in flags else 0) is not None


def test_patterns_ignore_the_other_options_and_say_why_they_cannot_be_tried():
    one = entry(0, "/INN\\w+/i", "/x\\/y/", case_sensitive=True, match_whole_words=True)
    assert why(one, is_in=python_pattern) == "key"
    assert why(one) == "pattern"
    told = run([one], is_in=lambda *_: "it took too long").outcomes[0].reason
    assert "it took too long" in told.phrase
    assert why(entry(0, "/a/b/"), chat=("see /a/b/",)) == "key", "an unescaped slash: plain text"
    assert why(entry(0, "/句：第/"), is_in=python_pattern, options=DEEP) == "no_mention"


RECURSIVE = Options(is_recursive=True)


def chain(**over):
    """Entry 1 is mentioned by the chat, mentions 2, which mentions 3."""
    fields = {1: {}, 2: {}, 3: {}} | over.pop("fields", {})
    return [
        entry(1, "酒馆", content="有一只猫", **fields[1]),
        entry(2, "猫", content="猫怕雨", **fields[2]),
        entry(3, "雨", **fields[3]),
    ]


@pytest.mark.parametrize(
    ("fields", "options", "fired"),
    [
        ({}, Options(), {1}),
        ({}, RECURSIVE, {1, 2, 3}),
        ({}, Options(is_recursive=True, max_steps=2), {1, 2}),
        ({1: {"prevent_recursion": True}}, RECURSIVE, {1}),
        ({2: {"exclude_recursion": True}}, RECURSIVE, {1}),
        ({2: {"prevent_recursion": True}}, RECURSIVE, {1, 2}),
        ({2: {"delay_until_recursion": 1}}, RECURSIVE, {1, 2, 3}),
        ({1: {"delay_until_recursion": 1}}, RECURSIVE, set()),
        ({2: {"delay_until_recursion": 2}, 3: {"delay_until_recursion": 1}}, RECURSIVE, {1, 2, 3}),
    ],
)
def test_recursion(fields, options, fired):
    done = run(chain(fields=fields), options=options)
    assert {o.key[1] for o in done.outcomes if o.has_fired} == fired


def test_the_reason_names_the_entry_that_mentioned_it():
    done = run(chain(), options=RECURSIVE)
    told = {o.key[1]: str(o.reason.phrase) for o in done.outcomes}
    assert told[1] == "“酒馆” is mentioned in the last message."
    assert told[2] == "“猫” is mentioned by the entry “E1”."


def test_more_messages_are_read_until_enough_entries_fired():
    entries = [entry(1, "酒馆"), entry(2, "钥匙"), entry(3, "nowhere")]
    options = Options(rules=ScanRules(depth=1), min_activations=2)
    assert whys(*entries, options=options) == {1: "key", 2: "key", 3: "no_mention"}
    shallow = Options(rules=ScanRules(depth=1), min_activations=2, max_depth=1)
    assert whys(*entries, options=shallow)[2] == "no_mention"


def test_reading_deeper_goes_back_to_what_fired_before_it_reads_on():
    """An entry found deeper may mention another: that counts before more messages are read."""
    entries = [entry(1, "钥匙", content="有一只猫"), entry(2, "猫"), entry(3, "第一句")]
    options = Options(rules=ScanRules(depth=1), min_activations=2, is_recursive=True)
    chat = ("新", "钥匙", "第一句")
    assert whys(*entries, chat=chat, options=options) == {1: "key", 2: "key", 3: "no_mention"}
    first = run(entries, chat=chat, options=options)
    assert [o.key[1] for o in first.fired] == [2, 1]


def test_orders_at_the_beginning_are_no_part_of_the_text():
    one = entry(1, content="@@activate\n@@depth 3\n正文\n@@最后一行", is_constant=True)
    (outcome,) = run([one]).fired
    assert outcome.entry.content == "正文\n@@最后一行"
    assert outcome.tokens == outcome.entry.tokens


def test_worldbooks_of_a_lower_rank_are_paid_first_and_order_still_places():
    pairs = [
        ((worldbook, 0), entry(0, is_constant=True, order=order, content="字" * 10))
        for worldbook, order in (("全局", 300), ("角色", 100), ("聊天", 200))
    ]
    ranks = {"聊天": 0, "角色": 1, "全局": 2}
    scene = ScanTexts(ScanText(CHAT))
    done = activate(pairs, scene, Options(ranks=ranks))
    assert [o.key[0] for o in done.fired] == ["角色", "聊天", "全局"]
    for budget, fired in ((15, {"聊天"}), (25, {"聊天", "角色"})):
        tight = activate(pairs, scene, Options(ranks=ranks, budget=budget))
        assert {o.key[0] for o in tight.fired} == fired
    assert {o.key[0] for o in activate(pairs, scene, Options(budget=15)).fired} == {"全局"}


def test_of_the_same_order_what_fired_later_stands_before():
    entries = chain()
    done = run(entries, options=RECURSIVE)
    assert [o.key[1] for o in done.fired] == [3, 2, 1]


def test_the_budget_is_full_at_its_last_token_and_stays_full():
    entries = [entry(n, is_constant=True, order=-n, content="字" * 10) for n in range(3)]
    size = entries[0].tokens
    done = run(entries, options=Options(budget=2 * size))
    assert [o.reason.why for o in done.outcomes] == ["constant", "budget", "budget"]
    small = [*entries[:2], entry(2, is_constant=True, order=-2, content="")]
    assert whys(*small, options=Options(budget=2 * size))[2] == "budget"


def test_a_full_budget_ends_recursion():
    done = run(chain(), options=Options(is_recursive=True, budget=chain()[0].tokens + 2))
    assert {o.key[1]: o.reason.why for o in done.outcomes} == {
        1: "key",
        2: "budget",
        3: "no_mention",
    }


def test_weights_decide_among_many_seeds():
    entries = [group(n, group_weight=weight) for n, weight in ((1, 0), (2, 30), (3, 70))]
    drawn = [run(entries, seed=seed).fired[0].key[1] for seed in range(400)]
    assert drawn.count(1) <= 2
    assert 0.2 < drawn.count(2) / 400 < 0.4
    assert run([group(1, group_weight=0)]).fired


def test_a_cooldown_after_staying_outlives_a_deleted_message():
    one = entry(1, "酒馆", sticky=2, cooldown=5)
    ended = run([one], chat=tuple("嗯" * 6), timers=Timers(sticky={("书", 1): Effect(3, 5)}))
    assert ended.outcomes[0].reason.why == "cooldown"
    assert ended.timers.cooldown["书", 1].is_firm
    back = run([one], chat=tuple("嗯" * 4), timers=ended.timers)
    assert back.outcomes[0].reason.why == "cooldown", "it is protected"
    plain = Timers(cooldown={("书", 1): Effect(6, 11)})
    assert whys(one, chat=("酒馆", "嗯"), timers=plain)[1] == "key"


def test_an_entry_that_was_told_to_stay_no_more_does_not():
    timers = Timers(sticky={("书", 1): Effect(1, 9)}, cooldown={("书", 2): Effect(1, 9)})
    assert whys(entry(1, "无"), entry(2, "酒馆"), timers=timers) == {1: "no_mention", 2: "key"}


def test_a_level_waits_for_its_turn_even_without_recursion():
    entries = [entry(1, "酒馆", delay_until_recursion=1), entry(2, "酒馆", delay_until_recursion=3)]
    assert whys(*entries) == {1: "key", 2: "key"}, "the second level opens both"
    assert whys(entries[0]) == {1: "waits"}, "a single one needs somebody to open it"


def test_a_scan_that_nobody_waits_for_ends_in_the_middle():
    class Enough(Exception):
        pass

    def tick():
        raise Enough

    entries = [entry(n, f"钥匙{n}") for n in range(3)]
    index = KeyIndex(entries, ScanRules(depth=10**6), tick)
    with pytest.raises(Enough):
        activate(
            [(("书", e.uid), e) for e in entries], ScanTexts(ScanText(CHAT)), Options(), index=index
        )


def test_scans_that_share_an_index_look_through_a_text_once():
    looked = []
    entries = [entry(1, "酒馆"), entry(2, "钥匙")]
    index = KeyIndex(entries, ScanRules(depth=10), lambda: looked.append(1))
    pairs = [(("书", e.uid), e) for e in entries]
    options = Options(rules=ScanRules(depth=10))
    scans = [activate(pairs, ScanTexts(ScanText(CHAT)), options, index=index) for _ in range(3)]
    assert [len(done.fired) for done in scans] == [2, 2, 2]
    rounds = scans[-1].rounds
    texts = len(looked) - 3 * rounds
    assert texts == len(CHAT) + len({e.content for e in entries} if rounds > 1 else ())


def test_higher_orders_are_paid_first_and_stand_nearer_to_the_chat():
    entries = [entry(n, is_constant=True, order=n, content="字" * 10) for n in (1, 3, 2)]
    done = run(entries)
    assert [o.key[1] for o in done.fired] == [1, 2, 3]
    tight = run(entries, options=Options(budget=15))
    assert {o.key[1]: o.reason.why for o in tight.outcomes} == {
        1: "budget",
        2: "budget",
        3: "constant",
    }
    assert tight.tokens == entries[0].tokens
    free = entry(9, is_constant=True, order=0, ignore_budget=True)
    kept = run([*entries, free], options=Options(budget=15))
    assert {o.key[1] for o in kept.fired} == {3, 9}


def group(uid, **fields):
    return entry(uid, "酒馆", group=fields.pop("group", "天气"), **fields)


def test_one_of_a_group_is_drawn_by_weight_and_the_same_seed_draws_the_same():
    entries = [group(1, group_weight=1), group(2, group_weight=99)]
    drawn = [run(entries, seed=seed).fired[0].key[1] for seed in range(200)]
    assert 150 < drawn.count(2) < 200
    assert drawn == [run(entries, seed=seed).fired[0].key[1] for seed in range(200)]
    assert whys(*entries, seed=drawn.index(2))[1] == "group"


@pytest.mark.parametrize(
    ("entries", "options", "winner", "by"),
    [
        (
            [group(1), group(2, group_override=True), group(3, group_override=True, order=200)],
            Options(),
            3,
            "priority",
        ),
        (
            [group(1, use_group_scoring=True), entry(2, "酒馆", "月光", group="天气")],
            Options(),
            2,
            "score",
        ),
        (
            [group(1), entry(2, "酒馆", "月光", group="天气, 别的")],
            Options(use_group_scoring=True),
            2,
            "score",
        ),
    ],
)
def test_who_wins_a_group(entries, options, winner, by):
    done = run(entries, options=options)
    assert [o.key[1] for o in done.fired] == [winner]
    (loser,) = [o for o in done.outcomes if o.key[1] == 1]
    assert loser.reason.params["by"] == by
    assert f"E{winner}" in loser.reason.phrase


def test_a_group_has_its_one_entry_even_when_others_follow_by_recursion():
    entries = [entry(1, "酒馆", content="下雨", group="天气"), entry(2, "雨", group="天气")]
    done = run(entries, options=RECURSIVE)
    assert {o.key[1]: o.reason.why for o in done.outcomes} == {1: "key", 2: "group"}


def test_a_sticky_entry_stays_and_then_rests():
    one = entry(1, "酒馆", sticky=2, cooldown=3)
    talk = ["酒馆。", *["嗯。"] * 12]
    timers, seen = Timers(), []
    for count in range(1, 11):
        chat = tuple(reversed(talk[:count]))
        done = run([one], chat=chat, options=Options(rules=ScanRules(depth=1)), timers=timers)
        timers = done.timers
        seen.append(done.outcomes[0].reason.why)
    assert seen == ["key", "sticky", *["cooldown"] * 3, *["no_mention"] * 5]


def test_what_began_with_a_message_that_was_taken_back_is_over():
    one = entry(1, "无", sticky=5)
    timers = Timers(sticky={("书", 1): Effect(8, 13)})
    assert whys(one, timers=timers) == {1: "no_mention"}
    assert whys(one, timers=Timers(sticky={("书", 1): Effect(2, 13)})) == {1: "sticky"}


def test_a_sticky_entry_wins_its_group_and_needs_no_luck():
    timers = Timers(sticky={("书", 1): Effect(1, 9)})
    entries = [group(1, probability=0, sticky=8), group(2, group_override=True)]
    done = run(entries, timers=timers)
    assert [o.key[1] for o in done.fired] == [1]


def test_a_million_tokens_and_ten_thousand_entries_do_not_stall():
    line = "，".join(f"走过第{n}条街" for n in range(60))
    chat = tuple(f"{n}{line}" for n in range(2_000))
    entries = [entry(n, f"钥匙{n}号", f"第{n}条街") for n in range(10_000)]
    done = run(entries, chat=chat, options=Options(rules=ScanRules(depth=1_000_000), budget=10**6))
    assert len(done.fired) == 60


# Whom an entry is for, told by ids as SillyTavern keeps them and by names as people write them.

NAMES = {"id-1": "奇幻", "id-2": "Noir", "id-3": "空"}


def speaker(tags=None, *card_tags, names=NAMES):
    return Speaker("Alice", tags, card_tags, names)


def wanted(*tags, names=(), is_exclude=False):
    return CharacterFilter(names, tags, is_exclude)


@pytest.mark.parametrize(
    ("entry", "who", "told"),
    [
        # SillyTavern knows the character: its list decides, whatever the card says
        (wanted("id-1"), speaker(("id-1",)), None),
        (wanted("id-1"), speaker(("id-2",), "奇幻"), "with another tag: 奇幻"),
        (wanted("id-1"), speaker((), "奇幻"), "with another tag: 奇幻"),
        (wanted("gone"), speaker(("gone",)), None),  # a tag that was deleted since
        (wanted("id-1", is_exclude=True), speaker(("id-1",)), "but those with the tag 奇幻"),
        (wanted("id-1", is_exclude=True), speaker((), "奇幻"), None),
        # a tag in words: of SillyTavern's or of the card's
        (wanted("noir"), speaker(("id-2",)), None),
        (wanted("奇幻"), speaker(None, "奇幻"), None),
        (wanted("奇幻"), speaker((), "奇幻"), None),
        # SillyTavern says nothing of the character: what its card says counts
        (wanted("id-1"), speaker(None, "奇幻"), None),
        (wanted("id-2"), speaker(None, "NOIR"), None),
        (wanted("id-1"), speaker(None), "with another tag: 奇幻"),
        # nobody knows what the id means
        (wanted("id-9"), speaker(None, "奇幻", names={}), "with another tag: id-9"),
        # card files
        (wanted(names=("Bob", "Carol")), speaker(), "other characters: Bob, Carol"),
        (wanted(names=("Alice",)), speaker(), None),
        (wanted(names=("Alice",), is_exclude=True), speaker(), "all characters but Alice"),
        # both lists must let the character in
        (wanted("id-1", names=("Alice",)), speaker(("id-2",)), "with another tag: 奇幻"),
        (wanted("id-1", names=("Bob",), is_exclude=True), speaker(("id-1",)), "tag 奇幻"),
        (wanted(), speaker(), None),
    ],
)
def test_an_entry_is_for_those_its_filter_names(entry, who, told):
    reason = refusal(entry, who)
    assert (reason is None) == (told is None)
    if told:
        assert reason is not None
        assert told in str(reason.phrase)
        assert not reason.fires


# When the pipeline acts on its own, and how it cuts floors into blocks.

QUIET = Counters(0, 0, 0, 0, 0, 0, 0)
LIMITS = Limits(25, 10, 10, 4000, 4096, 50)


@pytest.mark.parametrize(
    ("floors", "done", "due"),
    [
        (34, 0, None),
        (35, 0, (0, 24)),
        (36, 0, (0, 25)),
        (59, 25, None),
        (60, 25, (25, 49)),
        (5, 0, None),
        (10, 50, None),  # a chat that was cut short after it was summarised
    ],
)
def test_summary_is_due_when_an_interval_has_settled(floors, done, due):
    counters = replace(QUIET, floors=floors, last_summarized_floor=done)
    assert decide(counters, LIMITS).summarise == due


@pytest.mark.parametrize(
    ("events", "tokens", "due"),
    [(9, 3999, False), (10, 0, True), (1, 4000, True), (0, 4000, False)],
)
def test_consolidation_is_due_by_events_or_by_tokens(events, tokens, due):
    counters = replace(QUIET, buffer_events=events, buffer_tokens=tokens)
    assert decide(counters, LIMITS).consolidate is due


def test_the_newest_events_stay_and_are_no_reason_to_consolidate():
    limits = replace(LIMITS, newest_kept=10)
    assert not decide(replace(QUIET, buffer_events=10, buffer_tokens=9999), limits).consolidate
    assert decide(replace(QUIET, buffer_events=11), limits).consolidate


def test_outlines_that_are_no_longer_true_are_mended():
    assert decide(replace(QUIET, stale_outlines=True), LIMITS) == Decision(mend=True)


def test_each_trigger_acts_by_itself():
    assert decide(replace(QUIET, visible_tokens=4096), LIMITS) == Decision(trim=True)
    counters = replace(QUIET, floors=60, last_summarized_floor=50)
    assert decide(replace(counters, consolidated_floor=49), LIMITS) == Decision()
    assert decide(replace(counters, consolidated_floor=55), LIMITS) == Decision(entities=(0, 49))


def test_zero_switches_every_trigger_off():
    off = Limits(0, 10, 0, 0, 0, 0)
    assert decide(Counters(9999, 0, 0, 9999, 9_999_999, 9_999_999, 9999), off) == Decision()


@given(st.builds(Counters, *[st.integers(0, 500)] * 7), st.integers(1, 60), st.integers(0, 60))
def test_the_newest_floors_are_never_touched(counters, interval, newest):
    decision = decide(counters, Limits(interval, newest, 0, 0, 0, interval))
    for due in (decision.summarise, decision.entities):
        if due is not None:
            assert 0 <= due[0] <= due[1] < counters.floors - newest
            assert due[1] - due[0] + 1 >= interval


@given(st.integers(0, 1000), st.integers(-3, 2000), st.integers(1, 200))
def test_blocks_cover_every_floor_once_and_are_about_as_large_as_asked(first, count, size):
    cut = blocks(first, first + count - 1, size)
    assert [floor for a, b in cut for floor in range(a, b + 1)] == list(range(first, first + count))
    lengths = [b - a + 1 for a, b in cut]
    if lengths:
        assert max(lengths) - min(lengths) <= 1
        assert max(lengths) <= 1.5 * size
        assert min(lengths) >= min(count, size / 2)
