"""Days of trades and of talk, for tests of what is learned from them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.preferences.mine import PreferenceMining, mine_preferences
from afterword.pipeline.domain.preferences.model import Preference
from afterword.pipeline.domain.preferences.rows import current
from afterword.pipeline.domain.sessions.sessions import begin_session, in_session
from afterword.pipeline.domain.sessions.turns import begin_turn, finish_turn
from afterword.pipeline.testing.clock import ManualClock
from tests.unit.profile.made_trades import import_trips

NOON = 0.5


class Days:
    """A user who trades and talks, day after day."""

    def __init__(self, by: Writer, clock: ManualClock) -> None:
        self.by, self.clock = by, clock
        self.system = replace(by, actor="system")
        self.clock.advance(hours=12)

    @property
    def store(self) -> Store:
        return self.by.store

    def trade(self, days: int, coin: str = "SOL", *, times: int = 1, adds: bool = False) -> None:
        """Trade on each of the next days at noon, and let the last day end."""
        for _ in range(days):
            minutes = [place * 5 / 1440 for place in range(times)]
            import_trips(
                self.store,
                self.clock,
                self.by.ids,
                minutes,
                coin=coin,
                adds=times if adds else 0,
            )
            self.clock.advance(days=1)

    def say(self, *messages: str, outcome: str = "succeeded") -> None:
        """Say something in a turn each, and let the turn end."""
        agent = replace(self.by, actor="agent")
        session = in_session(agent, begin_session(agent).handle)
        for message in messages:
            turn = begin_turn(session, message)
            self.clock.advance(minutes=1)
            finish_turn(session, turn.uid, outcome)  # type: ignore[arg-type]

    def mine(self, mode: str = "on") -> PreferenceMining:
        """Learn preferences, a minute later."""
        self.clock.advance(minutes=1)
        return mine_preferences(self.system, mode)  # type: ignore[arg-type]

    def preferences(self) -> list[Preference]:
        with reading(self.store) as conn:
            return current(conn)

    def states(self, dimension: str) -> dict[str, str]:
        """Return the state of each value of a dimension."""
        return {one.value: one.state for one in self.preferences() if one.dimension == dimension}

    def one(self, dimension: str) -> Preference:
        (only,) = [one for one in self.preferences() if one.dimension == dimension]
        return only

    def later(self, days: float) -> None:
        self.clock.advance(seconds=timedelta(days=days).total_seconds())

    def texts(self, query: str, values: Sequence[object] = ()) -> list[object]:
        with reading(self.store) as conn:
            return list(conn.exec_driver_sql(query, tuple(values)).scalars())
