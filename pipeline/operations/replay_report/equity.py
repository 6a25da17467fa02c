"""Equity at equal risk: each role beside the same assets held, and beside a coin."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.outcomes.measure import USUAL_COSTS
from afterword.pipeline.operations.replay.roles import role_of
from afterword.pipeline.operations.replay_report import rows
from afterword.pipeline.operations.replay_report.model import (
    CostLine,
    CurvePoints,
    EquityPart,
    PlaceboEquity,
    ReportCurve,
    RoleEquity,
)
from afterword.pipeline.operations.replay_report.rows import SettledDecision
from afterword.pipeline.rules.evidence.equity import (
    MICRO,
    EquityCurve,
    EquityPoint,
    RiskedDecision,
    equity,
)
from afterword.pipeline.rules.market.exact import PPB

PLACEBO_ROLE: Final = role_of("placebo")
"""The role in which all placebos decide."""

COIN: Final = "anew"
"""The maker that decides by a coin: what the roles are held against."""

MAX_POINTS: Final = 400
"""Points of a curve: more cannot be told apart on a page."""


@dataclass(frozen=True, slots=True)
class RoleDecisions:
    """The settled decisions of a role.

    Args:
        window_hours: that they are judged by.
    """

    role: str
    window_hours: int
    decisions: tuple[SettledDecision, ...]

    @property
    def is_placebo(self) -> bool:
        """Whether they were made without skill."""
        return self.role == PLACEBO_ROLE


@dataclass(slots=True)
class _Costs:
    """The least and the most costs of each class of assets; parts per billion."""

    least: dict[str, int] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)

    def add(self, one: SettledDecision) -> None:
        of, costs = one.asset_class, one.costs_ppb
        self.least[of] = min(self.least.get(of, costs), costs)
        self.most[of] = max(self.most.get(of, costs), costs)


def decisions_by_role(conn: Connection, horizon_hours: int) -> list[RoleDecisions]:
    """Return the settled decisions of each role, placebos last.

    Args:
        horizon_hours: the window of a role none of whose decisions was judged yet.
    """
    found = []
    for role in rows.roles(conn):
        window = rows.own_window(conn, role) or horizon_hours
        found.append(RoleDecisions(role, window, tuple(rows.settled(conn, role, window))))
    return sorted(found, key=lambda one: (one.is_placebo, one.role))


def equity_part(conn: Connection, roles: Sequence[RoleDecisions], by: int) -> EquityPart:
    """Return what all roles came to at equal risk.

    Args:
        by: decisions from before this moment; microseconds.
    """
    placebos = _by_maker(conn, [one for one in roles if one.is_placebo], by)
    curves = {maker: equity(_risked(found)).decided for maker, found in placebos.items()}
    name = COIN if COIN in curves else next(iter(curves)) if len(curves) == 1 else None
    coin = None if name is None else curves[name]
    costs = _Costs()
    for one in roles:
        for decision in one.decisions:
            costs.add(decision)
    return EquityPart(
        roles=tuple(_role(one, None if one.is_placebo else coin) for one in roles),
        placebos=tuple(_placebo(maker, one, name) for maker, one in curves.items()),
        costs=tuple(
            CostLine(of, costs.least[of] / PPB, costs.most[of] / PPB) for of in sorted(costs.most)
        ),
        fee_bps=float(USUAL_COSTS.fee_bps),
        slippage_bps=float(USUAL_COSTS.slippage_bps),
    )


def thinned(points: Sequence[EquityPoint]) -> list[EquityPoint]:
    """Return at most `MAX_POINTS` points, with the lowest and the highest of each part."""
    if len(points) <= MAX_POINTS:
        return list(points)
    parts = MAX_POINTS // 4
    kept = {0, len(points) - 1}
    for part in range(parts):
        places = range(part * len(points) // parts, (part + 1) * len(points) // parts)
        kept |= {places[0], places[-1]}
        kept.add(min(places, key=lambda place: points[place].micro_sigma))
        kept.add(max(places, key=lambda place: points[place].micro_sigma))
    return [points[place] for place in sorted(kept)]


def rounded(value: float) -> float:
    """Return a share, a count or a result with six digits after the point."""
    return round(value, 6)


def maybe(value: float | None) -> float | None:
    """Return a number that may be unknown, rounded."""
    return None if value is None else rounded(value)


def _role(one: RoleDecisions, coin: EquityCurve | None) -> RoleEquity:
    risked = list(_risked(one.decisions))
    found = equity(risked)
    verdicts = Counter(each.window_verdict for each in one.decisions)
    scale = found.decided.n / coin.n if coin is not None and coin.n else 0.0
    beside = coin if scale else None
    return RoleEquity(
        role=one.role,
        is_placebo=one.is_placebo,
        window_hours=one.window_hours,
        decided=_curve(found.decided),
        held=_curve(found.held),
        coin=None if beside is None else _points(beside, scale),
        coin_total=None if beside is None else rounded(beside.total * scale / MICRO),
        assets=len({each.asset for each in one.decisions}),
        right=verdicts["right"],
        wrong=verdicts["wrong"],
        noise=verdicts["noise"],
        neutral=found.neutral,
        unscaled=len(one.decisions) - len(risked),
    )


def _by_maker(
    conn: Connection, roles: Iterable[RoleDecisions], by: int
) -> Mapping[str, list[SettledDecision]]:
    found: dict[str, list[SettledDecision]] = {}
    for one in roles:
        makers = rows.makers(conn, one.role, by)
        for decision in one.decisions:
            found.setdefault(makers.get(decision.uid, one.role), []).append(decision)
    return dict(sorted(found.items()))


def _risked(decisions: Iterable[SettledDecision]) -> Iterable[RiskedDecision]:
    for one in decisions:
        if one.sigma_ppb > 0:
            yield RiskedDecision(
                *(one.entry_at, one.exit_at, one.asset, one.direction),
                *(one.move_ppb, one.sigma_ppb, one.costs_ppb),
            )


def _placebo(maker: str, one: EquityCurve, coin: str | None) -> PlaceboEquity:
    total, mean, error = rounded(one.total / MICRO), maybe(one.mean), maybe(one.mean_error)
    return PlaceboEquity(maker, maker == coin, one.n, total, mean, error)


def _curve(one: EquityCurve) -> ReportCurve:
    return ReportCurve(
        decisions=one.n,
        total=rounded(one.total / MICRO),
        drawdown=rounded(one.drawdown / MICRO),
        mean=maybe(one.mean),
        mean_error=maybe(one.mean_error),
        most_open=one.most_open,
        points=_points(one),
    )


def _points(one: EquityCurve, scale: float = 1.0) -> CurvePoints:
    return tuple(
        (from_micros(point.at), rounded(point.micro_sigma * scale / MICRO))
        for point in thinned(one.points)
    )
