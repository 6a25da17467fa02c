"""Whether a question in words of its own finds the lesson that fits, and how long that takes.

A lesson fits if it is about the same asset, the same direction and the same move before. The
questions use none of the words of the lessons but the asset's name, and the move before is told by
prices alone. The truth about it comes from the measurement of outcomes, not from recall.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from random import Random
from statistics import median
from typing import Final, NamedTuple

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Store, driver_cursor, reading, writing
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.measure import Subject, measure
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, TrendBefore
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.recall.lessons.lessons import role_lessons
from afterword.pipeline.recall.lessons.ranking import AskedSetup, LessonSet, ranked
from afterword.pipeline.recall.prompts.prompt_lessons import (
    LessonChoice,
    PromptLesson,
    prompt_lessons,
)
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.testing.roles import role_of, skill_of
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import percentile, seconds

ROLE: Final = role_of("bench.calls")
REGISTRY: Final = RoleRegistry([skill_of(ROLE)])
HOUR: Final = timedelta(hours=1)
BEGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)
DAYS: Final = 120
WARM: Final = 100

NAMES: Final = {
    "BTC": ("BTC", "Bitcoin", "btc"),
    "ETH": ("ETH", "Ethereum", "$ETH"),
    "SOL": ("SOL", "Solana", "SOL/USDT"),
    "AVAX": ("AVAX", "avax"),
    "SUI": ("SUI", "$SUI"),
    "INJ": ("INJ", "INJ-PERP"),
    "DOGE": ("DOGE", "Dogecoin", "doge"),
    "PEPE": ("PEPE", "pepe", "kPEPE"),
    "WIF": ("WIF", "$WIF"),
    "BONK": ("BONK", "$BONK"),
    "UNI": ("UNI", "Uniswap"),
    "AAVE": ("AAVE", "aave"),
    "LINK": ("LINK", "Chainlink"),
    "ARB": ("ARB", "Arbitrum"),
    "OP": ("OP", "$OP"),
}
ASSETS: Final = tuple(NAMES)
STANCES: Final[tuple[Stance, ...]] = ("long", "short", "neutral")
MODES: Final = ("chased a move that was over", "stood against the trend", "volume did not confirm")
BEFORE: Final = {"up": "a rise", "down": "a fall", "flat": "no clear move", None: "an unknown move"}

# Written once, before recall was measured with them.
QUESTIONS: Final[dict[Stance, tuple[str, ...]]] = {
    "long": (
        "Thinking of picking up some {} here, what bit us last time?",
        "Would you buy {} for the next day?",
        "Considering a bid in {}, horizon 24h.",
        "I am bullish on {} into tomorrow.",
        "{} should trade higher by this time tomorrow. Objections?",
        "Ready to add exposure to {}; anything I should know?",
        "Is {} going up from here?",
        "Entering {} on the buy side, one day hold.",
        "My model expects upside in {} over a day.",
        "Loading up on {} now.",
        "Going long {} with a tight stop.",
        "Do we own {} overnight?",
    ),
    "short": (
        "Thinking of fading {} here, what bit us last time?",
        "Would you sell {} for the next day?",
        "Considering puts on {}, horizon 24h.",
        "I am bearish on {} into tomorrow.",
        "{} should trade lower by this time tomorrow. Objections?",
        "Ready to bet against {}; anything I should know?",
        "Is {} going down from here?",
        "Entering {} on the sell side, one day hold.",
        "My model expects downside in {} over a day.",
        "{} looks heavy, it rolls over soon.",
        "Going short {} with a tight stop.",
        "Do we dump {} today?",
    ),
    "neutral": (
        "I would rather stay out of {} for a day.",
        "{}: stand aside or is that a mistake?",
        "{} goes nowhere until tomorrow, I think.",
        "No position in {} over the next 24 hours?",
        "Sitting on my hands in {}.",
        "{} stays flat over the coming day.",
        "Keep {} on hold.",
        "Wait on {} today?",
        "{} chops sideways for a day.",
    ),
}

_FILL: Final = """
INSERT INTO role_memory (id, uid, role_id, skill_id, origin, decision, inputs, asset, asset_key,
  direction, decided_at, known_at, state, state_at, outcome, measured, classification, narrative,
  classified_by, classified_at, lesson, lesson_by, reflected_at)
