"""Text prompts without names: marks of an instruct template say whose a message is."""

from __future__ import annotations

import pytest

from tests.front_ends import shapes
from tests.front_ends.kept import CTX, TURNS, ask, only_line, texts
from tests.front_ends.shapes import Front

FRONT = Front(
    "Traveller", "Alice", system="Alice keeps the tavern by the river, and trusts nobody."
)
GREETING = FRONT.reply("The rain falls, and Alice greets you.")
MARKED = ["chatml", "alpaca", "llama3"]
# (before the player, before the model, behind a message)
OTHER_MARKS = {
    "gemma": ("<start_of_turn>user\n", "<start_of_turn>model\n", "<end_of_turn>\n"),
    "phi": ("<|user|>\n", "<|assistant|>\n", "<|end|>\n"),
    "deepseek": ("<｜User｜>", "<｜Assistant｜>", "<｜end▁of▁sentence｜>"),
    "command": ("<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|END_OF_TURN_TOKEN|>"),
    "vicuna": ("\nUSER: ", "\nASSISTANT: ", ""),
    "mistral": ("[INST] ", "[/INST] ", "</s>"),
    "llama 4": (
        "<|header_start|>user<|header_end|>\n\n",
        "<|header_start|>assistant<|header_end|>\n\n",
        "<|eot|>",
    ),
    "gemma 4": ("<|turn>user\n", "<|turn>model\n", "<turn|>\n"),
    "harmony": (
        "<|start|>user<|message|>",
        "<|start|>assistant<|channel|>final<|message|>",
        "<|end|>",
    ),
    "moonshot": (
        "<|im_user|>user<|im_middle|>",
        "<|im_assistant|>assistant<|im_middle|>",
        "<|im_end|>",
    ),
    "kobold": ("{{[INPUT]}}", "{{[OUTPUT]}}", "{{[OUTPUT_END]}}"),
    "dots": ("<|userprompt|>", "<|response|>", "<|endofresponse|>"),
    "human": ("### Human: ", "### Assistant: ", "\n"),
    "proxy": (
        "\n### Instruction:\n#### Traveller:\n",
        "\n### Response (2 paragraphs, engaging):\n#### Alice:\n",
        "",
    ),
    "orca": ("\nUser: ", "\nAssistant: ", "<|end_of_turn|>"),
    "tulu": ("<|user|>\n", "<|assistant|>\n", "<|end_of_text|>\n"),
    "synthia": ("USER: ", "ASSISTANT: ", "\n"),
    "wizard": ("", "\n\n### Response:\n", "</s>"),
    "koala": ("USER: ", " GPT: ", "</s>"),
    "lightning": ("\n### Instruction:\n", "\n### Response: (length = unlimited)\n", "\n"),
}


def said(story):
    return [each.text for each in story]


@pytest.mark.parametrize("template", MARKED)
@pytest.mark.parametrize("named", [True, False], ids=["named", "bare"])
@pytest.mark.parametrize("greeted", [True, False], ids=["greeted", "not greeted"])
@pytest.mark.parametrize("stops", [True, False], ids=["stops", "no stops"])
def test_a_chat_of_text_prompts_is_kept_as_it_was_said(memory, template, named, greeted, stops):
    story = [GREETING] if greeted else []
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        body = shapes.tavern_text(FRONT, story, template=template, named=named)
        ask(memory, body if stops else body | {"stop": []}, f" {reply}")
        story.append(FRONT.reply(reply))
    assert texts(memory, only_line(memory)) == said(story)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_note_in_its_own_line_is_none_of_a_reply_once_it_moved(memory, first):
    """Where names alone tell messages apart, a note stands right behind one."""
    story = [GREETING]
    for n, (asked, reply) in enumerate(TURNS):
        story.append(FRONT.user(asked))
        note = [(1, "The mill stands at the river.")] if n >= first else []
        body = shapes.tavern_text(FRONT, story, template="names", lore=note)
        ask(memory, body, f" {reply}")
        story.append(FRONT.reply(reply))
    assert texts(memory, only_line(memory)) == said(story)


