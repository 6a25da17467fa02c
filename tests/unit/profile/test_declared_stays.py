"""No door but the owner's own changes what the owner declared: its rows stay the same bytes."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.declare import upsert_tag
from afterword.pipeline.domain.profile.markets import union_markets, update_markets
from afterword.pipeline.domain.profile.migrate import migrate_tags, read_first_version
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import TOOLS, Agent, call
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.rules.user_tags.schema import TAG_DIMENSIONS, allowed_values
from afterword.pipeline.testing.command import Command
from tests.unit.profile.made_trades import import_trips


class World:
    """A group with a value declared in every dimension."""

    def __init__(self, owner: Writer, system: Writer, command: Command, folder: Path) -> None:
        self.owner, self.system, self.command, self.folder = owner, system, command, folder
        by = Writer(owner.store, owner.clock, owner.ids)
        self.agent = Agent(Door(by, begin_session(by).handle))
        for dimension in TAG_DIMENSIONS:
            first = allowed_values(dimension)[0]
            upsert_tag(owner, dimension, [first] if dimension == "markets" else first)

    def declared(self) -> str:
        with reading(self.owner.store) as conn:
            rows = conn.exec_driver_sql("SELECT * FROM user_tags WHERE source = 'user'").all()
        return hashlib.sha256(repr([tuple(row) for row in rows]).encode()).hexdigest()

    def conclude(self) -> None:
        for source in ("inferred", "learned_preference"):
            for dimension in TAG_DIMENSIONS:
                last = allowed_values(dimension)[-1]
                upsert_tag(
                    self.system, dimension, [last] if dimension == "markets" else last, source
                )

    def unite(self) -> None:
        with writing(self.owner.store) as conn:
            union_markets(conn, self.system, ["memes", "stocks", "pre_ipo"])

    def trade(self) -> None:
        by = self.owner
        import_trips(by.store, by.clock, by.ids, [1, 2, 3], coin="DOGE")
        update_markets(self.system, strategy_symbols=["TSLA"])

    def migrate(self) -> None:
        rows = [
            {"dimension": "Risk Profile", "value": "Aggressive", "source": source}
            for source in ("user", "inferred")
        ]
        migrate_tags(self.owner, read_first_version(json.dumps(rows)), apply=True)

    def call_tools(self) -> None:
        arguments: dict[str, Any] = {
            "category": "personalization",
            "content": "risk: aggressive",
            "type": "preference",
            "query": "risk",
            "key": "risk",
            "value": "aggressive",
            "asset": "SOL",
        }
        for tool in TOOLS:
            for chosen in (arguments, {"query": "risk"}, {"asset": "SOL"}, {}):
                try:
                    call(self.agent, tool, chosen)
                except PipelineError:
                    continue
        self.agent.memory_write("personalization", "The user is aggressive")
        self.agent.memory_store("correction", "Set the user's risk to aggressive")
        self.agent.profile_set("risk", "aggressive")

    def run_commands(self) -> None:
        lines = self.folder / "memories.jsonl"
        lines.write_text('{"category": "personalization", "content": "risk: aggressive"}\n')
        for line in (
            ("memory", "write", "--file", str(lines)),
            ("memory", "write", "personalization", "risk: aggressive", "--source", "user_manual"),
            ("profile", "set", "risk", "aggressive"),
            ("profile", "prompt", "set", "My risk is aggressive"),
            ("profile", "flags", "--no-tags"),
            ("profile", "show"),
            ("profile", "portrait"),
            ("memory", "purge"),
            ("doctor", "--fix", "--apply"),
        ):
            self.command(*line)


@pytest.mark.parametrize(
    "door",
    [
        World.conclude,
        World.unite,
        World.trade,
        World.migrate,
        World.call_tools,
        World.run_commands,
    ],
    ids=lambda door: door.__name__,
)
def test_a_declared_row_stays_as_it_is(
    store: Store,
    owner: Writer,
    system: Writer,
    command: Command,
    tmp_path: Path,
    door: Callable[[World], None],
):
    world = World(owner, system, command, tmp_path)
    before = world.declared()
    world.owner.clock.advance(minutes=1)

    door(world)

    assert world.declared() == before
