"""A trip with what became of it, and what the trips of an account show, as frozen values.

Shares of a trip are parts per billion (50,000,000 is 5 %), as in `outcomes`; those of a report are
fractions (0.05 is 5 %). Money is in the quote of its trips unless its name says dollars.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple

from afterword.pipeline.domain.outcomes.model import TrendBefore, VolatilityTercile
from afterword.pipeline.domain.trades.sums_model import OpenSums, QuoteSums, TripStatistics
from afterword.pipeline.domain.trips.trip import Trip

TripPart = Literal["result", "sigma", "trend", "excursions", "market"]
"""What may be unknown of a trip."""

Cost = Literal["fees", "other_fees", "funding"]

Basis = Literal["prices", "own_results"]
"""What a result is divided by: how much the asset usually moves in an hour, by its prices; or
the median size of the account's own results in it."""

Unit = Literal["hourly_move", "own_result"]
"""Of a difference: the usual move of the market in an hour; or the usual size of the own results in
it. What results are divided by, by `Basis`."""

MistakeRule = Literal["larger_re_entry", "added_to_loser", "fees_took_profit"]
"""Mistakes by rule: a trip entered within 15 minutes of a loss, and larger than the losing trip;
one that was made larger while it was losing; one with a profit before fees and none after them."""


