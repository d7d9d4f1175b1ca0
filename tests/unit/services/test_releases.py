"""Newer versions: one address, asked only when wanted, and its answer believed in nothing."""

from __future__ import annotations

import json

import pytest

from engram_desktop import __version__
from engram_desktop.domain.errors import AnswerTooLong, BadAnswer, BadEndpoint, NoReleaseAddress
from engram_desktop.domain.release import Release, is_newer, read_release
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.library.endpoint_service import built_in_address
from engram_desktop.services.memory import Memory
from tests.release_server import ReleaseServer

NEW = {"version": "99.1", "page": "https://example.org/99.1", "notes": "更快"}


@pytest.fixture
def memory(tmp_path):
    memory = Memory.open(tmp_path / "library")
    yield memory
    memory.close()


def ask(memory, server):
    memory.settings.set("update.address", server.url)
    return memory.releases.newest(NullContext())


def test_nobody_is_asked_unless_the_user_wants_it(memory):
    assert not memory.releases.is_wanted
    assert built_in_address() == ""
    memory.settings.set("update.check", True)
    assert not memory.releases.is_wanted  # where?
    with pytest.raises(NoReleaseAddress):
        memory.releases.newest(NullContext())
    memory.settings.set("update.address", "https://example.org/latest")
    assert memory.releases.is_wanted


@pytest.mark.parametrize(
    "said",
    [NEW, {"tag_name": "v99.1", "html_url": "https://example.org/99.1", "body": "更快"}],
)
def test_a_newer_version_is_told_with_its_page(memory, said):
    with ReleaseServer(json.dumps(said)) as server:
        assert ask(memory, server) == Release("99.1", "https://example.org/99.1", "更快")
    ((path, headers),) = server.asked
    assert path == "/latest.json"
    assert set(headers) <= {"host", "accept", "accept-encoding", "connection", "user-agent"}
    assert headers["user-agent"] == f"Engram/{__version__}"


@pytest.mark.parametrize("version", [__version__, "0.0.9", "v0.0.1", "99.0rc1", "99.0.dev3"])
def test_what_is_older_the_same_or_a_trial_is_not_told(memory, version):
    with ReleaseServer(json.dumps(NEW | {"version": version})) as server:
        assert ask(memory, server) is None


@pytest.mark.parametrize(
    "said",
    ["", "no JSON", "[]", "3", '{"version": 3}', '{"version": "latest"}', "[" * 50_000, "{}"],
)
def test_an_answer_without_a_version_is_an_error_in_words(memory, said):
    with ReleaseServer(said) as server, pytest.raises(BadAnswer):
        ask(memory, server)


def test_an_endless_answer_is_cut_off(memory):
    with ReleaseServer("x" * 400_000) as server, pytest.raises(AnswerTooLong):
        ask(memory, server)


def test_it_follows_no_redirect(memory):
    with (
        ReleaseServer(json.dumps(NEW)) as other,
        ReleaseServer("", 302, Location=other.url) as server,
        pytest.raises(BadEndpoint),
    ):
        ask(memory, server)
    assert other.asked == []


@pytest.mark.parametrize(
    "page",
    [
        "http://example.org",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://" + "a" * 600,
        "https://example.org/\u202eexe",
        7,
    ],
)
def test_a_page_that_is_no_plain_https_address_is_dropped(page):
    assert read_release(json.dumps(NEW | {"page": page})).page == ""


def test_versions_are_compared_as_numbers():
    assert is_newer(Release("0.10"), "0.9")
    assert not is_newer(Release("1.0"), "1.0.0")
