"""Whether the relevance of the first hit tells a question of a conversation from a foreign one.

Each question is asked of its own conversation, and of the others of the file. The area under the
curve is the share of pairs, one of each kind, in which its own conversation has the larger number.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from benchmarks.answer import leave_on_term, note
from benchmarks.host import Host, a_host
from benchmarks.locomo import Conversation, conversations
from benchmarks.machine import machine
from benchmarks.retrieval import an_embedder, searches, write

TARGETS: Final = {"with_names": 0.95, "without_names": 0.88}
"""Least area under the curve, of ordinary questions."""

KINDS: Final = ("ordinary", "adversarial")

Floats = NDArray[np.float64]


def area(own: Floats, foreign: Floats) -> float:
    """Return the share of pairs in which the own value is larger; a tie counts half."""
    values, counts = np.unique(foreign, return_counts=True)
    below = np.concatenate(([0], np.cumsum(counts)))
    left, right = (np.searchsorted(values, own, side) for side in ("left", "right"))
    return float(np.mean((below[left] + below[right]) / 2) / len(foreign))


def without_names(talks: list[Conversation]) -> list[Conversation]:
    """Return conversations whose turns and questions do not say who speaks."""
    turns = (turn for talk in talks for turn in talk.turns.values())
    names = "|".join(sorted({turn.content.partition(":")[0] for turn in turns}))
    named = re.compile(rf"\b(?:{names})\b(?:'s)?:?")

    def nameless(text: str) -> str:
        return named.sub("", text).strip() or "."

    return [
        replace(
            talk,
            turns={
                at: replace(turn, content=nameless(turn.content)) for at, turn in talk.turns.items()
            },
            questions=tuple(replace(one, text=nameless(one.text)) for one in talk.questions),
        )
        for talk in talks
    ]


def asked(talks: list[Conversation]) -> Iterator[tuple[str, str, bool, float]]:
    """Yield way of searching, kind of question, whether it is of this conversation, relevance."""
    for talk in talks:
        with a_host(fleet=False) as host, an_embedder(host) as embedder:
            write(host, talk, embedder)
            for (way, options), other in product(searches(embedder).items(), talks):
                for question in other.questions:
                    kind = KINDS[question.category == "adversarial"]
                    most = _relevance(host, question.text, options)
                    yield way, kind, other is talk, most
        note(f"relevance: {talk.name}")


def _relevance(host: Host, question: str, options: SearchOptions) -> float:
    hits = search(host.store, question, options=replace(options, limit=1))
    return hits[0].relevance if hits else 0.0


def main() -> None:
    """Print the area under the curve with the speakers' names, and without them."""
    leave_on_term()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="a file of LoCoMo conversations")
    talks = conversations(parser.parse_args().path)
    measured: dict[str, float] = {}
    for name, of in (("with_names", talks), ("without_names", without_names(talks))):
        found: defaultdict[tuple[str, str, bool], list[float]] = defaultdict(list)
        for way, kind, is_own, most in asked(of):
            found[way, kind, is_own].append(most)
        for way, kind in sorted({(way, kind) for way, kind, _ in found}):
            own, foreign = (np.array(found[way, kind, is_own]) for is_own in (True, False))
            measured[f"{way}_{kind}_{name}"] = round(area(own, foreign), 4)
            middle = [round(float(np.median(one)), 2) for one in (own, foreign)]
            note(f"{way}, {kind} questions, {name}: medians {middle[0]} own, {middle[1]} foreign")
    missed = {
        key: value
        for key, value in measured.items()
        for name, least in TARGETS.items()
        if key.endswith(f"ordinary_{name}") and value < least
    }
    answer = {"question": "relevance", "measured": measured, "target": TARGETS, "missed": missed}
    print(json.dumps(answer | {"met": not missed, "machine": machine()}))


if __name__ == "__main__":
    main()
