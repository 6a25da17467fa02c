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

from afterword.pipeline.rules.injection import learned, learned_arrays
from afterword.pipeline.rules.injection.readings import readings
from afterword.pipeline.rules.injection.scan import COMMON_WORDS
from benchmarks.injection_made import LANGUAGES, MadeText, made
from benchmarks.injection_sources import TRUE_SOURCES, true_texts
from benchmarks.shared import SHARED

PACKAGE: Final = Path(learned.__file__).parent
SETS: Final = Path(__file__).parent / "injection_sets"

EACH: Final = 25
"""Texts of one pattern; of an English one twice as many, since most texts are English."""

EPOCHS: Final = 14
HELD_OUT_EPOCHS: Final = 6
"""Of a model that is only measured: 27 of them are trained."""
BATCH: Final = 256
RATE: Final = 0.5
"""Of AdaGrad: J. Duchi, E. Hazan, Y. Singer, JMLR 12 (2011), 2121-2159."""

DECAY: Final = 1e-6
"""Of the weights, at each step that touches them (L2)."""

ORDERS_WEIGH: Final = 0.6
"""What all orders weigh, against all true texts: a false alarm is worse than a miss."""

MADE_WEIGHT: Final = 1.0
SET_WEIGHT: Final = 3.0
SET_TRUE_WEIGHT: Final = 8.0
"""Of an order, and of a true text, of the sets: they were written one by one."""
SOURCE_WEIGHT: Final = 0.5

MARGIN: Final = 1.3
"""Log-odds from which a sentence is an order: at 1.0 true texts of the developed sets are some."""

DOUBT: Final = 1.4
"""How much more is asked for than the margin: notes of workspaces that strangers published, in
French and in Chinese, came to 1.36 times. It costs a few orders in a hundred."""

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


def examples(folder: Path) -> Iterator[Example]:
    """Yield what the model learns from."""
    for language in LANGUAGES:
        for text in made(language, EACH * (2 if language == "en" else 1)):
            yield Example(text.text, text.is_order, MADE_WEIGHT, text.family, language)
    for source in TRUE_SOURCES:
        if path := source.found_in(folder):
            for true in true_texts(source, path):
                yield Example(true, False, SOURCE_WEIGHT)
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
            total = np.add.reduceat(weights[joined], firsts) * scale[batch] + offset
            error = (1 / (1 + np.exp(-total)) - truth[batch]) * weight[batch]
            slope = np.bincount(joined, np.repeat(error * scale[batch], counts), size)
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
    ratio = (round(round(above * above * 64) * DOUBT), 64)
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


def held_out(folder: Path) -> Iterator[tuple[str, str, float]]:
    """Yield what the learned arm alone finds of families and languages it was not trained on.

    The two sets that the rules were written with are left out, since they do not name our families.

    Returns:
        what was held out, what is told of it, and the share of the texts that are taken for orders.
    """
    sentences = [one for one in prepared(examples(folder)) if one.example.family != "a set"]
    for family in sorted({one.example.family for one in sentences if one.example.is_order}):
        rest = [one for one in sentences if one.example.family != family]
        model = packed(trained(rest, HELD_OUT_EPOCHS))
        texts = [text for name in LANGUAGES for text in made(name, 8) if text.family == family]
        yield family, "orders of a family", _share(model, texts)
    for language in LANGUAGES:
        rest = [one for one in sentences if one.example.language != language]
        model = packed(trained(rest, HELD_OUT_EPOCHS))
        texts = list(made(language, 8))
        yield (
            language,
            "orders of a language",
            _share(model, [one for one in texts if one.is_order]),
        )
        true = [one for one in texts if not one.is_order]
        yield language, "true texts of a language", _share(model, true)


def _share(model: Packed, texts: Sequence[MadeText]) -> float:
    found = [_is_order(model, text.text) for text in texts]
    return sum(found) / len(found)


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
        for name, kind, share in held_out(options.sources):
            print(f"{kind:26} {name:12} {100 * share:5.1f} %", flush=True)
        return 0
    rows = list(examples(options.sources))
    model = packed(trained(prepared(rows)))
    write(model, cheap_words(rows))
    size: Any = (PACKAGE / "learned.bin").stat().st_size
    print(f"{len(rows):,} texts, {size:,} bytes, threshold {model.ratio}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
