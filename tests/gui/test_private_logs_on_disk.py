"""Logs and crash reports are for their owner alone, also after a new file was begun."""

from __future__ import annotations

import faulthandler
import logging
import os

import pytest

from engram_desktop.app import diagnostics


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_logs_are_for_their_owner_alone(tmp_path):
    before, root = os.umask(0), logging.getLogger()
    handlers, level = list(root.handlers), root.level
    folder = tmp_path / "log"
    folder.mkdir()
    (folder / "engram.log.1").write_text("earlier")
    try:
        diagnostics.start_logging(folder)
        [to_file] = [h for h in root.handlers if isinstance(h, diagnostics._PrivateFile)]
        logging.getLogger("engram").info("one")
        to_file.doRollover()
        logging.getLogger("engram").info("two")
        diagnostics.watch_crashes(folder).close()
        modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    finally:
        faulthandler.disable()
        os.umask(before)
        for handler in [h for h in root.handlers if h not in handlers]:
            root.removeHandler(handler)
            handler.close()
        root.setLevel(level)
    assert modes.pop("log") == 0o700
    assert len(modes) >= 3
    assert set(modes.values()) == {0o600}


def test_a_log_that_cannot_begin_a_new_file_goes_on_in_the_old_one(tmp_path):
    (tmp_path / "engram.log.1" / "held").mkdir(parents=True)  # can be neither deleted nor replaced
    log = diagnostics._PrivateFile(
        tmp_path / "engram.log", maxBytes=100, backupCount=1, encoding="utf-8"
    )
    try:
        for number in range(5):
            log.emit(logging.LogRecord("a", logging.INFO, "", 1, f"{number} " * 30, None, None))
    finally:
        log.close()
    lines = (tmp_path / "engram.log").read_text("utf-8").splitlines()
    assert [line[0] for line in lines] == ["0", "1", "2", "3", "4"]
