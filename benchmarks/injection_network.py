"""Train the network that weighs what a text means: the local model's vector, and its concepts.

One hidden layer of rectified sums with dropout (N. Srivastava et al., JMLR 15 (2014), 1929-1958),
trained with Adam (D. Kingma, J. Ba, ICLR 2015) on weighted log loss. Each step mixes texts by twos
(H. Zhang et al., "mixup", ICLR 2018). What tells languages apart in a vector is taken out of it
first (J. Libovicky, R. Rosa, A. Fraser, Findings of EMNLP 2020, 1663-1674): what an order is must
not hang on it. Several networks, from other random weights, are put side by side: their mean is one
wider network.
"""

import hashlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from afterword.pipeline import local_model
from afterword.pipeline.rules.injection.meaning import INPUTS, NAMED_STEPS, VECTOR_STEPS, Network

SIDE_BY_SIDE: Final = 2
"""Networks whose mean is taken."""
HIDDEN: Final = 256
"""Hidden sums of each."""
EPOCHS: Final = 30
BATCH: Final = 256
RATE: Final = 2e-3
"""Of Adam at the begin; it falls to nothing over the second half."""
DECAY: Final = 1e-4
DROPPED: Final = 0.3
"""The share of hidden sums that a step leaves out."""
UNSEEN: Final = 0.2
"""The share of inputs that a step leaves out: a text must not hang on one concept."""
MIXED: Final = 0.3
"""Both parameters of the beta distribution of the share that one of two mixed texts has."""
ORDERS_WEIGH: Final = 0.8
"""What all orders weigh, against all true texts."""
LARGE: Final = 32_767
"""The largest weight, as an integer."""
LEARNED_CHARS: Final = 600
"""Characters of a text that are learned."""

_VECTOR: Final = slice(local_model.VECTOR_DIMENSIONS)
"""The inputs that a text's vector is."""
_PROCESSES: Final = 2
_ROWS: Final = 512

Floats = npt.NDArray[np.float32]


class Layers(NamedTuple):
    """Networks side by side, as they are trained."""

    first: Floats
    offsets: Floats
    second: Floats
    offset: float


def vectors_of(texts: Sequence[str], kept: Path) -> Floats:
    """Return the local model's vectors of texts; each is asked for once.

    Args:
        kept: file of those that were asked for before; it is written anew.
    """
    known: dict[str, Floats] = {}
    if kept.exists():
        with np.load(kept) as saved:
            known = dict(zip(saved["digests"].tolist(), saved["vectors"], strict=True))
    digests = [hashlib.sha256(text[:LEARNED_CHARS].encode()).hexdigest()[:24] for text in texts]
    new = {one: text for one, text in zip(digests, texts, strict=True) if one not in known}
    if new:
        order = sorted(new, key=lambda digest: len(new[digest]))
        blocks = [order[start : start + _ROWS] for start in range(0, len(order), _ROWS)]
        with ProcessPoolExecutor(_PROCESSES) as pool:
            done = pool.map(_encoded, ([new[one] for one in block] for block in blocks))
            for block, rows in zip(blocks, done, strict=True):
                known.update(zip(block, rows, strict=True))
        np.savez(kept, digests=np.array(list(known)), vectors=np.array(list(known.values())))
    return np.array([known[one] for one in digests], np.float32)


def _encoded(texts: list[str]) -> Floats:
    return np.concatenate(
        [
            local_model.encode([text[:LEARNED_CHARS] for text in texts[start : start + 8]])[0]
            for start in range(0, len(texts), 8)
        ]
    )


def inputs_of(vectors: Floats, concepts: Iterable[Iterable[int]]) -> Floats:
    """Return what the network is given of texts, one a row: as `score_of_vector`, not rounded.

    Args:
        vectors: of the local model, one a row.
        concepts: that each text names.
    """
    named = np.zeros((len(vectors), INPUTS - vectors.shape[1]), np.float32)
    for row, each in zip(named, concepts, strict=True):
        row[list(each)] = NAMED_STEPS / VECTOR_STEPS
    return np.concatenate([vectors, named], axis=1)


def languages_apart(given: Floats, languages: Sequence[str]) -> Floats:
    """Return the directions in which the means of languages lie apart, one a row, at right angles.

    What is an order plays no part, so a language may take part that nothing is learned of.

    Args:
        given: of the texts, one a row: see `inputs_of`; only the vectors count.
        languages: of the texts; "" where nobody knows.
    """
    known = np.array(languages)
    vectors = given[:, _VECTOR]
    means = np.array([vectors[known == one].mean(0) for one in sorted(set(languages) - {""})])
    directions = np.linalg.svd(means - means.mean(0), full_matrices=False)[2]
    return np.asarray(directions[: len(means) - 1], np.float32)


