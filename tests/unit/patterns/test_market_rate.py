"""What the market itself did is told as the market's, beside the record of a role."""

import json
from datetime import timedelta
from random import Random

import pytest

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.rules.evidence.market_rate import WindowCount, market_rate
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.trend_base import TRENDS, TrendCounts, hits_behind
from afterword.pipeline.testing.command import Command
from tests.unit.patterns.record import REGISTRY, ROLE, Desk

DAY = timedelta(days=1)
MOMENTUM = "market.spot.momentum"
FLAW = [True, *[False] * 9] * 6
SKILL = """
from afterword.pipeline.testing.roles import role_of, skill_of
DESK = skill_of(role_of())
"""


def reverting(chance, days):
    """Return closes of a market that takes seven of ten moves back."""
    closes, way = [100.0], 1
    for _ in range(days - 1):
        way = -way if chance.random() < 0.7 else way
        closes.append(closes[-1] * (1 + way * 0.02))
    return closes


CLOSES = reverting(Random(3), 500)


class Flipper:
    """A role that flips a coin at each close of one market, through the commands."""

    def __init__(self, command, clock, folder, start=None):
        self.command, self.folder, self.chance = command, folder, Random(7)
        self.start = start or clock()

    def run(self, *line):
        done = self.command(*line)
        assert done.code == 0, done.err
        return done

    def import_prices(self, closes, since=0):
        opens_at = round((self.start + since * DAY).timestamp()) * 1000
        rows = [
            f"{opens_at + day * 86_400_000},{','.join([f'{price:.6f}'] * 4)},0"
            for day, price in enumerate(closes)
        ]
        path = self.folder / "SOLUSDT_1d.csv"
        path.write_text("\n".join(["t_open_ms,open,high,low,close,volume", *rows]))
        self.run("prices", "import", str(path))

    def decide(self, days):
        lines = [
            {
                "decision": "A coin.",
                "asset": "SOL",
                "direction": self.chance.choice(("long", "short")),
                "decided_at": iso(self.start + day * DAY),
                "key": str(day),
            }
            for day in days
        ]
        path = self.folder / "decisions.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)))
        self.run("role", "record", MOMENTUM, "--file", str(path))
        self.run("role", "reflect")

    def summary(self, *options):
        ((one,),) = (
            role["classes"]
            for role in self.run("role", "summary", MOMENTUM, "--json", *options).json
        )
        return one


@pytest.fixture
def flipper(command, clock, tmp_path):
    """A role without skill in a market that reverts, with its record of four months."""
    one = Flipper(command, clock, tmp_path)
    clock.advance(days=420)
    one.import_prices(CLOSES[:420])
    one.decide(range(300, 418))
    return one


def markets(summary):
    """Return what the market did, by setup."""
    return {(one["direction"], one["trend"]): one["market"] for one in summary["setups"]}


def words(market):
    return (
        f"{market['rate'] * 100:.0f} % of {market['windows']} windows (95 % interval "
        f"{market['low'] * 100:.0f} to {market['high'] * 100:.0f} %), "
        f"at any time {market['base'] * 100:.0f} %."
    )


def test_a_market_that_reverts_is_told_as_the_market_s(flipper, tmp_path):
    file = tmp_path / "summary.html"
    found = flipper.summary()
    shown = " ".join(flipper.run("role", "summary", MOMENTUM, "--html", str(file)).out.split())

    after = markets(found)
    long, short = after["long", "up"], after["short", "up"]
    assert long["high"] < 0.4 < long["base"] < 0.6 < short["low"]
    for text in (shown, file.read_text().replace("\u00a0", " ")):
        assert f"After a rise any long was right {words(long)}" in text
        assert f"After a rise any short was right {words(short)}" in text
    story = flipper.run("role", "pattern", "show", MOMENTUM, found["asset_class"], "long", "up")
    assert words(long) in " ".join(story.out.split())

    assert found["patterns"] == []
    assert "nothing" in flipper.run("role", "recall", "market.spot", "--prompt").out


def test_a_later_price_changes_nothing_of_what_the_market_did(flipper, clock, ids, tmp_path):
    start, then, before = flipper.start, iso(clock()), flipper.summary()
    clock.advance(days=80)
    wild = [price * (1 + day) for day, price in enumerate(CLOSES[420:])]
    flipper.import_prices(wild, since=420)
    assert flipper.summary() == before

    flipper.decide(range(421, 498))
    assert markets(flipper.summary()) != markets(before)
    assert flipper.summary("--as-of", then) == before

    measured_late = Flipper(Command(tmp_path / "late", clock, ids), clock, tmp_path, start)
    measured_late.import_prices(CLOSES[:420] + wild)
    measured_late.decide(range(300, 418))
    assert markets(measured_late.summary()) == markets(before)


@pytest.fixture
def prompts(home, command, store, clock, ids, writer):
    """Return every prompt and the page of SOL once the desk has shown a flaw of its longs."""
    (home / "skills").mkdir(parents=True)
    (home / "skills" / "desk.py").write_text(SKILL)

    def read(hits=FLAW, **how):
        desk = Desk(store, clock, ids, days_ago=140)  # a pattern leaves the prompts later
        desk.decide(hits, asset_class="crypto", **how)
        desk.weigh()
        agent = Agent(Door(writer, begin_session(writer).handle, roles=REGISTRY))
        return [
            command("role", "recall", "desk", "--prompt").out,
            command("role", "recall", ROLE.id, "--like", "Buy SOL?", "--all").out,
            agent.snapshot(),
            agent.memory_brief().text,
            agent.memory_compiled_page("SOL"),
        ]

    return read


def test_beside_a_confirmed_pattern_a_prompt_tells_a_market_that_turned(prompts):
    told = "After a rise any long was right 42 % of 310 windows (95 % interval 37 to 47 %), at any"

    texts = prompts(market=(130, 310))

    assert [text.count("right 6 of 60 stretches") for text in texts] == [1] * 5
    assert [text.count(f"{told} time 50 %.") for text in texts] == [1] * 5


@pytest.mark.parametrize(
    ("hits", "market"),
    [
        (FLAW, (150, 310)),  # a fair walk: 43 to 54 %
        ([True, *[False] * 5] * 6, (130, 310)),  # a hint alone
    ],
)
def test_no_prompt_tells_a_market_else(prompts, hits, market):
    texts = prompts(hits, market=market)

    assert "stretches" in texts[1]
    assert [text for text in texts if "After a rise" in text] == []


def test_assets_that_move_together_are_no_more_windows_than_one():
    alone = WindowCount(130, 310, 0.5)

    assert market_rate([alone] * 10) == market_rate([alone, None]) == market_rate([alone])
    mixed = market_rate([alone, WindowCount(60, 100, 0.6)])
    assert mixed is not None
    assert (mixed.rate, mixed.windows) == (round(190 / 410, 6), 310)
    assert mixed.base == round((0.5 * 310 + 0.6 * 100) / 410, 6)
    assert market_rate([]) is market_rate([WindowCount(0, 0, 0.5)]) is None


def test_the_counts_of_a_setup_come_back_from_its_base():
    chance = Random(5)
    for _ in range(500):
        hits, misses = chance.randint(0, 100_000), chance.randint(0, 100_000)
        base, trend = chance.randint(0, PPB), chance.choice(TRENDS)
        counts = TrendCounts((hits,) * 3, (misses,) * 3)

        setup = counts.base(is_long=True, trend=trend, base_ppb=base)
        assert hits_behind(*setup, base) == hits
