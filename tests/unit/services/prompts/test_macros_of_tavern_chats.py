"""What macros said of real chats opened in SillyTavern 1.19, and what they say of them here."""

from __future__ import annotations

from tests.oracle.macro_chats import against
from tests.oracle.report import recorded


def test_macros_tell_of_a_chat_what_the_real_one_told():
    report = against(recorded("macro_chats"))
    assert report.total > 300
    assert report.differ == [], report.text()
