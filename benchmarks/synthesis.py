"""How long one pass of the synthesis and one audit take over many cases."""

import random
from datetime import timedelta
from typing import Final

from afterword.pipeline.clock import system_clock, to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.audit.busy import Courtesy
from afterword.pipeline.domain.audit.run_audit import run_audit
from afterword.pipeline.domain.cases.update import update_cases
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import insert_methodology
from afterword.pipeline.domain.methodologies.checks import check_methodology
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome, MeasuredVerdict
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.synthesis.judge import HeuristicSynthesisJudge
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.synthesize import synthesize
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import role_of, skill_of
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host
from benchmarks.timing import seconds

ROLE: Final = role_of()
REGISTRY: Final = RoleRegistry([skill_of(ROLE)])
HOUR: Final = 3_600_000_000
DAY: Final = timedelta(days=1)
EACH: Final = 10_000
"""Decisions of one write."""

WORDS: Final = ("RSI is oversold", "MACD crossed", "funding rate is negative", "it felt right")


def ask(cases: int, methods: int) -> Answer:
    """Store decisions with outcomes that cite methodologies, then run passes and an audit."""
    with a_host(fleet=False) as host:
        note(f"{cases:,} decisions that cite {methods:,} methodologies")
        clock = _fill(host, cases, methods, random.Random(17))
        opened = seconds(lambda: update_cases(host.store, clock()))
        by = Synthesis(host.store, HeuristicSynthesisJudge(), GateRules(), clock, random_uid)
        first = seconds(lambda: synthesize(by, "cron"))
        clock.advance(hours=6)
        later = seconds(lambda: synthesize(by, "cron"))
        courtesy = Courtesy(host.store, clock, lambda _: None)
        audit = seconds(lambda: run_audit(courtesy, "bench", "command", "strict", 3_660))
        with reading(host.store) as conn:
            query = "SELECT * FROM methodology_citations JOIN outcomes ON subject_id = case_id"
            bare = seconds(lambda: conn.exec_driver_sql(query).all())
    measured = {
        "open_and_close_cases_s": opened,
        "first_pass_s": first,
        "pass_without_news_s": later,
        "audit_s": audit,
    }
    targets = {name: Target(at_most=5) for name in ("first_pass_s", "pass_without_news_s")}
    targets["audit_s"] = Target(at_most=5)
    floor = {"read_the_rows_s": bare}
    sizes = {"cases": cases, "methods": methods}
    return Answer("synthesis", measured, targets, floor, sizes=sizes)


def _fill(host: Host, cases: int, methods: int, chance: random.Random) -> ManualClock:
    """Write methodologies and decisions of one hour each; return a clock that shows the end."""
    clock = ManualClock(system_clock() - timedelta(hours=cases + 48))
    writer = Writer(host.store, clock, random_uid, "owner")
    uids = []
    with writing(host.store) as conn:
        for number in range(methods):
            new = NewMethodology(
                f"Buy BTC at level {number}", "major_crypto", "bullish", "intraday",
                primary_signal="technical",
            )  # fmt: skip
            checked = check_methodology(new, "owner")
            uids.append(insert_methodology(conn, writer, checked, clock(), as_new=True).uid)
    for start in range(0, cases, EACH):
        new_ones = [
            NewDecision(
                ROLE.id, chance.choice(WORDS), asset="BTC", direction="long",
                methods=(chance.choice(uids),),
            )
            for _ in range(min(EACH, cases - start))
        ]  # fmt: skip
        made = record_decisions(host.store, REGISTRY, new_ones, clock, random_uid)
        outcomes = []
        for done in made:
            # Each enters an hour after the one before; what is recorded late would not count.
            clock.advance(hours=1)
            at = to_micros(clock())
            verdict: MeasuredVerdict = "right" if chance.random() < 0.5 else "wrong"
            outcomes.append(
                MeasuredOutcome(
                    "decision",
                    done.id,
                    24,
                    RULE_VERSION,
                    at + 24 * HOUR,
                    "BTC",
                    "crypto",
                    "long",
                    verdict,
                    verdict,
                    "test",
                    "BTCUSDT",
                    at,
                    "100",
                    at + 24 * HOUR,
                    "105",
                    50_000_000,
                    30_000_000,
                    10_000_000,
                    1_000_000,
                )
            )
        with writing(host.store) as conn:
            outcome_rows.insert(conn, outcomes)
    clock.advance(hours=48)
    return clock


if __name__ == "__main__":
    answers(
        ask,
        cases=(int, 100_000, "decisions that cite a methodology"),
        methods=(int, 10_000, "stored methodologies"),
    )
