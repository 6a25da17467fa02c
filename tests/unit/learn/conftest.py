"""Reports made by hand: their sentences and pages do not depend on how a report is computed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from afterword.pipeline.domain.trades.model import (
    BookNumbers,
    Cell,
    Coverage,
    Mistake,
    TradesReport,
    TripOutcome,
)
from afterword.pipeline.domain.trades.statistics import statistics_by_quote
from afterword.pipeline.domain.trades.sums import sums_by_quote
from afterword.pipeline.domain.trades.sums_model import OpenSums
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.operations.learn.report import FileLine, FillWins, LearnReport

BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)

Made = Callable[..., Any]


def made_trip(number: int = 0, net: str = "10", **changed: Any) -> Trip:
    opened = BEGIN + timedelta(hours=number)
    given: dict[str, Any] = {
        "trip_uid": f"{number:032x}",
        "venue": "binance",
        "account": "main",
        "symbol": "SOLUSDT",
        "kind": "perp",
        "direction": "long",
        "quote": "USDT",
        "opened_at": opened,
        "closed_at": opened + timedelta(minutes=30),
        "entry_px": Decimal(100),
        "exit_px": Decimal(101),
        "size": Decimal(10),
        "multiplier": Decimal(1),
        "notional": Decimal(1000),
        "gross": Decimal(net) + Decimal("0.7"),
        "fees": Decimal("0.7"),
        "other_fees": (),
        "funding": None,
        "net": Decimal(net),
        "fills": 2,
        "losing_adds": 0,
        "is_incomplete": False,
        "is_liquidated": False,
        "flags": (),
    }
    return Trip(**(given | changed))


def made_outcome(trip: Trip, **changed: Any) -> TripOutcome:
    return replace(
        TripOutcome(
            trip=trip,
            asset="SOL",
            asset_class="layer_1",
            not_in_net=(),
            unknown=(),
            held_us=1_800_000_000,
            result_ppb=int(trip.net * 1_000_000),
            mae_sure_ppb=-2_000_000,
            mae_possible_ppb=-3_000_000,
            mfe_sure_ppb=4_000_000,
            mfe_possible_ppb=5_000_000,
        ),
        **changed,
    )


def made_cell(attribute: str = "hour", value: str = "08-12", **changed: Any) -> Cell:
    given: dict[str, Any] = {
        "attribute": attribute,
        "value": value,
        "is_tested": True,
        "is_named": False,
        "trips": 31,
        "n_eff": 29,
        "others": 200,
        "mean": -0.012,
        "median": -0.01,
        "beyond_market": -0.01,
        "unit": "hourly_move",
        "unit_share": 0.0065,
        "is_beyond_market": False,
        "difference": -1.9,
        "low": -3.1,
        "high": -0.4,
        "difference_micro_usd": -1_500_000_000,
        "gross_micro_usd": -980_000_000,
        "net_micro_usd": -1_240_000_000,
        "z": -3.9,
        "p": 0.0001,
        "trip_uids": (f"{0:032x}",),
    }
    return Cell(**(given | changed))


def made_report(
    nets: Sequence[str] = ("10", "-3.5"),
    *,
    trips: Sequence[Trip] | None = None,
    fill_wins: FillWins | None = None,
    named: Sequence[Cell] = (),
    looked_at: Sequence[Cell] = (),
    mistakes: Sequence[Mistake] = (),
    stretches: int | None = None,
    tried: int = 98,
    book: BookNumbers | None = None,
    open_sums: Sequence[OpenSums] = (),
    unpraised_for: Sequence[str] = (),
    **changed: Any,
) -> LearnReport:
    own = [made_trip(n, net) for n, net in enumerate(nets)] if trips is None else list(trips)
    complete = [one for one in own if not one.is_incomplete]
    trades = TradesReport(
        account=None,
        as_of=None,
        first_at=own[0].opened_at if own else None,
        last_at=own[-1].closed_at if own else None,
        stretches=len(complete) if stretches is None else stretches,
        level=0.04,
        tried=tried,
        judged_at=None,
        judged_stretches=0,
        next_at_stretches=None,
        named=tuple(named),
        looked_at=tuple(looked_at),
        book=book,
        sums=sums_by_quote(complete),
        statistics=statistics_by_quote(complete),
        incomplete_sums=sums_by_quote([one for one in own if one.is_incomplete]),
        open_sums=tuple(open_sums),
        unpraised_for=tuple(unpraised_for),
        mistakes=tuple(mistakes),
        coverage=Coverage(
            trips=len(own),
            incomplete=len(own) - len(complete),
            tested=len(complete),
            basis="prices",
            with_prices=len(complete),
            with_market=0,
            reasons=(),
            untested=(),
        ),
    )
    report = LearnReport(
        accounts=("main",),
        venues=("binance",),
        files=(FileLine("my.csv", "trades", "Binance futures, Trade History", 2 * len(own)),),
        as_of=None,
        is_kept=False,
        zone="UTC",
        hours_zone="UTC",
        fill_wins=fill_wins,
        trades=trades,
        outcomes=tuple(map(made_outcome, own)),
        tags={},
        gaps=(),
        unread=(),
    )
    return replace(report, **changed)


@pytest.fixture
def report() -> Made:
    return made_report


@pytest.fixture
def trip() -> Made:
    return made_trip


@pytest.fixture
def cell() -> Made:
    return made_cell
