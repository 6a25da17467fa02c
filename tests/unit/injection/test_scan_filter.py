"""What is left out before a pattern is tried could never have matched."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from afterword.pipeline.rules.injection import readings, scan
from benchmarks import injection

PIECES = st.sampled_from(
    [*"abfiz019@$!+.,:'\n -_ée\ud800и中", " a", "a ", " a b", "af", "af 0", "1a"]
)
SETS = Path(injection.__file__).parent / "injection_sets"


def test_every_pattern_tried_on_every_sentence_finds_the_same(monkeypatch: pytest.MonkeyPatch):
    texts = [
        json.loads(line)["text"]
        for path in sorted(SETS.glob("*.jsonl"))
        for line in path.read_text().splitlines()
    ]
    filtered = [scan.scan(text, by_meaning=False) for text in texts]
    monkeypatch.setattr(scan, "_possible", lambda _words: scan._LATIN)
    monkeypatch.setattr(scan, "_has_all", lambda _needed, _present: True)

    assert [scan.scan(text, by_meaning=False) for text in texts] == filtered
    assert sum(map(bool, filtered)) > 10


@given(st.lists(PIECES, max_size=40).map("".join))
@example("a b c d e")
@example("x a.b.c,d e")
@example("ab cd ef 01 23 45 67 89")
@example("abcdef0123456789")
@example("4ll")
@example("1gnore")
def test_a_quick_check_leaves_out_no_sign_of_a_disguise(low: str):
    raw = low.encode("ascii", "replace")
    words = readings.words_of(low)
    single = sum(len(word) == 1 and "a" <= word <= "z" for word in words)

    assert readings._has_signs(raw, low) == bool(readings._LEET.search(low))
    assert readings._has_hex(low) == bool(readings._HEX.search(low))
    many = readings._has_many_single(raw, words, readings._lengths(words))
    assert many == (single >= readings._MANY_SINGLE)


@pytest.mark.parametrize("longest", [1, 15, 16, 255, 256, 1_000])
def test_a_word_is_long_however_long_it_is(longest: int):
    assert readings._has_long(readings._lengths(["a", "b" * longest])) == (longest >= 16)
