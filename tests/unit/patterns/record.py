"""What tests of patterns use: a role, its decisions, and outcomes as they would be measured."""

from datetime import timedelta

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome
from afterword.pipeline.domain.patterns.read import current
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.rules.market.trend_base import TrendCounts
from afterword.pipeline.testing.roles import role_of, skill_of

ROLE = role_of()
REGISTRY = RoleRegistry([skill_of(ROLE)])
DAY = timedelta(days=1)
STATES = ("confirmed", "emerging", "retired")


class Desk:
    """Records decisions with their outcomes, one a day; the first one some days before now."""

    def __init__(self, store, clock, ids, days_ago=1_000):
        self.store, self.clock, self.ids, self.days_ago = store, clock, ids, days_ago
        self.day = 0

    def decide(
        self,
        hits,
        *,
        assets=("SOL",),
        direction="long",
        trend="up",
        asset_class="layer_1",
        base=0.5,
        size_usd=None,
        known_at=None,
        volatility=None,
        confidence=None,
        market=None,
    ):
        """Record a decision of each asset for each day; a hit is True, a miss False, noise None.

        `market` is what each asset did itself: hits and windows after such a move.
        """
        found = []
        for hit in hits:
            at = self.clock() - timedelta(days=self.days_ago - self.day)
            self.day += 1
            new = [
                NewDecision(
                    ROLE.id,
                    "Because.",
                    asset=one,
                    direction=direction,
                    decided_at=at,
                    confidence=confidence,
                )
                for one in assets
            ]
            made = record_decisions(self.store, REGISTRY, new, self.clock, self.ids)
            ids = [one.id for one in made]
            found += ids
            with writing(self.store) as conn:
                outcome_rows.insert(
                    conn,
                    [
                        outcome(
                            row_id,
                            asset,
                            asset_class,
                            direction,
                            trend,
                            at,
                            hit,
                            base=base,
                            size_usd=size_usd,
                            known_at=known_at or self.clock(),
                            volatility=volatility,
                            market=market,
                        )
                        for row_id, asset in zip(ids, assets, strict=True)
                    ],
                )
        return found

    def weigh(self, **options):
        return weigh_patterns(self.store, [ROLE], self.clock(), **options)

    def patterns(self, *states, as_of=None):
        with reading(self.store) as conn:
            return current(conn, [ROLE.id], states or STATES, as_of)

    def lines(self, action):
        with reading(self.store) as conn:
            query = "SELECT count(*) FROM audit_log WHERE tool_call = ?"
            return conn.exec_driver_sql(query, (action,)).scalar_one()


def outcome(
    decision_id,
    asset,
    asset_class,
    direction,
    trend,
    at,
    hit,
    *,
    base=0.5,
    size_usd=None,
    known_at,
    volatility=None,
    market=None,
):
    """Return an outcome of one day with a move of 5 % for or against the decision, or none."""
    sign = 1 if direction != "short" else -1
    move = 0 if hit is None else 50_000_000 * (sign if hit else -sign)
    verdict = "noise" if hit is None else "right" if hit else "wrong"
    entry = to_micros(at)
    result = move * sign
    base_ppb = round(base * 1e9)
    setup = (None, None)
    if market is not None:
        hits, windows = market
        counts = TrendCounts((hits,) * 3, (windows - hits,) * 3)
        setup = counts.base(is_long=True, trend=trend, base_ppb=base_ppb)
    return MeasuredOutcome(
        "decision",
        decision_id,
        24,
        RULE_VERSION,
        to_micros(known_at),
        asset,
        asset_class,
        direction,
        verdict,
        verdict,
        "test",
        f"{asset}USDT",
        entry,
        "100",
        entry + to_micros(from_micros(0) + DAY),
        "105",
        move,
        30_000_000,
        10_000_000,
        1_000_000,
        base_ppb=base_ppb,
        result_ppb=result,
        result_micro_usd=None if size_usd is None else result * size_usd // 1_000,
        trend_ppb={"up": 20_000_000, "down": -20_000_000, "flat": 0, None: None}[trend],
        trend=trend,
        volatility=volatility,
        setup_base_ppb=setup[0],
        setup_votes=setup[1],
    )
