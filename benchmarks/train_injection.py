"""Train the learned arm of the injection scan, and tell what it finds of what it never saw.

    python -m benchmarks.train_injection --sources FOLDER              # writes the weights
    python -m benchmarks.train_injection --sources FOLDER --held-out   # what it never saw

The orders were written one by one or are made from our own patterns, beside the two sets that the
rules were written with; the true texts too, and those of `injection_sources`. Without these it does
nothing. It is trained on no set that `benchmarks.injection` calls blind, unseen or another's; a
training without a language is asked about the blind ones too.
"""

import argparse
import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from afterword.pipeline.domain.preferences.dimensions import PREFERENCE_DIMENSIONS, statement_of
from afterword.pipeline.domain.preferences.model import PREFERENCE_KINDS
from afterword.pipeline.domain.profile.answers import CAPITAL, ONBOARDING_QUESTIONS, answer_sentence
from afterword.pipeline.domain.trades.text import cell_text
from afterword.pipeline.domain.workspace import defaults
from afterword.pipeline.rules.injection import learned, weights
from afterword.pipeline.rules.injection.concepts import Features, concepts_of, features_of
from afterword.pipeline.rules.injection.languages import language_of
from afterword.pipeline.rules.injection.readings import readings
from afterword.pipeline.rules.injection.scan import COMMON_WORDS
from afterword.pipeline.rules.user_tags.schema import LABELS, MARKETS_TAG, serialize_tag_value
from afterword.pipeline.testing.verdicts import named_cell
from benchmarks import injection_network as meanings
from benchmarks.injection import BLIND, SETS
from benchmarks.injection_made import DIARY, LANGUAGES, PLAN, STOCK, TALK, made, written
from benchmarks.injection_sources import (
    HOME_ASSISTANT,
    PROSE,
    TRUE_SOURCES,
    true_texts,
    workspace_texts,
)
from benchmarks.shared import SHARED
from benchmarks.texts import memories

PACKAGE: Final = Path(learned.__file__).parent

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
WEIGHTS: Final = {DIARY: 20.0, PLAN: 20.0, STOCK: 30.0}
"""Of families that must not be missed, or must raise no alarm."""
SET_WEIGHT: Final = 3.0
SET_TRUE_WEIGHT: Final = 12.0
SOURCE_WEIGHT: Final = 0.5
PRINTED_WEIGHT: Final = 4.0
WORKSPACE_WEIGHT: Final = 8.0
TOLD_WEIGHT: Final = 20.0
ALARMS: Final = 0.012
"""The share of true texts that are left out of a training and taken for orders: it sets the
threshold. Those were written to be near to orders; of other true text the share is smaller."""
DOUBT: Final = 0.92
"""The share of that limit which is asked for: most true texts are no such near misses."""

MEANT_ALARMS: Final = 0.05
"""The same share where the meaning is looked at too."""

MEANT_STEPS: Final = 4
"""Of the texts with the smallest weights a fourth has its meaning learned: there are many."""

KEPT: Final = "vectors.npz"
"""File among the sources that keeps the local model's vectors of texts for the next training."""

MONEY_FAMILIES: Final = frozenset(
    ("limits", "transfer", "approval", "promotion", "concealment", "standing", "finance")
)
"""Families of our orders, and that of the blind sets, which want money moved or misjudged."""

TRUE: Final = "true texts"
PLAIN: Final = "plain orders"
ABOUT_MONEY: Final = "orders about money"
KINDS: Final = (TRUE, PLAIN, ABOUT_MONEY)
"""What is counted of a language that is held out."""

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
ASKED: Final = (
    "swap tokens at the best quote",
    "swap SOL for USDC at the best price",
    "odds of a market",
    "buy at the best quote of two venues",
    "send the weekly report by mail",
    "transfer between my own accounts",
    "show the funding rates of all venues",
    "find the cheapest route for a swap",
    "close all positions of this strategy before the weekend",
)
"""Tasks that a user asks for again and again, as the triggers of learned procedures."""
METHODS: Final = (
    "Opening range",
    "Zebra",
    "Fade the gap",
    "Zebra memo",
    "Two day low",
    "Night desk",
)
STEPS_OF_METHODS: Final = (
    "Buy BTC at support",
    "Sell ETH below the average",
    "Wait for the close",
    "Buy",
    "Sell half at the first target",
)
KNOWN_FROM: Final = (
    "written, from agent",
    "written, from owner",
    "cases, from system",
    "import, from owner",
    "observation, from agent",
    "observation, from owner, user_explicit",
    "trade_outcome, from system",
)
"""Methods and memories as the causes of an answer print them."""
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
    for line in told_of_the_user():
        yield Example(line, False, TOLD_WEIGHT)
    for part in dict.fromkeys(workspace_texts(SHARED)):
        yield Example(part, False, WORKSPACE_WEIGHT)
    for memory in memories(MEMORIES):
        yield Example(memory.content, False, SOURCE_WEIGHT)
    for name in ("first", "second"):
        for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["family"] != "obfuscated":
                is_order = row["family"] != "benign"
                weight = SET_WEIGHT if is_order else SET_TRUE_WEIGHT
                yield Example(row["text"], is_order, weight, "a set")


