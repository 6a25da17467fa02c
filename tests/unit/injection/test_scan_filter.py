"""What is left out before a pattern is tried could never have matched."""

import json
from pathlib import Path

import pytest

from afterword.pipeline.rules.injection import scan
from benchmarks import injection

SETS = Path(injection.__file__).parent / "injection_sets"


def test_every_pattern_tried_on_every_sentence_finds_the_same(monkeypatch: pytest.MonkeyPatch):
    texts = [
        json.loads(line)["text"]
        for path in sorted(SETS.glob("*.jsonl"))
        for line in path.read_text().splitlines()
    ]
    filtered = [scan.scan(text) for text in texts]
    monkeypatch.setattr(scan, "_possible", lambda _words: scan._LATIN)
    monkeypatch.setattr(scan, "_has_all", lambda _needed, _present: True)

    assert [scan.scan(text) for text in texts] == filtered
    assert sum(map(bool, filtered)) > 10
