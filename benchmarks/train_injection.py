"""Train the learned arm of the injection scan, and tell what it finds of what it never saw.

    python -m benchmarks.train_injection --sources FOLDER              # writes the weights
    python -m benchmarks.train_injection --sources FOLDER --held-out   # what it never saw

The orders are made from our own patterns, beside the two sets that the rules were written with; the
true texts are made too, and are those of `injection_sources`. Without these the script does
nothing. It reads no set that `benchmarks.injection` calls unseen or another's.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from afterword.pipeline.rules.injection import learned, learned_arrays, scan_for_injection
from afterword.pipeline.rules.injection.readings import readings
from afterword.pipeline.rules.injection.scan import COMMON_WORDS
from benchmarks.injection_made import LANGUAGES, TRUE, MadeText, made
from benchmarks.injection_sources import CAKE, TRUE_SOURCES, true_texts
from benchmarks.shared import SHARED

PACKAGE: Final = Path(learned.__file__).parent
SETS: Final = Path(__file__).parent / "injection_sets"

EACH: Final = 50
"""Texts of one pattern; of an English one twice as many, since most texts are English."""

EPOCHS: Final = 12
HELD_OUT_EPOCHS: Final = 3
HELD_OUT_EACH: Final = 15
"""Of a model that is only measured: over thirty of them are trained."""
MOST_MEASURED: Final = 1_000
"""True texts of a source that is held out."""
BATCH: Final = 512
RATE: Final = 0.5
"""Of AdaGrad: J. Duchi, E. Hazan, Y. Singer, JMLR 12 (2011), 2121-2159."""

DECAY: Final = 1e-6
"""Of the weights, at each step that touches them (L2)."""

DROPPED: Final = 0.6
"""The share of a sentence's pieces that a step leaves out, so that no few of them decide: S. Wager,
S. Wang, P. Liang, NIPS 26 (2013), 351-359."""

ORDERS_WEIGH: Final = 0.6
"""What all orders weigh, against all true texts: a false alarm is worse than a miss."""

MADE_WEIGHT: Final = 1.0
SET_WEIGHT: Final = 3.0
SET_TRUE_WEIGHT: Final = 8.0
"""Of an order, and of a true text, of the sets: they were written one by one."""
SOURCE_WEIGHT: Final = 0.5
FAINT_WEIGHT: Final = 0.1
"""Of a true text of a wallet: its messages speak of passwords and keys as orders do."""

MARGIN: Final = 0.05
"""Log-odds from which a sentence is an order. A little lower, true sentences of traders are some,
and notes of workspaces that strangers published."""

SMALL: Final = 127
"""The largest weight, as an integer."""

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
    """Weights (2 ** BITS floats) and what is added to every score."""

    weights: Floats
    offset: float


class Packed(NamedTuple):
    """A model in integers, as `learned` reads it."""

    weights: npt.NDArray[np.int8]
    ratio: tuple[int, int]


def examples(folder: Path, each: int = EACH) -> Iterator[Example]:
    """Yield what the model learns from.

    Args:
        each: texts of one pattern at most; count.
    """
    for language in LANGUAGES:
        for text in made(language, each * (2 if language == "en" else 1)):
            yield Example(text.text, text.is_order, MADE_WEIGHT, text.family, language)
    for source in TRUE_SOURCES:
        if path := source.found_in(folder):
            for true in true_texts(source, path):
                weight = FAINT_WEIGHT if source is CAKE else SOURCE_WEIGHT
                yield Example(true, False, weight, family=source.path)
    for name in ("first", "second"):
        for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["family"] != "obfuscated":
                is_order = row["family"] != "benign"
                weight = SET_WEIGHT if is_order else SET_TRUE_WEIGHT
                yield Example(row["text"], is_order, weight, family="a set")


def sentences_of(line: str) -> Iterator[str]:
    """Yield the sentences of a line, each as the scan reads it."""
    for part in line.split(" . "):
        if words := part.split():
            yield f" {' '.join(words)} "


def line_of(text: str, *, is_order: bool) -> Iterator[str]:
    """Yield the lines that a text is learned by: an order whole, true text by its sentences."""
    line = next(readings(text)).line
    if is_order:
        yield f" {' '.join(line.replace(' . ', ' ').split())} "
    else:
        yield from sentences_of(line)


class Prepared(NamedTuple):
    """A sentence to learn from, as the places of its pieces."""

    places: learned_arrays.Ints
    example: Example


def prepared(rows: Iterable[Example]) -> list[Prepared]:
    """Return the sentences of some examples."""
    sentences: list[Prepared] = []
    for row in rows:
        for line in line_of(row.text, is_order=row.is_order):
            units = learned_arrays.units_of(line)
            if len(units) >= 2 * learned.FEWEST:
                sentences.append(Prepared(learned_arrays.places_of(units), row))
    return sentences


def trained(sentences: Sequence[Prepared], epochs: int = EPOCHS) -> Model:
    """Return the logistic model of some sentences; the same one for the same sentences."""
    truth = np.array([one.example.is_order for one in sentences], np.float32)
    weight = np.array([one.example.weight for one in sentences], np.float32)
    orders = truth == 1
    weight[orders] *= ORDERS_WEIGH * weight[~orders].sum() / weight[orders].sum()
    return _descend([one.places for one in sentences], truth, weight, epochs)


def _descend(
    places: Sequence[learned_arrays.Ints], truth: Floats, weight: Floats, epochs: int
) -> Model:
    lengths = np.array([len(one) for one in places])
    scale = (1 / np.sqrt((lengths + 6) // 3 + learned.SHORT_WINDOW)).astype(np.float32)
    size = 1 << learned.BITS
    weights = np.zeros(size, np.float32)
    steps = np.full(size, 1e-3, np.float32)
    offset, offset_steps = 0.0, 1e-3
    chance = np.random.Generator(np.random.PCG64(7))
    for _ in range(epochs):
        order = chance.permutation(len(places))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            joined = np.concatenate([places[at] for at in batch])
            counts = lengths[batch]
            firsts = np.concatenate(([0], counts.cumsum()[:-1]))
            kept = (chance.random(len(joined)) >= DROPPED) / (1 - DROPPED)
            total = np.add.reduceat(weights[joined] * kept, firsts) * scale[batch] + offset
            error = (1 / (1 + np.exp(-total)) - truth[batch]) * weight[batch]
            slope = np.bincount(joined, np.repeat(error * scale[batch], counts) * kept, size)
            touched = np.flatnonzero(slope)
            step = (slope[touched] / len(batch)).astype(np.float32) + DECAY * weights[touched]
            steps[touched] += step * step
            weights[touched] -= RATE * step / np.sqrt(steps[touched])
            mean = float(error.mean())
            offset_steps += mean * mean
            offset -= RATE * mean / offset_steps**0.5
    return Model(weights, offset)


def packed(model: Model, margin: float = MARGIN) -> Packed:
    """Return a model in integers: a sentence is an order if sum**2 * below > above * length."""
    unit = float(np.abs(model.weights).max()) / SMALL
    above = max(0.0, margin - model.offset) / unit
    ratio = (round(above * above * 64), 64)
    return Packed(np.round(model.weights / unit).astype(np.int8), ratio)


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
    data = model.weights.tobytes()
    (PACKAGE / "learned.bin").write_bytes(data)
    rows = _wrapped(words)
    (PACKAGE / "learned_model.py").write_text(
        '"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""\n\n'
        "from typing import Final\n\n"
        "from afterword.pipeline.rules.text.words import word_set\n\n"
        f'WEIGHTS_SHA256: Final = "{hashlib.sha256(data).hexdigest()}"\n\n'
        f"THRESHOLD_RATIO: Final = {model.ratio!r}\n"
        '"""A sentence is an order if its sum squared, times the second, is more than its length\n'
        'times the first."""\n\n'
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


