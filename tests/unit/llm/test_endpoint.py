"""Endpoints and their keys."""

from __future__ import annotations

import errno
import json
import logging
import os
import stat
from typing import Any

import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoRing
from keyring.errors import PasswordDeleteError, PasswordSetError
from typing_extensions import override

from engram_desktop.domain.address import clean_url, is_exposed, is_loopback
from engram_desktop.domain.errors import BadEndpoint, BadSetting
from engram_desktop.domain.settings import DECLARED
from engram_desktop.llm import keys as further_keys
from engram_desktop.llm import os_keyring
from engram_desktop.llm.endpoint import BadKey, Endpoint
from engram_desktop.llm.keys import FILE_NAME, KeyFileUnusable, KeyStore
from engram_desktop.llm.os_keyring import NoKeyring
from engram_desktop.llm.redact import KeyFilter, redact

# What may be an address or a key, and what is told when it may not.


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
    assert is_exposed(url) is exposed


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


# Where a key is, and above all where it is not.

STORED_KEY = "canary-0123456789"


class MemoryRing(KeyringBackend):
    """A keyring that works."""

    priority = 1

    def __init__(self):
        super().__init__()
        self.kept = {}

    @override
    def get_password(self, service, username):
        return self.kept.get((service, username))

    @override
    def set_password(self, service, username, password):
        self.kept[service, username] = password

    @override
    def delete_password(self, service, username):
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("not found")


class LockedRing(MemoryRing):
    @override
    def set_password(self, service, username, password):
        raise PasswordSetError("the collection is locked")


class Lines(logging.Handler):
    """Keeps what it is told, as a log file would hold it."""

    def __init__(self, lines):
        super().__init__()
        self.lines = lines

    @override
    def emit(self, record):
        self.lines.append(logging.Formatter().format(record))


def store(mode, path, **over):
    values: dict[str, Any] = {"environ": {}, "backend": MemoryRing()}
    return KeyStore(mode, path, **values | over)


@pytest.mark.parametrize("mode", ["keyring", "session", "file"])
def test_key_is_kept_and_deleted(mode, tmp_path):
    keys = store(mode, tmp_path)
    assert keys.get("llm") == ""
    assert keys.source("llm") == "none"
    keys.set("llm", f" {STORED_KEY}\n")
    keys.set("embed", "other-key")
    assert keys.get("llm") == STORED_KEY
    assert keys.source("llm") == mode
    keys.set("llm", "")
    keys.set("llm", "")
    assert keys.get("llm") == ""
    assert keys.get("embed") == "other-key"


@pytest.mark.parametrize("mode", ["keyring", "session"])
def test_only_the_file_mode_leaves_a_file(mode, tmp_path):
    store(mode, tmp_path).set("llm", STORED_KEY)
    assert list(tmp_path.iterdir()) == []


def test_file_says_that_it_is_not_encrypted_and_is_its_owners_only(tmp_path):
    keys = store("file", tmp_path / "new")
    keys.set("llm", STORED_KEY)
    path = tmp_path / "new" / FILE_NAME
    assert "NOT encrypted" in json.loads(path.read_text("utf-8"))["notice"]
    assert "unencrypted" in path.name
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert store("file", tmp_path / "new").get("llm") == STORED_KEY
    keys.set("llm", "")
    assert list(path.parent.iterdir()) == []


def test_without_a_keyring_nothing_is_stored_and_the_choices_are_told(tmp_path):
    keys = store("keyring", tmp_path, backend=NoRing())
    with pytest.raises(NoKeyring, match="session only") as caught:
        keys.set("llm", STORED_KEY)
    assert keys.get("llm") == "", "a local server needs no key, with or without a keyring"
    assert STORED_KEY not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_locked_keyring_says_so(tmp_path):
    with pytest.raises(NoKeyring, match="locked"):
        store("keyring", tmp_path, backend=LockedRing()).set("llm", STORED_KEY)


def test_environment_wins_and_is_never_stored(tmp_path):
    ring = MemoryRing()
    environ = {"ENGRAM_LLM_API_KEY": " from-environment "}
    for mode in ("keyring", "file", "session"):
        keys = store(mode, tmp_path, environ=environ, backend=ring)
        assert keys.get("llm") == "from-environment"
        assert keys.source("llm") == "environment"
        assert keys.get("rerank") == ""
    assert ring.kept == {}
    assert list(tmp_path.iterdir()) == []
    unreachable = store("keyring", tmp_path, environ=environ, backend=NoRing())
    assert unreachable.get("llm") == "from-environment"


def test_moving_leaves_no_key_behind(tmp_path):
    ring = MemoryRing()
    keys = store("file", tmp_path, backend=ring)
    keys.set("llm", STORED_KEY)
    keys.set("embed", "other-key")
    keys.move_to("keyring")
    assert keys.mode == "keyring"
    assert keys.get("llm") == STORED_KEY
    assert list(tmp_path.iterdir()) == []
    keys.move_to("session")
    assert ring.kept == {}
    assert keys.get("embed") == "other-key"


