"""People under one name: whole names, ranks, relatives, and names that are of somebody else."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all
from engram_desktop.domain.claims.people import FoundPeople, candidates, story_people


def people(*messages, player="Max"):
    found = FoundPeople.of(candidates(text) for _name, text in messages)
    return story_people(messages, [player], (), found.likely())[0]


def said(messages, player):
    read, _findings, _spent = read_all(messages, player)
    return [(line.speaker, line.quote) for line in read[-1].lines if line.how == "said"]


def test_a_rank_that_changes_is_of_the_same_person():
    story = [
        ("Bridge", 'Lieutenant Commander Ola Brandt nods. "Aye," says Commander Brandt.'),
        ("Bridge", 'Brandt sits down. "Well done," says the admiral to Captain Brandt.'),
    ]
    assert people(*story) == ("Max", "Commander Ola Brandt")


def test_a_rank_alone_is_nobodys_name():
    story = [
        ("Bridge", 'Admiral Okoye sits. "Admiral, the fleet," he says. Your Admiral waits.')
    ] * 3
    assert people(*story) == ("Max", "Admiral Okoye")


def test_a_captain_is_called_by_rank_and_family_name_beside_a_sister_of_that_name():
    story = [
        ("Deck", 'Captain Ana Ruiz waits. Marta Ruiz, her sister, laughs. "Ana!" Marta calls.'),
        ("Deck", 'Marta sits. Captain Ruiz does not turn round. "Not now," she says.'),
    ]
    assert said(story, "Max")[-1] == ("Captain Ana Ruiz", "Not now,")


def test_a_name_told_whole_once_is_of_who_acts_by_the_first_name():
    story = [("Max", "I ask a porter called Enzo Galli."), ("Ship", '"No, sir." Enzo shrugs.')]
    assert "Enzo Galli" in people(*story)
    assert "Enzo Galli" not in people(("Max", "The Enzo Galli is a ship."), ("Ship", "It sank."))


def test_the_married_name_of_a_card_that_is_a_woman_is_hers():
    hers = [
        ("Ida Voss", '*She lifts her veil.* "Good evening."'),
        ("Max", '"Sit down, Mrs. Voss." I wave. Mrs. Voss sits down.'),
    ]
    assert people(*hers) == ("Max", "Ida Voss")
    his = [
        ("Karl Voss", '*He lifts his hat.* "Good evening."'),
        ("Max", '"Sit down, Mrs. Voss." I wave. Mrs. Voss sits down.'),
    ]
    assert people(*his) == ("Max", "Karl Voss", "Mrs. Voss")


def test_an_aunt_is_the_lady_of_that_name_and_an_uncle_is_not():
    told = '"Get on!" says Lady Agnes. Lady Agnes frowns. {} sighs. "Well," says {}.'
    assert people(("Hall", told.format("Aunt Agnes", "Aunt Agnes"))) == ("Max", "Lady Agnes")
    assert len(people(("Hall", told.format("Uncle Agnes", "Uncle Agnes")))) == 3


@pytest.mark.parametrize(
    ("told", "is_she"),
    [
        ("Ida Voss is dead.", True),
        ("Mrs. Voss is dead.", True),
        ("Mr. Voss is dead.", False),
        ("Her brother Otto Voss is dead.", False),
        ("Voss Street is dead.", False),
    ],
)
def test_who_has_her_family_name_is_not_always_she(told, is_she):
    story = [
        ("Ida Voss", '*She lifts her veil.* "Good evening." *She sits.*'),
        ("Max", f'"I am listening." I wait. {told}'),
    ]
    read, _findings, _spent = read_all(story, "Max")
    assert ("Ida Voss" in {claim.about for claim in read[1].facts}) == is_she


def test_a_player_in_the_third_person_narrates_beside_quotes():
    style = [
        ("Ivo", '*Ivo looks up.* "You are late."'),
        ("Runa", '*Evening.* Runa comes home with wet hair. "Ivo? Are you there?"'),
    ]
    assert said(style, "Runa") == [("Runa", "Ivo?"), ("Runa", "Are you there?")]
    spoken = [*style, ("Runa", '*Night.* Ivo, come here. *She waves.* "Quick!"')]
    assert ("Runa", "Ivo, come here.") in said(spoken, "Runa")


def test_each_tag_on_a_line_names_the_speaker_of_its_own_speech():
    story = [
        ("Narrator", 'Marian nods. Ruben waits. "Well?" says Marian. "Now," says Ruben.'),
        ("Narrator", 'They lay their hands on it. "I swear," says Marian. "I swear," says Ruben.'),
    ]
    assert [who for who, _quote in said(story, "Max")] == ["Marian", "Ruben"]
