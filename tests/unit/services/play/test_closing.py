"""The end of a session looks back; what everybody said before stays what it is."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import NotConfigured
from engram_desktop.jobs.context import NullContext

CTX = NullContext()


def test_a_session_ends_with_a_look_back(memory, server, line):
    reflection = {"events": [], "logs": [{"owner": "爱丽丝", "content": "他今天问我好。"}]}
    left = ["<reply>我很好。</reply>", json.dumps(reflection, ensure_ascii=False)]
    server.answer = lambda body: left.pop(0) if len(left) > 1 else left[0]
    memory.play.send(CTX, line, "你好吗？")
    report = memory.play.close_session(CTX, line)
    assert report.failed == ()
    assert len(server.bodies()) > 1


def test_without_an_endpoint_it_says_so(open_memory, tmp_path):
    memory = open_memory(tmp_path / "other")
    line = memory.play.start_scripted(CTX, "headpat", "zh").line
    with pytest.raises(NotConfigured):
        memory.play.close_session(CTX, line)
