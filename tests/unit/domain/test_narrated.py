"""Who is there within a message in which one card speaks for several."""

from __future__ import annotations

import pytest

from engram_desktop.domain.knowledge.narrated import Voice, VoicedMessage, narrated_perceptions
from engram_desktop.domain.knowledge.parts import private_parts
from engram_desktop.domain.knowledge.thoughts import Cast, Member, names_of

TOLD = Cast(
    (Member("雾港"),),
    "旅人",
    narrated=(Member("阿吉"), Member("柳娘")),
    narrators=frozenset(("雾港",)),
)


def told(text, *voices):
    spoken = tuple(
        Voice(text.index(words), text.index(words) + len(words), name) for name, words in voices
    )
    return VoicedMessage("雾港", text, "assistant", spoken)


def test_who_leaves_within_a_message_does_not_hear_its_end():
    text = "阿吉放下碗。“我走了。”阿吉走了出去。柳娘对你说：“钥匙在井里。”"
    message = told(text, ("阿吉", "我走了。"), ("柳娘", "钥匙在井里。"))
    ((perception, after),) = narrated_perceptions([message], TOLD)
    assert {some.name for some in perception.audience} == {"阿吉", "柳娘", "旅人"}
    (part,) = perception.parts
    assert "钥匙在井里" in text[part.start : part.end]
    assert {some.name for some in part.audience} == {"柳娘", "旅人"}
    assert "阿吉" not in after.names


def test_who_comes_in_within_a_message_does_not_hear_its_beginning():
    text = "柳娘看着你：“钥匙在井里。”这时阿吉推门进来。“说什么呢？”"
    message = told(text, ("柳娘", "钥匙在井里。"), ("阿吉", "说什么呢？"))
    ((perception, after),) = narrated_perceptions([message], TOLD)
    assert {some.name for some in perception.audience} == {"阿吉", "柳娘", "旅人"}
    (part,) = perception.parts
    assert text[part.start : part.end].startswith("柳娘看着你")
    assert "阿吉" not in {some.name for some in part.audience}
    assert "阿吉" in after.names


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("我转身走了出去。", {"旅人"}),
        ("我拉着柳娘走了出去。", {"旅人", "柳娘"}),
        ("他转身走了出去。", {"旅人", "柳娘", "阿吉"}),
        ("我披上蓑衣，朝药铺走去。", {"旅人"}),
        ("我朝窗边走去。", {"旅人", "柳娘", "阿吉"}),
        ("我和柳娘赶往码头，没有回头。", {"旅人", "柳娘"}),
        ("我去医院看她。", {"旅人"}),
        ("我想去医院看她。", {"旅人", "柳娘", "阿吉"}),
        ("I run after her.", {"旅人"}),
        ("I look after her and smile.", {"旅人", "柳娘", "阿吉"}),
    ],
)
def test_the_scene_behind_a_player_who_leaves(text, there):
    first = told("阿吉和柳娘看着你。“坐。”", ("阿吉", "“坐。”"))
    *_, (_perception, after) = narrated_perceptions(
        [first, VoicedMessage("旅人", text, "user")], TOLD
    )
    assert set(after.names) == there


@pytest.mark.parametrize("going", ["等他走了", "等他走远"])
def test_who_is_gone_before_a_whisper_does_not_hear_it(going):
    text = f"阿吉放下碗。“我走了。”{going}，柳娘压低声音对你说：“钥匙在井里。”"
    message = told(text, ("阿吉", "我走了。"), ("柳娘", "钥匙在井里。"))
    ((perception, after),) = narrated_perceptions([message], TOLD)
    whispers = [part for part in perception.parts if part.kind == "whisper"]
    assert "阿吉" not in {some.name for part in whispers for some in part.audience}
    assert "阿吉" not in after.names


def test_a_whisper_does_not_begin_with_what_another_said():
    text = "“Good evening.” *When he is gone, 柳娘 whispers to you,* “The key is in the well.”"
    message = told(text, ("阿吉", "Good evening."), ("柳娘", "The key is in the well."))
    ((perception, _after),) = narrated_perceptions([message], TOLD)
    whispers = [text[p.start : p.end] for p in perception.parts if p.kind == "whisper"]
    assert not [words for words in whispers if "Good evening" in words and "key" in words]


def test_a_letter_is_known_to_who_reads_it():
    text = "柳娘在一旁扫地。你拆开信，读道：“钥匙在井里。”"
    ((perception, _after),) = narrated_perceptions([told(text)], TOLD)
    (part,) = perception.parts
    assert {some.name for some in part.audience} == {"旅人"}


def test_of_a_new_scene_the_player_knows_who_speaks_next_in_it():
    evening = told("当晚，柳娘坐在灯下。“钥匙在井里。”", ("柳娘", "钥匙在井里。"))
    alone, *_ = narrated_perceptions([evening], TOLD)
    assert {some.name for some in alone[0].audience} == {"柳娘"}
    answer = VoicedMessage("旅人", "“什么钥匙？”", "user")
    answered, *_ = narrated_perceptions([evening, answer], TOLD)
    assert {some.name for some in answered[0].audience} == {"柳娘", "旅人"}


