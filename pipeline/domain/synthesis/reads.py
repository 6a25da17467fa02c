"""What a pass reads: anew each time, or by what is new since the pass before."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, state_of
from afterword.pipeline.domain.cases import rows as case_rows
from afterword.pipeline.domain.cases.model import CasesSeen, CaseTally
from afterword.pipeline.domain.cases.update import update_cases, update_since
from afterword.pipeline.domain.methodologies import score_rows
from afterword.pipeline.domain.methodologies.scores import MethodStanding
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.synthesis.freeze import frozen_groups
from afterword.pipeline.domain.synthesis.gates import decide_gates
from afterword.pipeline.domain.synthesis.model import GateRules, GateVerdict, WeighedMethod
from afterword.pipeline.domain.synthesis.stress_watch import StressWatch
from afterword.pipeline.domain.synthesis.weigh import weigh_methods
from afterword.pipeline.domain.synthesis.weigher import MethodWeigher
from afterword.pipeline.rules.market.taxonomy import AssetGroup


class PassReads(Protocol):
    """Gives a pass what it decides on; both kinds give the same."""

    def update_cases(self, store: Store, now: datetime) -> CaseTally:
        """Bring the cases up to date."""
        ...

    def resolved(self, conn: Connection) -> int:
        """Return how many cases have an outcome."""
        ...

    def standings(self, conn: Connection) -> Sequence[MethodStanding]:
        """Return every methodology as the gates see it, by row id."""
        ...

    def weigh(self, conn: Connection) -> Sequence[WeighedMethod]:
        """Return every methodology with its record, by row id."""
        ...

    def frozen(
        self, conn: Connection, groups: Iterable[AssetGroup], now: datetime
    ) -> dict[str, str]:
        """Return the groups of assets that are under stress, and why."""
        ...

    def decide(
        self, weighed: Sequence[WeighedMethod], rules: GateRules, stopped: Collection[int]
    ) -> GateVerdict:
        """Return what both gates decide; see `decide_gates`."""
        ...


class FreshReads:
    """Reads everything anew, whatever came in between."""

    def update_cases(self, store: Store, now: datetime) -> CaseTally:
        """See `PassReads`."""
        return update_cases(store, now)

    def resolved(self, conn: Connection) -> int:
        """See `PassReads`."""
        return case_rows.count_resolved(conn)

    def standings(self, conn: Connection) -> Sequence[MethodStanding]:
        """See `PassReads`."""
        return score_rows.standings(conn)

    def weigh(self, conn: Connection) -> Sequence[WeighedMethod]:
        """See `PassReads`."""
        return weigh_methods(conn)

    def frozen(
        self, conn: Connection, groups: Iterable[AssetGroup], now: datetime
    ) -> dict[str, str]:
        """See `PassReads`."""
        return frozen_groups(StoredPrices(conn), groups, now)

    def decide(
        self, weighed: Sequence[WeighedMethod], rules: GateRules, stopped: Collection[int]
    ) -> GateVerdict:
        """See `PassReads`."""
        return decide_gates(weighed, rules, stopped)


FRESH: Final = FreshReads()


class KeptReads:
    """Keeps what the passes before have read.

    For one store, one pass after the other, where nothing else changes cases and no row is deleted.
    After an error make another one.

    Args:
        opened: gives the prices of a read.
    """

    def __init__(self, opened: Callable[[Connection], PriceSource] = StoredPrices) -> None:
        self._opened = opened
        self._seen: CasesSeen | None = None
        self._weigher = MethodWeigher()
        self._watch = StressWatch()
        self._standings: dict[tuple[Any, ...], MethodStanding] = {}
        self._state: tuple[object, int, int] | None = None
        self._decided: tuple[tuple[Any, ...], GateVerdict] | None = None

    def update_cases(self, store: Store, now: datetime) -> CaseTally:
        """See `PassReads`."""
        update = update_since(store, now, self._seen)
        self._seen = update.seen
        self._weigher.touch(update.touched)
        return update.tally

    def resolved(self, conn: Connection) -> int:
        """See `PassReads`."""
        return case_rows.count_resolved(conn) if self._seen is None else self._seen.resolved

    def standings(self, conn: Connection) -> Sequence[MethodStanding]:
        """See `PassReads`."""
        state = state_of(conn)
        if state != self._state:
            before, rows = self._standings, score_rows.standing_rows(conn)
            self._standings = {row: before.get(row) or score_rows.standing_of(row) for row in rows}
            self._state = state
        return [*self._standings.values()]

    def weigh(self, conn: Connection) -> Sequence[WeighedMethod]:
        """See `PassReads`."""
        return self._weigher.weigh(conn, self.standings(conn))

    def frozen(
        self, conn: Connection, groups: Iterable[AssetGroup], now: datetime
    ) -> dict[str, str]:
        """See `PassReads`."""
        return frozen_groups(self._opened(conn), groups, now, self._watch.stress_at)

    def decide(
        self, weighed: Sequence[WeighedMethod], rules: GateRules, stopped: Collection[int]
    ) -> GateVerdict:
        """See `PassReads`."""
        basis = [*weighed], rules, {*stopped}
        if self._decided is None or self._decided[0] != basis:
            self._decided = basis, decide_gates(weighed, rules, stopped)
        return self._decided[1]
