"""What tests of a reflection pass use: a role, its decisions, and how they are read back."""

from decimal import Decimal

from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.triggers import begin
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome
from afterword.pipeline.domain.reflection.effects import effects_of
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.reflection.standing import SetupStanding
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.testing.roles import (
    jagged,
    role_of,
    skill_of,
)

QUIET = 200
"""Hours of prices before the decision: its market moves by some 5 % a day, the band is 1.4 %."""

ROLE = "desk.calls"

REGISTRY = RoleRegistry([skill_of(role_of())])


def found(store, decision_id):
    return show_decision(store, decision_id).decision


def shape(decision):
    verdict = decision.verdict
    word = None if verdict is None else (verdict.outcome, verdict.classification)
    return decision.state, word, decision.lesson


def lines(store, action):
    with reading(store) as conn:
        query = "SELECT object_id FROM audit_log WHERE tool_call = ? ORDER BY id"
        return list(conn.exec_driver_sql(query, (action,)).scalars())


def jobs(store):
    with reading(store) as conn:
        query = "SELECT key, state FROM jobs WHERE kind = 'reflect_entries' ORDER BY id"
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def leased(store, clock, role_id=ROLE):
    with writing(store) as conn:
        begin(conn, role_of(role_id), clock())
    with writing(store) as conn:
        promote(conn, clock())
        ids = [row.id for row in claim(conn, REFLECT_ENTRIES.name, 9, clock())]
        return lease(conn, ids, "worker", clock, REFLECT_ENTRIES)


SAID = JudgeOpinion("logic_error", "x")


EFFECTS = {
    "off": effects_of(classify=Mode.OFF),
    "shadow": effects_of(classify=Mode.SHADOW),
    "no lessons": effects_of(draft=Mode.OFF),
    "lessons in the shadow": effects_of(draft=Mode.SHADOW),
}


class Whales:
    def __init__(self, answer):
        self.answer = answer

    def outcome(self, *_asked):
        return self.answer()


CLOSES = jagged(QUIET, [-0.05, *[0.0] * 98])


def measured_outcome(**changes):
    """Return the stored outcome of a long that met a fall of 5 %, its band 1.44 %."""
    plain = MeasuredOutcome(
        subject_kind="decision",
        subject_id=1,
        window_hours=24,
        rule_version=RULE_VERSION,
        known_at=0,
        asset_key="SOL",
        asset_class="crypto",
        direction="long",
        verdict="wrong",
        window_verdict="wrong",
        source="test",
        symbol="SOLUSDT",
        entry_at=1,
        entry_price="100",
        exit_at=2,
        exit_price="95",
        move_ppb=-50_000_000,
        sigma_ppb=50_000_000,
        band_ppb=14_400_000,
        costs_ppb=1_300_000,
        trend_ppb=30_000_000,
        trend="up",
    )
    return plain._replace(**changes)


def beyond_the_market(share_ppb):
    """Return the stored outcome whose move without the market's is so large."""
    moved = -50_000_000 - share_ppb
    market = {"market_symbol": "BTCUSDT", "market_ppb": moved, "beta_ppb": 1_000_000_000}
    return measured_outcome(residual_ppb=share_ppb, **market)


def standing(**changes):
    """Return a record of longs after a rise: right 7 of 31 where 15.2 come without skill."""
    numbers = {"n": 40, "n_eff": 31, "hits": Decimal(7), "expected": Decimal("15.2")} | changes
    return SetupStanding("crypto", "long", "up", **numbers)