def trained(
    given: Floats, is_order: Iterable[bool], weights: Iterable[float], apart: Floats
) -> Layers:
    """Return networks that tell orders from true text; the same ones for the same texts.

    Args:
        given: of the texts, one a row: see `inputs_of`.
        weights: of the texts.
        apart: directions that are taken out of the vectors: see `languages_apart`.
    """
    truth = np.array(list(is_order), np.float32)
    weight = np.array(list(weights), np.float32)
    orders = truth == 1
    weight[orders] *= ORDERS_WEIGH * weight[~orders].sum() / weight[orders].sum()
    weight /= weight.mean()
    neutral = given.copy()
    neutral[:, _VECTOR] -= given[:, _VECTOR] @ apart.T @ apart
    mean, spread = neutral.mean(0), neutral.std(0)
    spread[spread == 0] = 1  # of a concept that no text names
    inputs = ((neutral - mean) / spread).astype(np.float32)
    each = [_descend(inputs, truth, weight, seed) for seed in range(SIDE_BY_SIDE)]
    first = np.concatenate([one.first for one in each], axis=1) / spread[:, None]
    offsets = np.concatenate([one.offsets for one in each]) - mean @ first
    first[_VECTOR] -= apart.T @ (apart @ first[_VECTOR])
    return Layers(
        first,
        offsets,
        (np.concatenate([one.second for one in each]) / SIDE_BY_SIDE).astype(np.float32),
        sum(one.offset for one in each) / SIDE_BY_SIDE,
    )


def _descend(inputs: Floats, truth: Floats, weight: Floats, seed: int) -> Layers:
    chance = np.random.Generator(np.random.PCG64(seed))
    number, width = inputs.shape
    values = [
        (chance.normal(size=(width, HIDDEN)) * np.sqrt(2 / width)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        (chance.normal(size=HIDDEN) * np.sqrt(1 / HIDDEN)).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    means = [np.zeros_like(one) for one in values]
    squares = [np.zeros_like(one) for one in values]
    steps = EPOCHS * -(-number // BATCH)
    step = 0
    for _ in range(EPOCHS):
        order = chance.permutation(number)
        for start in range(0, number, BATCH):
            step += 1
            first = order[start : start + BATCH]
            size = len(first)
            second = first[chance.permutation(size)]
            share = chance.beta(MIXED, MIXED, size).astype(np.float32)
            mixed = inputs[first] * share[:, None] + inputs[second] * (1 - share)[:, None]
            is_order = truth[first] * share + truth[second] * (1 - share)
            weighs = weight[first] * share + weight[second] * (1 - share)
            kept = (chance.random((size, HIDDEN), np.float32) > DROPPED).astype(np.float32)
            kept /= 1 - DROPPED
            seen = mixed * (chance.random((size, width), np.float32) > UNSEEN).astype(np.float32)
            seen /= 1 - UNSEEN
            sums = seen @ values[0] + values[1]
            hidden = np.maximum(sums, 0) * kept
            odds = hidden @ values[2] + values[3]
            error = (np.tanh(odds / 2) / 2 + 0.5 - is_order) * weighs / size
            back = np.outer(error, values[2]) * (sums > 0) * kept
            slopes = (
                seen.T @ back,
                back.sum(0),
                hidden.T @ error,
                error.sum(keepdims=True),
            )
            rate = RATE * min(1.0, 2 * (steps - step) / steps + 1e-3)
            for at, slope in enumerate(slopes):
                means[at] = 0.9 * means[at] + 0.1 * slope
                squares[at] = 0.999 * squares[at] + 0.001 * slope * slope
                move = means[at] / (1 - 0.9**step)
                move /= np.sqrt(squares[at] / (1 - 0.999**step)) + 1e-8
                if values[at].ndim == 2 or at == 2:
                    move = move + DECAY * values[at]
                values[at] = (values[at] - rate * move).astype(np.float32)
    return Layers(values[0], values[1], values[2], float(values[3][0]))


def scores(layers: Layers, given: Floats) -> Floats:
    """Return the scores of texts, one a row, as log odds."""
    hidden = np.maximum(given @ layers.first + layers.offsets, 0)
    return np.asarray(hidden @ layers.second + layers.offset, np.float32)


def as_integers(layers: Layers) -> Network:
    """Return networks as one of integers."""
    unit = float(np.abs(layers.first).max()) / LARGE
    outer = float(np.abs(layers.second).max()) / LARGE
    worth = unit * outer / VECTOR_STEPS
    first = np.rint(layers.first / unit).astype(np.int64)
    offsets = np.rint(layers.offsets.astype(np.float64) / unit * VECTOR_STEPS).astype(np.int64)
    second = np.rint(layers.second / outer).astype(np.int64)
    return Network(first, offsets, np.append(second, round(layers.offset / worth)), worth)
