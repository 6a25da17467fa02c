"""The mem0 side of `benchmarks.against_mem0`, run by an interpreter that has mem0.

It reads one JSON file (texts, questions and their vectors, made by our side) and prints one line of
JSON. mem0 embeds and ranks nothing itself here: both sides get the same vectors. Its keyword arm
wants a model from a hub; it gets the same formula without one.
"""

import array
import base64
import json
import os
import re
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

K1, B, AVERAGE_LENGTH = 1.2, 0.75, 256  # as in the sparse model mem0 would download


class Looked:
    """An embedder that knows its answers."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self.vectors = vectors
        self.config = SimpleNamespace(embedding_dims=len(next(iter(vectors.values()))))

    def embed(self, text: str, *_: str) -> list[float]:
        return self.vectors[text]

    def embed_batch(self, texts: list[str], *_: str) -> list[Any]:
        return [self.vectors[text] for text in texts]


class Bm25:
    """Sparse vectors of words: the term part of BM25; the server knows the inverse frequencies."""

    def embed(self, texts: list[str]) -> Any:
        import numpy as np

        for text in texts:
            words = Counter(re.findall(r"\w+", text.lower()))
            length = sum(words.values())
            norm = K1 * (1 - B + B * length / AVERAGE_LENGTH)
            weights = {
                zlib.crc32(word.encode()): n * (K1 + 1) / (n + norm) for word, n in words.items()
            }
            yield SimpleNamespace(
                indices=np.array(list(weights), dtype=np.int64),
                values=np.array(list(weights.values()), dtype=np.float32),
            )


def main(path: str) -> None:
    """Write every conversation, ask every question, print what came of it."""
    given = json.loads(Path(path).read_text())
    folder = tempfile.mkdtemp(prefix="mem0-", dir=Path(path).parent)
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": folder, "OPENAI_API_KEY": "none"}
    from mem0 import Memory

    vectors = {text: decoded(vector) for text, vector in given["vectors"].items()}
    dimensions = len(next(iter(vectors.values())))
    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "collection_name": "turns",
                    "path": f"{folder}/qdrant",
                    "on_disk": True,
                    "embedding_model_dims": dimensions,
                },
            },
            "embedder": {
                "provider": "openai",
                "config": {"api_key": "none", "embedding_dims": dimensions},
            },
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": f"{folder}/history.db",
        }
    )
    memory.embedding_model = Looked(vectors)
    memory.vector_store._bm25_encoder = Bm25()
    written, searches, found = 0.0, [], []
    for conversation in given["conversations"]:
        user = conversation["name"]
        started = time.perf_counter()
        for turn in conversation["turns"]:
            memory.add(turn["text"], user_id=user, infer=False, metadata={"turn": turn["id"]})
        written += time.perf_counter() - started
        for question in conversation["questions"]:
            started = time.perf_counter()
            hits = memory.search(question["text"], filters={"user_id": user}, top_k=10)
            searches.append(time.perf_counter() - started)
            found.append([hit["metadata"]["turn"] for hit in hits["results"]])
    print(json.dumps({"write_s": written, "search_s": searches, "found": found}))


def decoded(vector: str) -> list[float]:
    """Return the numbers of a vector of base64 float32."""
    return array.array("f", base64.b64decode(vector)).tolist()


if __name__ == "__main__":
    main(sys.argv[1])
