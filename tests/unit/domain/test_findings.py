"""What follows from claims, on stories with truth tables, and how it is told."""

from __future__ import annotations

import pytest

from benchmarks.findings import matches, read_all
from engram_desktop.domain.claims.claim import Finding, Quote
from engram_desktop.domain.claims.findings import answered
from engram_desktop.domain.claims.marks import PromptMarks, due, listed
from tests.findings_stories import stories

STORIES = stories()


@pytest.fixture(scope="module")
def read():
    return {story.name: read_all(story.messages, story.player) for story in STORIES}


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("superseded", 31),  # of 34
        ("lie", 14),  # of 20
        ("contradiction", 4),  # of 7
        ("promise", 23),  # of 23
        ("mistaken", 9),  # of 10
    ],
)
def test_findings_of_the_stories_that_rules_were_made_on(read, kind, least):
    cases = [(s, c) for s in STORIES for c in s.cases if c["kind"] == kind and "optional" not in c]
    found = [any(matches(f, case, story) for f in read[story.name][1]) for story, case in cases]
    assert sum(found) >= least, (
        "a rule finds less than it did; raise the figure where it finds more"
    )


def test_few_findings_are_no_case(read):
    false = [
        finding
        for story in STORIES
        for finding in read[story.name][1]
        if not any(matches(finding, case, story) for case in story.cases)
    ]
    assert len(false) <= 1  # of 87


@pytest.mark.parametrize("story", STORIES, ids=lambda s: s.name)
def test_nothing_out_of_character_is_a_fact_of_the_story(read, story):
    for row in story.ooc:
        got = read[story.name][0][story.floors(row["floor"])[0]]
        assert not any(row["text"] in c.quote and c.how != "ooc" for c in (*got.facts, *got.lines))


@pytest.mark.parametrize("story", STORIES, ids=lambda s: s.name)
def test_decoys_are_not_reported(read, story):
    quotes = [q for f in read[story.name][1] for q in f.quotes]
    for decoy in story.decoys:
        floor = story.floors(decoy["floor"])[0]
        assert not any(q.floor == floor and decoy["text"] in q.text for q in quotes)


def finding(
    kind="superseded", status="over", quotes=((0, "她住在山上。"), (9, "她搬到了城里。")), **more
):
    told = tuple(Quote(floor, text) for floor, text in quotes)
    return Finding(kind, status, more.pop("who", ("她",)), "她", "home", told, **more)


def test_an_id_is_made_of_words_and_not_of_floors():
    moved = finding(quotes=((4, "她住在山上。"), (30, "她搬到了城里。")))
    assert finding().id == moved.id
    assert finding().id != finding(kind="contradiction").id


def test_what_became_of_a_promise_does_not_change_its_id():
    words = ((3, "我一定还你。"),)
    given = finding(kind="promise", status="open", quotes=words)
    kept = finding(kind="promise", status="kept", quotes=(*words, (9, "他还了钱。")))
    assert given.id == kept.id


def test_answers_change_the_status():
    one = finding(kind="contradiction", status="open")
    promise = finding(kind="promise", status="open", quotes=((3, "我一定还你。"),))
    [said, kept] = answered([one, promise], {one.id: "later", promise.id: "kept"})
    assert (said.status, said.answer) == ("answered", "later")
    assert kept.status == "kept"
    [same] = answered([promise], {promise.id: "lie"})  # no answer to a promise
    assert same == promise


@pytest.mark.parametrize(
    ("one", "text", "marked"),
    [
        (finding(), "3 她住在山上。他来了。", "3 她住在山上。〔至第9楼〕他来了。"),
        (finding(answer="both"), "3 她住在山上。", "3 她住在山上。"),
        (finding(answer="lie"), "3 她住在山上。", "3 她住在山上。〔谎言〕"),
        (finding(kind="lie", status="told"), "3 “她住在山上。”", "3 “她住在山上。”〔谎言〕"),
        (finding(kind="mistaken", status="corrected"), "她住在山上。", "她住在山上。〔误以为〕"),
        (finding(), "她住在山下。", "她住在山下。"),
    ],
)
def test_marks_of_quoted_lines(one, text, marked):
    assert PromptMarks([one], "zh").marked(text, 0, 9) == marked


def test_a_mark_stands_only_on_its_floor():
    marks = PromptMarks([finding()], "en")
    assert marks.marked("她住在山上。", 5, 7) == "她住在山上。"
    assert marks.marked("她住在山上。", 0, 2) == "她住在山上。 [until floor 9]"


def test_promises_are_told_when_they_come_up_and_not_when_they_are_settled():
    quotes = ((3, "等手好了，我拉琴给你听。"),)
    promise = finding(
        kind="promise", status="open", quotes=quotes, trigger="等手好了", who=("林一",)
    )
    assert "我拉琴给你听" in due([promise], "林一的琴修好了吗？手好了没有？", "zh")
    assert due([promise], "今天吃什么？", "zh") == ""
    [kept] = answered([promise], {promise.id: "kept"})
    assert due([kept], "手好了，拉琴吧。", "zh") == ""


@pytest.mark.parametrize("tongue", ["zh", "en", "ja"])
def test_a_list_has_words_in_each_language(tongue):
    head, first, second = listed(finding(), tongue)
    assert finding().id in head
    assert "她住在山上。" in first
    assert "她搬到了城里。" in second
