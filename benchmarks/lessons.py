"""Whether a question in words of its own finds the lesson that fits, and how long that takes.

A lesson fits if it is about the same asset, the same direction and the same move before. The
questions use none of the words of the lessons but the asset's name, and the move before is told by
prices alone. The truth about it comes from the measurement of outcomes, not from recall. The same
record is summarised, beside a bare read of its outcomes.

Prices are random walks, or those of a folder. Among many lessons a question is asked at a moment of
its own, so that hardly any setup of an asset is known from an earlier question.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count, cycle
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import process_time
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from afterword.pipeline.core.store import Store, driver_cursor, reading, writing
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.measure import measure
from afterword.pipeline.domain.outcomes.model import (
    MeasuredOutcome,
    Subject,
    TrendBefore,
    VolatilityTercile,
)
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.csv_file import read_prices
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.operations.roles.summary import summarise_roles
from afterword.pipeline.recall.lessons.lessons import role_lessons
from afterword.pipeline.recall.lessons.question import read_question
from afterword.pipeline.recall.lessons.ranking import AskedSetup, LessonSet, ranked
from afterword.pipeline.recall.prompts.prompt_lessons import (
    LessonChoice,
    PromptLesson,
    prompt_lessons,
)
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.testing.roles import role_of, skill_of
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.decisions_rules import MARKETS, price_file
from benchmarks.host import a_host
from benchmarks.lessons_questions import FIRST, SECOND, THIRD, UNSEEN, Questions
from benchmarks.timing import percentile, seconds, spent

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
STANCES: Final[tuple[Stance, ...]] = ("long", "short", "neutral")
MODES: Final = ("chased a move that was over", "stood against the trend", "volume did not confirm")
BEFORE: Final = {"up": "a rise", "down": "a fall", "flat": "no clear move", None: "an unknown move"}

SETS: Final = {"first": FIRST, "second": SECOND, "third": THIRD, "unseen": UNSEEN}
OF_NO_ASSET: Final = (
    "Open interest doubled, what did that tell us before?",
    "Fade it after the rally?",
    "Buy this dip for a day?",
)
NOTE_EACH: Final = 100
"""Every how many decisions of the speed part a person left a note."""

_FILL: Final = """
INSERT INTO role_memory (id, uid, role_id, skill_id, origin, decision, inputs, asset, asset_key,
  direction, decided_at, known_at, state, state_at, outcome, measured, classification, narrative,
  classified_by, classified_at, lesson, lesson_by, reflected_at, mark, mark_note, marked_at)
VALUES (:id, printf('%032x', :id), 'bench.calls', 'bench', 'agent', :decision, '{}', :asset,
  :asset, :direction, :at, :at, 'reflected', :later, 'wrong', '{}', 'logic_error', 'A story.', 'x',
  :later, :lesson, 'x', :later, iif(:note IS NULL, NULL, 'wrong'), :note,
  iif(:note IS NULL, NULL, :later))