def told_of_the_user() -> Iterator[str]:
    """Yield what answers and preferences become, the files of a new workspace, and tasks."""
    for question in ONBOARDING_QUESTIONS:
        if question != CAPITAL:
            for value in LABELS[question]:
                yield answer_sentence(
                    question,
                    serialize_tag_value(question, value if question != MARKETS_TAG else [value]),
                )
    for amount in ("500", "$1k-5k", "25,000", "100k+"):
        yield answer_sentence(CAPITAL, amount)
    for dimension, known in PREFERENCE_DIMENSIONS.items():
        for value in known.values:
            for kind in PREFERENCE_KINDS:
                yield statement_of(dimension, kind, value)
    for body in (*defaults.SHARED.values(), *defaults.OF_USER.values(), defaults.BOOTSTRAP):
        yield from filter(None, (line.strip(" -#") for line in body.splitlines()))
    yield from ASKED


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
    for name in METHODS:
        for step in STEPS_OF_METHODS:
            yield f"{step}. {name}"
            yield f"({step}) {name}: {name}"
            for known in KNOWN_FROM:
                yield f"[{known}] {name}: {step}"
                yield f"[{known}] {step}. {name}"
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


class Limits(NamedTuple):
    """The scores from which a text is an order.

    Args:
        concepts: of a part, by language.
        meant: of a text whose meaning is looked at.
    """

    concepts: dict[str, float]
    meant: float


class Meant(NamedTuple):
    """Texts whose meaning is learned.

    Args:
        inputs: what the network is given of each, one a row.
        apart: the directions in which their languages lie apart.
    """

    rows: list[Example]
    inputs: meanings.Floats
    apart: meanings.Floats

    def where(self, rule: Callable[[Example], bool]) -> "Meant":
        """Return the texts that a rule is true of."""
        return self.at([at for at, one in enumerate(self.rows) if rule(one)])

    def of(self, field: str, value: str) -> "Meant":
        """Return the texts of a family or a language."""
        return self.where(lambda one: getattr(one, field) == value)

    def at(self, places: Sequence[int]) -> "Meant":
        """Return the texts at some places."""
        return Meant([self.rows[at] for at in places], self.inputs[list(places)], self.apart)


def joined(each: Sequence[Meant]) -> Meant:
    """Return the texts of several; what tells languages apart is that of the first."""
    rows = [row for one in each for row in one.rows]
    return Meant(rows, np.concatenate([one.inputs for one in each]), each[0].apart)


class LeftOut(NamedTuple):
    """What a training without a text says of it.

    Args:
        score: of the part most like an order, by its concepts.
        odds: of its meaning.
    """

    example: Example
    score: float
    odds: float


def left_out(
    parts: Sequence[Prepared], meant: Meant, asked: Meant, without: Set[str]
) -> list[LeftOut]:
    """Return what a training without some texts says of others.

    Args:
        asked: the texts that are asked about.
        without: the texts that are left out of the training.
    """
    model = trained([one for one in parts if one.example.text not in without])
    network = network_of(meant.where(lambda one: one.text not in without))
    odds = meanings.scores(network, asked.inputs)
    return [
        LeftOut(row, score_of(model, row.text), float(odd))
        for row, odd in zip(asked.rows, odds, strict=True)
    ]


def limits(parts: Sequence[Prepared], meant: Meant) -> Limits:
    """Return the scores from which a text is an order.

    A share of ALARMS of the true texts reaches that of the concepts, each left out once; half of it
    is that of the language, half that of all, since of one language there are few texts.
    """
    true = meant.where(is_written_true)
    told: list[LeftOut] = []
    for fold in range(FOLDS):
        left = true.at(range(fold, len(true.rows), FOLDS))
        told += left_out(parts, meant, left, {one.text for one in left.rows})
    all_ = float(np.quantile([one.score for one in told], 1 - ALARMS))
    concepts = {}
    for language in LANGUAGES:
        own = [one.score for one in told if one.example.language == language]
        concepts[language] = DOUBT * (float(np.quantile(own, 1 - ALARMS)) + all_) / 2
    both = [_looked_at(one, concepts) for one in told]
    return Limits(concepts, float(np.quantile(both, 1 - MEANT_ALARMS)))


def _looked_at(one: LeftOut, asked: dict[str, float]) -> float:
    """Return the odds of a text; those of no order if nobody looks at its meaning."""
    reached = one.score / asked[one.example.language]
    return one.odds if reached >= learned.GATE else -math.inf


def meant_of(rows: Sequence[Example], kept: Path) -> Meant:
    """Return the texts whose meaning is learned; of the lightest ones some.

    Args:
        kept: file of vectors; see `meanings.vectors_of`.
    """
    chosen = [
        one
        for one in rows
        if one.weight not in {SOURCE_WEIGHT, MADE_WEIGHT}
        or crc32(one.text.encode()) % MEANT_STEPS == 0
    ]
    vectors = meanings.vectors_of([one.text for one in chosen], kept)
    named = (learned.named_in(next(readings(one.text)).line) for one in chosen)
    inputs = meanings.inputs_of(vectors, named)
    return Meant(chosen, inputs, meanings.languages_apart(inputs, [one.language for one in chosen]))


