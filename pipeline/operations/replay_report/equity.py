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
from afterword.pipeline.operations.roles.figures import maybe, rounded
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

_COIN: Final = "anew"
"""The maker that decides by a coin: what the roles are held against."""

MOST_CURVE_POINTS: Final = 400
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

    def add(self, decision: SettledDecision) -> None:
        of, costs = decision.asset_class, decision.costs_ppb
        self.least[of] = min(self.least.get(of, costs), costs)
        self.most[of] = max(self.most.get(of, costs), costs)


def decisions_by_role(conn: Connection, horizon_hours: int) -> list[RoleDecisions]:
    """Return the settled decisions of each role, placebos last.

    Args:
        horizon_hours: the window of a role none of whose decisions was judged yet.
    """
    by_role = []
    for role in rows.roles(conn):
        window = rows.own_window(conn, role) or horizon_hours
        by_role.append(RoleDecisions(role, window, tuple(rows.settled(conn, role, window))))
    return sorted(by_role, key=lambda role: (role.is_placebo, role.role))


def equity_part(conn: Connection, roles: Sequence[RoleDecisions], by: int) -> EquityPart:
    """Return what all roles came to at equal risk.

    Args:
        by: decisions from before this moment; microseconds.
    """
    placebos = _by_maker(conn, [role for role in roles if role.is_placebo], by)
    curves = {maker: equity(_risked(decisions)).decided for maker, decisions in placebos.items()}
    name = _COIN if _COIN in curves else next(iter(curves)) if len(curves) == 1 else None
    coin = None if name is None else curves[name]
    costs = _Costs()
    for role in roles:
        for decision in role.decisions:
            costs.add(decision)
    return EquityPart(
        roles=tuple(_role(role, None if role.is_placebo else coin) for role in roles),
        placebos=tuple(_placebo(maker, curve, name) for maker, curve in curves.items()),
        costs=tuple(
            CostLine(of, costs.least[of] / PPB, costs.most[of] / PPB) for of in sorted(costs.most)
        ),
        fee_bps=float(USUAL_COSTS.fee_bps),
        slippage_bps=float(USUAL_COSTS.slippage_bps),
    )


def thinned(points: Sequence[EquityPoint]) -> list[EquityPoint]:
    """Return at most `MOST_CURVE_POINTS` points, with the lowest and the highest of each part."""
    if len(points) <= MOST_CURVE_POINTS:
        return list(points)
    parts = MOST_CURVE_POINTS // 4
    places_kept = {0, len(points) - 1}
    for part in range(parts):
        places = range(part * len(points) // parts, (part + 1) * len(points) // parts)
        places_kept |= {places[0], places[-1]}
        places_kept.add(min(places, key=lambda place: points[place].micro_sigma))
        places_kept.add(max(places, key=lambda place: points[place].micro_sigma))
    return [points[place] for place in sorted(places_kept)]


def _role(role: RoleDecisions, coin: EquityCurve | None) -> RoleEquity:
    risked = list(_risked(role.decisions))
    curves = equity(risked)
    verdicts = Counter(decision.window_verdict for decision in role.decisions)
    scale = curves.decided.n / coin.n if coin is not None and coin.n else 0.0
    beside = coin if scale else None
    return RoleEquity(
        role=role.role,
        is_placebo=role.is_placebo,
        window_hours=role.window_hours,
        decided=_curve(curves.decided),
        held=_curve(curves.held),
        coin=None if beside is None else _points(beside, scale),
        coin_total=None if beside is None else rounded(beside.total * scale / MICRO),
        assets=len({decision.asset for decision in role.decisions}),
        right=verdicts["right"],
        wrong=verdicts["wrong"],
        noise=verdicts["noise"],
        neutral=curves.neutral,
        unscaled=len(role.decisions) - len(risked),
    )


def _by_maker(
    conn: Connection, roles: Iterable[RoleDecisions], by: int
) -> Mapping[str, list[SettledDecision]]:
    by_maker: dict[str, list[SettledDecision]] = {}
    for role in roles:
        makers = rows.makers(conn, role.role, by)
        for decision in role.decisions:
            by_maker.setdefault(makers.get(decision.uid, role.role), []).append(decision)
    return dict(sorted(by_maker.items()))


def _risked(decisions: Iterable[SettledDecision]) -> Iterable[RiskedDecision]:
    for decision in decisions:
        if decision.sigma_ppb > 0:
            yield RiskedDecision(
                *(decision.entry_at, decision.exit_at, decision.asset, decision.direction),
                *(decision.move_ppb, decision.sigma_ppb, decision.costs_ppb),
            )


def _placebo(maker: str, curve: EquityCurve, coin: str | None) -> PlaceboEquity:
    total, mean, error = rounded(curve.total / MICRO), maybe(curve.mean), maybe(curve.mean_error)
    return PlaceboEquity(maker, maker == coin, curve.n, total, mean, error)


def _curve(curve: EquityCurve) -> ReportCurve:
    return ReportCurve(
        decisions=curve.n,
        total=rounded(curve.total / MICRO),
        drawdown=rounded(curve.drawdown / MICRO),
        mean=maybe(curve.mean),
        mean_error=maybe(curve.mean_error),
        most_open=curve.most_open,
        points=_points(curve),
    )


def _points(curve: EquityCurve, scale: float = 1.0) -> CurvePoints:
    return tuple(
        (from_micros(point.at), rounded(point.micro_sigma * scale / MICRO))
        for point in thinned(curve.points)
    )
