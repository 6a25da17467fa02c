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
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from afterword.pipeline.domain.trades.text import cell_text
from afterword.pipeline.rules.injection import learned, weights
from afterword.pipeline.rules.injection.concepts import Features, concepts_of, features_of
from afterword.pipeline.rules.injection.languages import language_of
from afterword.pipeline.rules.injection.readings import readings
from afterword.pipeline.rules.injection.scan import COMMON_WORDS
from afterword.pipeline.testing.verdicts import named_cell
from benchmarks.injection_made import DIARY, LANGUAGES, STOCK, TALK, MadeText, made, written
from benchmarks.injection_sources import HOME_ASSISTANT, PROSE, TRUE_SOURCES, true_texts
from benchmarks.shared import SHARED
from benchmarks.texts import memories

PACKAGE: Final = Path(learned.__file__).parent
SETS: Final = Path(__file__).parent / "injection_sets"

ANSWERS: Final = Path(__file__).parents[1] / "tests" / "answers" / "recorded"

EACH: Final = 12
"""Texts of one pattern; of an English one twice as many, since most texts are English."""

EPOCHS: Final = 60
LAST: Final = 20
"""Epochs whose weights are averaged."""
BATCH: Final = 1_024
RATE: Final = 0.1
"""Of AdaGrad: J. Duchi, E. Hazan, Y. Singer, JMLR 12 (2011), 2121-2159."""

DECAY: Final = 1e-6
"""Of the weights, at each step that touches them (L2)."""

ORDERS_WEIGH: Final = 0.6
"""What all orders weigh, against all true texts: a false alarm is worse than a miss."""

MADE_WEIGHT: Final = 0.7
WRITTEN_WEIGHT: Final = 5.0
WEIGHTS: Final = {DIARY: 20.0, STOCK: 30.0}
"""Of families that must not be missed, or must raise no alarm."""
SET_WEIGHT: Final = 3.0
SET_TRUE_WEIGHT: Final = 12.0
SOURCE_WEIGHT: Final = 0.5
PRINTED_WEIGHT: Final = 2.0
ALARMS: Final = 0.012
"""The share of true texts that are left out of a training and taken for orders: it sets the
threshold. Those were written to be near to orders; of other true text the share is smaller."""
DOUBT: Final = 0.92
"""The share of that limit which is asked for: most true texts are no such near misses."""

FOLDS: Final = 3
"""Of these texts, each left out once."""

LARGE: Final = 32_767
"""The largest weight, as an integer."""

STEPS: Final = dict.fromkeys((HOME_ASSISTANT, *PROSE), 3)
"""Of the sentences of these sources each third is learned: there are many."""
CUTS: Final = ("hour", "venue", "size", "account", "after", "held", "tag plan", "asset", "weekday")
"""What verdicts cut trades by."""
TOOLS: Final = (
    "get_positions(account) → get_prices(days) → report(format)",
    "list_accounts() → get_balance(account) → risk_report(days)",
    "search_trades(symbol, days) → get_fees(venue) → write_table(path)",
    "get_orders(venue) → get_positions(symbol) → summary(format)",
)
"""Calls as a learned procedure prints them."""
PRINTED_SIZE: Final = range(25, 400)
PRINTED_ORDERS: Final = ("ore all previous", "Ignore the risk limit")
"""Characters of a printed line, and the orders that the story of the recorded answers plants."""
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
Ints = npt.NDArray[np.int64]


class Example(NamedTuple):
    """A text to learn from."""

    text: str
    is_order: bool
    weight: float
    family: str = ""
    language: str = ""