def network_of(meant: Meant) -> meanings.Layers:
    """Return the networks of texts: a heavy text weighs less than for the concepts."""
    rows = meant.rows
    is_order, weights = [one.is_order for one in rows], [one.weight**0.5 for one in rows]
    return meanings.trained(meant.inputs, is_order, weights, meant.apart)


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


def write_meaning(layers: meanings.Layers, limit: float) -> None:
    """Write the network as integers, and what the scan must know of it.

    Args:
        limit: the score of an order.
    """
    network = meanings.as_integers(layers)
    offsets = np.concatenate([network.offsets, network.second]).astype("<i8")
    data = network.first.astype("<i2").tobytes() + offsets.tobytes()
    (PACKAGE / "meaning.bin").write_bytes(data)
    (PACKAGE / "meaning_model.py").write_text(
        '"""What `benchmarks.train_injection` wrote of meanings; see `meaning.bin`."""\n\n'
        "from typing import Final\n\n"
        f'MEANING_SHA256: Final = "{hashlib.sha256(data).hexdigest()}"\n\n'
        f"HIDDEN: Final = {len(network.offsets)}\n"
        f"UNIT: Final = {network.unit!r}\n"
        '"""What one step of a score is worth, as log odds."""\n\n'
        f"THRESHOLD: Final = {limit:.3f}\n"
        '"""A text with a higher score is an order."""\n',
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


def held_out(folder: Path) -> Iterator[tuple[str, str, float, float]]:
    """Yield what the learned arm alone finds of families and languages it was not trained on.

    The two sets that the rules were written with are left out, since they do not name our families.

    Returns:
        what was held out, what is told of it, and the shares of the texts that are taken for
        orders: by concepts, and with meaning.
    """
    rows = [one for one in examples(folder) if one.family != "a set"]
    parts, meant = prepared(rows), meant_of(rows, folder / KEPT)
    blind = meant_of(list(blind_texts()), folder / KEPT)
    asked = limits(parts, meant)
    ours = meant.where(lambda one: one.weight not in {MADE_WEIGHT, SOURCE_WEIGHT})

    def shares(told: Sequence[LeftOut]) -> tuple[float, float]:
        by_concepts = [one.score > asked.concepts[one.example.language] for one in told]
        by_both = [_looked_at(one, asked.concepts) > asked.meant for one in told]
        return sum(by_concepts) / len(told), sum(by_both) / len(told)

    for family in sorted({one.family for one in rows if one.is_order}):
        orders = ours.where(lambda one: one.is_order).of("family", family)
        told = left_out(parts, meant, orders, {one.text for one in rows if one.family == family})
        yield family, "orders of a family", *shares(told)
    for language in LANGUAGES:
        # Published texts of the language too: they are all true, and would stand for it.
        texts = {one.text for one in rows if (one.language or _language(one.text)) == language}
        left = [whole.of("language", language) for whole in (ours, blind)]
        told = left_out(parts, meant, joined(left), texts)
        number = len(left[0].rows)
        for whose, those in (("our", told[:number]), ("blind", told[number:])):
            for kind in KINDS:
                of_kind = [one for one in those if _kind(one.example) == kind]
                yield language, f"{whose} {kind}", *shares(of_kind)


def blind_texts() -> Iterator[Example]:
    """Yield the texts of the blind sets that are not disguised."""
    for name in BLIND:
        for line in (SETS / f"blind_{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["family"] != "disguised":
                is_order = row["family"] != "true"
                yield Example(row["text"], is_order, 1.0, row["family"], row["language"])


def _kind(row: Example) -> str:
    """Return which of KINDS a text is."""
    if not row.is_order:
        return TRUE
    return ABOUT_MONEY if row.family in MONEY_FAMILIES else PLAIN


def _language(text: str) -> str:
    """Return the language of the first sentence of a text; "" if nothing tells it."""
    sentences = learned.sentences_of(next(readings(text)).line)
    return language_of(sentences[0], sentences[0].split(" ")) if sentences else ""


def is_written_true(row: Example) -> bool:
    """Say whether a text is a true one that was written for this."""
    return not row.is_order and row.weight == WRITTEN_WEIGHT


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
        for name, kind, concepts, both in held_out(options.sources):
            print(f"{kind:24} {name:12} {100 * concepts:5.1f} % {100 * both:5.1f} %", flush=True)
        return 0
    rows = list(examples(options.sources))
    parts = prepared(rows)
    meant = meant_of(rows, options.sources / KEPT)
    asked = limits(parts, meant)
    write(trained(parts), asked.concepts, cheap_words(rows))
    write_meaning(network_of(meant), asked.meant)
    shown = ", ".join(f"{language} {limit:.2f}" for language, limit in asked.concepts.items())
    print(f"{len(rows):,} texts; an order scores above {shown}; with meaning {asked.meant:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
