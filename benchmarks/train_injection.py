"""Train the learned arm of the injection scan, and tell what it finds of what it never saw.

    python -m benchmarks.train_injection --sources FOLDER              # writes the weights
    python -m benchmarks.train_injection --sources FOLDER --held-out   # what it never saw

The orders were written one by one or are made from our own patterns, beside the two sets that the
rules were written with; the true texts too, and those of `injection_sources`. Without these it does
nothing. It reads no set that `benchmarks.injection` calls unseen or another's.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from afterword.pipeline.rules.injection import learned, learned_arrays, weights
from afterword.pipeline.rules.injection.concepts import features_of
from afterword.pipeline.rules.injection.readings import readings
from afterword.pipeline.rules.injection.scan import COMMON_WORDS
from benchmarks.injection_made import LANGUAGES, TALK, MadeText, made, written
from benchmarks.injection_sources import PROSE, TRUE_SOURCES, true_texts
from benchmarks.shared import SHARED
from benchmarks.texts import memories

PACKAGE: Final = Path(learned.__file__).parent
SETS: Final = Path(__file__).parent / "injection_sets"

EACH: Final = 12
"""Texts of one pattern; of an English one twice as many, since most texts are English."""

EPOCHS: Final = 12
LAST: Final = 4
"""Epochs whose weights are averaged."""
BATCH: Final = 256
RATE: Final = 0.1
"""Of AdaGrad: J. Duchi, E. Hazan, Y. Singer, JMLR 12 (2011), 2121-2159."""

DECAY: Final = 1e-6
"""Of the weights, at each step that touches them (L2)."""

ORDERS_WEIGH: Final = 0.6
"""What all orders weigh, against all true texts: a false alarm is worse than a miss."""

MADE_WEIGHT: Final = 2.0
WRITTEN_WEIGHT: Final = 5.0
SET_WEIGHT: Final = 3.0
SET_TRUE_WEIGHT: Final = 12.0
SOURCE_WEIGHT: Final = 0.25
CHARACTERS_WEIGH: Final = 0.4
"""Of the sum of pieces of characters, against that of concepts, once both are trained: an order in
other words than ours is found by its concepts (tried: 0, 0.15, 0.3, 0.5, 1)."""
CONCEPTS_WEIGH: Final = 1.0
"""Of a copy of a text of which only its concepts are learned, against the text: what an order says
must be enough in words that no text of ours has."""

ALARMS: Final = 0.012
"""The share of true texts that are left out of a training and taken for orders: it sets the
threshold. Those were written to be near to orders; of other true text the share is smaller."""
DOUBT: Final = 1.05
"""How much more is asked for: files of workspaces that strangers published came to 1.04 times."""

FOLDS: Final = 3
"""Of these texts, each left out once."""

SMALL: Final = 127
"""The largest weight of a piece of characters, as an integer."""
LARGE: Final = 32_767
"""The largest weight of a concept, as an integer."""

PROSE_STEP: Final = 3
"""Of the sentences of packages each third is learned: there are many."""
MEMORIES: Final = 1_500
"""Made memories that are learned as true texts."""

CHEAP_ODDS: Final = 8.0
CHEAP_SEEN: Final = 4
"""A word of the cheap test is in so many orders, and so much more often than in true text."""
CHEAP_MISSES: Final = 0.002
"""The share of orders in ASCII that may have no word of the cheap test."""
CHEAP_FLOOR: Final = 0.0005
"""Added to the share of true texts that have a word, so that a rare word is not for nothing."""


Floats = npt.NDArray[np.float32]


class Example(NamedTuple):
    """A text to learn from."""

    text: str
    is_order: bool
    weight: float
    family: str = ""
    language: str = ""


class Model(NamedTuple):
    """Weights of pieces and then of concepts, and what is added to every score."""

    weights: Floats
    offset: float


class Packed(NamedTuple):
    """A model in integers, as `learned` reads it."""

    characters: npt.NDArray[np.int8]
    concepts: npt.NDArray[np.int16]
    threshold: float


def examples(folder: Path) -> Iterator[Example]:
    """Yield what the model learns from."""
    for language in LANGUAGES:
        for text in written(language):
            if text.family == TALK:
                continue
            yield Example(text.text, text.is_order, WRITTEN_WEIGHT, text.family, language)
        for text in made(language, EACH * (2 if language == "en" else 1)):
            yield Example(text.text, text.is_order, MADE_WEIGHT, text.family, language)
    for source in TRUE_SOURCES:
        if path := source.found_in(folder):
            step = PROSE_STEP if source in PROSE else 1
            for true in islice(true_texts(source, path), 0, None, step):
                yield Example(true, False, SOURCE_WEIGHT)
    for memory in memories(MEMORIES):
        yield Example(memory.content, False, SOURCE_WEIGHT)
    for name in ("first", "second"):
        for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["family"] != "obfuscated":
                is_order = row["family"] != "benign"
                weight = SET_WEIGHT if is_order else SET_TRUE_WEIGHT
                yield Example(row["text"], is_order, weight, "a set")


def parts_of(text: str, *, is_order: bool) -> Iterator[str]:
    """Yield the parts that a text is learned by: an order whole, true text by its sentences too."""
    line = next(readings(text)).line
    sentences = [f" {' '.join(part.split())} " for part in line.split(" . ") if part.split()]
    if is_order or (1 < len(sentences) <= learned.FEW_SENTENCES and len(line) in learned.WHOLE):
        yield line
    if not is_order:
        yield from sentences


class Prepared(NamedTuple):
    """A part to learn from.

    Args:
        places: of the weights of its pieces, then of its concepts.
        scales: what each weight is multiplied by.
    """

    places: learned_arrays.Ints
    scales: Floats
    pieces: int
    example: Example


def prepared(rows: Iterable[Example]) -> list[Prepared]:
    """Return the parts of some examples."""
    found: list[Prepared] = []
    for row in rows:
        for line in parts_of(row.text, is_order=row.is_order):
            units = learned.units_of(line)
            if len(units) < 2 * learned.FEWEST:
                continue
            pieces = learned_arrays.places_of(units)
            concepts = [features for _, features in features_of(line)]
            places = [(1 << weights.BITS) + place for features in concepts for place in features]
            scales = np.concatenate(
                (
                    np.full(len(pieces), (len(units) // 2 - 1 + learned.SHORT_PART) ** -0.25),
                    np.full(len(places), (len(concepts) + learned.FEW_CONCEPTS) ** -0.25),
                )
            ).astype(np.float32)
            all_places = np.concatenate((pieces, np.array(places, np.int64)))
            found.append(Prepared(all_places, scales, len(pieces), row))
    return found


def trained(parts: Sequence[Prepared], epochs: int = EPOCHS) -> Model:
    """Return the logistic model of some parts; the same one for the same parts."""
    whole = [(one.places, one.scales, one.example) for one in parts]
    by_concepts = [
        (one.places[one.pieces :], one.scales[one.pieces :], one.example)
        for one in parts
        if len(one.places) > one.pieces
    ]
    every = [*whole, *by_concepts]
    truth = np.array([example.is_order for *_, example in every], np.float32)
    weight = np.array([example.weight for *_, example in every], np.float32)
    weight[len(whole) :] *= CONCEPTS_WEIGH
    orders = truth == 1
    weight[orders] *= ORDERS_WEIGH * weight[~orders].sum() / weight[orders].sum()
    weight /= weight.mean()
    return _descend([one[0] for one in every], [one[1] for one in every], truth, weight, epochs)


def _descend(
    places: Sequence[learned_arrays.Ints],
    scales: Sequence[Floats],
    truth: Floats,
    weight: Floats,
    epochs: int,
) -> Model:
    lengths = np.array([len(one) for one in places])
    size = (1 << weights.BITS) + weights.CONCEPTS**2
    table = np.zeros(size, np.float32)
    mean = np.zeros(size, np.float64)
    steps = np.full(size, 1e-3, np.float32)
    offset, offset_steps, offset_mean = 0.0, 1e-3, 0.0
    chance = np.random.Generator(np.random.PCG64(7))
    for epoch in range(epochs):
        order = chance.permutation(len(places))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            joined = np.concatenate([places[at] for at in batch])
            scale = np.concatenate([scales[at] for at in batch])
            counts = lengths[batch]
            firsts = np.concatenate(([0], counts.cumsum()[:-1]))
            total = np.add.reduceat(table[joined] * scale, firsts) + offset
            error = (1 / (1 + np.exp(-total)) - truth[batch]) * weight[batch]
            slope = np.bincount(joined, np.repeat(error, counts) * scale, size)
            touched = np.flatnonzero(slope)
            step = (slope[touched] / len(batch)).astype(np.float32) + DECAY * table[touched]
            steps[touched] += step * step
            table[touched] -= RATE * step / np.sqrt(steps[touched])
            wrong = float(error.mean())
            offset_steps += wrong * wrong
            offset -= RATE * wrong / offset_steps**0.5
        if epoch >= epochs - LAST:
            mean += table / LAST
            offset_mean += offset / LAST
    return Model(mean.astype(np.float32), offset_mean)


def packed(model: Model, log_odds: float) -> Packed:
    """Return a model in integers.

    Args:
        log_odds: from which a part is an order.
    """
    characters = model.weights[: 1 << weights.BITS] * CHARACTERS_WEIGH
    concepts = model.weights[1 << weights.BITS :]
    unit = max(float(np.abs(characters).max()) / SMALL, float(np.abs(concepts).max()) / LARGE)
    return Packed(
        np.round(characters / unit).astype(np.int8),
        np.round(concepts / unit).astype("<i2"),
        round(DOUBT * (log_odds - model.offset) / unit, 1),
    )


def log_odds_of(model: Model, text: str) -> float:
    """Return the log-odds of the part of a text that reads most like an order."""
    reached = []
    for one in prepared([Example(text, False, 1.0)]):
        each = model.weights[one.places] * one.scales
        reached.append(each[one.pieces :].sum() + CHARACTERS_WEIGH * each[: one.pieces].sum())
    return float(max(reached, default=0.0)) + model.offset


def threshold(parts: Sequence[Prepared], written_true: Sequence[Example]) -> float:
    """Return the log-odds that a share of ALARMS of true texts reaches, each left out once."""
    reached: list[float] = []
    for fold in range(FOLDS):
        left = {one.text for one in written_true[fold::FOLDS]}
        model = trained([one for one in parts if one.example.text not in left])
        reached += [log_odds_of(model, text) for text in sorted(left)]
    return float(np.quantile(reached, 1 - ALARMS))


def cheap_words(rows: Sequence[Example]) -> list[str]:
    """Return words of which nearly every order in ASCII has one, and most true text has none."""
    orders: list[frozenset[str]] = []
    true: Counter[str] = Counter()
    number = 0
    for row in rows:
        reading = next(readings(row.text))
        if reading.line.isascii():
            words = frozenset(filter(str.isalpha, reading.words)) - COMMON_WORDS
            if row.is_order:
                orders.append(words)
            else:
                true.update(words)
                number += 1
    seen = Counter(word for words in orders for word in words)
    cost = {word: CHEAP_FLOOR + true[word] / number for word in seen}
    chosen = {
        word
        for word, count in seen.items()
        if count >= CHEAP_SEEN and count / len(orders) >= CHEAP_ODDS * true[word] / number
    }
    left = [words for words in orders if words.isdisjoint(chosen)]
    while len(left) > CHEAP_MISSES * len(orders):
        counts = Counter(word for words in left for word in words)
        if not counts:
            break
        best = max(sorted(counts), key=lambda word: counts[word] / cost[word])
        chosen.add(best)
        left = [words for words in left if best not in words]
    return sorted(chosen)


def write(model: Packed, words: Sequence[str]) -> None:
    """Write the weights and what the scan must know of them into the package."""
    data = model.characters.tobytes() + model.concepts.tobytes()
    (PACKAGE / "learned.bin").write_bytes(data)
    rows = _wrapped(words)
    (PACKAGE / "learned_model.py").write_text(
        '"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""\n\n'
        "from typing import Final\n\n"
        "from afterword.pipeline.rules.text.words import word_set\n\n"
        f'WEIGHTS_SHA256: Final = "{hashlib.sha256(data).hexdigest()}"\n\n'
        f"THRESHOLD: Final = {model.threshold!r}\n"
        '"""A part of a text with a higher score is an order."""\n\n'
        f'CHEAP_WORDS: Final = word_set("""\n{rows}\n""")\n'
        '"""A text in ASCII without any of these is not weighed."""\n',
        "utf-8",
    )


def _wrapped(words: Sequence[str]) -> str:
    lines, line = [], "   "
    for word in words:
        if len(line) + len(word) + 1 > 99:
            lines.append(line)
            line = "   "
        line += f" {word}"
    return "\n".join([*lines, line])


def held_out(folder: Path) -> Iterator[tuple[str, str, float]]:
    """Yield what the learned arm alone finds of families and languages it was not trained on.

    The two sets that the rules were written with are left out, since they do not name our families.

    Returns:
        what was held out, what is told of it, and the share of the texts that are taken for orders.
    """
    rows = list(examples(folder))
    parts = prepared(rows)
    limit = threshold(parts, written_true(rows))
    parts = [one for one in parts if one.example.family != "a set"]
    for family in sorted({one.family for one in rows if one.is_order} - {"a set"}):
        model = trained([one for one in parts if one.example.family != family])
        texts = [text for name in LANGUAGES for text in written(name) if text.family == family]
        yield family, "orders of a family", _share(model, limit, texts)
    for language in LANGUAGES:
        model = trained([one for one in parts if one.example.language != language])
        orders = [one for one in written(language) if one.is_order]
        yield language, "orders of a language", _share(model, limit, orders)
        true = [one for one in written(language) if not one.is_order]
        yield language, "true texts of a language", _share(model, limit, true)


def written_true(rows: Iterable[Example]) -> list[Example]:
    """Return the true texts that were written one by one."""
    return [one for one in rows if not one.is_order and one.weight == WRITTEN_WEIGHT]


def _share(model: Model, limit: float, texts: Sequence[MadeText]) -> float:
    found = [log_odds_of(model, text.text) > limit for text in texts]
    return sum(found) / len(found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, or measure what is held out; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=Path, default=SHARED / "injection_sources")
    parser.add_argument("--held-out", action="store_true", help="train without, and measure")
    options = parser.parse_args(arguments)
    missing = [one for one in TRUE_SOURCES if not one.found_in(options.sources)]
    for one in missing:
        print(f"not there: {options.sources / one.path} ({one.name}, {one.licence})")
    if missing:
        print("nothing is trained: put these sets there, or name their folder with --sources")
        return 0
    if options.held_out:
        for name, kind, share in held_out(options.sources):
            print(f"{kind:26} {name:12} {100 * share:5.1f} %", flush=True)
        return 0
    rows = list(examples(options.sources))
    parts = prepared(rows)
    limit = threshold(parts, written_true(rows))
    model = packed(trained(parts), limit)
    write(model, cheap_words(rows))
    size: Any = (PACKAGE / "learned.bin").stat().st_size
    print(f"{len(rows):,} texts, {size:,} bytes, log-odds {limit:.2f}, threshold {model.threshold}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
