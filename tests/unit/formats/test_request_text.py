"""A request is changed where memory goes in, and nowhere else."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.formats.request_text import Change, RequestText

BODY = (
    '{ "n": 123456789012345678901234567890, "f": 1.50e-7, "nan": NaN, "dup": 1, "dup": 2,\n'
    ' "messages": [ {"role": "system", "content": "S {{engramSummaries}} \\ud83d"},\n'
    '  {"role":"user","content":[{"type":"text","text":"{{ENGRAMSUMMARIES }}"},'
    '{"type":"image_url","image_url":{"url":"{{engramSummaries}}"}}]} ,{"content":null},\n'
    '  {"role":"user","content":"你好"} ], "last": true }'
)


def changed(change, body=BODY):
    return RequestText(body.encode()).changed(change).decode()


def test_nothing_to_do_gives_the_very_bytes():
    body = BODY.encode()
    assert RequestText(body).changed(Change()) is body
    assert RequestText(body).changed(Change(model="")) is body


def test_the_placeholder_is_filled_in_what_is_said_and_nowhere_else():
    text = 'a "b"\\ \n你'
    spelt = json.dumps(text, ensure_ascii=False)[1:-1]
    wanted = BODY.replace("S {{engramSummaries}}", f"S {spelt}")
    assert changed(Change(fill=text)) == wanted.replace("{{ENGRAMSUMMARIES }}", spelt)


def test_a_message_is_put_in_and_others_are_left_out():
    put_in = '{"role":"developer","content":"M"}'
    change = Change(message="M", role="developer", before=1)
    assert changed(change) == BODY.replace(
        '{"role":"user","content":[', f'{put_in},{{"role":"user","content":['
    )
    last = changed(Change(message="M", role="developer", before=4))
    assert last == BODY.replace('"你好"}', f'"你好"}},{put_in}')
    rows = json.loads(changed(Change(message="M", before=3, left_out=frozenset({0, 1, 2}))))
    assert [row["content"] for row in rows["messages"]] == ["M", "你好"]


def test_a_model_is_named_or_added():
    assert changed(Change(model='m"'), '{"model": "x" ,"a":1}') == '{"model": "m\\"" ,"a":1}'
    assert changed(Change(model="m"), "{}") == '{"model":"m"}'
    assert changed(Change(model="m"), ' {"a":1}') == ' {"model":"m","a":1}'
    assert changed(Change(model="m"), '{"model":null}') == '{"model":"m"}'


def test_a_text_goes_into_a_prompt_before_any_character_however_it_is_spelt():
    body = '{"prompt":"a\\n\\u4e00\\ud83d\\ude00 \\"b\\\\ \\ud83d x😀"}'
    prompt = json.loads(body)["prompt"]
    for at in range(len(prompt) + 1):
        result = json.loads(changed(Change(prompt="|", prompt_at=at), body))["prompt"]
        assert result == prompt[:at] + "|" + prompt[at:]


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"1", b'{"a":', b"\xff", b"[" * 100_000, b'{"a":' + b"1" * 5_000 + b"}", b"{} x"],
)
def test_what_is_no_object_is_refused(body):
    with pytest.raises(InputError):
        RequestText(body)


@pytest.mark.parametrize(
    "body",
    [
        '{"messages":{}}',
        '{"messages":[]}',
        '{"messages":[1,"{{engramSummaries}}",null,[]]}',
        '{"messages":"{{engramSummaries}}"}',
        '{"prompt":[["{{engramSummaries}}"],1,{"":"{{engramSummaries}}"}]}',
        '{"messages":[{"content":[1,null,["x"],{"text":1}]}],"x":"{{engramSummaries}}"}',
    ],
)
def test_odd_shapes_stay_json(body):
    change = Change(fill="F", message="M", before=0, prompt="P", model="m")
    value = json.loads(changed(change, body))
    assert value["model"] == "m"


def test_placeholders_in_a_list_of_prompts_are_filled():
    assert (
        changed(Change(fill="F"), '{"prompt":["{{engramSummaries}}","b"]}')
        == '{"prompt":["F","b"]}'
    )
