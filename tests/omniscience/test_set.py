"""The omniscience set itself: what it says of a story is what stands in the story."""

from __future__ import annotations

import json

import pytest

from tests.omniscience.reader import NARRATORS, read_story, write_chat
from tests.omniscience.truth import known, known_since, leaks, tellings, who_knows

STORIES = {language: read_story(language) for language in ("zh", "en")}
AT_LEAST = {"zh": (300, 5, 40), "en": (120, 4, 15)}  # messages, characters, secrets


@pytest.fixture(params=sorted(STORIES))
def story(request):
    return STORIES[request.param]


def branches_of(story):
    return ["", *story.branches]


def test_it_is_as_large_as_it_has_to_be(story):
    messages, characters, secrets = AT_LEAST[story.language]
    assert len(story.main) >= messages
    assert len(story.characters) >= characters
    assert len([secret for secret in story.secrets if not secret.lie_of]) >= secrets
    assert story.branches
    assert all(len(secret.questions) in {2, 3} for secret in story.secrets)
    assert len({secret.id for secret in story.secrets}) == len(story.secrets)


def test_who_knows_a_secret_since_when_is_as_written(story):
    for secret in story.secrets:
        for branch in branches_of(story):
            written = _written(story, secret, branch)
            derived = {
                name: known_since(story, name, secret, branch)
                for name in story.people
                if known_since(story, name, secret, branch) is not None
            }
            assert derived == written, (secret.id, branch)


def _written(story, secret, branch):
    """Who knows it by the file: on a branch, what was known at the fork and what is written."""
    main = {name: story.floor_of(label) for name, (label, _) in secret.knows[""].items()}
    if not branch:
        return main
    fork = story.branches[branch].fork
    before = {name: floor for name, floor in main.items() if floor <= fork}
    after = {
        name: story.floor_of(label, branch)
        for name, (label, _) in secret.knows.get(branch, {}).items()
    }
    return after | before


def test_how_somebody_knows_is_as_written(story):
    for secret in story.secrets:
        for branch, people in secret.knows.items():
            for name, (label, how) in people.items():
                floor = story.floor_of(label, branch)
                ways = {
                    way
                    for telling in tellings(story, secret, branch)
                    if telling.floor == floor and name in telling.audience
                    for way in _ways(telling, name)
                }
                assert how in ways, (secret.id, name, how, ways)


def _ways(telling, name):
    if telling.how == "thought":
        return {"thought", "guessed"}
    if telling.how == "read":
        return {"read"}
    return {"overheard"} if name in telling.overhearing else {"told", "overheard", "lie"}


def test_nobody_knows_before_they_could_and_all_forget_nothing(story):
    for secret in story.secrets:
        floors = len(story.main)
        before: set[str] = set()
        for floor in range(0, floors, 7):
            now = who_knows(story, secret, floor)
            assert before <= now
            before = now
        first = min((telling.floor for telling in tellings(story, secret)), default=floors)
        assert not first or not who_knows(story, secret, first - 1)


def test_key_words_stand_where_it_is_told_and_no_question_gives_them_away(story):
    for secret in story.secrets:
        assert all(key in secret.fact for key in secret.keys), secret.id
        for question in secret.questions:
            assert not any(key in question for key in secret.keys), (secret.id, question)
        for other in story.secrets:
            if other is not secret:
                assert not any(key in other.fact for key in secret.keys), (secret.id, other.id)


def test_some_are_overheard_guessed_read_lied_about_and_learned_on_a_branch_only(story):
    ways = {how for one in story.secrets for _, how in one.knows[""].values()}
    assert {"told", "thought", "overheard", "read", "guessed", "lie"} <= ways
    assert any(secret.lie_of for secret in story.secrets)
    for branch in story.branches:
        only = [one for one in story.secrets if set(one.knows.get(branch, {})) - set(one.knows[""])]
        assert only
        assert any(
            known(story, name, secret, len(story.main)) != known(story, name, secret, 10**6, branch)
            for secret in story.secrets
            for name in story.people
        )


def test_parts_are_in_order_and_within_their_messages(story):
    for branch in branches_of(story):
        for line in story.lines(branch):
            assert "".join(text for text, _ in line.pieces) == line.text
            assert line.name in NARRATORS or line.name in line.there
            for part in line.parts:
                assert set(part.audience) <= set(story.people)


def test_a_leak_is_named(story):
    secret = next(one for one in story.secrets if not one.lie_of and len(one.knows[""]) == 2)
    last = len(story.main)
    knower = next(iter(secret.knows[""]))
    stranger = next(name for name in story.people if name not in secret.knows[""])
    assert leaks(story, stranger, secret.fact, last) == [secret.id]
    assert leaks(story, knower, secret.fact, last) == []


def test_it_can_be_written_as_a_chat(story, tmp_path):
    path = write_chat(story, tmp_path / "story.jsonl")
    rows = [json.loads(row) for row in path.read_text("utf-8").splitlines()]
    assert [row["mes"] for row in rows[1:]] == [line.text for line in story.main]
    assert any(row["is_user"] for row in rows[1:])
