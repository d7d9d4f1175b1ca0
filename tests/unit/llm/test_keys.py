"""Where a key is, and above all where it is not."""

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

from engram_desktop.llm.endpoint import os_keyring
from engram_desktop.llm.endpoint.endpoint import BadKey
from engram_desktop.llm.endpoint.keys import FILE_NAME, KeyFileUnusable, KeyStore
from engram_desktop.llm.endpoint.os_keyring import NoKeyring
from engram_desktop.llm.endpoint.redact import KeyFilter, redact

KEY = "canary-0123456789"


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
    keys.set("llm", f" {KEY}\n")
    keys.set("embed", "other-key")
    assert keys.get("llm") == KEY
    assert keys.source("llm") == mode
    keys.set("llm", "")
    keys.set("llm", "")
    assert keys.get("llm") == ""
    assert keys.get("embed") == "other-key"


@pytest.mark.parametrize("mode", ["keyring", "session"])
def test_only_the_file_mode_leaves_a_file(mode, tmp_path):
    store(mode, tmp_path).set("llm", KEY)
    assert list(tmp_path.iterdir()) == []


def test_file_says_that_it_is_not_encrypted_and_is_its_owners_only(tmp_path):
    keys = store("file", tmp_path / "new")
    keys.set("llm", KEY)
    path = tmp_path / "new" / FILE_NAME
    assert "NOT encrypted" in json.loads(path.read_text("utf-8"))["notice"]
    assert "unencrypted" in path.name
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert store("file", tmp_path / "new").get("llm") == KEY
    keys.set("llm", "")
    assert list(path.parent.iterdir()) == []


def test_without_a_keyring_nothing_is_stored_and_the_choices_are_told(tmp_path):
    keys = store("keyring", tmp_path, backend=NoRing())
    with pytest.raises(NoKeyring, match="session only") as caught:
        keys.set("llm", KEY)
    assert keys.get("llm") == "", "a local server needs no key, with or without a keyring"
    assert KEY not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_locked_keyring_says_so(tmp_path):
    with pytest.raises(NoKeyring, match="locked"):
        store("keyring", tmp_path, backend=LockedRing()).set("llm", KEY)


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
    keys.set("llm", KEY)
    keys.set("embed", "other-key")
    keys.move_to("keyring")
    assert keys.mode == "keyring"
    assert keys.get("llm") == KEY
    assert list(tmp_path.iterdir()) == []
    keys.move_to("session")
    assert ring.kept == {}
    assert keys.get("embed") == "other-key"


def test_failed_move_changes_nothing(tmp_path):
    keys = store("file", tmp_path, backend=NoRing())
    keys.set("llm", KEY)
    with pytest.raises(NoKeyring):
        keys.move_to("keyring")
    assert keys.mode == "file"
    assert keys.get("llm") == KEY


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
    keys.set("llm", KEY)
    lines: list[str] = []
    handler = Lines(lines)
    handler.addFilter(masked)
    logger = logging.getLogger("test.keys")
    logger.propagate = False
    logger.addHandler(handler)
    try:
        int(f"header {KEY}")
    except ValueError:
        logger.exception("failed with %s", KEY)
    logger.warning("stack of %s", {"key": KEY}, stack_info=True)
    logger.warning("Authorization: Bearer abcdefghijkl and sk-abcdefghijklmnopqrst")
    text = "\n".join(lines)
    assert KEY not in text
    assert "abcdefghijkl" not in text
    assert "'header [key]'" in text
    assert "Traceback" in text


def test_ordinary_words_are_not_masked():
    text = "Basic information about sk-8 skating; the bearer of bad news; 爱丽丝的钥匙"
    assert redact(text, ("", "none")) == text


def test_a_file_that_cannot_be_written_is_named_with_the_reason(tmp_path):
    (tmp_path / "file").write_text("no folder", "utf-8")
    with pytest.raises(KeyFileUnusable) as caught:
        store("file", tmp_path / "file").set("llm", KEY)
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
        store("file", tmp_path / "link").set("llm", KEY)
    assert os.strerror(errno.EEXIST) in str(caught.value)
