"""Whether a text that repeats itself slows any reader of foreign text more than in proportion.

The suite measures short texts of one token; this looks longer, and joins tokens at random.
"""

import random
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from afterword.pipeline.domain.exports.read import known_layouts
from benchmarks.answer import Answer, Target, answers, note
from tests.corpora.readers import (
    GENERIC,
    MOST_GROWTH,
    Read,
    expressions,
    file_reader,
    functions,
    growth,
    price_reader,
    price_samples,
    repeated,
    samples_of,
    tokens_of,
)

SEED = 20261126
ENDS = ("", "!", "\n")
"""What follows the repeated tokens: a reader may begin again where the text does not fit."""


def ask(characters: int, pairs: int) -> Answer:
    """Read every text twice, and name each reader, text and growth that is not in proportion."""
    slow = measured = 0
    for reader, what, read, text_of in _cases(pairs, random.Random(SEED)):
        measured += 1
        found = growth(read, text_of, characters)
        if found >= MOST_GROWTH:
            slow += 1
            note(f"{reader}: {what}: {found:.1f} times as long")
    return Answer(
        "readers",
        {"slow": slow, "measured": measured},
        targets={"slow": Target(at_most=0)},
        sizes={"characters": characters, "random_pairs": pairs},
    )


Case = tuple[str, str, Read, Callable[[int], str]]


def _cases(pairs: int, chance: random.Random) -> Iterator[Case]:
    for name, read in functions().items():
        for token in (*GENERIC, *_joined(GENERIC, pairs, chance)):
            yield from _texts(name, read, token)
    for name, expression in expressions().items():
        own = tokens_of(expression.pattern)
        for token in (*own, *_joined((*own, *GENERIC), pairs, chance)):
            yield from _texts(name, expression.read, token)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.csv"
        for layout in known_layouts():
            for sample in samples_of(layout):
                yield layout.name, sample.what, file_reader(path), sample.text_of
        for sample in price_samples():
            yield "prices", sample.what, price_reader(path), sample.text_of


def _joined(tokens: tuple[str, ...], count: int, chance: random.Random) -> Iterator[str]:
    for _ in range(count):
        yield "".join(chance.choices(tokens, k=chance.choice((2, 2, 3))))


def _texts(name: str, read: Read, token: str) -> Iterator[Case]:
    for end in ENDS:
        yield name, f"{token + end!r}", read, partial(_text, token, end)


def _text(token: str, end: str, size: int) -> str:
    return repeated(token, size, end)


if __name__ == "__main__":
    answers(
        ask,
        characters=(int, 1_000, "characters of the shorter text"),
        pairs=(int, 20, "random pairs of tokens for each reader"),
    )