class Unknown(NamedTuple):
    """Why a part of an outcome is not known.

    Args:
        reason: for programs, such as `no_series`.
        why: one line for people.
    """

    part: TripPart
    reason: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TripOutcome:
    """What became of one trip, as it was known at a moment.

    Args:
        asset: key of its market: `BTC` for `BTCUSDT` and for `BTC/USDT:USDT`.
        asset_class: group of the asset, such as `crypto`; or `unknown`.
        not_in_net: costs that `trip.net` does not hold: nobody said them, or they were paid in
            another token.
        put_in: value of its first order; `trip.notional` where that is not known. What was added
            later depends on the prices in between.
        result_ppb: `trip.net` over `put_in`.
        move_ppb: move from the average entry to the average exit in the direction of the trip,
            before fees.
        mae_sure_ppb: the worst move against the trip from its average entry, 0 or less, by the bars
            wholly inside it and its own exit; `mae_possible_ppb` counts the whole bars of the entry
            and the exit too, in which the price may have gone before or after the trip.
        mfe_sure_ppb: the best move with it, 0 or more; `mfe_possible_ppb` likewise.
        efficiency: `move_ppb` over `mfe_sure_ppb`: the share of the best move that the exit kept, 1
            at most; negative for a loss. None without a best move.
        efficiency_least: the same over `mfe_possible_ppb`.
        trend: class of the price move before the entry, over `trend_us`: how long trips of the
            account were usually held, as known then. The trip's own time is known at its exit only.
        volatility: tercile of the volatility at the entry among that of the year before.
        market_symbol: the leader of its class; `market_ppb` is its move over the same time.
        residual_ppb: `result_ppb` less beta times the leader's move, in the direction of the trip;
            all of it where the asset has no leader.
        sigma_ppb: the standard deviation of the asset over the time held.
        hour_sigma_ppb: the same over an hour: what results are divided by, since it is known at the
            entry. Divided by that over the time held, a profit that came quickly would count more
            than a loss that came slowly, and who takes small profits would seem to have an edge.
    """

    trip: Trip
    asset: str
    asset_class: str
    not_in_net: tuple[Cost, ...]
    unknown: tuple[Unknown, ...]
    held_us: int | None = None
    put_in: Decimal | None = None
    result_ppb: int | None = None
    move_ppb: int | None = None
    mae_sure_ppb: int | None = None
    mae_possible_ppb: int | None = None
    mfe_sure_ppb: int | None = None
    mfe_possible_ppb: int | None = None
    efficiency: float | None = None
    efficiency_least: float | None = None
    trend_us: int | None = None
    trend_ppb: int | None = None
    trend: TrendBefore | None = None
    volatility: VolatilityTercile | None = None
    market_symbol: str | None = None
    market_ppb: int | None = None
    beta_ppb: int | None = None
    residual_ppb: int | None = None
    sigma_ppb: int | None = None
    hour_sigma_ppb: int | None = None

    @property
    def score(self) -> float | None:
        """The net result in hourly deviations of the asset; None if one of them is unknown."""
        if self.result_ppb is None or not self.hour_sigma_ppb:
            return None
        return self.result_ppb / self.hour_sigma_ppb


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cut of the trips, such as the shorts after a fall, beside the other trips of its kind.

    Means and medians are of results before costs, as fractions of what was put in; one stretch is
    one value.

    Args:
        attribute: what the trips are cut by: `hour`; `value` is this part of it: `08-12`.
        is_tested: whether it is one of the cuts that were tried. One that is not is described
            only, because it was not known at the entry (holding time, a tag given later), because
            it is made of earlier results, or because it has too few stretches.
        is_named: whether it differs by more than chance.
        trips: count.
        n_eff: stretches: trips of one asset and direction that overlap count once; count.
        others: stretches outside the cell that have the attribute; count.
        mean: of the stretches; `median` likewise.
        beyond_market: mean after the market; None if no trip has one.
        unit: what each result was divided by before it was compared.
        unit_share: how much one unit was, on average over the stretches; a fraction.
        is_beyond_market: whether results after the market are compared.
        difference: mean in units less the mean of the others, before costs, as it is tested. Of a
            cell named behind another one, without the trips of that one.
        low: lower end of the 95 % interval of `difference`; `high` is the upper one.
        difference_micro_usd: what `difference` comes to for what was put in, at the unit of each
            trip; dollar quotes only, like the next two, which are None without such a trip.
        gross_micro_usd: result before costs; `net_micro_usd` after them.
        z: the test's standardised sum of normal scores; None if it is not tested.
        p: chance of such a z without an effect; None if it is not tested.
        trip_uids: its trips, by entry.
    """

    attribute: str
    value: str
    is_tested: bool
    is_named: bool
    trips: int
    n_eff: int
    others: int
    mean: float
    median: float
    beyond_market: float | None
    unit: Unit
    unit_share: float
    is_beyond_market: bool
    difference: float | None
    low: float | None
    high: float | None
    difference_micro_usd: int | None
    gross_micro_usd: int | None
    net_micro_usd: int | None
    z: float | None
    p: float | None
    trip_uids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookNumbers:
    """All tested trips together after costs, against zero.

    Args:
        n_eff: stretches; count.
        mean: net result of a stretch on what was put in; a fraction, as is `median`.
        unit: what each net result was divided by before it was tested.
        unit_share: how much one unit was, on average over the stretches; a fraction.
        score: mean net result in units; `low` and `high` are its 95 % interval, None with too few
            stretches.
        net_micro_usd: net result of the trips with a dollar quote; None without one.
        z: `score` over its standard error; `p` is the chance of it if every result could as well
            have had the other sign. None with too few stretches.
        is_named: whether `score` differs from zero by more than chance, and no sum of money says
            the reverse.
    """

    n_eff: int
    mean: float
    median: float
    unit: Unit
    unit_share: float
    score: float
    low: float | None
    high: float | None
    net_micro_usd: int | None
    z: float | None
    p: float | None
    is_named: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """The trips that broke a stated rule: counts and sums, no judgement.

    Args:
        of: trips that could have broken it; count.
        sums: of the trips that did.
        trip_uids: those, by entry.
    """

    rule: MistakeRule
    trips: int
    of: int
    sums: tuple[QuoteSums, ...]
    trip_uids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Which trips could be tested, and why others could not.

    Args:
        trips: count, the incomplete ones included.
        incomplete: fills are missing: shown, never tested.
        tested: trips in the tests.
        basis: what results are divided by; None if no trip can be tested.
        with_prices: trips whose asset has stored prices at the entry.
        with_market: trips with a residual.
        reasons: (reason, trips) of those not tested, the most first.
        untested: attributes that need what is missing, such as `re-entry` without prices.
    """

    trips: int
    incomplete: int
    tested: int
    basis: Basis | None
    with_prices: int
    with_market: int
    reasons: tuple[tuple[str, int], ...]
    untested: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeVerdict:
    """What a kept account showed when it was judged; it stands until the account grew by half.

    Args:
        account: None for all accounts.
        trips: tested ones; count, like `stretches`.
        level: chance that chance alone names anything.
        named: the cells as their numbers were then, the strongest first; without `trip_uids`.
        book: all trips together, if their mean was named; else None.
    """

    id: int
    account: str | None
    known_at: datetime
    trips: int
    stretches: int
    level: float
    tried: int
    named: tuple[Cell, ...]
    book: BookNumbers | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedHabit:
    """A cell that a stored verdict names, as prompts and pages tell it.

    Args:
        account: None for all accounts.
        judged_at: when the verdict was made; aware UTC.
        tried: cuts that were tried then, unnamed ones included; count.
        level: chance that chance alone would have named anything.
        cell: None for all trips together.
        effect: difference from the other trips, or from zero of all trips together; in units of
            what is named.
        text: one sentence with its numbers.
    """

    account: str | None
    judged_at: datetime
    tried: int
    level: float
    cell: Cell | None
    effect: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TripTag:
    """A word that somebody gave a trip.

    Args:
        trip_uid: the trip that has it now.
        known_at: when it was given; aware UTC.
    """

    trip_uid: str
    tag: str
    origin: Literal["owner", "agent"]
    known_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TradesReport:
    """What the trips of one account, or of all, show.

    Args:
        account: None for all accounts.
        first_at: entry of the first trip, or its exit where that is unknown; aware UTC.
        last_at: exit of the last one.
        stretches: of the tested trips; count.
        level: chance that a report of chance alone names anything.
        tried: tests in the family, those of cells that are not printed included; count.
        judged_at: when the verdict was made that the names come from; None if none was due yet.
        judged_stretches: how many stretches there were then; count.
        next_at_stretches: a kept account is judged anew when it has so many; None for one look.
        named: cells that differ by more than chance, the strongest first.
        looked_at: all other cells, told apart from chance by nothing; tested ones by p, then the
            described ones.
        book: None if no trip could be tested.
        sums: of complete trips, by quote: the one with the most trips first.
        incomplete_sums: of the others.
        open_sums: positions that are still open, by quote: they are in no sum above.
        unpraised_for: quotes whose open positions may undo what was earned; for that the book,
            which differs from zero by more than chance, is not named. Else empty.
        statistics: of complete trips, by quote, in the order of `sums`.
        mistakes: one of each rule.
    """

    account: str | None
    as_of: datetime | None
    first_at: datetime | None
    last_at: datetime | None
    stretches: int
    level: float
    tried: int
    judged_at: datetime | None
    judged_stretches: int
    next_at_stretches: int | None
    named: tuple[Cell, ...]
    looked_at: tuple[Cell, ...]
    book: BookNumbers | None
    sums: tuple[QuoteSums, ...]
    statistics: tuple[TripStatistics, ...]
    incomplete_sums: tuple[QuoteSums, ...]
    open_sums: tuple[OpenSums, ...]
    unpraised_for: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    coverage: Coverage
