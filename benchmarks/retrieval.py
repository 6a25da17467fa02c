"""How often a search finds the turn, or the session, with the answer to a question."""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from math import log2
from pathlib import Path
from statistics import fmean
from typing import Final

from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.model import MemoryIds
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.model import MAX_HITS
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import quoted, words
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.settings import load
from benchmarks.answer import leave_on_term, note
from benchmarks.embedding import embed_waiting
from benchmarks.host import Host, a_host
from benchmarks.locomo import Conversation, conversations
from benchmarks.machine import machine

KS = (1, 5, 10, 20)

DEFAULT = "contextual"
"""The arm that a search without an embedder is."""

Find = Callable[[Store, str], list[int]]
"""Returns the ids found, best first."""

# What FTS5 does by itself: any of the words, its own BM25.
_PLAIN = text("""
SELECT rowid FROM memories_fts WHERE memories_fts MATCH :expression ORDER BY rank LIMIT :limit
""")


_MOST: Final = SearchOptions(limit=MAX_HITS)


def plain(store: Store, question: str) -> list[int]:
    """Find by FTS5's own BM25 of the same words."""
    values = {"expression": quoted(*words(question)), "limit": MAX_HITS}
    with reading(store) as conn:
        return [row_id for (row_id,) in conn.execute(_PLAIN, values)]


def by_search(store: Store, question: str, options: SearchOptions = _MOST) -> list[int]:
    """Find by the product's own search."""
    return [hit.memory.id for hit in search(store, question, options=options)]


@contextmanager
def an_embedder(host: Host) -> Iterator[MeteredEmbedder | None]:
    """Yield the embedder that the environment asks for, and close it."""
    settings, instance = load(home=host.home), host.stores.instance
    budget = Budget(instance, caps_of(settings), system_clock, random_uid)
    embedder = build_embedder(settings, instance, budget, system_clock)
    with nullcontext() if embedder is None else closing(embedder):
        yield embedder


def write(
    host: Host, conversation: Conversation, embedder: MeteredEmbedder | None
) -> list[MemoryIds]:
    """Write the turns in order, with their vectors where there is an embedder."""
    by = Writer(host.store, system_clock, random_uid, embeds=embedder is not None)
    written = write_memories(by, list(conversation.turns.values()))
    if embedder is not None:
        embed_waiting(host.store, embedder)
    return written


def searches(embedder: MeteredEmbedder | None) -> dict[str, SearchOptions]:
    """Return the product's ways of searching: with meaning only where there is an embedder."""
    ways = {DEFAULT: _MOST}
    if embedder is not None:
        index = VectorIndex()
        ways["hybrid"] = replace(_MOST, embedder=embedder, index=index, embed_timeout_s=60.0)
    return ways


def arms(embedder: MeteredEmbedder | None) -> dict[str, Find]:
    """Return the ways of searching that are compared, by name."""
    ways = searches(embedder)
    if "hybrid" in ways:
        ways["hybrid_rrf"] = replace(ways["hybrid"], fusion="rrf")
    by_name: dict[str, Find] = {"plain": plain}
    for name, options in ways.items():
        by_name[name] = partial(by_search, options=options)
    return by_name


class Marks:
    """Adds up how good lists are, by what they are about."""

    def __init__(self) -> None:
        self._marks: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def give(self, about: str, found: Sequence[Hashable], wanted: frozenset[Hashable]) -> None:
        """Mark one list of things found, each once, against those wanted."""
        marks = self._marks[about]
        ranks = [rank for rank, one in enumerate(found) if one in wanted]
        marks["mrr"].append(1 / (ranks[0] + 1) if ranks else 0)
        for k in KS:
            gained = [1 / log2(rank + 2) for rank in ranks if rank < k]
            ideal = sum(1 / log2(rank + 2) for rank in range(min(k, len(wanted))))
            marks[f"any@{k}"].append(bool(gained))
            marks[f"share@{k}"].append(len(gained) / len(wanted))
            marks[f"ndcg@{k}"].append(sum(gained) / ideal)

    def means(self) -> dict[str, dict[str, float]]:
        """Return the mean marks: percent, but MRR and NDCG from 0 to 1."""
        return {about: _means(marks) for about, marks in sorted(self._marks.items())}


def _means(marks: dict[str, list[float]]) -> dict[str, float]:
    shown = {
        name: round(fmean(given) * (1 if name == "mrr" or name.startswith("ndcg") else 100), 3)
        for name, given in marks.items()
    }
    return {"questions": len(marks["mrr"]), **shown}


def mark(conversation: Conversation, marks: dict[str, Marks]) -> None:
    """Write one conversation into a store of its own and ask its questions."""
    with a_host(fleet=False) as host, an_embedder(host) as embedder:
        written = write(host, conversation, embedder)
        turn_of = {row.id: turn for row, turn in zip(written, conversation.turns, strict=True)}
        ways = arms(embedder)
        for question in conversation.questions:
            sessions = frozenset(session for session, _ in question.evidence)
            for arm, find in ways.items():
                turns = [turn_of[row_id] for row_id in find(host.store, question.text)]
                places = list(dict.fromkeys(session for session, _ in turns))
                for about in ("all", question.category, conversation.name):
                    marks[f"{arm} turn"].give(about, turns, question.evidence)
                    marks[f"{arm} session"].give(about, places, sessions)


def main() -> None:
    """Mark every question of a LoCoMo file; print the numbers and, last, the promised one."""
    leave_on_term()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="a file of LoCoMo conversations")
    marks: defaultdict[str, Marks] = defaultdict(Marks)
    for conversation in conversations(parser.parse_args().path):
        mark(conversation, marks)
        note(f"retrieval: {conversation.name}, {len(conversation.questions)} questions")
    means = {name: given.means() for name, given in marks.items()}
    for name, about in means.items():
        note(f"{name:>20}: " + ", ".join(f"{key} {value}" for key, value in about["all"].items()))
    print(json.dumps({"question": "retrieval", "measured": means, "machine": machine()}))
    print(f"any@10 {means[f'{DEFAULT} turn']['all']['any@10']}")


if __name__ == "__main__":
    main()