BESIDE_THEM = told("阿吉和柳娘看着你。“坐。”", ("阿吉", "“坐。”"))


@pytest.mark.parametrize(
    ("text", "voices", "there"),
    [
        ("阿吉牵着柳娘退了出去。", (), {"旅人"}),  # with her goes who takes her along
        ("阿吉拱手道：“是。”便牵着柳娘退了出去。", (("阿吉", "是。"),), {"旅人"}),
        ("你推门出去，看见柳娘站在廊下。", (), {"旅人", "柳娘"}),
        ("阿吉点点头，弯腰钻出了船舱。", (), {"旅人", "柳娘"}),
        ("阿吉向前踏出一步。", (), {"旅人", "柳娘", "阿吉"}),
        ("阿吉倒在地上，不动了。阿吉死了。", (), {"旅人", "柳娘"}),
        ("阿吉险些死了。", (), {"旅人", "柳娘", "阿吉"}),
        ("阿吉 died before dawn.", (), {"旅人", "柳娘"}),
        ("阿吉 nearly died.", (), {"旅人", "柳娘", "阿吉"}),
        ("阿吉 climbs up to trim the lamp.", (), {"旅人", "柳娘"}),
        ("阿吉 climbs up onto the bench.", (), {"旅人", "柳娘", "阿吉"}),
    ],
)
def test_who_goes_along(text, voices, there):
    *_, (_perception, after) = narrated_perceptions([BESIDE_THEM, told(text, *voices)], TOLD)
    assert set(after.names) == there


def test_who_stays_behind_does_not_hear_the_player_outside():
    text = "I follow 柳娘 into the passage and close the door behind us. “What is it?” I ask."
    rows = narrated_perceptions([BESIDE_THEM, VoicedMessage("旅人", text, "user")], TOLD)
    *_, (perception, after) = rows
    (part,) = perception.parts
    assert "What is it" in text[part.start : part.end]
    assert {some.name for some in part.audience} == {"旅人", "柳娘"}
    assert set(after.names) == {"旅人", "柳娘"}


def test_you_hear_a_whisper_in_which_something_is_put_into_your_hand():
    text = "阿吉 and 柳娘 sit there. “It was him,” 柳娘 whispers. She presses a key into your hand."
    ((perception, _after),) = narrated_perceptions([told(text, ("柳娘", "It was him,"))], TOLD)
    (part,) = (part for part in perception.parts if "It was him" in text[part.start : part.end])
    assert {some.name for some in part.audience} == {"柳娘", "旅人"}


def test_a_note_pushed_into_your_hand_is_yours_and_what_you_remember():
    for text in (
        "阿吉坐着。一个小男孩跑进来，往你手里塞了张纸条，转身就跑。",
        "阿吉和柳娘坐着。柳娘往你手里塞了张纸条，转身就跑。",
        "阿吉和柳娘坐着。柳娘 slips a note into your hand.",
    ):
        ((perception, _after),) = narrated_perceptions([told(text)], TOLD)
        (part,) = (part for part in perception.parts if part.kind == "whisper")
        assert "旅人" in {some.name for some in part.audience}
        assert "阿吉" not in {some.name for some in part.audience}
    text = "阿吉 looks up. You remember him: he was the mate of that ship."
    ((perception, _after),) = narrated_perceptions([told(text)], TOLD)
    (part,) = (part for part in perception.parts if part.kind == "thought")
    assert {some.name for some in part.audience} == {"旅人"}


def test_a_name_that_is_sighed_calls_nobody_in():
    first = told("阿吉看着你。“坐。”", ("阿吉", "坐。"))
    for cry, there in (("柳娘……", {"旅人", "阿吉"}), ("柳娘！", {"旅人", "阿吉", "柳娘"})):
        message = told(f"阿吉皱起眉头。“{cry}”", ("阿吉", cry))
        *_, (_perception, after) = narrated_perceptions([first, message], TOLD)
        assert set(after.names) == there


@pytest.mark.parametrize(("to", "is_whisper"), [("烛火", False), ("光", False), ("柳娘", True)])
def test_to_lean_to_a_light_is_no_whisper(to, is_whisper):
    text = f"我把钥匙托在掌心，凑近{to}。“柄上有字。”"
    rows = narrated_perceptions([BESIDE_THEM, VoicedMessage("旅人", text, "user")], TOLD)
    *_, (perception, _after) = rows
    assert bool(perception.parts) is is_whisper


def test_to_avoid_a_gaze_hides_nothing():
    text = "“没什么。”我避开他的目光，“他只问了路。”"
    rows = narrated_perceptions([BESIDE_THEM, VoicedMessage("旅人", text, "user")], TOLD)
    *_, (perception, _after) = rows
    assert not perception.parts


def test_a_narrator_named_in_a_heading_is_not_there():
    ((perception, _after),) = narrated_perceptions([told("雾港，深夜。阿吉坐下。“坐。”")], TOLD)
    assert "雾港" not in {some.name for some in perception.audience}


