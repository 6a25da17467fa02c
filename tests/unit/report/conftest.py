"""A desk of one role whose decisions are measured as they are recorded, one a day."""

from collections.abc import Callable, Iterable
from datetime import timedelta

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.skills.discover import load_roles

ROLE = "market.spot.momentum"
DAY = timedelta(days=1)

FLAW = [True, False, False, False, False] * 12
COIN = [True, False] * 30

Measured = Callable[..., None]


@pytest.fixture
def measured(store, clock, ids, home) -> Measured:
    """Record decisions whose outcomes are known: a hit is True, a miss False, noise None."""
    registry = load_roles(home)
    hours = 0.0

    def record(
        hits: Iterable[bool | None],
        *,
        asset: str = "SOL",
        asset_class: str = "layer_1",
        direction: str = "long",
        trend: str = "up",
        base: float = 0.5,
        result_usd: int | None = None,
        residual: float | None = None,
        confidence: float | None = None,
        plan: str | None = None,
        hours_apart: float = 24.0,
    ) -> None:
        nonlocal hours
        for hit in hits:
            at = clock() - timedelta(days=2_000) + timedelta(hours=hours)
            hours += hours_apart
            new = NewDecision(
                *(ROLE, f"Take {asset}"),
                asset=asset,
                direction=direction,
                decided_at=at,
                confidence=confidence,
            )
            (made,) = record_decisions(store, registry, [new], clock, ids)
            up = 1 if direction != "short" else -1
            verdict = "noise" if hit is None else "right" if hit else "wrong"
            entry = to_micros(at)
            move = 0 if hit is None else 50_000_000 * up * (1 if hit else -1)
            row = MeasuredOutcome(
                *("decision", made.id, 24, RULE_VERSION, to_micros(clock()), asset, asset_class),
                *(direction, verdict, verdict, "test", f"{asset}USDT"),
                *(entry, "100", entry + 86_400_000_000, "105"),
                *(move, 30_000_000, 10_000_000, 1_000_000),
                base_ppb=round(base * 1e9),
                result_ppb=move * up,
                result_micro_usd=None if result_usd is None else result_usd * 1_000_000,
                trend_ppb={"up": 20_000_000, "down": -20_000_000, "flat": 0}[trend],
                trend=trend,
                market_symbol=None if residual is None else "BTC",
                market_ppb=None if residual is None else 0,
                beta_ppb=None if residual is None else 1_000_000_000,
                residual_ppb=None if residual is None else round(residual * 1e9),
                plan=plan,
                plan_at=None if plan in (None, "neither") else entry + 3_600_000_000,
                plan_ppb=None if plan is None else 0,
            )
            with writing(store) as conn:
                outcome_rows.insert(conn, [row])

    return record


@pytest.fixture
def weigh(store, clock, home) -> Callable[[], None]:
    """Write the patterns that the record shows."""

    def run() -> None:
        weigh_patterns(store, list(load_roles(home)), clock())

    return run
