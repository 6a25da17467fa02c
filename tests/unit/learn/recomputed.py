"""The numbers of a report on trades, computed a second time from the fills: slowly and plainly.

Nothing of the program is used. Of `--json` it takes what prices say of each trip (usual move,
trend, volatility, what the market does not explain); all else comes from the fills.
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import erfc, gamma, pi, sqrt
from pathlib import Path
from statistics import NormalDist, mean, median, variance
from typing import Any

Json = dict[str, Any]


@dataclass
class Fill:
    at: datetime
    symbol: str
    move: Decimal
    price: Decimal
    fee: Decimal
    order: str


@dataclass
class Trip:
    symbol: str
    is_long: bool
    opened: datetime
    closed: datetime
    gross: Decimal
    fees: Decimal
    put_in: Decimal
    said: Json = field(default_factory=dict)

    @property
    def net(self) -> Decimal:
        return self.gross - self.fees

    @property
    def costs(self) -> float:
        return float(self.fees / self.put_in)

    @property
    def result(self) -> float:
        """Before costs; `residual` likewise."""
        return float(self.gross / self.put_in)

    @property
    def residual(self) -> float | None:
        after: int | None = self.said["residual_ppb"]
        return None if after is None else after / 1e9 + self.costs

    @property
    def unit(self) -> float:
        sigma: int = self.said["hour_sigma_ppb"]
        return sigma / 1e9


def binance_fills(path: Path) -> list[Fill]:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = [
        Fill(
            datetime.strptime(row["Time"], "%y-%m-%d %H:%M:%S").replace(tzinfo=UTC),
            row["Symbol"],
            Decimal(row["Quantity"]) * (1 if row["Side"] == "BUY" else -1),
            Decimal(row["Price"]),
            Decimal(row["Fee"].split()[0]),
            row["Order ID"],
        )
        for row in rows
    ]
    found.reverse()  # the newest comes first, also of those of one second
    return sorted(found, key=lambda one: one.at)


def trips_of(fills: Sequence[Fill]) -> list[Trip]:
    """Walk from flat to flat in each market."""
    by_market: dict[str, list[Fill]] = defaultdict(list)
    for one in fills:
        by_market[one.symbol].append(one)
    found = []
    for every in by_market.values():
        held, run = Decimal(0), list[Fill]()
        for one in every:
            run.append(one)
            held += one.move
            if held == 0:
                found.append(_trip(run))
                run = []
    return sorted(found, key=lambda one: (one.opened, one.closed, one.symbol))


def _trip(run: Sequence[Fill]) -> Trip:
    is_long = run[0].move > 0
    first = [
        one
        for one in run
        if (one.move > 0) == is_long
        and (one.order == run[0].order or one.at - run[0].at <= timedelta(minutes=1))
    ]
    return Trip(
        symbol=run[0].symbol,
        is_long=is_long,
        opened=run[0].at,
        closed=run[-1].at,
        gross=-sum((one.move * one.price for one in run), Decimal(0)),
        fees=sum((one.fee for one in run), Decimal(0)),
        put_in=sum((abs(one.move) * one.price for one in first), Decimal(0)),
    )


@dataclass
class Stretch:
    trips: list[Trip]
    labels: dict[str, str]
    score: float
    residual: float | None
    ranked: float = 0.0
    ranked_residual: float = 0.0

    @property
    def opened(self) -> datetime:
        return self.trips[0].opened

    @property
    def closed(self) -> datetime:
        return max(one.closed for one in self.trips)

    @property
    def result(self) -> float:
        return self.trips[0].result

    @property
    def net(self) -> float:
        return self.trips[0].result - self.trips[0].costs

    @property
    def net_score(self) -> float:
        return self.net / self.trips[0].unit


def stretches_of(trips: Sequence[Trip], labels: Sequence[dict[str, str]]) -> list[Stretch]:
    by_side: dict[tuple[str, bool], list[Stretch]] = defaultdict(list)
    for one, known in zip(trips, labels, strict=True):
        run = by_side[one.symbol, one.is_long]
        if run and one.opened < run[-1].trips[0].closed:
            run[-1].trips.append(one)
            continue
        beyond = None if one.residual is None else one.residual / one.unit
        run.append(Stretch([one], known, one.result / one.unit, beyond))
    return sorted((one for run in by_side.values() for one in run), key=lambda one: one.opened)


def labels_of(trips: Sequence[Trip], asset_of: Callable[[str], str]) -> list[dict[str, str]]:
    found = []
    sizes: list[float] = []
    for place, one in enumerate(trips):
        hour = one.opened.hour // 4 * 4
        side = "long" if one.is_long else "short"
        known = {
            "asset": asset_of(one.symbol),
            "class": "crypto",
            "direction": side,
            "hour": f"{hour:02}-{hour + 4:02}",
            "weekday": one.opened.strftime("%A"),
        }
        if one.said["trend"]:
            words = {"down": "a fall", "flat": "no clear move", "up": "a rise"}[one.said["trend"]]
            known |= {"trend": f"after {words}", "setup": f"{side} after {words}"}
        if one.said["volatility"]:
            known["volatility"] = one.said["volatility"]
        size, ordered = float(one.put_in), sorted(sizes)
        if len(sizes) >= 30:
            third = len(sizes) // 3
            low, high = ordered[third], ordered[-1 - third]
            known["size"] = "small" if size < low else "large" if size > high else "usual"
        sizes.append(size)
        before = sorted(
            (other for other in trips[:place] if other.closed <= one.opened),
            key=lambda other: (other.closed, other.symbol, other.is_long),
        )
        if before:
            is_loss, losses = before[-1].net < 0, 0
            while losses < len(before) and before[-1 - losses].net < 0:
                losses += 1
            known["after"] = "a loss" if is_loss else "a win"
            known["losses before"] = "3 or more" if losses >= 3 else str(losses)
            if is_loss:
                is_quick = one.opened - before[-1].closed <= timedelta(minutes=15)
                known["re-entry"] = "quick" if is_quick else "slow"
        found.append(known | {"held": _held(one.closed - one.opened)})
    return found


def _held(held: timedelta) -> str:
    limits = {"to 15 min": 900, "to 1 h": 3600, "to 4 h": 14_400, "to 1 day": 86_400}
    for name, most in limits.items():
        if held.total_seconds() <= most:
            return name
    return "to 1 week"


DESCRIBED = ("after", "losses before", "held")


def cells_of(stretches: Sequence[Stretch]) -> dict[tuple[str, str], Json]:
    """Return the numbers of every cell by its attribute and value."""
    found: dict[tuple[str, str], Json] = {}
    for one, score in zip(stretches, normal_scores([one.score for one in stretches]), strict=True):
        one.ranked = score
    measured = [one for one in stretches if one.residual is not None]
    for one, score in zip(
        measured, normal_scores([one.residual or 0 for one in measured]), strict=True
    ):
        one.ranked_residual = score
    for attribute in sorted({name for one in stretches for name in one.labels}):
        among = [one for one in stretches if attribute in one.labels]
        if attribute == "re-entry":
            among = [one for one in among if one.residual is not None]
        for value in sorted({one.labels[attribute] for one in among}):
            inside = [one.labels[attribute] == value for one in among]
            found[attribute, value] = _cell(attribute, among, inside, len(stretches))
    return found


def _cell(attribute: str, among: Sequence[Stretch], inside: Sequence[bool], every: int) -> Json:
    own = [one for one, is_in in zip(among, inside, strict=True) if is_in]
    others = [one for one, is_in in zip(among, inside, strict=True) if not is_in]
    results = [one.result for one in own]
    trips = [trip for one in own for trip in one.trips]
    beyond = [one.trips[0].residual for one in own if one.trips[0].residual is not None]
    is_residual = attribute == "re-entry"
    found: Json = {
        "trips": len(trips),
        "n_eff": len(own),
        "others": len(others),
        "mean": mean(results),
        "median": median(results),
        "beyond_market": mean(beyond) if beyond else None,
        "unit_share": mean([one.trips[0].unit for one in own]),
        "is_beyond_market": is_residual,
        "gross_micro_usd": round(sum((one.gross for one in trips), Decimal(0)) * 10**6),
        "net_micro_usd": round(sum((one.net for one in trips), Decimal(0)) * 10**6),
        "difference": None,
        "low": None,
        "high": None,
        "difference_micro_usd": None,
        "z": None,
        "p": None,
    }
    if others:
        scores = [(one.residual if is_residual else one.score) or 0.0 for one in among]
        mine = [one for one, is_in in zip(scores, inside, strict=True) if is_in]
        rest = [one for one, is_in in zip(scores, inside, strict=True) if not is_in]
        difference = mean(mine) - mean(rest)
        in_money = difference * sum(one.unit * float(one.put_in) for one in trips) * 1e6
        found |= {"difference": difference, "difference_micro_usd": in_money}
        if len(mine) > 1 and len(rest) > 1:
            margin = margin_of(among, inside, scores, mine, rest)
            found |= {"low": difference - margin, "high": difference + margin}
    fewest = max(15, every / 100)
    if attribute not in DESCRIBED and min(len(own), len(others)) >= fewest:
        scores = [one.ranked_residual if is_residual else one.ranked for one in among]
        found["z"] = z_of(among, inside, scores)
        found["p"] = erfc(abs(found["z"]) / sqrt(2))
    return found


def normal_scores(values: Sequence[float]) -> list[float]:
    return [
        NormalDist().inv_cdf(
            (sum(other < one for other in values) + sum(other == one for other in values) / 2)
            / len(values)
        )
        for one in values
    ]


def z_of(among: Sequence[Stretch], inside: Sequence[bool], scores: Sequence[float]) -> float:
    n, n_c, middle = len(among), sum(inside), mean(scores)
    centred = [one - middle for one in scores]
    alone = n_c * (n - n_c) / (n * (n - 1)) * sum(one * one for one in centred)
    moved = [one * (is_in - n_c / n) for one, is_in in zip(centred, inside, strict=True)]
    total = sum(one for one, is_in in zip(centred, inside, strict=True) if is_in)
    return total / sqrt(alone + max(0.0, 2 * together(among, moved)))


def together(among: Sequence[Stretch], values: Sequence[float]) -> float:
    """Return the sum of the products of every two that were open at once."""
    return sum(
        values[one] * values[other]
        for one in range(len(among))
        for other in range(one + 1, len(among))
        if among[other].opened < among[one].closed
    )


def book_of(stretches: Sequence[Stretch]) -> Json:
    results, scores = [one.net for one in stretches], [one.net_score for one in stretches]
    squares = sum(one * one for one in scores)
    error = sqrt(squares + max(0.0, 2 * together(stretches, scores))) / len(scores)
    margin = student(len(scores) - 1) * error
    z = mean(scores) / error
    return {
        "n_eff": len(results),
        "mean": mean(results),
        "median": median(results),
        "score": mean(scores),
        "low": mean(scores) - margin,
        "high": mean(scores) + margin,
        "z": z,
        "p": erfc(abs(z) / sqrt(2)),
    }


def margin_of(
    among: Sequence[Stretch],
    inside: Sequence[bool],
    scores: Sequence[float],
    own: Sequence[float],
    others: Sequence[float],
) -> float:
    """Return half the width of the interval of a difference: of Welch, or of the spread of all."""
    one, other = variance(own) / len(own), variance(others) / len(others)
    freedom = (one + other) ** 2 / (one**2 / (len(own) - 1) + other**2 / (len(others) - 1))
    alike = variance(scores) * (1 / len(own) + 1 / len(others))
    n, middle = len(scores), mean(scores)
    moved = [
        (one - middle) * (is_in - len(own) / n) for one, is_in in zip(scores, inside, strict=True)
    ]
    shared = max(0.0, 2 * together(among, moved)) * (n / (len(own) * len(others))) ** 2
    return student(freedom) * sqrt(max(one + other, alike) + shared)


def student(freedom: float) -> float:
    """Return the two-sided 95 % quantile: the density added up until it holds 47.5 % above 0."""
    scale = gamma((freedom + 1) / 2) / gamma(freedom / 2) if freedom < 300 else sqrt(freedom / 2)
    step, x, area, part = 0.001, 0.0, 0.0, 0.0
    while area < 0.475:
        middle = x + step / 2
        height = (1 + middle**2 / freedom) ** (-(freedom + 1) / 2)
        part = step * scale / sqrt(freedom * pi) * height
        area, x = area + part, x + step
    return x - step * (area - 0.475) / part


def said_by_trip(report: Json) -> dict[tuple[str, datetime], Json]:
    return {
        (one["trip"]["symbol"], datetime.fromisoformat(one["trip"]["opened_at"])): one
        for one in report["outcomes"]
        if one["trip"]["opened_at"]
    }
