"""What luck and a flaw leave in the default prompt: by commands, and the tool of an agent."""

import json
from random import Random

import pytest

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.builtin import BUILTIN
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.recall.lessons.fragment import parse_fragment
from afterword.pipeline.testing.roles import HOUR
from tests.unit.reflection.worlds import FIRST, Call, chasing, walk, waves

SKILL = "market.spot"
DAYS = 60


@pytest.fixture
def prompt(command, clock, writer, tmp_path):
    """Import prices, record decisions, reflect; then return the lines of the default prompt."""
    agent = Agent(Door(writer, begin_session(writer).handle, roles=RoleRegistry(BUILTIN)))

    def run(*line):
        done = command(*line)
        assert done.code == 0, done.err

    def after(closes, calls):
        start = clock() - len(next(iter(closes.values()))) * HOUR
        opens_at = round(start.timestamp()) * 1000
        for asset, prices in closes.items():
            rows = [
                f"{opens_at + hour * 3_600_000},{','.join([f'{price:.6f}'] * 4)},0"
                for hour, price in enumerate(prices)
            ]
            path = tmp_path / f"{asset}USDT_1h.csv"
            path.write_text("\n".join(["t_open_ms,open,high,low,close,volume", *rows]))
            run("prices", "import", str(path))
        lines = [
            {
                "decision": "A call.",
                "asset": one.asset,
                "direction": one.direction,
                "decided_at": iso(start + one.hour * HOUR),
                "key": f"{number}",
            }
            for number, one in enumerate(calls)
        ]
        path = tmp_path / "decisions.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)))
        run("role", "record", f"{SKILL}.momentum", "--file", str(path))
        run("role", "reflect")
        return parse_fragment(agent.role_prompt(SKILL))

    return after


def any_way(chance, hours, assets, count):
    """Return calls in random directions at random hours, in order of time."""
    found = [
        Call(
            chance.randrange(FIRST, hours), chance.choice(assets), chance.choice(("long", "short"))
        )
        for _ in range(count)
    ]
    return sorted(found)


@pytest.mark.parametrize("seed", range(2))
def test_random_directions_put_nothing_into_the_default_prompt(prompt, seed):
    chance, hours = Random(seed), 24 * DAYS
    market = walk(chance, hours)
    closes = {  # they move together, and each is called four times within its window
        asset: [price * own for price, own in zip(market, walk(chance, hours), strict=True)]
        for asset in ("BTC", "ETH", "SOL")
    }

    assert prompt(closes, any_way(chance, hours - 30, list(closes), 12 * (DAYS - 10))) == []


def test_a_planted_flaw_is_told_of_the_asset_that_has_it(prompt):
    chance, closes = Random(3), {"SOL": waves(DAYS)}
    closes["ETH"] = walk(chance, len(closes["SOL"]))
    luck = any_way(chance, len(closes["ETH"]) - 30, ["ETH"], 60)

    (line,) = prompt(closes, sorted([*chasing(DAYS), *luck]))

    assert (line.label, line.about) == ("failing", "SOL")
    assert line.text.startswith("Failing: longs after a rise beyond the band, SOL: right 0 of ")
