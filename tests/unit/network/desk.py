"""A served home with some rows of everything, for tests of lists and of examples."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores, writing
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.network_door import NetworkDoor
from tests.unit.replay.worlds import plan_of, prepared, price_file

ROLE: Final = "market.spot.momentum"
TRADES: Final = Path(__file__).parents[3] / "docs/examples/trades.csv"


class Desk:
    """A served home with some rows of everything, and its commands."""

    def __init__(self, door: NetworkDoor) -> None:
        self.door, self.added, self.method = door, 0, ""
        self.run = Command(door.home, system_clock, random_uid)

    def items(
        self, path: str, name: str, limit: int, then: Callable[[], None] = lambda: None
    ) -> list[Any]:
        """Return a list, read page by page; `then` happens after the first page."""
        items: list[Any] = []
        after, mark = "", "&" if "?" in path else "?"
        for number in range(200):
            wanted = f"{path}{mark}limit={limit}{after}"
            body = self.door.ask("GET", wanted, token="owner").body
            assert len(body[name]) <= limit
            items += body[name]
            if body["next"] is None:
                return items
            after = f"&after={body['next']}"
            if number == 0:
                then()
        raise AssertionError("the list has no end")

    def lines(self, *line: str, rows: list[dict[str, Any]]) -> None:
        """Run a command that reads a row of each line of a file."""
        file = self.door.home.parent / "rows.jsonl"
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        done = self.run(*line, "--file", str(file))
        assert done.code == 0, done.err

    def decide(self, *numbers: int) -> None:
        """Record decisions, two of each moment, that cite a method."""
        made = {"asset": "BTC", "direction": "long", "methods": [self.method]}
        rows = [
            made
            | {"decision": f"call {number}", "decided_at": f"2024-03-0{1 + number // 2}T00:00Z"}
            for number in numbers
        ]
        self.lines("role", "record", ROLE, rows=rows)

    def add(self) -> None:
        """Write one more of what lists show, at the beginning of a list or among it."""
        self.added += 1
        wanted = {"content": f"charts weekly again {self.added}"}
        assert self.door.ask("POST", "/v1/memory", wanted, "owner").status == 200
        self.door.ask("POST", "/v1/sessions", {"label": "one more"})
        self.decide(self.added % 8)  # its moment is among those that were listed

    def fill(self) -> None:
        """Write some rows of everything."""
        words = ["BTC weekly", "BTC daily", "ETH weekly", "SOL"]
        said = [f"charts {words[number % 4]} {number}" for number in range(9)]
        self.lines("memory", "write", rows=[{"content": content} for content in said])
        with Agent.open("main", home=self.door.home, autostart=False) as agent:
            for number, tool in enumerate(("quote", "book", "chart", "news", "fees")):
                steps = [{"tool_name": tool, "args": {}}]
                agent.skill_learn(f"when {tool} is asked {number}", steps, f"use {tool}")
        form = {"asset_class": "major_crypto", "direction": "bullish", "timeframe": "short"}
        plan = "Buy BTC when the daily RSI is below {}"
        plans = [form | {"methodology": plan.format(20 + number)} for number in range(5)]
        self.lines("methodology", "add", "--as-new", rows=plans)
        self.method = self.run("methodology", "ls", "--json").json["methodologies"][0]["uid"]
        self.decide(*range(8))
        assert self.run("methodology", "synthesize").code == 0
        for asset in ("BTC", "ETH", "SOL", "DOGE", "XRP"):
            wanted = {"dimension": "asset", "kind": "soft_preference", "value": asset}
            assert self.door.ask("POST", "/v1/preferences", wanted, "owner").status == 200
        for number in range(3):
            self.door.ask("POST", "/v1/sessions", {"label": f"session {number}"})
            assert self.run("audit", "run").code == 0
        assert self.run("learn", str(TRADES), "--keep", "--account", "desk").code == 0
        stores = Stores(self.door.home, StoreOptions(), system_clock, random_uid)
        try:
            with writing(stores.group("main")) as conn:
                conn.execute(text("UPDATE jobs SET state = 'dead' WHERE id % 2 = 0"))
            prices = price_file(self.door.home.parent, days=6)
            for number in range(3):
                prepared(stores, f"past-{number}", plan_of(prices))
        finally:
            stores.close()