VALUES (:id, printf('%032x', :id), 'bench.calls', 'bench', 'agent', :decision, '{}', :asset,
  :asset, :direction, :at, :at, 'reflected', :later, 'wrong', '{}', 'logic_error', 'A story.', 'x',
  :later, :lesson, 'x', :later)
"""


class Case(NamedTuple):
    """A wrong decision, its outcome, and the lesson drawn from it."""

    outcome: MeasuredOutcome
    lesson: str


def ask(lessons: int, questions: int, most: int, asks: int) -> Answer:
    """Ask among few lessons for quality, and among many for speed."""
    chance = Random(20_240_101)
    prices = _prices(chance)
    cases = _cases(chance, prices, lessons)
    with a_host("NORMAL", fleet=False) as host:
        _keep(host.store, prices, cases)
        measured = _quality(host.store, chance, prices, cases, questions)
    with a_host("NORMAL", fleet=False) as host:
        _keep(host.store, prices, _copies(chance, cases, most))
        measured |= _speed(host.store, chance, prices, asks)
    return Answer(
        "lessons",
        measured,
        targets={
            "fits_among_three": Target(at_least=0.65),
            f"all_{most}_p50_ms": Target(at_most=5),
            f"confirmed_{most}_p50_ms": Target(at_most=5),
        },
        sizes={"lessons": lessons, "questions": questions, "most": most, "asks": asks},
    )


def _prices(chance: Random) -> PriceBook:
    """Return hourly walks, each with stretches of rise, fall and rest."""
    bars: dict[Series, list[Bar]] = {}
    for asset in ASSETS:
        price, drift, made = 100.0, 0.0, []
        for hour in range(24 * DAYS):
            if hour % 36 == 0:
                drift = chance.choice((-0.003, 0.0, 0.003))
            price *= 1 + drift + chance.gauss(0, 0.006)
            close = Decimal(f"{price:.6f}")
            made.append(Bar(BEGIN + hour * HOUR, HOUR, close, close, close, close, Decimal(0)))
        bars[Series("bench", f"{asset}USDT", HOUR)] = made
    return PriceBook(bars)


def _cases(chance: Random, prices: PriceBook, wanted: int) -> list[Case]:
    """Return wrong decisions of all directions, at random assets and moments."""
    found: list[Case] = []
    for row_id in count(1):
        if len(found) == wanted:
            return found
        asset, stance = chance.choice(ASSETS), chance.choice(STANCES)
        at = BEGIN + timedelta(days=40) + chance.randrange(24 * 75) * HOUR
        one = measure(prices, Subject("decision", row_id, asset, stance, at), 24, at + 48 * HOUR)
        if isinstance(one, MeasuredOutcome) and one.window_verdict == "wrong":
            found.append(Case(one, _lesson(chance, asset, stance, one.trend)))
    raise AssertionError


def _lesson(chance: Random, asset: str, stance: Stance, trend: TrendBefore | None) -> str:
    return (
        f"Before another {stance} {asset} after {BEFORE[trend]}: check for “{chance.choice(MODES)}”"
        f", and wait. This one met {chance.random() * 9 + 1:.2f} %."
    )


def _copies(chance: Random, cases: Sequence[Case], most: int) -> list[Case]:
    """Return as many cases as a long record has: the setups of some, each with its own lesson."""
    found = []
    for row_id in range(1, most + 1):
        one = chance.choice(cases).outcome
        entry = one.entry_at - row_id * 1_000_000
        outcome = one._replace(subject_id=row_id, entry_at=entry)
        lesson = _lesson(chance, one.asset_key, one.direction, one.trend)
        found.append(Case(outcome, f"{lesson} ({row_id})"))
    return found


def _keep(store: Store, prices: PriceBook, cases: Sequence[Case]) -> None:
    end = BEGIN + timedelta(days=DAYS)
    for asset in ASSETS:
        (series,) = prices.series(asset)
        keep_bars(store, series, prices.bars(series, BEGIN, end, end), lambda: end)
    with writing(store) as conn:
        driver_cursor(conn).executemany(_FILL, [_row(one) for one in cases])
        outcome_rows.insert(conn, [one.outcome for one in cases])


def _row(one: Case) -> dict[str, object]:
    outcome = one.outcome
    return {
        "id": outcome.subject_id,
        "decision": f"{outcome.direction} {outcome.asset_key} because the rule said so",
        "asset": outcome.asset_key,
        "direction": outcome.direction,
        "at": outcome.entry_at,
        "later": outcome.exit_at,
        "lesson": one.lesson,
    }


class _Question(NamedTuple):
    text: str
    asset: str
    direction: Stance
    at: datetime
    trend: TrendBefore | None


def _questions(chance: Random, prices: PriceBook, wanted: int) -> list[_Question]:
    found = []
    for row_id in range(wanted):
        asset, stance = chance.choice(ASSETS), chance.choice(STANCES)
        at = BEGIN + timedelta(days=60) + chance.randrange(24 * 58) * HOUR
        subject = Subject("decision", row_id, asset, stance, at)
        one = measure(prices, subject, 24, at + 48 * HOUR)
        trend = one.trend if isinstance(one, MeasuredOutcome) else None
        words = chance.choice(QUESTIONS[stance]).format(chance.choice(NAMES[asset]))
        found.append(_Question(words, asset, stance, at, trend))
    return found


def _quality(
    store: Store, chance: Random, prices: PriceBook, cases: Sequence[Case], wanted: int
) -> dict[str, float]:
    asked = _questions(chance, prices, wanted)
    there = {(one.asset_key, one.direction, one.trend) for one, _ in cases}
    with reading(store) as conn:
        every = prompt_lessons(conn, [ROLE.id], "all", len(cases), None)
    trends = {one.subject_id: one.trend for one, _ in cases}

    def told(one: _Question) -> list[PromptLesson]:
        options = SearchOptions(3)
        return role_lessons(store, REGISTRY, ROLE.id, one.text, options, now=one.at, choice="all")

    def by_words(one: _Question) -> list[PromptLesson]:
        among = LessonSet(every, None)
        return ranked(one.text, AskedSetup(None, None), among, "scaled", 3)

    def shares(recall: Callable[[_Question], list[PromptLesson]]) -> tuple[float, float]:
        fits = first = 0
        for one in asked:
            wanted_cell = ((one.asset,), one.direction, one.trend)
            found = recall(one)
            cells = [(it.assets, it.direction, trends[it.id]) for it in found]
            fits += wanted_cell in cells
            first += bool(found) and found[0].direction == one.direction
        return fits / len(asked), first / len(asked)

    fits, first = shares(told)
    words_fit, words_first = shares(by_words)
    ceiling = sum((one.asset, one.direction, one.trend) in there for one in asked) / len(asked)
    note(f"fits among three {fits:.2f} (ceiling {ceiling:.2f}); by words alone {words_fit:.2f}")
    return {
        "fits_among_three": fits,
        "ceiling": ceiling,
        "right_direction_first": first,
        "words_alone_fits_among_three": words_fit,
        "words_alone_right_direction_first": words_first,
    }


def _speed(store: Store, chance: Random, prices: PriceBook, asks: int) -> dict[str, float]:
    asked = _questions(chance, prices, asks)
    now = from_micros(to_micros(BEGIN + timedelta(days=DAYS)))
    measured: dict[str, float] = {}
    with reading(store) as conn:
        most = conn.exec_driver_sql("SELECT count(*) FROM role_memory").scalar_one()
    choices: tuple[LessonChoice, ...] = ("confirmed", "all")
    for choice in choices:
        calls = [_call(store, one.text, choice, now) for one in asked]
        for call in calls[:WARM]:  # they bring the file into memory
            call()
        times = [seconds(call) for call in calls]
        measured[f"{choice}_{most}_p50_ms"] = median(times) * 1000
        measured[f"{choice}_{most}_p99_ms"] = percentile(times, 0.99) * 1000
        note(f"{choice}: p50 {median(times) * 1000:.2f} ms among {most:,}")
    return measured


def _call(store: Store, words: str, choice: LessonChoice, now: datetime) -> Callable[[], object]:
    options = SearchOptions(10)
    return lambda: role_lessons(store, REGISTRY, ROLE.id, words, options, now=now, choice=choice)


if __name__ == "__main__":
    answers(
        ask,
        lessons=(int, 1_000, "lessons of the quality part; count"),
        questions=(int, 500, "questions of the quality part; count"),
        most=(int, 100_000, "lessons of the speed part; count"),
        asks=(int, 300, "questions of the speed part; count"),
    )
