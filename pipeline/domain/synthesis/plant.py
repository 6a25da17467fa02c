"""Plant seeds: find what cases and patterns suggest, have it worded, and add it like any other."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.patterns.model import Pattern
from afterword.pipeline.domain.patterns.read import current, members
from afterword.pipeline.domain.prices.keep_classes import classes_of
from afterword.pipeline.domain.synthesis.clusters import best_clusters
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.seed_rows import planted, seed_cases, watched
from afterword.pipeline.domain.synthesis.seed_writer import refusal_of
from afterword.pipeline.domain.synthesis.seeds import (
    SEED_TEMPLATE,
    MethodSeed,
    seed_of_cluster,
    seed_of_pattern,
    worded,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.llm import UnusableAnswerError
from afterword.pipeline.rules.market.taxonomy import AssetClass

MOST_SEEDS: Final = 3
"""Seeds of one pass: each one is a further trial, and raises the bar for all."""

MOST_MEMBERS: Final = 200
"""Decisions of a pattern that tell its class of assets, the latest."""


def seeds_of(conn: Connection, *, has_new_cases: bool) -> list[MethodSeed]:
    """Return the seeds that are to be planted now.

    Args:
        has_new_cases: whether cases were closed since the last look; without, only patterns count.
    """
    seeds = [
        seed for pattern in current(conn, None) if (seed := _of_pattern(conn, pattern)) is not None
    ]
    if has_new_cases:
        clusters = best_clusters(seed_cases(conn), watched(conn), MOST_SEEDS)
        seeds += [seed_of_cluster(cluster) for cluster in clusters]
    before = planted(conn, [seed.key for seed in seeds])
    return [seed for seed in seeds if seed.key not in before][:MOST_SEEDS]


def plant(by: Synthesis, seeds: Sequence[MethodSeed]) -> int:
    """Add seeds; return how many are new. One that says the same as a stored methodology is a
    sighting of that.

    Raises:
        UnavailableError: the store or the model did not answer; what was planted stays.
        PostponedError: the model may not be asked for now.
    """
    writer = Writer(by.store, by.clock, by.ids, actor="system")
    # No transaction is open while a model is asked: it must not hold the only writer.
    return sum(add_methodology(writer, _worded(by, seed)).is_new for seed in seeds)


def _worded(by: Synthesis, seed: MethodSeed) -> NewMethodology:
    if by.writer is None or not by.seed_mode.is_enabled:
        return worded(seed, None, SEED_TEMPLATE)
    try:
        words = by.writer.word(seed, by.store.address)
    except (UnusableAnswerError, InvalidInputError):
        return worded(seed, None, SEED_TEMPLATE)
    if by.seed_mode.has_effect and refusal_of(words) is None:
        return worded(seed, words, by.writer.name)
    return worded(seed, None, SEED_TEMPLATE, said=words.methodology)


def _of_pattern(conn: Connection, pattern: Pattern) -> MethodSeed | None:
    """Return the seed of a pattern that works; None of another, or without a known class."""
    if pattern.side != "works":
        return None
    decisions = members(conn, pattern.key, pattern.numbers.window_hours, MOST_MEMBERS)
    known = classes_of(conn)
    classes: Counter[AssetClass] = Counter(known.of(decision.asset_key) for decision in decisions)
    del classes["unknown"]
    if not classes:
        return None
    most = min(classes, key=lambda name: (-classes[name], name))
    return seed_of_pattern(pattern, most, [decision.uid for decision in reversed(decisions)])
