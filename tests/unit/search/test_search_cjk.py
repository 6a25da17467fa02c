"""Chinese, Japanese and Korean are found by words of one, two and more characters."""

import json
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.variants import variants

MEMORIES = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "benchmarks" / "data" / "cjk.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def test_nine_of_ten_questions_find_their_memory_among_ten(store: Store, writer: Writer):
    write_memories(writer, [NewMemory("reference", one["text"]) for one in MEMORIES])
    places = []
    missed = []
    for one in MEMORIES:
        for question in one["asked"]:
            found = [
                hit.memory.content
                for hit in search(store, question, options=SearchOptions(limit=10))
            ]
            places.append(found.index(one["text"]) if one["text"] in found else None)
            if places[-1] is None:
                missed.append(question)

    assert len(MEMORIES) >= 120
    assert len(places) >= 100
    assert sum(place is not None for place in places) >= 0.9 * len(places), missed
    assert sum(place == 0 for place in places) >= 0.8 * len(places)


@pytest.mark.parametrize("query", ["币", "幣", "漲", "价", "価", "賣", "売"])
def test_one_character_in_any_script(store: Store, query: str, writer: Writer):
    write_memories(writer, [NewMemory("reference", "山寨币涨价之后再卖")])

    assert len(search(store, query)) == 1


def test_a_last_character_of_a_run_is_found(store: Store, writer: Writer):
    write_memories(writer, [NewMemory("reference", "看好黄金 和白银")])

    assert [len(search(store, one)) for one in ("金", "银", "股市", "好黄")] == [1, 1, 0, 1]


def test_every_way_to_write_a_pair_is_tried():
    assert set(variants("币价")) >= {"币价", "幣價", "币価"}
    assert variants("eth") == ("eth",)
