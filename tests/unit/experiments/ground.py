"""What these tests use: two coins that fall after each decision, and a desk that learns from it."""

from datetime import timedelta

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.testing.roles import (
    HOUR,
    ScriptedDecisionJudge,
    book,
    jagged,
    role_of,
    skill_of,
)

ROLE = role_of()
REGISTRY = RoleRegistry([skill_of(ROLE)])
QUIET = 300
"""Hours of prices before the first decision."""

EVERY = timedelta(hours=48)
"""Between two rounds of decisions; each is due after 24 hours."""

ASSETS = ("SOL", "BTC")
PRICED = {"llm_usd_per_million_input_tokens": 1.0, "llm_usd_per_million_output_tokens": 1.0}


class Ground:
    """Lives round after round: each asset is bought, falls by 5 %, and leaves a lesson."""

    def __init__(self, store, clock, ids):
        self.store, self.clock, self.ids = store, clock, ids
        self.began = clock()
        self.uids = {asset: [] for asset in ASSETS}
        self.moves = [0.0] * QUIET

    def live(self, rounds, assets=ASSETS, **changes):
        """Live some rounds; return the uids of the last one, by asset."""
        for _ in range(rounds):
            made = {asset: self.decide(asset, **changes) for asset in assets}
            self.pass_by()
        return made

    def decide(self, asset="SOL", **changes):
        """Buy an asset now."""
        number = len(self.uids[asset]) + 1
        given = {
            "inputs": {"rsi": 70 + number, "direction": "long", "stop": 0.9},
            "asset": asset,
            "direction": "long",
            "confidence": 0.7,
            "context": {"prompt": f"What now, for the {number}. time?"},
        } | changes
        new = NewDecision(ROLE.id, f"Buy {asset} on strength, call {number}", **given)
        uid = record_decision(self.store, REGISTRY, new, self.clock, self.ids).uid
        self.uids[asset].append(uid)
        return uid

    def pass_by(self, move=-0.05):
        """Let the price move and the outcome be known, and reflect on it."""
        self.moves += [move, *[0.0] * (EVERY // HOUR - 1)]
        self.clock.advance(seconds=EVERY.total_seconds())
        self.keep_prices()
        judge = ScriptedDecisionJudge(
            lambda _: JudgeOpinion("logic_error", "It fell."), self.lesson
        )
        reflect_role(Reflector(self.store, REGISTRY, judge, StoredPrices, self.clock), ROLE.id)

    def keep_hours(self, hours):
        """Keep hours that have passed without a move."""
        self.moves += [0.0] * hours
        self.keep_prices()

    def keep_prices(self):
        """Keep all prices until now."""
        closes = jagged(QUIET, self.moves[QUIET:])
        for asset in ASSETS:
            start = self.began - QUIET * HOUR
            prices = book(f"{asset}USDT", start, closes)
            series = Series("test", f"{asset}USDT", HOUR)
            (found,) = prices.series(asset)
            bars = prices.bars(found, start, self.clock(), self.clock())
            keep_bars(self.store, series, bars, self.clock)

    @staticmethod
    def lesson(case):
        """Return the lesson of a case: it names its asset and its number."""
        return f"After a rise of {case.decision.asset}, wait a day; case {case.decision.id}."

    def graduate(self, uid, asset_class, text):
        """Write a methodology that is graduated from now on."""
        now = to_micros(self.clock())
        with writing(self.store) as conn:
            conn.exec_driver_sql(
                "INSERT INTO methodologies (uid, origin, source, asset_class, name, methodology,"
                " direction, primary_signal, timeframe, dedup_key, known_at, last_sighted_at,"
                " quarantine) VALUES (?, 'agent', 'written', ?, ?, ?, 'bearish', 'technical',"
                " 'intraday', ?, ?, ?, 0)",
                (uid, asset_class, uid, text, uid.rjust(64), now, now),
            )
            conn.exec_driver_sql(
                "INSERT INTO methodology_lifecycle_events (methodology_id, kind, gate, reason_text,"
                " numbers, said_by, known_at) SELECT id, 'graduated', 'strict', 'It held.', '{}',"
                " 'gate', ? FROM methodologies WHERE uid = ?",
                (now, uid),
            )

    def tables(self):
        """Return every table's rows, but for the audit log, its chain and SQLite's own."""
        with reading(self.store) as conn:
            names = conn.exec_driver_sql(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
                " AND name NOT LIKE 'sqlite_%' AND name NOT IN ('audit_log', 'chain_blocks')"
            ).scalars()
            return {
                name: sorted(map(repr, conn.exec_driver_sql(f'SELECT * FROM "{name}"')))
                for name in list(names)
            }
