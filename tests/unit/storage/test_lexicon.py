"""The lexical index in one piece answers as it did in many."""

from tests.factories import make_message, make_store


def test_tidying_brings_together_what_many_transactions_wrote(tmp_path):
    store = make_store(tmp_path)
    for n in range(30):
        with store.database.writing():
            store.messages.append("main", n, [make_message(f"第{n}天，钥匙在抽屉里。")])
    parts = "SELECT count(DISTINCT segid) FROM memory_lexicon_idx"
    asked = ["钥匙", "抽屉", "29", "没有"]
    before = [ids.tolist() for ids in store.items.postings(asked)]
    assert store.database.value(parts) > 1
    begins, is_left = True, True
    for _ in range(20):
        with store.database.writing():
            is_left = store.items.tidy(begins=begins)
        begins = False
        if not is_left:
            break
    assert not is_left
    assert store.database.value(parts) == 1
    assert before[0] == list(range(1, 31))
    assert [len(ids) for ids in before] == [30, 30, 1, 0]
    store.items._lexicon._postings.clear()
    assert [ids.tolist() for ids in store.items.postings(asked)] == before
