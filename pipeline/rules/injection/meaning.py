"""What a text means: the learned arm's second opinion, where the local model is installed.

Concepts alone tell "wire what is left to the new address" from "wired what was left to the new
address" badly. The local model knows the difference, but not what matters to a trader: a network
with one hidden layer weighs its vector of the text beside the concepts that the text names. Vectors
are rounded and all sums are integers, so that a verdict does not hang on the last bits of a
machine's arithmetic. The weights are made by `python -m benchmarks.train_injection`.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from afterword.pipeline import local_model
from afterword.pipeline.expression import expression
from afterword.pipeline.rules.injection import learned
from afterword.pipeline.rules.injection.learned import Likeliest, asked_of, named_in, sentences_of
from afterword.pipeline.rules.injection.meaning_model import HIDDEN, MEANING_SHA256, THRESHOLD, UNIT
from afterword.pipeline.rules.injection.readings import Reading
from afterword.pipeline.rules.injection.rule import END_MARKS, plain, words_of
from afterword.pipeline.rules.injection.weights import CONCEPTS

OF_HIDDEN_WORDS: Final = 1.4
"""How much less is asked where somebody hid the words, as log odds: true text is not hidden."""

VECTOR_STEPS: Final = 4_096
"""Steps between 0 and 1 that a coordinate of a vector is rounded to."""

NAMED_STEPS: Final = 512
"""Steps of a concept that a text names: an eighth, about what a coordinate of a vector comes to."""

INPUTS: Final = local_model.VECTOR_DIMENSIONS + CONCEPTS
"""Coordinates of a vector, and then one for each concept."""

MORE_ASKED: Final = 3.2
"""What is added to the threshold where twice as much is asked for, as log odds."""

READ_AT_ONCE: Final = 600
"""Characters of a text that is read at once, as the network learned them; a longer one is read in pieces."""

PIECE: Final = 200
"""Characters of a piece: in a longer one the sentences beside an order hide it."""

GATE_OF_PIECES: Final = 1.0
"""The share of their threshold that the concepts of a piece must reach: of a long text, which has many
chances of a false alarm, both must take a piece for an order."""

OF_PIECES: Final = 1.5
"""How much more is asked of a piece, for the same reason."""

MOST_PIECES: Final = 40
"""Pieces of one text that are read, from its begin: a page of a book."""

_SENTENCE: Final = expression(rf"(?<=[{''.join(END_MARKS)}\n])\s*(?=\S)")

Ints = npt.NDArray[np.int64]


class Network(NamedTuple):
    """A hidden layer of rectified sums, and what they weigh.

    Args:
        first: weights of inputs (rows) for hidden sums (columns).
        offsets: of the hidden sums.
        second: weights of the hidden sums, and last the offset of the score.
        unit: what one step of the score is worth, as log odds.
    """

    first: Ints
    offsets: Ints
    second: Ints
    unit: float


def score(text: str, concepts: Iterable[int]) -> float:
    """Return by how much a text means an order, as log odds.

    Args:
        concepts: that it names.

    Raises:
        UnavailableError: the local model gave no vector.
    """
    vectors, _ = local_model.encode([text])
    return score_of_vector(network(), vectors[0], concepts)


def score_of_vector(
    net: Network, vector: npt.NDArray[np.float32], concepts: Iterable[int]
) -> float:
    """Return the score of the local model's vector of a text, with the concepts that it names."""
    inputs = np.zeros(INPUTS, np.int64)
    inputs[: len(vector)] = np.rint(vector.astype(np.float64) * VECTOR_STEPS)
    inputs[[len(vector) + concept for concept in concepts]] = NAMED_STEPS
    hidden = np.maximum(inputs @ net.first + net.offsets, 0)
    return int(hidden @ net.second[:-1] + net.second[-1]) * net.unit


def find(reading: Reading, likeliest: Likeliest) -> str:
    """Return the words of a reading that mean an order; "" if none do.

    Args:
        likeliest: what the concepts say of it.
    """
    if reading.is_hidden and likeliest.reached > 1:
        return likeliest.words
    text = reading.seen or reading.text
    sentences = len(sentences_of(reading.line))
    demand = asked_of(sentences, is_hidden=False)
    if len(text) <= READ_AT_ONCE:
        is_order = score(text, named_in(reading.line)) > limit(demand, is_hidden=reading.is_hidden)
        return (likeliest.words or reading.line.strip()) if is_order else ""
    piece_limit = limit(OF_PIECES * demand, is_hidden=reading.is_hidden)
    for piece in islice(pieces_of(text), MOST_PIECES):
        line = f" {' '.join(words_of(plain(piece)))} "
        suspect = learned.likeliest(line, is_hidden=reading.is_hidden, sentences=sentences)
        if suspect.reached >= GATE_OF_PIECES and score(piece, named_in(line)) > piece_limit:
            return suspect.words or line.strip()
    return ""


def limit(demand: float, *, is_hidden: bool) -> float:
    """Return the score from which a text is an order, as log odds.

    Args:
        demand: how many times as much is asked for as of one sentence.
        is_hidden: whether somebody hid the words.
    """
    return THRESHOLD + MORE_ASKED * (demand - 1) - (OF_HIDDEN_WORDS if is_hidden else 0.0)


def pieces_of(text: str) -> Iterator[str]:
    """Yield some sentences of a text at a time."""
    piece = ""
    for sentence in _SENTENCE.split(text):
        for start in range(0, len(sentence), PIECE):
            part = sentence[start : start + PIECE]
            if piece and len(piece) + len(part) > PIECE:
                yield piece
                piece = ""
            piece += part
    if piece:
        yield piece


@cache
def network() -> Network:
    """Load the weights, when the first text needs them.

    Raises:
        RuntimeError: they are not those that the threshold belongs to.
    """
    packed = files("afterword.pipeline.rules.injection").joinpath("meaning.bin").read_bytes()
    if hashlib.sha256(packed).hexdigest() != MEANING_SHA256:
        raise RuntimeError("meaning.bin belongs to another version of Afterword: install it again")
    size = INPUTS * HIDDEN
    first = np.frombuffer(packed, "<i2", size).reshape(INPUTS, HIDDEN)
    rest = np.frombuffer(packed, "<i8", offset=2 * size)
    return Network(first.astype(np.int64), rest[:HIDDEN], rest[HIDDEN:], UNIT)