def examples(folder: Path) -> Iterator[Example]:
    """Yield what the model learns from."""
    for language in LANGUAGES:
        for text in written(language):
            if text.family == TALK:
                continue
            weight = WEIGHTS.get(text.family, WRITTEN_WEIGHT)
            yield Example(text.text, text.is_order, weight, text.family, language)
        for text in made(language, EACH * (2 if language == "en" else 1)):
            yield Example(text.text, text.is_order, MADE_WEIGHT, text.family, language)
    for source in TRUE_SOURCES:
        if path := source.found_in(folder):
            step = STEPS.get(source, 1)
            for true in islice(true_texts(source, path), 0, None, step):
                yield Example(true, False, SOURCE_WEIGHT)
    for line in printed():
        yield Example(line, False, PRINTED_WEIGHT)
    for memory in memories(MEMORIES):
        yield Example(memory.content, False, SOURCE_WEIGHT)
    for name in ("first", "second"):
        for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["family"] != "obfuscated":
                is_order = row["family"] != "benign"
                weight = SET_WEIGHT if is_order else SET_TRUE_WEIGHT
                yield Example(row["text"], is_order, weight, "a set")


def printed() -> Iterator[str]:
    """Yield what Afterword itself says: in prompts, and as the recorded answers have it."""
    lines = {
        " ".join(line.split())
        for path in sorted(ANSWERS.glob("*.txt"))
        for line in path.read_text("utf-8").splitlines()
    }
    for kind in CUTS:
        for value in ("08-12", "binance", "large", "zebra", "with"):
            yield (
                f"your trades: {cell_text(named_cell(kind, value))} (account main). 98 ways of "
                "cutting these trades were tried; by chance 1 verdict in 100 would name anything."
            )
    for name in ("Opening range", "Zebra", "Fade the gap", "Two day low"):
        for step in ("Buy BTC at support", "Sell ETH below the average", "Wait for the close"):
            yield f"[written, from agent] {name}: {step}"
    for task in (
        "make the weekly risk report",
        "compare the fees of two venues",
        "list open orders",
    ):
        for steps in TOOLS:
            yield steps
            yield f'For "{task}": {steps}'
    for count in ("1,998,212 of 2,000,000", "34 of 20,034", "70,120 of 90,120"):
        yield f"[… {count} characters of this file are left out here: too long for a prompt …]"
    for line in sorted(lines):
        if len(line) in PRINTED_SIZE and not any(order in line for order in PRINTED_ORDERS):
            yield line


class Prepared(NamedTuple):
    """A part of a text to learn from.

    Args:
        places: of the weights of its concepts and their pairs.
        scale: what their sum is multiplied by.
    """

    places: Ints
    scale: float
    example: Example


def prepared(rows: Iterable[Example]) -> list[Prepared]:
    """Return the parts of some examples that name concepts."""
    return [
        Prepared(np.array(sorted(part.places), np.int64), learned.scale(part.number), row)
        for row in rows
        for part in _parts_of(row)
        if part.places
    ]


def _parts_of(row: Example) -> Iterator[Features]:
    """Yield what is learned of a text: of an order all of it, of true text each part."""
    sentences = learned.sentences_of(next(readings(row.text)).line)
    if not row.is_order:
        yield from (part.features for part in learned.parts_of(sentences))
        return
    split = [(sentence, sentence.split(" ")) for sentence in sentences]
    yield learned.together(
        [features_of(concepts_of(words, language_of(one, words))) for one, words in split]
    )


def trained(parts: Sequence[Prepared]) -> Floats:
    """Return the weights of a logistic model of some parts; the same ones for the same parts."""
    truth = np.array([one.example.is_order for one in parts], np.float32)
    weight = np.array([one.example.weight for one in parts], np.float32)
    orders = truth == 1
    weight[orders] *= ORDERS_WEIGH * weight[~orders].sum() / weight[orders].sum()
    weight /= weight.mean()
    scales = np.array([one.scale for one in parts], np.float32)
    return _descend([one.places for one in parts], scales, truth, weight)


