"""Page by page, a list is what its command lists at once, also while rows are added."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
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

    def items(self, path: str, name: str, limit: int, between: Callable[[], None]) -> list[Any]:
        """Return a list, read page by page; `between` happens after each page."""
        items: list[Any] = []
        after = None
        for _ in range(100):
            mark = "&" if "?" in path else "?"
            wanted = f"{path}{mark}limit={limit}" + ("" if after is None else f"&after={after}")
            body = self.door.ask("GET", wanted, token="owner").body
            assert len(body[name]) <= limit
            items += body[name]
            after = body["next"]
            if after is None:
                return items
            between()
        raise AssertionError("the list has no end")

    def decide(self, number: int) -> None:
        """Record a decision, with a method that it cites."""
        decided = f"2024-03-{1 + number // 2:02d}T00:00:00Z"  # two of each moment
        line = ["role", "record", ROLE, f"call {number}", "--asset", "BTC", "--direction", "long"]
        assert self.run(*line, "--decided-at", decided, "--method", self.method).code == 0

    def add(self) -> None:
        """Write one more of what lists show, each at the beginning of its list or among it."""
        self.added += 1
        assert self.run("memory", "write", f"charts weekly again {self.added}").code == 0
        self.decide(7 - self.added % 8)
        self.door.ask("POST", "/v1/sessions", {"label": "one more"})

    def fill(self) -> None:
        """Write some rows of everything."""
        words = ["BTC weekly", "BTC daily", "ETH weekly", "SOL"]
        for number in range(9):
            assert self.run("memory", "write", f"charts {words[number % 4]} {number}").code == 0
        with Agent.open("main", home=self.door.home) as agent:
            for number, tool in enumerate(("quote", "book", "chart", "news", "fees")):
                steps = [{"tool_name": tool, "args": {}}]
                agent.skill_learn(f"when {tool} is asked {number}", steps, f"use {tool}")
        for number in range(5):
            given = ["--class", "major_crypto", "--direction", "bullish", "--timeframe", "short"]
            plan = f"Buy BTC when the daily RSI is below {20 + number}"
            done = self.run("methodology", "add", plan, *given, "--as-new", "--json")
            self.method = done.json["id"]
        for number in range(8):
            self.decide(number)
        for asset in ("BTC", "ETH", "SOL", "DOGE", "XRP"):
            wanted = {"dimension": "asset", "kind": "soft_preference", "value": asset}
            assert self.door.ask("POST", "/v1/preferences", wanted, "owner").status == 200
        for number in range(3):
            self.door.ask("POST", "/v1/sessions", {"label": f"session {number}"})
        assert self.run("methodology", "synthesize").code == 0
        for _ in range(4):
            assert self.run("audit", "run").code == 0
        self.run("learn", str(TRADES), "--keep", "--account", "desk")
        stores = Stores(self.door.home, StoreOptions(), system_clock, random_uid)
        try:
            with writing(stores.group("main")) as conn:
                conn.execute(text("UPDATE jobs SET state = 'dead' WHERE id % 2 = 0"))
            for number in range(3):
                prepared(stores, f"past-{number}", plan_of(price_file(self.door.home, days=12)))
        finally:
            stores.close()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    home = tmp_path_factory.mktemp("served") / "home"
    with NetworkDoor(home, autostart=False, token_daily_writes=10_000) as door:
        desk = Desk(door)
        desk.fill()
        yield desk


LISTS: Final[Mapping[str, tuple[str, list[str]]]] = {
    "/v1/memory": ("memories", ["memory", "search", "", "--limit", "100"]),
    "/v1/memory?query=charts weekly": ("memories", ["memory", "search", "charts weekly"]),
    "/v1/sessions": ("sessions", ["session", "ls"]),
    "/v1/trades": ("trades", ["trades", "ls"]),
    "/v1/trades?asset=ETH": ("trades", ["trades", "ls", "--asset", "ETH"]),
    f"/v1/decisions?role={ROLE}": ("decisions", ["role", "list", ROLE]),
    "/v1/methodologies": ("methodologies", ["methodology", "ls"]),
    "/v1/trading-cases": ("cases", ["methodology", "cases"]),
    "/v1/learnings": ("learnings", ["learning", "ls"]),
    "/v1/learnings?sort=new": ("learnings", ["learning", "ls", "--sort", "new"]),
    "/v1/learnings?sort=used": ("learnings", ["learning", "ls", "--sort", "used"]),
    "/v1/learnings?sort=shown": ("learnings", ["learning", "ls", "--sort", "shown"]),
    "/v1/preferences": ("preferences", ["preference", "ls"]),
    "/v1/dead": ("dead", ["jobs", "dead"]),
    "/v1/jobs?kind=extract_edges": ("jobs", ["jobs", "ls", "--kind", "extract_edges"]),
    "/v1/audit/trend": ("reports", ["audit", "trend"]),
    "/v1/replays": ("replays", ["replay", "ls"]),
}


@pytest.mark.parametrize("path", LISTS)
def test_the_pages_of_a_list_are_what_the_command_lists(desk: Desk, path: str) -> None:
    name, line = LISTS[path]
    printed = desk.run(*line, "--json").json
    whole = printed if isinstance(printed, list) else printed[name]

    paged = desk.items(path.replace(" ", "%20"), name, 2, lambda: None)

    assert len(paged) > 2
    assert _shown(paged) == _shown(whole)


def _shown(rows: list[Any]) -> list[Any]:
    """Return rows without what only commands over all groups show, or only the present knows."""
    text = json.dumps(rows)
    for state in ("pending", "skipped"):  # later pages of a search are of the moment of the first
        text = text.replace(f'"embedding_state": "{state}"', '"embedding_state": null')
    return [{name: row[name] for name in row if name != "group"} for row in json.loads(text)]


@pytest.mark.parametrize("path", LISTS)
def test_rows_that_are_added_between_two_pages_move_nothing(desk: Desk, path: str) -> None:
    name, _ = LISTS[path]
    written = path.replace(" ", "%20")
    before = desk.items(written, name, 1_000 if name != "memories" else 100, lambda: None)

    paged = desk.items(written, name, 3, desk.add)

    keys = [json.dumps(_shown([row]), sort_keys=True) for row in paged]
    assert len(set(keys)) == len(keys)
    assert [key for key in keys if key in _keys(before)] == list(_keys(before))


def _keys(rows: list[Any]) -> dict[str, None]:
    return dict.fromkeys(json.dumps(_shown([row]), sort_keys=True) for row in rows)


FOREIGN: Final = {
    "words": "charts",
    "no cursor": "W10",
    "nothing": "",
    "a number": "MQ",
    "bytes": "%FF%FE",
    "too long": "W10" * 200,
    "nested": urlsafe_b64encode(b"[" * 250).decode(),
}


@pytest.mark.parametrize("cursor", FOREIGN.values(), ids=list(FOREIGN))
def test_what_is_no_cursor_is_refused_by_name(desk: Desk, cursor: str) -> None:
    for path in LISTS:
        mark = "&" if "?" in path else "?"
        answer = desk.door.ask(
            "GET", f"{path}{mark}after={cursor}".replace(" ", "%20"), None, "owner"
        )

        assert (answer.status, answer.body["field"]) == (422, "after")


def test_a_cursor_belongs_to_its_list_its_arguments_and_its_group(desk: Desk) -> None:
    def ask(path: str, group: str = "main") -> Any:
        return desk.door.ask("GET", path, token="owner", Afterword_Group=group)

    cursor = ask("/v1/learnings?limit=2").body["next"]
    desk.run("--group", "other", "memory", "write", "of the other group")

    for path, group in (
        ("/v1/preferences?", "main"),
        ("/v1/learnings?sort=new&", "main"),
        ("/v1/learnings?state=active&", "main"),
        ("/v1/learnings?", "other"),
    ):
        answer = ask(f"{path}after={cursor}", group)
        assert (answer.status, answer.body["field"]) == (422, "after")
        assert "does not belong to this list" in answer.body["detail"]
    assert ask(f"/v1/learnings?limit=3&after={cursor}").status == 200  # of another size it may be


def test_a_place_that_was_made_up_is_refused(desk: Desk) -> None:
    cursor = desk.door.ask("GET", "/v1/sessions?limit=1", token="owner").body["next"]
    name = json.loads(urlsafe_b64decode(cursor + "=="))[0]

    for place in (2**64, -(2**64), 1.5, "1", None, True, [1]):
        made = urlsafe_b64encode(json.dumps([name, place]).encode()).decode()
        answer = desk.door.ask("GET", f"/v1/sessions?after={made}", token="owner")
        assert (answer.status, answer.body["field"]) == (422, "after")
