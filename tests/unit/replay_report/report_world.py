"""A replay's file with chosen decisions and outcomes, for the tests of its report."""

import json
from dataclasses import replace

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.operations.replay.roles import replay_skill, role_of
from afterword.pipeline.operations.replay.rows import PreparedDecision
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.operations.replay_report.report import replay_report
from tests.unit.synthesis.desk import Desk

REGISTRY = RoleRegistry([replay_skill(24)])
PERCENT = 10_000_000
DAY = 86_400_000_000
HOUR = DAY // 24


class ReplayWorld(Desk):
    """Decides as rules and placebos do, with chosen outcomes a day later."""

    def __init__(self, stores, clock, ids, name="demo", **settings):
        self.stores = stores
        super().__init__(stores.replay(name, create=True), clock, ids)
        begins_at = to_micros(clock())
        self.settings = replace(
            ReplaySettings(
                (),
                (("momentum", "{}"),),
                24,
                24,
                True,
                1,
                "strict",
                0.2,
                0.05,
                "heuristic",
                "",
                begins_at,
                begins_at + 1_000 * DAY,
            ),
            **settings,
        )
        with writing(self.store) as conn:
            rows.create(conn, self.settings, begins_at)
            rows.start(conn, 0)

    def call(
        self,
        maker,
        move,
        *,
        stance="long",
        sigma=2.0,
        costs=0.1,
        base=0.5,
        band=0.5,
        asset="BTC",
        confidence=None,
        methods=(),
        text="Because.",
        hours=24,
        wait=True,
    ):
        """Decide, and be measured a day later; move, sigma, costs and band are in per cent."""
        at = to_micros(self.clock())
        key = f"{maker} {asset} {at}"
        new = NewDecision(
            *(role_of(maker), text),
            asset=asset,
            direction=stance,
            confidence=confidence,
            methods=methods,
            key=key,
        )
        made = record_decision(self.store, REGISTRY, new, self.clock, self.ids)
        gained = move if stance == "long" else -move
        verdict = "noise" if abs(move) <= band else "right" if gained > 0 else "wrong"
        outcome = MeasuredOutcome(
            *("decision", made.id, 24, RULE_VERSION, at + hours * HOUR, asset, "crypto", stance),
            *(verdict, verdict, "test", f"{asset}USDT", at, "100", at + hours * HOUR, "105"),
            *(round(move * PERCENT), round(sigma * PERCENT), round(band * PERCENT)),
            round(costs * PERCENT),
            base_ppb=round(base * 1e9),
        )
        with writing(self.store) as conn:
            outcome_rows.insert(conn, [outcome])
            body = json.dumps({"uid": made.uid})
            rows.add_decisions(conn, [PreparedDecision(at, key, maker, role_of(maker), body)])
        if wait:
            self.clock.advance(hours=hours)
        return made

    def reach(self, state="running"):
        """Say that everything until now is done."""
        with writing(self.store) as conn:
            found = rows.run(conn)
            rows.advance(conn, found.cursor, to_micros(self.clock()), state, found.state_hash, 0)
        return self

    def report(self, throughput=None):
        """Return the report as of now."""
        self.reach()
        status = status_of(self.store)
        with reading(self.store) as conn:
            return replay_report(conn, status, throughput)

    @property
    def begins_at(self):
        """When the replay begins."""
        return from_micros(self.settings.begins_at)