class Held(NamedTuple):
    """What a model says of texts whose like it was not trained on.

    Args:
        kind: what was left out: a family, a language, a source of true text.
        alone: share of the texts that the learned arm takes for orders.
        both: the same, of both arms.
    """

    kind: str
    name: str
    are_orders: bool
    alone: float
    both: float


def held_out(folder: Path) -> Iterator[Held]:
    """Yield what the arms find of families, languages and sources that training left out.

    The two sets that the rules were written with are left out, since they do not name our families.
    """
    every = prepared(examples(folder, HELD_OUT_EACH))
    sentences = [one for one in every if one.example.family != "a set"]

    def model_without(name: str) -> Packed:
        rest = [one for one in sentences if name not in (one.example.family, one.example.language)]
        return packed(trained(rest, HELD_OUT_EPOCHS))

    texts = [text for language in LANGUAGES for text in made(language, 8)]
    for family in sorted({text.family for text in texts if text.is_order}):
        model = model_without(family)
        yield _held("family", family, [one for one in texts if one.family == family], model)
    for language in LANGUAGES:
        model = model_without(language)
        own = [one for one in texts if one.language == language]
        yield _held("language", language, [one for one in own if one.is_order], model)
        yield _held("language", language, [one for one in own if not one.is_order], model)
    for source in TRUE_SOURCES:
        if path := source.found_in(folder):
            model = model_without(source.path)
            true = list(true_texts(source, path))
            some = true[:: 1 + len(true) // MOST_MEASURED]
            yield _held("source", source.path, [MadeText(one, TRUE, "") for one in some], model)


def _held(kind: str, name: str, texts: Sequence[MadeText], model: Packed) -> Held:
    alone = [_is_order(model, text.text) for text in texts]
    both = [is_order or ruled(text.text) for is_order, text in zip(alone, texts, strict=True)]
    return Held(kind, name, texts[0].is_order, sum(alone) / len(alone), sum(both) / len(both))


def ruled(text: str) -> bool:
    """Say whether the rules alone find an order in a text."""
    return any(finding.arm == "rules" for finding in scan_for_injection(text))


def _is_order(model: Packed, text: str) -> bool:
    above, below = model.ratio
    for line in line_of(text, is_order=False):
        units = learned_arrays.units_of(line)
        if len(units) >= 2 * learned.FEWEST:
            total = int(model.weights[learned_arrays.places_of(units)].sum(dtype=np.int64))
            if total > 0 and total * total * below > above * (
                len(units) // 2 - 1 + learned.SHORT_WINDOW
            ):
                return True
    return False


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
        for held in held_out(options.sources):
            what = "orders" if held.are_orders else "true texts"
            print(
                f"{held.kind:9} {held.name:40} {what:10}"
                f" learned {100 * held.alone:5.1f} %, both {100 * held.both:5.1f} %",
                flush=True,
            )
        return 0
    rows = list(examples(options.sources))
    model = packed(trained(prepared(rows)))
    write(model, cheap_words(rows))
    size: Any = (PACKAGE / "learned.bin").stat().st_size
    print(f"{len(rows):,} texts, {size:,} bytes, threshold {model.ratio}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