def test_all_messages_may_stand_in_one_turn_with_names(memory):
    """As Libra has them, behind a line that says that the chat begins."""
    head = f"### Instruction:\n{FRONT.system}\nTraveller: Hm?\nAlice: Yes?\n### START ROLEPLAY:\n"
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        told = "".join(f"{each.name}: {each.text}\n" for each in story)
        stops = ["\nTraveller:", "\n### Response:"]
        ask(memory, {"prompt": f"{head}{told}\n### Response:\nAlice:", "stop": stops}, reply)
        story.append(FRONT.reply(reply))
    assert texts(memory, only_line(memory)) == said(story)


def test_a_model_may_write_the_mark_of_its_reply_itself(memory):
    """So it does by OpenAI Harmony, to think first."""
    before_user, before_reply, behind = OTHER_MARKS["harmony"]
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        marks = {"user": before_user, "assistant": before_reply}
        told = "".join(marks[each.role] + each.text + behind for each in story)
        ask(memory, {"prompt": f"{FRONT.system}\n{told}"}, reply)
        story.append(FRONT.reply(reply))
    assert texts(memory, only_line(memory)) == said(story)


@pytest.mark.parametrize("marks", OTHER_MARKS.values(), ids=list(OTHER_MARKS))
def test_other_templates_are_read_as_well(memory, marks):
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(f"{asked}\n***\nLater: what now?"))  # a new scene is no beginning
        told = "".join(marks[each.role == "assistant"] + each.text + marks[2] for each in story)
        ask(memory, {"prompt": f"{FRONT.system}\n***\n{told}{marks[1]}"}, reply)
        story.append(FRONT.reply(reply))
    assert texts(memory, only_line(memory)) == said(story)


def test_examples_and_what_the_system_says_are_no_messages(memory):
    example = "<|im_start|>user\nWhere is the key?<|im_end|>\n<|im_start|>assistant\nI lost it."
    story = [GREETING, FRONT.user(TURNS[0][0])]
    body = shapes.tavern_text(FRONT, story, named=False)
    head, begin, rest = body["prompt"].partition("***\n")
    note = "<|im_start|>system\nIt is late.<|im_end|>\n"
    prompt = f"{head}***\n{example}<|im_end|>\n{begin}{note}{rest}"
    ask(memory, {"prompt": prompt}, TURNS[0][1])
    assert texts(memory, only_line(memory)) == [*said(story), TURNS[0][1]]


@pytest.mark.parametrize(
    "order",
    [
        "[Pause your roleplay. Summarize the story so far in 200 words.]",
        "### Task:\nGenerate a concise, 3-5 word title for the chat history.",
    ],
)
def test_a_task_behind_a_story_begins_no_chat(memory, order):
    story = [GREETING, FRONT.user(TURNS[0][0]), FRONT.reply(TURNS[0][1])]
    body = shapes.tavern_text(FRONT, story, named=False)
    mark = "<|im_start|>assistant\n"
    prompt = body["prompt"].removesuffix(mark) + f"<|im_start|>system\n{order}<|im_end|>\n{mark}"
    ask(memory, {"prompt": prompt}, "They met at night.")
    assert not memory.chats.all()


@pytest.mark.parametrize(
    "prompt", ["Once upon a time there was a tavern.", "A: Hello there.\nB:", "Say\n<|im_start|>"]
)
def test_why_a_prompt_is_not_kept_that_shows_nobody(memory, prompt):
    request = memory.serving.read({"prompt": prompt})
    kept = memory.serving.keep_request(CTX, request, memory.serving.identify(CTX, request))
    assert not memory.chats.all()
    assert "does not show who says what" in str(kept.why)


@pytest.mark.parametrize(
    "aligned",
    [
        "",
        "[/INST] Understood.</s>[INST] Let's get started. Please respond based on the"
        " information and instructions provided above.",
    ],
    ids=["", "aligned"],
)
def test_what_tells_of_the_people_is_none_where_it_stands_as_the_players_message(memory, aligned):
    story = [GREETING]
    for n, (asked, reply) in enumerate([*TURNS, *TURNS]):
        story.append(FRONT.user(f"{asked} {n}"))
        rows = [f"[INST] {s.text}" if s.role == "user" else f"[/INST] {s.text}</s>" for s in story]
        if n:  # an author's note, behind the newest reply
            rows.insert(-1, "[INST] Keep the tone light, and the lamps lit.")
        told = f"[INST] Alice keeps a tavern; Traveller is a guest.{aligned}{''.join(rows)}[/INST]"
        ask(memory, {"prompt": told, "stop": ["\nTraveller:"]}, reply)
        story.append(FRONT.reply(reply))
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [m.text for m in kept if not m.is_hidden] == said(story)