"""


class World(NamedTuple):
    """Hourly prices of some assets; all moments of one are in it."""

    prices: PriceBook
    assets: Sequence[str]
    begin: datetime
    end: datetime

    def moment(self, chance: Random, first: timedelta, last: timedelta) -> datetime:
        """Return a random hour, some time after its begin and before its end."""
        hours = (self.end - self.begin - first - last) // HOUR
        return self.begin + first + chance.randrange(hours) * HOUR


class Case(NamedTuple):
    """A wrong decision, its outcome, and the lesson drawn from it."""

    outcome: MeasuredOutcome
    lesson: str


def ask(path: Path | None, lessons: int, questions: int, most: int, asks: int) -> Answer:
    """Ask among few lessons for quality, and among many for speed."""
    chance = Random(20_240_101)
    world = _walks(chance) if path is None else _real(path / "ohlcv")
    cases = _cases(chance, world, lessons)
    with a_host("NORMAL", fleet=False) as host:
        _keep(host.store, world, cases)
        measured = _quality(host.store, chance, world, cases, questions)
    with a_host("NORMAL", fleet=False) as host:
        _keep(host.store, world, _copies(chance, cases, most), note_each=NOTE_EACH)
        weigh_patterns(host.store, [ROLE], world.end)
        measured |= _speed(host.store, chance, world, asks)
        summary = _summary(host.store, most)
    bare_s = summary.pop("bare_rows_cpu_s")
    return Answer(
        "lessons",
        measured | summary,
        targets={
            **{f"{name}_fits_among_three": Target(at_least=0.65) for name in SETS},
            **{f"{name}_{most}_p50_ms": Target(at_most=5) for name in ("confirmed", "all")},
            f"summary_{most}_cpu_s": Target(at_most=2 * most / 100_000),
        },
        floor={"bare_rows_cpu_s": bare_s},
        sizes={"lessons": lessons, "questions": questions, "most": most, "asks": asks},
    )


def _walks(chance: Random) -> World:
    """Return hourly walks, each with stretches of rise, fall and rest."""
    bars: dict[Series, list[Bar]] = {}
    for asset in NAMES:
        price, drift, made = 100.0, 0.0, []
        for hour in range(24 * DAYS):
            if hour % 36 == 0:
                drift = chance.choice((-0.003, 0.0, 0.003))
            price *= 1 + drift + chance.gauss(0, 0.006)
            close = Decimal(f"{price:.6f}")
            made.append(Bar(BEGIN + hour * HOUR, HOUR, close, close, close, close, Decimal(0)))
        bars[Series("bench", f"{asset}USDT", HOUR)] = made
    return World(PriceBook(bars), tuple(NAMES), BEGIN, BEGIN + timedelta(days=DAYS))


def _real(folder: Path) -> World:
    """Return the real hours of 2024 of the assets that have them."""
    bars: dict[Series, Sequence[Bar]] = {}
    for asset in MARKETS:
        file = price_file(folder, asset)
        (found,) = read_prices(file, "bench", known_by=datetime.now(UTC))
        bars[found.series] = found.bars
    begin = max(one[0].t_open for one in bars.values())
    end = min(one[-1].closed_at for one in bars.values())
    return World(PriceBook(bars), MARKETS, begin, end)


def _cases(chance: Random, world: World, wanted: int) -> list[Case]:
    """Return wrong decisions of all directions, at random assets and moments."""
    found: list[Case] = []
    for row_id in count(1):
        if len(found) == wanted:
            return found
        asset, stance = chance.choice(world.assets), chance.choice(STANCES)
        at = world.moment(chance, timedelta(days=40), timedelta(days=5))
        subject = Subject("decision", row_id, asset, stance, at)
        one = measure(world.prices, subject, 24, at + 48 * HOUR)
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


def _keep(store: Store, world: World, cases: Sequence[Case], note_each: int = 0) -> None:
    for asset in world.assets:
        (series,) = world.prices.series(asset)
        bars = world.prices.bars(series, world.begin, world.end, world.end)
        keep_bars(store, series, bars, lambda: world.end)
    rows = [_row(one) for one in cases]
    for row in rows[::note_each] if note_each else ():
        row["note"] = f"I would not have done that: {row['decision']}, number {row['id']}."
    with writing(store) as conn:
        driver_cursor(conn).executemany(_FILL, rows)
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
        "note": None,
    }


class _Question(NamedTuple):
    text: str
    asset: str
    direction: Stance
    at: datetime
    trend: TrendBefore | None
    volatility: VolatilityTercile | None


def _questions(chance: Random, world: World, words: Questions, wanted: int) -> list[_Question]:
    found = []
    for row_id in range(wanted):
        asset, stance = chance.choice(world.assets), chance.choice(STANCES)
        at = world.moment(chance, timedelta(days=60), timedelta(days=2))
        subject = Subject("decision", row_id, asset, stance, at)
        one = measure(world.prices, subject, 24, at + 48 * HOUR)
        trend, volatility = None, None
        if isinstance(one, MeasuredOutcome):
            trend, volatility = one.trend, one.volatility
        text = chance.choice(words[stance]).format(chance.choice(NAMES[asset]))
        found.append(_Question(text, asset, stance, at, trend, volatility))
    return found


def _quality(
    store: Store, chance: Random, world: World, cases: Sequence[Case], wanted: int
) -> dict[str, float]:
    measured: dict[str, float] = {}
    table = Table("words", "fits", "ceiling", "first", "unread", "misread", "volatility", "words")
    for name, words in SETS.items():
        asked = _questions(chance, world, words, wanted)
        found = _shares(store, cases, asked)
        measured |= {f"{name}_{what}": share for what, share in found.items()}
        table.add_row(name, *(f"{share:.2f}" for share in found.values()))
    Console(stderr=True, width=100).print(table)
    return measured


def _shares(store: Store, cases: Sequence[Case], asked: Sequence[_Question]) -> dict[str, float]:
    """Return shares of questions; the last column of the table is the ranking by words alone."""
    outcomes = {one.subject_id: one for one, _ in cases}
    cells = {(one.asset_key, one.direction, one.trend) for one, _ in cases}
    setups = {(one.asset_key, one.direction, one.trend, one.volatility) for one, _ in cases}
    with reading(store) as conn:
        every = LessonSet(prompt_lessons(conn, [ROLE.id], "all", len(cases), None), None)

    def fits(one: _Question, found: Sequence[PromptLesson]) -> bool:
        trends = [(*it.assets, it.direction, outcomes[it.id].trend) for it in found]
        return (one.asset, one.direction, one.trend) in trends

    told = [_told(store, one) for one in asked]
    by_words = [ranked(one.text, AskedSetup(None, None), every, "scaled", 3) for one in asked]
    read = [read_question(one.text).direction for one in asked]
    first = [(one, found[0]) for one, found in zip(asked, told, strict=True) if found]
    regimes = [
        outcomes[best.id].volatility == one.volatility
        for one, best in first
        if one.volatility and (one.asset, one.direction, one.trend, one.volatility) in setups
        if (one.direction, one.trend) == (best.direction, outcomes[best.id].trend)
    ]
    return {
        "fits_among_three": fmean(map(fits, asked, told)),
        "ceiling": fmean((one.asset, one.direction, one.trend) in cells for one in asked),
        "right_direction_first": fmean(one.direction == best.direction for one, best in first),
        "direction_unread": fmean(direction is None for direction in read),
        "direction_misread": fmean(
            direction not in (None, one.direction)
            for one, direction in zip(asked, read, strict=True)
        ),
        "volatility_of_now_first": fmean(regimes),
        "words_alone_fits_among_three": fmean(map(fits, asked, by_words)),
    }


def _told(store: Store, one: _Question) -> list[PromptLesson]:
    options = SearchOptions(3)
    return role_lessons(store, REGISTRY, ROLE.id, one.text, options, now=one.at, choice="all")


def _speed(store: Store, chance: Random, world: World, asks: int) -> dict[str, float]:
    asked = _questions(chance, world, FIRST, asks)
    of_no_asset = [one._replace(text=words) for one, words in zip(asked, cycle(OF_NO_ASSET))]
    with reading(store) as conn:
        most = conn.exec_driver_sql("SELECT count(*) FROM role_memory").scalar_one()
    measured: dict[str, float] = {}
    runs: tuple[tuple[str, LessonChoice, Sequence[_Question]], ...] = (
        ("confirmed", "confirmed", asked),
        ("all", "all", asked),
        ("confirmed_no_asset", "confirmed", of_no_asset),
        ("all_no_asset", "all", of_no_asset),
    )
    for name, choice, every in runs:
        calls = [_call(store, one, choice) for one in every]
        for call in calls[:WARM]:  # they bring the file into memory
            call()
        times = [_both(call) for call in calls]
        walls, processor = [one for one, _ in times], [one for _, one in times]
        measured[f"{name}_{most}_p50_ms"] = median(walls) * 1000
        measured[f"{name}_{most}_p99_ms"] = percentile(walls, 0.99) * 1000
        measured[f"{name}_{most}_cpu_p50_ms"] = median(processor) * 1000
        note(
            f"{name}: p50 {median(walls) * 1000:.2f} ms among {most:,}, of them"
            f" {median(processor) * 1000:.2f} ms of the processor"
        )
    return measured


def _summary(store: Store, most: int) -> dict[str, float]:
    """Return what `role summary` takes without placebos, and what reading its rows alone takes."""
    summary = spent(lambda: summarise_roles(store, [(ROLE, {})], CONFIRMED_LEVEL))
    with reading(store) as conn:
        rows = driver_cursor(conn)
        bare = spent(lambda: rows.execute("SELECT * FROM outcomes").fetchall())
    note(f"role summary of {most:,}: {summary.cpu_s:.2f} s of the processor")
    return {f"summary_{most}_cpu_s": summary.cpu_s, "bare_rows_cpu_s": bare.cpu_s}


def _both(call: Callable[[], object]) -> tuple[float, float]:
    """Return how long a call takes, and how long the processor works on it; seconds."""
    started = process_time()
    wall = seconds(call)
    return wall, process_time() - started


def _call(store: Store, one: _Question, choice: LessonChoice) -> Callable[[], object]:
    options = SearchOptions(10)
    return lambda: role_lessons(
        store, REGISTRY, ROLE.id, one.text, options, now=one.at, choice=choice
    )


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, None, "folder of real data with `ohlcv/`; without one prices are made"),
        lessons=(int, 1_000, "lessons of the quality part; count"),
        questions=(int, 500, "questions of the quality part; count"),
        most=(int, 100_000, "lessons of the speed part; count"),
        asks=(int, 300, "questions of the speed part; count"),
    )
