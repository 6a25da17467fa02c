"""The cost of a search beside FTS5's own OR query of the same words, in small and large stores."""

import os
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median

from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.tables import memory_vectors
from afterword.pipeline.domain.memory.write import MAX_BULK, write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.vectors.rows import keep_model
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import quoted, words
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.vectors import VectorIndex
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.chatter import chatter
from benchmarks.host import Host, a_host
from benchmarks.timing import percentile, seconds
from benchmarks.vectors import SEED, shaped

CONVERSATIONS = "eval/locomo_dev.json"
"""Real conversations inside the folder that AFTERWORD_SHARED names; invented ones without it."""

LIMIT = 20
MOST = {"contextual": 1.2, "hybrid": 1.6}
"""What each way may cost over FTS5's own OR query in a large store."""

DIMENSIONS = 384

_OR = text("""
SELECT rowid FROM memories_fts WHERE memories_fts MATCH :expression ORDER BY rank LIMIT :limit
""")


class Invented:
    """An embedder whose vectors are made up, so that only the searching takes time."""

    provider, model, dimensions = "fake", "shaped", DIMENSIONS

    def __init__(self) -> None:
        self._vectors = cycle(shaped(200, DIMENSIONS, SEED + 3))

    def embed(self, texts: Sequence[str], group: str, task: str) -> list[bytes]:  # noqa: ARG002
        """Return one vector per text."""
        return [next(self._vectors).tobytes() for _ in texts]

    def embed_query(self, query: str, group: str, task: str) -> bytes:  # noqa: ARG002
        """Return a question's vector."""
        vector: bytes = next(self._vectors).tobytes()
        return vector


def ask(rows: str, questions: int, path: Path, hybrid: bool) -> Answer:
    """Fill stores of several sizes, and ask each the same questions in every way, in turn."""
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    targets: dict[str, Target] = {}
    sizes = [int(one) for one in rows.split(",")]
    for size in sizes:
        with a_host("NORMAL", fleet=False) as host:
            asked = _fill(host, size, path, questions, hybrid)
            first = seconds(partial(search, host.store, asked[0]))
            times = _times(host, asked, hybrid)
        bare = times.pop("or")
        floor |= {
            f"or_p50_ms_{size}": median(bare) * 1000,
            f"or_p95_ms_{size}": percentile(bare, 0.95) * 1000,
        }
        measured[f"first_ms_{size}"] = first * 1000
        for way, taken in times.items():
            ratio = f"{way}_p50_ratio_{size}"
            measured[ratio] = median(taken) / median(bare)
            measured[f"{way}_p50_ms_{size}"] = median(taken) * 1000
            measured[f"{way}_p95_ms_{size}"] = percentile(taken, 0.95) * 1000
            note(f"search, {size} rows, {way}: {measured[ratio]:.2f} x FTS5's own OR")
            if size >= 100_000 and way in MOST:
                targets[ratio] = Target(at_most=MOST[way])
    return Answer("search", measured, targets, floor, {"rows": sizes, "questions": questions})


def _fill(host: Host, rows: int, path: Path, questions: int, hybrid: bool) -> list[str]:
    said, asked = chatter(rows, path if path.exists() else None)
    for start in range(0, rows, MAX_BULK):
        write_memories(Writer(host.store, system_clock, random_uid), said[start : start + MAX_BULK])
    if hybrid:
        with writing(host.store) as conn:
            model_id = keep_model(conn, Invented(), system_clock())
            made = enumerate(shaped(rows, DIMENSIONS, SEED), start=1)
            conn.execute(
                memory_vectors.insert(),
                [
                    {"memory_id": number, "model_id": model_id, "vector": vector.tobytes()}
                    for number, vector in made
                ],
            )
    random.Random(rows).shuffle(asked)
    return asked[:questions]


def _times(host: Host, asked: list[str], hybrid: bool) -> dict[str, list[float]]:
    find = partial(search, host.store, options=SearchOptions(limit=LIMIT))
    now = system_clock()
    ways: dict[str, Callable[[str], object]] = {
        "or": partial(_or, host),
        "contextual": find,
        "as_of": partial(find, as_of=now),
    }
    if hybrid:
        hybrid_options = SearchOptions(limit=LIMIT, embedder=Invented(), index=VectorIndex())
        ways["hybrid"] = partial(search, host.store, options=hybrid_options)
    for run in ways.values():
        run(asked[0])
    times: dict[str, list[float]] = {way: [] for way in ways}
    for question in asked:
        for way, run in ways.items():
            times[way].append(seconds(partial(run, question)))
    return times


def _or(host: Host, question: str) -> object:
    values = {"expression": quoted(*words(question)), "limit": LIMIT}
    with reading(host.store) as conn:
        return conn.execute(_OR, values).all()


def _shared() -> Path:
    """Return where real conversations lie, if they do: beside the repository, unless named."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("AFTERWORD_SHARED", beside)) / CONVERSATIONS


if __name__ == "__main__":
    answers(
        ask,
        rows=(str, "10000,100000", "memories of each store, with commas between"),
        questions=(int, 100, "questions asked of each"),
        path=(Path, _shared(), "a file of LoCoMo conversations"),
        hybrid=(bool, True, "with invented vectors too; empty: without"),
    )
