"""What is measured, and its outcome as it is stored: what became of it over one window."""

from datetime import datetime
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.rules.setup import Trend

SubjectKind = Literal["decision", "trip", "institution_run"]
MeasuredVerdict = Literal["right", "wrong", "noise"]
TrendBefore = Trend
VolatilityTercile = Literal["low", "middle", "high"]
PlanResult = Literal["target_first", "stop_first", "neither", "same_bar"]

RULE_VERSION: Final = 4
"""Version of the rules that measure. The numbers in `role_memory.measured` from before the table
existed are of version 1; until 2 an entry was the last close before the decision; until 3 the open
of a day with one price was taken for a price of its own."""

LADDER_HOURS: Final = (24, 168, 720, 2_160, 4_320, 8_760)
"""The windows that every decision is measured at: 1, 7, 30, 90, 180 and 365 days; hours."""


class Subject(NamedTuple):
    """What is measured: a call on the price of one asset.

    Args:
        id: its row id.
        asset: in any written form.
        decided_at: aware.
        stop_price: with `target_price`, its plan; in the units of the asset as it is written.
        size_usd: value of the position, leverage included.
    """

    kind: SubjectKind
    id: int
    asset: str
    stance: Stance
    decided_at: datetime
    stop_price: Decimal | None = None
    target_price: Decimal | None = None
    size_usd: Decimal | None = None


class MeasuredOutcome(NamedTuple):
    """What became of a subject over one window; the columns of the table `outcomes`, in order.

    Shares are parts per billion (50,000,000 is 5 %); moments are microseconds; prices are decimal
    text.

    Args:
        subject_id: row id of the subject, such as a decision.
        known_at: when it was measured; given by the caller.
        asset_class: its group, such as `crypto`: the assets that one market leads. An asset of no
            known class is its own group, by its key.
        verdict: that of the plan where the subject has one, else that of the window.
        window_verdict: that of the move over the whole window.
        entry_at: when the entry was the price: the first one at or after the decision.
        exit_at: close of the bar that is the exit, the first one at or after the end of the window.
        move_ppb: price move from entry to exit, adjusted for splits; beside the peers, if the role
            compares with peers.
        sigma_ppb: the market's own deviation over the hours really passed, as known at the entry.
        band_ppb: the greatest move that is noise.
        costs_ppb: costs of a round trip.
        typical_ppb: the typical move that a neutral call is judged by.
        base_ppb: chance of a right call of this direction without skill, as known at the entry.
        result_ppb: what the direction earned over the window net of costs; None for neutral.
        result_micro_usd: the same in USD where the size is known; by its plan where it has one.
        trend_ppb: price move over one window before the entry; `trend` is its class by the band.
        volatility: tercile of its volatility among that of the past year.
        market_ppb: move of the leader of its class over the same hours; `market_symbol` names it.
        residual_ppb: the move less `beta_ppb` times the leader's move.
        mae_sure_ppb: the worst excursion against the direction, 0 or less. All bars between entry
            and exit are wholly inside the window, so `mae_possible_ppb` is the same by these rules.
        mfe_sure_ppb: the best one with the direction, 0 or more; `mfe_possible_ppb` likewise.
            Of a neutral subject the first is down, the second up.
        plan: what its stop and target met first; None without a plan, and where it was passed.
        plan_at: close of the bar in which that happened.
        plan_ppb: what the plan earned, net of costs.
        plan_passed: whether the entry lay at its stop or target, or beyond: the window decides.
        entry_age_us: how long after the decision the entry was; None by older rules.
        setup_base_ppb: chance of a right call of this direction without skill after such a move as
            was before it (`trend`), as known at the entry; None for neutral, or without a trend.
        setup_votes: windows after such a move that it was counted from; count.
    """

    subject_kind: SubjectKind
    subject_id: int
    window_hours: int
    rule_version: int
    known_at: int
    asset_key: str
    asset_class: str
    direction: Stance
    verdict: MeasuredVerdict
    window_verdict: MeasuredVerdict
    source: str
    symbol: str
    entry_at: int
    entry_price: str
    exit_at: int
    exit_price: str
    move_ppb: int
    sigma_ppb: int
    band_ppb: int
    costs_ppb: int
    typical_ppb: int | None = None
    base_ppb: int | None = None
    result_ppb: int | None = None
    result_micro_usd: int | None = None
    trend_ppb: int | None = None
    trend: TrendBefore | None = None
    volatility: VolatilityTercile | None = None
    market_symbol: str | None = None
    market_ppb: int | None = None
    beta_ppb: int | None = None
    residual_ppb: int | None = None
    mae_sure_ppb: int | None = None
    mae_possible_ppb: int | None = None
    mfe_sure_ppb: int | None = None
    mfe_possible_ppb: int | None = None
    plan: PlanResult | None = None
    plan_at: int | None = None
    plan_ppb: int | None = None
    entry_age_us: int | None = None
    plan_passed: bool = False
    setup_base_ppb: int | None = None
    setup_votes: int | None = None