def test_a_bracket_that_names_its_writer_narrates():
    text = "（门开了。柳娘站在柜台后面，头也没抬。）欢迎光临。"
    of_card = VoicedMessage("柳娘", text, "assistant")
    cast = Cast((Member("柳娘"),), "旅人", narrated=(Member("阿吉"),))
    ((perception, _after),) = narrated_perceptions([of_card], cast)
    assert not [part for part in perception.parts if part.kind == "thought"]
    thinks = "（门开了。阿吉怎么还不来。）欢迎光临。"  # of another: it stays private
    ((perception, _after),) = narrated_perceptions(
        [VoicedMessage("柳娘", thinks, "assistant")], cast
    )
    assert [part for part in perception.parts if part.kind == "thought"]


def there(*texts):
    people = (Member("Quill"), Member("Tobias"))
    cast = Cast((Member("Harbour"),), "Wren", narrated=people, narrators=frozenset(("Harbour",)))
    told = [VoicedMessage("Harbour", text, "assistant") for text in texts]
    *_, (perception, _after) = narrated_perceptions(told, cast)
    return {person.name for person in perception.audience}


BOTH = "*Quill sits at the table with you. Tobias sits beside Quill and looks at you.*"


def test_who_was_there_is_gone_when_the_room_empties_or_a_month_has_passed():
    later = "*The common room empties.* Upstairs a stair creaks."
    assert there(BOTH, later, "*Quill comes back and looks at you.*") & {"Quill", "Tobias"} == {
        "Quill"
    }
    month = "*November.* Quill sits down beside you."
    assert "Tobias" not in there(BOTH, month)
    april = "*April nods at Quill.* Quill sits down beside you."
    assert "Tobias" in there(BOTH, april)
    full = "*The common room empties the jugs.* Quill looks at you."
    assert "Tobias" in there(BOTH, full)


def whispers(text):
    names = names_of(Cast((Member("Quill"),), "Wren"))
    return [{p.name for p in part.audience} for part in private_parts(text, "Quill", names)]


def test_a_phone_in_a_hand_or_at_an_ear_makes_no_whisper():
    assert whispers('*Quill plays with her phone.* "Is he late?"') == []
    assert whispers('*Quill waits, the phone clamped to her ear.* "Is he late?"') == []
    assert whispers('*Quill is on the phone.* "Is he late?"') == []
    assert whispers('*Quill bends down to her ear.* "He is late."') != []
    assert whispers('*Quill murmurs back.* "He is late."') == [{"Quill", "Wren"}]


def after(text, *before):
    """Return who is there after a message of the player, or of the card if it begins with ``>``."""
    first = told("阿吉和柳娘看着你。“坐。”", ("阿吉", "“坐。”"))
    last = told(text[1:]) if text.startswith(">") else VoicedMessage("旅人", text, "user")
    *_, (perception, scene) = narrated_perceptions([first, *before, last], TOLD)
    return perception, set(scene.names)


@pytest.mark.parametrize(
    ("text", "there"),
    [
        (">柳娘把你拉到后院，确定没人听见，才开口。", {"旅人", "柳娘"}),
        ("我把柳娘叫到屋后。", {"旅人", "柳娘"}),
        (">柳娘把大家叫到院子里。", {"旅人", "柳娘", "阿吉"}),
        (">柳娘把箱子搬到后院。", {"旅人", "柳娘", "阿吉"}),
        ("我屏住气，等他们走远了，才钻出来。", {"旅人"}),
    ],
)
def test_who_is_taken_apart_leaves_the_others_behind(text, there):
    assert after(text)[1] == there


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("次日，你在井边等着，阿吉却没有来。柳娘来了。", False),
        ("次日，你在井边等着，阿吉一直没出现。", False),
        ("次日，你在井边等着，阿吉来了。", True),
        ("次日，你摇头。其实阿吉早上就告诉过你了。", False),
        ("次日，阿吉早就站在井边。你走过去。", True),
    ],
)
def test_who_does_not_come_or_spoke_earlier_is_not_there(text, is_there):
    assert ("阿吉" in after(f">{text}")[1]) is is_there


def test_words_in_a_low_voice_that_others_must_not_know_are_a_whisper():
    text = "柳娘走到你跟前，小声说：“钥匙在井里。别告诉阿吉。”"
    message = told(text, ("柳娘", "钥匙在井里。别告诉阿吉。"))
    first = told("阿吉和柳娘看着你。“坐。”", ("阿吉", "“坐。”"))
    *_, (perception, _scene) = narrated_perceptions([first, message], TOLD)
    (part,) = perception.parts
    assert {some.name for some in part.audience} == {"柳娘", "旅人"}
    text = "柳娘走到你跟前，小声说：“饭好了。”"
    *_, (perception, _scene) = narrated_perceptions([first, told(text, ("柳娘", "饭好了。"))], TOLD)
    assert perception.parts == ()
