"""Markets with chosen closes, and decisions at chosen moments, for the tests of a replay's clocks.

Moments are written as `2024-01-10 12:30`, in UTC. The passes of a replay are at 00:30, 06:30, 12:30
and 18:30.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.decisions.model import NewDecision, NewDecisionRow
from afterword.pipeline.domain.decisions.record import prepare
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.operations.replay.from_group import GroupMethod
from afterword.pipeline.operations.replay.ids import uid_of
from afterword.pipeline.operations.replay.run import roles_for
from afterword.pipeline.rules.market.outcome import Stance
from tests.unit.replay.worlds import BEGIN, HOUR

ROLE = "market.spot.momentum"
"""A role that ships with the program: judged after a day, too old after a week."""

BARS_A_DAY = 6

METHOD = GroupMethod(
    "rising", BEGIN, NewMethodology("Buy BTC on momentum", "major_crypto", "bullish", "intraday")
)
"""A methodology that decisions cite as `rising`."""


def moment(text: str) -> datetime:
    """Return a moment that is written as text."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def told(micros: int) -> str:
    """Write a stored moment."""
    return f"{from_micros(micros):%Y-%m-%d %H:%M}"


def restless(bar: int) -> float:
    """Return a close that moves from bar to bar and goes nowhere."""
    return 100 * (1 + 0.01 * math.sin(2.4 * bar))


def market(
    folder: Path,
    days: int,
    close_of: Callable[[int], float] = restless,
    hours: int = 24 // BARS_A_DAY,
    without: Collection[str] = (),
) -> Path:
    """Write bars of BTC from `BEGIN`, 2024-01-01, on.

    Args:
        close_of: the close of a bar, by its number.
        without: moments of closes that are missing.
    """
    lines = ["t_open_ms,open,high,low,close,volume"]
    for bar in range(days * 24 // hours):
        opened = BEGIN + bar * hours * HOUR
        if told(to_micros(opened + hours * HOUR)) not in without:
            close = f"{close_of(bar):.4f}"
            lines.append(f"{to_micros(opened) // 1000},{close},{close},{close},{close},1")
    path = folder / f"BTCUSDT_2024_{hours}h.csv"
    path.write_text("\n".join([*lines, ""]))
    return path


def decided(
    stores: Stores,
    at: datetime | str,
    asset: str = "BTC",
    direction: Stance = "long",
    methods: Sequence[str] = (),
    why: str = "",
) -> NewDecisionRow:
    """Return a decision that was recorded elsewhere.

    Args:
        why: what follows its words, such as ` on RSI`.
    """
    made = moment(at) if isinstance(at, str) else at
    new = NewDecision(
        *(ROLE, f"{direction} {asset} at {made:%Y-%m-%d %H:%M}{why}"),
        asset=asset,
        direction=direction,
        decided_at=made,
        methods=methods,
    )
    return replace(prepare(roles_for(stores.home, 24), new), uid=uid_of(1, new.decision))


def found(store: Store, query: str) -> list[tuple[object, ...]]:
    """Return the rows of a query; a column whose name ends in `at` is a moment."""
    with reading(store) as conn:
        rows = conn.exec_driver_sql(query)
        names = list(rows.keys())
        return [
            tuple(
                told(value) if name.endswith("at") and value is not None else value
                for name, value in zip(names, row, strict=True)
            )
            for row in rows
        ]


def column(store: Store, query: str) -> list[object]:
    """Return the only column of a query; see `found`."""
    return [value for (value,) in found(store, query)]
