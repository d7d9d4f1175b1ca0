"""What changes while it is worked out who knows what: it is worked out again, and nobody has it."""

from __future__ import annotations

import threading

from typing_extensions import override

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.knowledge.derive import derive
from tests.factories import write_chat

CTX = NullContext()
STORY = [("爱丽丝", "早上好。"), ("旅人", "早。"), ("爱丽丝", "面包在桌上。"), ("旅人", "谢谢。")]


class Meddling(NullContext):
    """Lets something happen between reading and writing, once."""

    def __init__(self, act):
        self._act = act

    @override
    def write(self, unit):
        if self._act is not None:
            act, self._act = self._act, None
            act()
        return unit()


def test_a_message_that_is_edited_meanwhile_is_nobodys_until_it_is_judged(memory, tmp_path):
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "早.jsonl", STORY)).chat_id
    line = Line.main(chat)
    thought = "（心想：钥匙在座钟里。）"
    meddling = Meddling(lambda: memory.messages.edit(line, 2, f"面包在桌上。{thought}"))
    memory.knowledge.derive(meddling, chat)
    store = memory.session.chat(chat)
    assert store.knowledge.due("turn") == [store.messages.slice("main", 2, 2)[0].id]
    heard = memory.knowledge.heard(CTX, line, "旅人", 0, 3)
    assert [m.text for m in heard] == ["早上好。", "早。", "面包在桌上。", "谢谢。"]
    assert store.knowledge.due("turn") == []


def test_what_the_user_says_meanwhile_is_heard(memory, tmp_path):
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "早.jsonl", STORY)).chat_id
    line = Line.main(chat)
    [message] = memory.messages.slice(line, 2, 2)
    meddling = Meddling(lambda: memory.knowledge.say_present(line, [message.id], ["爱丽丝"]))
    memory.knowledge.derive(meddling, chat)
    heard = memory.knowledge.heard(CTX, line, "旅人", 0, 3)
    assert [m.seq for m in heard] == [0, 1, 3]


def test_two_who_ask_at_once_wait_for_each_other(memory, tmp_path):
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "早.jsonl", STORY)).chat_id
    store = memory.session.chat(chat)
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(derive(CTX, store))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(answers) == 4
    assert not store.knowledge.has_due()
    assert not store.deriving.locked()