@pytest.mark.parametrize(
    ("head", "to_user", "to_model", "behind"),
    [("", "[INST] ", "[/INST] ", "</s>"), ("<|system|>", "<|user|>", "<|model|>", "")],
    ids=["mistral", "metharme"],
)
def test_an_order_where_no_mark_is_the_systems_is_no_message(
    memory, head, to_user, to_model, behind
):
    def prompt(*order):
        told = "".join(
            f"{to_user}{s.text}" if s.role == "user" else f"{to_model}{s.text}{behind}"
            for s in (*story, *order)
        )
        return {"prompt": f"{head}{FRONT.system}\n{told}{to_model.strip()}"}

    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        ask(memory, prompt(), reply)
        story.append(FRONT.reply(reply))
    order = FRONT.user("Summarise the story in one sentence.")
    identity, _kept = ask(memory, prompt(order), "They met.")
    assert identity.wanted == "quiet"
    assert texts(memory, only_line(memory)) == said(story)


def test_an_order_without_a_mark_behind_the_last_message_is_no_message(memory):
    """As by OpenOrca-OpenChat; a note between two messages has no mark either."""
    marks, end = {"user": "\nUser: ", "assistant": "\nAssistant: "}, "<|end_of_turn|>"

    def prompt(order="", note=""):
        rows = [f"{marks[s.role]}{s.text}{end}" for s in story]
        told = "".join([*rows[:-1], note, *rows[-1:]])
        return {"prompt": f"{FRONT.system}\n{told}{order}\nAssistant: "}

    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        ask(memory, prompt(note="The mill stands at the river."), reply)
        story.append(FRONT.reply(reply))
    identity, _kept = ask(memory, prompt("Summarise the story in one sentence."), "They met.")
    assert identity.wanted == "quiet"
    assert texts(memory, only_line(memory)) == said(story)


def test_an_order_that_nobody_in_the_story_is_to_answer_is_no_message(memory):
    """A mark of the system ends the prompt, as by Llama-3-Instruct-Names."""
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        body = shapes.tavern_text(FRONT, story, template="llama3, by names", named=False)
        ask(memory, body, reply)
        story.append(FRONT.reply(reply))
    order = FRONT.user("Summarise the story in one sentence.")
    body = shapes.tavern_text(
        FRONT, [*story, order], template="llama3, by names", speaker="System", named=False
    )
    identity, _kept = ask(memory, body, "They met.")
    assert identity.wanted == "quiet"
    assert texts(memory, only_line(memory)) == said(story)


@pytest.mark.parametrize("template", ["chatml", "mistral", "names"])
def test_who_joins_a_group_speaks_under_their_own_name(memory, template):
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        for name in ("Alice", "Tobin"):
            body = shapes.tavern_text(FRONT, story, template=template, speaker=name)
            story.append(FRONT.reply(f"{name} says: {reply}", name))
            ask(memory, body, f"{name} says: {reply}")
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [(m.name, m.text) for m in kept] == [(each.name, each.text) for each in story]


@pytest.mark.parametrize("stops", [["\nUser:"], ["\nUser:", "\nAlice:", "\n"]])
def test_a_player_may_be_called_user_where_names_alone_stand(memory, stops):
    front = Front("User", "Alice", system=FRONT.system)
    story = [GREETING]
    for asked, reply in TURNS:
        story.append(front.user(asked))
        ask(memory, shapes.tavern_text(front, story, template="names") | {"stop": stops}, reply)
        story.append(front.reply(reply))
    kept = memory.messages.slice(only_line(memory), 0, 1000)
    assert [(m.name, m.text) for m in kept] == [(each.name, each.text) for each in story]


def test_an_end_of_line_that_ends_the_reply_is_nobodys_name(memory):
    story = []
    for asked, reply in TURNS:
        story.append(FRONT.user(asked))
        told = "".join(
            f"[INST] {s.text}" if s.role == "user" else f"[/INST] {s.text}</s>" for s in story
        )
        ask(memory, {"prompt": f"{told}[/INST]", "stop": ["\n"]}, reply)
        story.append(FRONT.reply(reply))
    assert texts(memory, only_line(memory)) == said(story)
