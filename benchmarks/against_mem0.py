"""Compare Afterword with mem0: the same conversations, vectors and questions.

mem0 is no dependency: name an interpreter that has it (`pip install mem0ai` in an environment of
its own). Vectors are made once, before either side starts, and looked up by both, so the numbers
are those of the stores. mem0 keeps its rows in a local qdrant.
"""

import base64
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from afterword.pipeline.clock import system_clock
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.gateway.embedding.local import LocalEmbeddings
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.testing.embedding import HashedEmbedder
from benchmarks.answer import Answer, answers, note
from benchmarks.embedding import embed_waiting
from benchmarks.host import a_host
from benchmarks.locomo import Conversation, conversations
from benchmarks.timing import percentile

TOP = 10
"""Answers of one search."""

RUNNER = Path(__file__).with_name("mem0_runner.py")


class Known(HashedEmbedder):
    """An `Embedder` that looks its vectors up."""

    provider, model = "known", "known"

    def __init__(self, vectors: dict[str, bytes]) -> None:
        super().__init__(len(next(iter(vectors.values()))) // 4)
        self._vectors = vectors

    def vector(self, text: str) -> bytes:
        """Return the vector of a text, or of a question without the spaces around it."""
        return self._vectors[text]


def ask(path: Path, python: Path, embedder: str) -> Answer:
    """Let both write the conversations and answer the questions, one after the other."""
    given = conversations(path)
    vectors = _vectors(given, embedder)
    note(f"against_mem0: {len(vectors):,} vectors are made")
    found = {"ours": _ours(given, vectors), "mem0": _theirs(given, vectors, python)}
    measured: dict[str, float] = {}
    for side, (write_s, ready_s, search_s, hits) in found.items():
        turns = sum(len(one.turns) for one in given)
        measured |= {
            f"{side}_writes_per_s": turns / write_s,
            f"{side}_writes_per_s_until_found": turns / ready_s,
            f"{side}_search_p50_ms": 1000 * percentile(search_s, 0.5),
            f"{side}_search_p95_ms": 1000 * percentile(search_s, 0.95),
            f"{side}_any_at_10": 100 * _any(given, hits),
        }
        note(f"against_mem0: {side} finds {measured[f'{side}_any_at_10']:.1f} % of {len(hits):,}")
    sizes = {
        "turns": sum(len(one.turns) for one in given),
        "questions": sum(len(one.questions) for one in given),
        "embedder": embedder,
        "mem0_arms": "vectors and BM25",
    }
    return Answer("against_mem0", measured, targets={}, sizes=sizes)


def _vectors(given: Sequence[Conversation], embedder: str) -> dict[str, bytes]:
    texts = [new.content for one in given for new in one.turns.values()]
    questions = [question.text.strip() for one in given for question in one.questions]
    if embedder == "hashed":
        hashed = HashedEmbedder(384)
        return {text: hashed.vector(text) for text in (*texts, *questions)}
    local = LocalEmbeddings()
    made = dict(zip(texts, local.ask(texts).content, strict=True))
    return dict(zip(questions, local.ask_query(questions).content, strict=True)) | made


Found = tuple[float, float, list[float], list[list[str]]]
"""Seconds until all is written, until all is found, of each search, and the turns it found."""


def _ours(given: Sequence[Conversation], vectors: dict[str, bytes]) -> Found:
    write_s = ready_s = 0.0
    search_s: list[float] = []
    hits: list[list[str]] = []
    known = Known(vectors)
    for one in given:
        with a_host(fleet=False) as host:
            started = time.perf_counter()
            written = [
                write_memory(Writer(host.store, system_clock, random_uid, embeds=True), new)
                for new in one.turns.values()
            ]
            write_s += time.perf_counter() - started
            embed_waiting(host.store, known)
            ready_s += time.perf_counter() - started
            turn_of = {row.id: str(turn) for row, turn in zip(written, one.turns, strict=True)}
            index = VectorIndex()
            for question in one.questions:
                started = time.perf_counter()
                found = search(
                    host.store,
                    question.text,
                    options=SearchOptions(limit=TOP, embedder=known, index=index),
                )
                search_s.append(time.perf_counter() - started)
                hits.append([turn_of[hit.memory.id] for hit in found])
    return write_s, ready_s, search_s, hits


def _theirs(given: Sequence[Conversation], vectors: dict[str, bytes], python: Path) -> Found:
    asked = {
        "vectors": {text: base64.b64encode(made).decode() for text, made in vectors.items()},
        "conversations": [
            {
                "name": one.name,
                "turns": [
                    {"id": str(turn), "text": new.content} for turn, new in one.turns.items()
                ],
                "questions": [{"text": question.text.strip()} for question in one.questions],
            }
            for one in given
        ],
    }
    with TemporaryDirectory(prefix="afterword-bench-") as folder:
        file = Path(folder) / "asked.json"
        file.write_text(json.dumps(asked))
        run = subprocess.run(
            [str(python), str(RUNNER), str(file)], capture_output=True, text=True, check=False
        )
    if run.returncode:
        note(run.stderr[-2000:])
        raise SystemExit(f"against_mem0: {python} cannot run it; `pip install mem0ai` there")
    said = json.loads(run.stdout.splitlines()[-1])
    return said["write_s"], said["write_s"], said["search_s"], said["found"]


def _any(given: Sequence[Conversation], hits: Iterable[Sequence[str]]) -> float:
    """Return the share of questions with at least one answering turn among those found."""
    wanted = [{str(turn) for turn in q.evidence} for one in given for q in one.questions]
    return sum(bool(gold & set(found)) for gold, found in zip(wanted, hits, strict=True)) / len(
        wanted
    )


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, None, "a file of LoCoMo conversations"),
        python=(Path, Path(sys.executable), "an interpreter that has mem0"),
        embedder=(str, "local", "local (the extra) or hashed"),
    )