def test_failed_move_changes_nothing(tmp_path):
    keys = store("file", tmp_path, backend=NoRing())
    keys.set("llm", STORED_KEY)
    with pytest.raises(NoKeyring):
        keys.move_to("keyring")
    assert keys.mode == "file"
    assert keys.get("llm") == STORED_KEY


def test_strange_key_is_refused_before_it_is_stored(tmp_path):
    keys = store("file", tmp_path)
    with pytest.raises(BadKey):
        keys.set("llm", "sk-密钥")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"keys": 3}', '{"keys": {"llm": 5}}', "\x00"])
def test_damaged_file_says_so(text, tmp_path):
    (tmp_path / FILE_NAME).write_text(text, "utf-8")
    with pytest.raises(KeyFileUnusable, match="damaged"):
        store("file", tmp_path).get("llm")


def test_every_key_is_told_to_the_log_filter(tmp_path, caplog):
    masked = KeyFilter()
    keys = store("session", tmp_path, on_key=masked.add)
    keys.set("llm", STORED_KEY)
    lines: list[str] = []
    handler = Lines(lines)
    handler.addFilter(masked)
    logger = logging.getLogger("test.keys")
    logger.propagate = False
    logger.addHandler(handler)
    try:
        int(f"header {STORED_KEY}")
    except ValueError:
        logger.exception("failed with %s", STORED_KEY)
    logger.warning("stack of %s", {"key": STORED_KEY}, stack_info=True)
    logger.warning("Authorization: Bearer abcdefghijkl and sk-abcdefghijklmnopqrst")
    text = "\n".join(lines)
    assert STORED_KEY not in text
    assert "abcdefghijkl" not in text
    assert "'header [key]'" in text
    assert "Traceback" in text


def test_ordinary_words_are_not_masked():
    text = "Basic information about sk-8 skating; the bearer of bad news; 爱丽丝的钥匙"
    assert redact(text, ("", "none")) == text


def test_a_file_that_cannot_be_written_is_named_with_the_reason(tmp_path):
    (tmp_path / "file").write_text("no folder", "utf-8")
    with pytest.raises(KeyFileUnusable) as caught:
        store("file", tmp_path / "file").set("llm", STORED_KEY)
    assert os.strerror(errno.ENOTDIR) in str(caught.value) or os.strerror(errno.EEXIST) in str(
        caught.value
    )


def test_a_key_that_the_keyring_of_windows_cannot_hold_is_refused_in_words(tmp_path):
    ring = MemoryRing()
    os_keyring.write(ring, "llm", "k" * 1280, limit=2560)
    with pytest.raises(NoKeyring, match="too long"):
        os_keyring.write(ring, "llm", "k" * 1281, limit=2560)
    assert os_keyring.read(ring, "llm") == "k" * 1280, "what was kept stays"
    os_keyring.write(ring, "llm", "k" * 5000, limit=None)


@pytest.mark.skipif(os.name == "nt", reason="a symbolic link needs rights there")
def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "gone")  # nothing to be read, nothing to be made
    with pytest.raises(KeyFileUnusable) as caught:
        store("file", tmp_path / "link").set("llm", STORED_KEY)
    assert os.strerror(errno.EEXIST) in str(caught.value)


# Keys of further endpoints: one entry, by name; whatever else stands there is none.


@pytest.fixture
def heard():
    return []


@pytest.fixture
def keys(tmp_path, heard):
    return KeyStore("file", tmp_path, environ={}, on_key=heard.append)


def test_each_endpoint_has_its_own_and_every_one_is_masked(keys, heard):
    further_keys.write_further_key(keys, "away", "Bearer sk-1 ")
    further_keys.write_further_key(keys, "深", "sk-2")
    assert further_keys.read_further_keys(keys) == {"away": "sk-1", "深": "sk-2"}
    assert {"sk-1", "sk-2"} <= set(heard)
    further_keys.write_further_key(keys, "away", "")
    assert further_keys.read_further_keys(keys) == {"深": "sk-2"}
    further_keys.write_further_key(keys, "深", "")
    assert keys.source("further") == "none"


def test_a_key_that_is_none_is_refused_and_nothing_is_lost(keys):
    further_keys.write_further_key(keys, "away", "sk-1")
    with pytest.raises(BadKey):
        further_keys.write_further_key(keys, "away", "名字")
    assert further_keys.read_further_keys(keys) == {"away": "sk-1"}


@pytest.mark.parametrize("text", ["nothing", "[1,2]", '{"a":1,"b":null}', "{"])
def test_what_was_edited_by_hand_is_no_key(keys, text):
    keys.set("further", text)
    assert further_keys.read_further_keys(keys) == {}