def _descend(
    places: Sequence[Ints],
    scales: Floats,
    truth: Floats,
    weight: Floats,
) -> Floats:
    lengths = np.array([len(one) for one in places])
    size = weights.ALL_WEIGHTS
    table = np.zeros(size, np.float32)
    mean = np.zeros(size, np.float64)
    steps = np.full(size, 1e-3, np.float32)
    offset, offset_steps = 0.0, 1e-3
    chance = np.random.Generator(np.random.PCG64(7))
    for epoch in range(EPOCHS):
        order = chance.permutation(len(places))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            joined = np.concatenate([places[at] for at in batch])
            counts = lengths[batch]
            scale = np.repeat(scales[batch], counts)
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
        if epoch >= EPOCHS - LAST:
            mean += table / LAST
    return mean.astype(np.float32)


def score_of(model: Floats, text: str) -> float:
    """Return the score of the part of a text most like an order."""
    parts = prepared([Example(text, False, 1.0)])
    return max((float(model[one.places].sum()) * one.scale for one in parts), default=0.0)


def limits(parts: Sequence[Prepared], written_true: Sequence[Example]) -> dict[str, float]:
    """Return, by language, the score from which a part is an order.

    A share of ALARMS of the true texts reaches it, each left out once; half of it is that of the
    language, half that of all, since of one language there are few texts.
    """
    reached: dict[str, list[float]] = {language: [] for language in LANGUAGES}
    for fold in range(FOLDS):
        left = written_true[fold::FOLDS]
        texts = {one.text for one in left}
        model = trained([one for one in parts if one.example.text not in texts])
        for one in left:
            reached[one.language].append(score_of(model, one.text))
    all_ = float(np.quantile([one for each in reached.values() for one in each], 1 - ALARMS))
    return {
        language: DOUBT * (float(np.quantile(each, 1 - ALARMS)) + all_) / 2
        for language, each in reached.items()
    }


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


def write(model: Floats, asked: dict[str, float], words: Sequence[str]) -> None:
    """Write the weights as integers, and what the scan must know of them.

    Args:
        asked: what `limits` returns.
        words: of the cheap test.
    """
    unit = float(np.abs(model).max()) / LARGE
    data = np.round(model / unit).astype("<i2").tobytes()
    thresholds = {language: round(each / unit) for language, each in asked.items()}
    (PACKAGE / "learned.bin").write_bytes(data)
    (PACKAGE / "learned_model.py").write_text(
        '"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""\n\n'
        "from typing import Final\n\n"
        "from afterword.pipeline.rules.text.words import word_set\n\n"
        f'WEIGHTS_SHA256: Final = "{hashlib.sha256(data).hexdigest()}"\n\n'
        f"THRESHOLDS: Final = {json.dumps(thresholds)}\n"
        '"""By language: a part of a text with a higher score is an order."""\n\n'
        f'CHEAP_WORDS: Final = word_set("""\n{_wrapped(words)}\n""")\n'
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
    asked = limits(parts, written_true(rows))
    parts = [one for one in parts if one.example.family != "a set"]
    for family in sorted({one.family for one in rows if one.is_order} - {"a set"}):
        model = trained([one for one in parts if one.example.family != family])
        texts = [text for name in LANGUAGES for text in written(name) if text.family == family]
        yield family, "orders of a family", _share(model, asked, texts)
    for language in LANGUAGES:
        model = trained([one for one in parts if one.example.language != language])
        orders = [one for one in written(language) if one.is_order]
        yield language, "orders of a language", _share(model, asked, orders)
        true = [one for one in written(language) if not one.is_order]
        yield language, "true texts of a language", _share(model, asked, true)


def written_true(rows: Iterable[Example]) -> list[Example]:
    """Return the true texts that were written one by one."""
    return [one for one in rows if not one.is_order and one.weight == WRITTEN_WEIGHT]


def _share(model: Floats, asked: dict[str, float], texts: Sequence[MadeText]) -> float:
    found = [score_of(model, text.text) > asked[text.language] for text in texts]
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
    asked = limits(parts, written_true(rows))
    write(trained(parts), asked, cheap_words(rows))
    shown = ", ".join(f"{language} {limit:.2f}" for language, limit in asked.items())
    print(f"{len(rows):,} texts; an order scores above {shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
