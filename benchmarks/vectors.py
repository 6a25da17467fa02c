"""Accuracy, speed and memory of the vector index, beside a comparison of every row."""

from collections.abc import Callable
from functools import partial
from statistics import mean, median
from typing import Any

import numpy as np
import sqlite_vec
from numpy.typing import NDArray
from sqlalchemy import text

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.memory.tables import memory_vectors
from afterword.pipeline.recall.search.vectors import VectorIndex
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host
from benchmarks.timing import seconds

Vectors = NDArray[np.float32]

SEED = 7
QUESTIONS = 40
MOST = 100
"""Nearest rows a hybrid search asks for."""

_MEMORIES = text("""
WITH RECURSIVE number (value) AS (
  SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < :count)
INSERT INTO memories (uid, category, content, origin, behavioral, known_at, created_at, updated_at,
  embedding_state)
SELECT 'm' || value, 'observation', 'memory ' || value, 'agent', 0, value, value, value, 'embedded'
FROM number
""")
_MODEL = "INSERT INTO embedding_models VALUES (1, 'fake', 'shaped', ?, 0)"


def ask(rows: list[int], dimensions: int) -> Answer:
    """Search stores of growing size by the index, by sqlite-vec alone and by its `vec0`."""
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    for count in rows:
        vectors = shaped(count, dimensions, SEED)
        chance = np.random.default_rng(SEED + 1)
        asked = _unit(
            vectors[chance.integers(0, count, QUESTIONS)]
            + 0.3 * shaped(QUESTIONS, dimensions, SEED + 2)
        )
        floor[f"vec0_20_ms_{count}"] = _vec0_ms(vectors, asked)
        with a_host("NORMAL", fleet=False) as host:
            _fill(host, vectors)
            scan, index = VectorIndex(few=count), VectorIndex(few=0)
            first_s = seconds(partial(_search, host, index, asked[0]))
            floor[f"scan_ms_{count}"] = _ms(partial(_search, host, scan), asked[:10])
            measured[f"index_ms_{count}"] = _ms(partial(_search, host, index), asked)
            past = partial(_search, host, index, as_of=count // 2)
            measured[f"index_past_ms_{count}"] = _ms(past, asked)
            measured[f"index_over_scan_{count}"] = (
                measured[f"index_ms_{count}"] / floor[f"scan_ms_{count}"]
            )
            measured[f"first_s_{count}"] = first_s
            measured[f"mb_per_100k_{count}"] = index.nbytes / count * 1e5 / 1e6
            measured[f"recall20_{count}"] = mean(
                _kept(vectors, one, _search(host, index, one), 20) for one in asked
            )
        note(
            f"vectors {count:,}: index {measured[f'index_ms_{count}']:.1f} ms, "
            f"scan {floor[f'scan_ms_{count}']:.1f} ms, {measured[f'recall20_{count}']:.2%} of 20"
        )
    targets = {f"recall20_{count}": Target(at_least=0.98) for count in rows}
    targets |= {f"mb_per_100k_{count}": Target(at_most=12 + dimensions / 8) for count in rows}
    largest = max(rows)
    if largest >= 100_000:
        targets[f"index_over_scan_{largest}"] = Target(at_most=0.05)
    sizes = {"rows": rows, "dimensions": dimensions, "questions": QUESTIONS, "most": MOST}
    return Answer("vectors", measured, targets, floor, sizes)


def shaped(count: int, dimensions: int, seed: int) -> Vectors:
    """Return unit vectors as language models make them.

    They lie in a cone (two of them have a cosine of some 0.8), vary less and less along axes that
    lie across the coordinates, and come in clusters: rows of one theme. Measured on
    multilingual-e5-small: a mean cosine of 0.83, coordinates that vary by a factor of 2.3.
    """
    chance = np.random.default_rng(seed)
    turn = np.linalg.qr(np.random.default_rng(SEED).normal(size=(dimensions, dimensions)))[0]
    axes = np.arange(1, dimensions + 1, dtype=np.float32) ** -0.5
    axes /= np.linalg.norm(axes)
    middle = np.random.default_rng(SEED).normal(size=dimensions).astype(np.float32)
    themes = np.random.default_rng(SEED).normal(size=(300, dimensions)).astype(np.float32)
    rows = chance.normal(size=(count, dimensions)).astype(np.float32)
    rows += themes[chance.integers(0, len(themes), count)]
    turned = (rows * axes * 0.35 + middle / np.linalg.norm(middle)) @ turn.astype(np.float32)
    return _unit(turned.astype(np.float32))


def _unit(rows: Vectors) -> Vectors:
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit.astype("<f4")


def _fill(host: Host, vectors: Vectors) -> None:
    count, dimensions = vectors.shape
    with writing(host.store) as conn:
        conn.execute(_MEMORIES, {"count": count})
        conn.exec_driver_sql(_MODEL, (dimensions,))
        conn.execute(
            memory_vectors.insert(),
            [
                {"memory_id": number, "model_id": 1, "vector": vector.tobytes()}
                for number, vector in enumerate(vectors, start=1)
            ],
        )


def _search(
    host: Host, index: VectorIndex, asked: Vectors, as_of: int | None = None
) -> NDArray[np.int64]:
    with reading(host.store) as conn:
        return index.similar(conn, 1, asked.tobytes(), as_of, MOST).ids


def _vec0_ms(vectors: Vectors, asked: Vectors) -> float:
    """Return what a KNN of 20 costs in a `vec0` table: a second copy of every vector."""
    conn: Any = dbapi.connect(":memory:")
    conn.enable_load_extension(True)
    conn.load_extension(sqlite_vec.loadable_path())
    size = vectors.shape[1]
    conn.execute(f"CREATE VIRTUAL TABLE v USING vec0 (e float[{size}] distance_metric=cosine)")
    conn.executemany("INSERT INTO v (e) VALUES (?)", ((one.tobytes(),) for one in vectors))
    nearest = "SELECT rowid, distance FROM v WHERE e MATCH ? AND k = 20"
    found = _ms(lambda one: conn.execute(nearest, (one.tobytes(),)).fetchall(), asked[:10])
    conn.close()
    return found


def _ms(search: Callable[[Vectors], object], asked: Vectors) -> float:
    return median(seconds(partial(search, one)) for one in asked) * 1000


def _kept(vectors: Vectors, asked: Vectors, found: NDArray[np.int64], most: int) -> float:
    """Return the share of the exact nearest that a search found in front."""
    exact = np.argsort(-(vectors @ asked))[:most] + 1
    return float(np.isin(exact, found[:most]).mean())


def _counts(words: str) -> list[int]:
    return [int(word) for word in words.split(",")]


if __name__ == "__main__":
    answers(
        ask,
        rows=(_counts, [2_000, 20_000, 100_000], "rows of each store, with commas between"),
        dimensions=(int, 384, "numbers of a vector"),
    )
