"""What a user gets wrong, and a bug of ours: one line says what, the log has the rest."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from engram_desktop.cli.main import main
from tests.factories import write_chat

HOMES = ("HOME", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def test_a_bug_of_a_command_is_one_line_and_its_trace_is_in_the_log(tmp_path, capsys, monkeypatch):
    for name in HOMES:
        monkeypatch.setenv(name, str(tmp_path / "home"))
    library = tmp_path / "library"
    assert main(["chats", "--library", str(library)]) == 0
    connection = apsw.Connection(str(library / "library.db"))
    connection.execute("DROP TABLE kept_book")
    connection.close()
    capsys.readouterr()
    assert main(["kept", "--library", str(library)]) == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert "this is a bug in Engram" in line
    log = Path(line.rpartition(" is in ")[2])
    assert "Traceback (most recent call last)" in log.read_text("utf-8")


@pytest.mark.parametrize("port", ["99999", "-1", "x"])
def test_what_is_no_port_is_wrong_usage(tmp_path, port, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["serve", f"--port={port}", "--library", str(tmp_path)])
    assert ended.value.code == 2
    assert "is no port" in capsys.readouterr().err


def test_a_proxy_that_is_no_address_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "::not a url::")
    library = ["--library", str(tmp_path / "library")]
    file = write_chat(tmp_path / "月光.jsonl", [("爱丽丝", "早。")])
    assert main(["import", str(file), *library]) == 0
    capsys.readouterr()
    monkeypatch.setenv("ENGRAM_LLM_BASE_URL", "https://model.invalid/v1")
    monkeypatch.setenv("ENGRAM_LLM_MODEL", "m")
    assert main(["triage", "月光", "--input", "?", *library]) == 1
    assert "The proxy cannot be used" in capsys.readouterr().err
