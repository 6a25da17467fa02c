"""What tests of the synthesis use: a desk that writes methods and decisions that cite them."""

from datetime import timedelta

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.methodologies.score_rows import standings
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.synthesis.judge import HeuristicSynthesisJudge
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.synthesize import synthesize
from afterword.pipeline.testing.roles import role_of, skill_of

ROLE = role_of()
REGISTRY = RoleRegistry([skill_of(ROLE)])
DAY = timedelta(days=1)
HOURS = {"intraday": 24, "short": 168, "medium": 720, "long": 2_160}


class Desk:
    """Writes methodologies, decides by them, and is measured, one stretch after the other."""

    def __init__(self, store, clock, ids):
        self.store, self.clock, self.ids = store, clock, ids

    def method(
        self, uid, *, direction="bullish", timeframe="intraday", source="written", text=None
    ):
        """Write a methodology for the major coins; return its uid."""
        now = to_micros(self.clock())
        with writing(self.store) as conn:
            conn.exec_driver_sql(
                "INSERT INTO methodologies (uid, origin, source, asset_class, name, methodology,"
                " direction, primary_signal, timeframe, dedup_key, known_at, last_sighted_at)"
                " VALUES (?, 'agent', ?, 'major_crypto', ?, ?, ?, 'technical', ?, ?, ?, ?)",
                (
                    uid,
                    source,
                    uid,
                    text or f"Do {uid}.",
                    direction,
                    timeframe,
                    uid.rjust(64),
                    now,
                    now,
                ),
            )
        return uid

    def decide(
        self,
        methods,
        hits,
        *,
        assets=("BTC",),
        direction="long",
        base=0.5,
        hours=24,
        text="Because.",
        late_by=0,
        entered_after=0,
    ):
        """Decide once a stretch by these methods; a hit is True, a miss False, noise None."""
        made = []
        for hit in hits:
            for asset in assets:
                new = NewDecision(
                    ROLE.id,
                    text,
                    asset=asset,
                    direction=direction,
                    methods=methods,
                    decided_at=self.clock() - timedelta(hours=late_by) if late_by else None,
                )
                done = record_decision(
                    self.store, REGISTRY, new, self.clock, self.ids, actor="agent"
                )
                made.append(done)
                self.measure(
                    done.id,
                    asset=asset,
                    direction=direction,
                    hit=hit,
                    base=base,
                    hours=hours,
                    entered_after=entered_after,
                )
            self.clock.advance(hours=hours)
        return made

    def measure(
        self,
        decision_id,
        *,
        asset="BTC",
        direction="long",
        hit=True,
        base=0.5,
        hours=24,
        entered_after=0,
    ):
        """Write what came of a decision that was made now."""
        entry = to_micros(self.clock()) + entered_after * 3_600_000_000
        exit_at = entry + hours * 3_600_000_000
        verdict = "noise" if hit is None else "right" if hit else "wrong"
        outcome = MeasuredOutcome(
            *("decision", decision_id, hours, RULE_VERSION, exit_at, asset, "crypto", direction),
            *(verdict, verdict, "test", f"{asset}USDT", entry, "100", exit_at, "105"),
            *(50_000_000, 30_000_000, 10_000_000, 1_000_000),
        )
        with writing(self.store) as conn:
            outcome_rows.insert(conn, [replace_base(outcome, base)])

    def synthesize(self, judge=None, **rules):
        """Run one pass."""
        judge = judge or HeuristicSynthesisJudge()
        by = Synthesis(self.store, judge, GateRules(**rules), self.clock, self.ids)
        return synthesize(by, "command")

    def standing(self, uid):
        with reading(self.store) as conn:
            (found,) = [one for one in standings(conn) if one.uid == uid]
        return found

    def events(self, *kinds):
        with reading(self.store) as conn:
            found = conn.exec_driver_sql(
                "SELECT kind, gate, reason_text, said_by FROM methodology_lifecycle_events"
                " ORDER BY id"
            ).all()
        return [tuple(row) for row in found if not kinds or row.kind in kinds]


def replace_base(outcome, base):
    return outcome._replace(base_ppb=round(base * 1e9))
