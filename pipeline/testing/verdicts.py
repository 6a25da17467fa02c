"""Helpers for tests of verdicts on trades: one as it is stored, without trades behind it."""

from datetime import datetime

from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.trades import rows
from afterword.pipeline.domain.trades.model import Cell, TradeVerdict


def named_cell(attribute: str, value: str) -> Cell:
    """Return a cell that a verdict may name: 31 trips, 1.9 moves worse than the others."""
    return Cell(
        attribute=attribute,
        value=value,
        is_tested=True,
        is_named=True,
        trips=31,
        n_eff=29,
        others=200,
        mean=-0.02,
        median=-0.018,
        beyond_market=-0.017,
        unit="hourly_move",
        unit_share=0.01,
        is_beyond_market=False,
        difference=-1.9,
        low=-3.1,
        high=-0.4,
        difference_micro_usd=-1_240_000_000,
        gross_micro_usd=-1_300_000_000,
        net_micro_usd=-1_500_000_000,
        z=-3.9,
        p=0.00009,
        trip_uids=(),
    )


def keep_verdict(store: Store, account: str, cell: Cell, now: datetime) -> None:
    """Keep a verdict that names one cell, the newest of its account."""
    with writing(store) as conn:
        verdict = TradeVerdict(
            id=0,
            account=account,
            known_at=now,
            trips=260,
            stretches=229,
            level=0.01,
            tried=98,
            named=(cell,),
            book=None,
        )
        assert rows.insert_verdict(conn, verdict, rows.last_verdict(conn, account, None))
