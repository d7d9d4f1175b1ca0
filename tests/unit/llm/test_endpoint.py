"""What may be an address or a key, and what is told when it may not."""

import pytest

from engram_desktop.domain.address import clean_url, is_loopback
from engram_desktop.domain.errors import BadEndpoint, BadSetting
from engram_desktop.domain.settings.settings import DECLARED
from engram_desktop.llm.endpoint.endpoint import BadKey, Endpoint
from engram_desktop.llm.endpoint.redact import redact


@pytest.mark.parametrize(
    ("typed", "base"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        ("  https://api.example.com/v1/\n", "https://api.example.com/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("https://api.example.com/v1/embeddings/", "https://api.example.com/v1"),
        ("HTTP://LocalHost:11434/v1", "http://localhost:11434/v1"),
        ("https://open.example.cn/api/paas/v4", "https://open.example.cn/api/paas/v4"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_base_url_is_cleaned(typed, base):
    assert clean_url(typed) == base


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "api.example.com/v1",
        "ftp://example.com/v1",
        "https：//api.example.com/v1",
        "https://api.例子.com/v1",
        "https://api.example.com/v1?key=x",
        "https://user:secret@example.com/v1",
        "https:///v1",
        "https://host:99999/v1",
        "https://host:0/v1",
        "https://[::1/v1",
        "https://a b/v1",
        "http://169.254.169.254/latest",
        "http://[fe80::1]/v1",
    ],
)
def test_unusable_address_is_refused(typed):
    with pytest.raises(BadEndpoint) as caught:
        Endpoint(typed, "m")
    assert "secret" not in str(caught.value)


def test_final_url_shows_where_each_task_goes():
    endpoint = Endpoint("https://api.example.com/v1/", "m")
    assert endpoint.final_url("chat") == "https://api.example.com/v1/chat/completions"
    assert endpoint.final_url("embed") == "https://api.example.com/v1/embeddings"
    assert endpoint.final_url("rerank") == "https://api.example.com/v1/rerank"
    assert endpoint.origin == "https://api.example.com"


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST.",
        "app.localhost",
        "127.0.0.1",
        "127.8.9.1",
        "::1",
        "::ffff:127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "127.0.0.1.",
    ],
)
def test_every_spelling_of_this_computer_is_loopback(host):
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "localhost.example.com",
        "notlocalhost",
        "192.168.1.5",
        "10.0.0.1",
        "0.0.0.0",  # noqa: S104 - read, not bound
        "::",
        "::ffff:8.8.8.8",
        "3232235777",
        "127.0.0.1.example.com",
        "0x7f.256.0.1",
        "099.1",
        "",
    ],
)
def test_another_computer_is_not_loopback(host):
    assert not is_loopback(host)


def test_key_is_stripped_and_never_shown():
    endpoint = Endpoint("https://h/v1", "m", " Bearer sk-secretsecret\r\n")
    assert endpoint.key == "sk-secretsecret"
    assert "secret" not in repr(endpoint)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("sk-abc\ndef", "line break"),
        ("sk-abc def", "blank"),
        ("sk-密钥abc", "“密”"),
        ("ｓk-abc", "“ｓ”"),
        ("sk-abc\u200b", "ZERO WIDTH SPACE"),
        ("sk-abc\u3000def", "blank"),
    ],
)
def test_key_with_a_strange_character_names_it_but_not_the_key(key, told):
    with pytest.raises(BadKey) as caught:
        Endpoint("https://h/v1", "m", key)
    assert told in str(caught.value)
    assert "abc" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "exposed"),
    [
        ("http://api.example.com/v1", True),
        ("http://8.8.8.8/v1", True),
        ("http://[2606:4700::1]/v1", True),
        ("https://api.example.com/v1", False),
        ("http://192.168.1.5:1234/v1", False),
        ("http://10.0.0.7/v1", False),
        ("http://mybox:5000/v1", False),
        ("http://nas.local/v1", False),
        ("http://localhost:11434/v1", False),
    ],
)
def test_plain_http_beyond_the_own_network_is_flagged(url, exposed):
    assert Endpoint(url, "m").is_exposed is exposed


@pytest.mark.parametrize("key", ["llm.base_url", "embed.base_url", "rerank.base_url"])
@pytest.mark.parametrize(
    "typed",
    [
        "https://host/v1?key=SECRET",
        "https://host/v1#SECRET",
        "https://user:SECRET@host/v1",
        "https://SECRET@host/v1",
        "ftp://host/v1",
        "file:///etc/passwd",
        "host/v1",
        "https://ho st/v1",
        "https://host/v1\u200f",
        "https://host/\u202ev1",
        "https://host/v1\x07",
        "https://host\n.example/v1",
    ],
)
def test_an_unusable_address_is_never_a_setting(key, typed):
    with pytest.raises(BadSetting) as caught:
        DECLARED[key].check(typed)
    told = str(caught.value)
    assert "SECRET" not in told
    assert told.isprintable()


def test_an_address_is_stored_as_it_is_used_and_may_be_empty():
    setting = DECLARED["llm.base_url"]
    assert setting.check(" https://Host/v1/chat/completions ") == "https://host/v1"
    assert setting.check("  ") == ""
    assert setting.parse("https://host/v1?key=x") == "https://host/v1?key=x"  # stored before


KEY = "sk-proj-Ab12Cd34Ef56Gh78Ij90"


@pytest.mark.parametrize(
    "said",
    [
        f"Incorrect API key provided: {KEY}",
        f"Incorrect API key provided: {KEY[:8]}************{KEY[-4:]}. See your account",
        f"Incorrect API key provided: {KEY[:11]}...{KEY[-3:]}",
        f"the key ending in {KEY[-6:]} has no credit",
        f"token {KEY[6:14]} and {KEY[3:20]}",
        f"the key {KEY[:8]}***...***{KEY[-4:]} is wrong",
        f"the key {KEY[:8]}****-****-{KEY[-4:]} is wrong",
    ],
)
def test_no_part_of_a_key_is_shown(said):
    told = redact(said, (KEY,))
    assert "[key]" in told
    assert not [at for at in range(len(KEY) - 3) if KEY[at : at + 4] in told]
    assert "***" not in told


def test_what_is_no_part_of_a_key_stays():
    said = "Wait... the model **** is overloaded; see https://host/docs/errors#429 (project p-1)"
    assert redact(said, (KEY,)) == said


def test_what_our_own_keys_begin_with_stays_readable():
    key = "engram-Q7w_ErTy1uIoPaSdFgHjKlZxCvBnM234"
    trace = 'File "engram_desktop/services/chats/sync_chat.py", line 18: engram serve'
    assert redact(trace, [key]) == trace
    assert "ErTy1" not in redact(f"{trace} {key} {key[9:20]}", [key])


def test_parts_of_a_key_are_masked_from_16_characters_on():
    long, short = "q1w2e3r4t5y6u7i8", "q1w2e3r4t5y6u7i"
    for key in (long, short):
        assert redact(f"the key {key} is wrong", (key,)) == "the key [key] is wrong"
    assert "w2e3r4" not in redact("it began with w2e3r4t5", (long,))
    assert redact("it began with w2e3r4t5", (short,)) == "it began with w2e3r4t5"
