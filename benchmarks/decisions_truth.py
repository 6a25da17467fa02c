"""What became of decisions, computed a second time from the files by nothing of the program.

The second computation is that of the tests: fractions over the bars of a file, every number anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from benchmarks.decisions_rules import MARKETS, price_file
from tests.unit.outcomes import recomputed
from tests.unit.outcomes.recomputed import HOUR, PPB, Call, Market

LEADER: Final = "BTC"

LADDER: Final = tuple(24 * days for days in (1, 7, 30, 90, 180, 365))
"""The windows of the ladder, said once more; hours."""

SHARES: Final = {
    "change": "move_ppb",
    "result": "result_ppb",
    "band": "band_ppb",
    "sigma": "sigma_ppb",
    "typical": "typical_ppb",
    "base": "base_ppb",
    "trend_before": "trend_ppb",
    "market_move": "market_ppb",
    "beta": "beta_ppb",
    "residual": "residual_ppb",
    "mae": "mae_sure_ppb",
    "mae_possible": "mae_possible_ppb",
    "mfe": "mfe_sure_ppb",
    "mfe_possible": "mfe_possible_ppb",
    "plan_result": "plan_ppb",
}
"""The numbers that a judged decision keeps, with the names of the second computation."""

WORDS: Final = ("window_verdict", "trend", "volatility", "plan")

ROW: Final = {
    "move": "move_ppb",
    "sigma": "sigma_ppb",
    "band": "band_ppb",
    "base": "base_ppb",
    "result": "result_ppb",
    "trend_before": "trend_ppb",
    "residual": "residual_ppb",
    "mae_sure": "mae_sure_ppb",
    "mfe_possible": "mfe_possible_ppb",
    "plan_result": "plan_ppb",
}
"""The numbers of one window of the ladder, as `role show --json` names them."""


class Truth:
    """The files, read once more.

    Args:
        ohlcv: holds the hourly prices of each market in 2024.
        arena: the hourly prices of SOL in 2025.
        windows: of each role; hours.
    """

    def __init__(self, ohlcv: Path, arena: Path, windows: Mapping[str, int]) -> None:
        self._windows = windows
        self._markets = {asset: [_read(price_file(ohlcv, asset))] for asset in MARKETS}
        self._arena = {"SOL": [_read(arena)]}

    def untrue(self, found: Iterable[dict[str, Any]], *, arena: bool = False) -> list[str]:
        """Return the judged decisions of which any number, or the outcome, is not that of the
        files; by their key."""
        judged = (one for one in found if one["verdict"])
        return [one["key"] for one in judged if not self._is_true(one, arena=arena)]

    def overlooked(self, found: Iterable[dict[str, Any]]) -> list[str]:
        """Return the decisions that wait though the files tell what became of them."""
        waiting = (one for one in found if not one["verdict"])
        return [one["key"] for one in waiting if self._naive(one, self._window(one)) is not None]

    def untrue_windows(self, decision: dict[str, Any], rows: Sequence[dict[str, Any]]) -> int:
        """Return how many windows of a decision differ, or are missing.

        Args:
            rows: its outcomes over all windows, as the command shows them.
        """
        shown = {row["window_hours"]: row for row in rows}
        windows = {*LADDER, self._window(decision)}
        return sum(not self._is_row(decision, hours, shown.get(hours)) for hours in windows)

    def setups(self, found: Iterable[dict[str, Any]]) -> dict[tuple[str, str, str], int]:
        """Return how many decisions each role made in each direction after each move before."""
        counts: dict[tuple[str, str, str], int] = {}
        for one in found:
            naive = self._naive(one, self._window(one)) if one["verdict"] else None
            if naive is not None and naive["trend"] is not None:
                key = one["role_id"], one["direction"], naive["trend"]
                counts[key] = counts.get(key, 0) + 1
        return counts

    def _is_true(self, decision: dict[str, Any], *, arena: bool) -> bool:
        naive = self._naive(decision, self._window(decision), arena=arena)
        if naive is None or decision["verdict"]["outcome"] != naive["verdict"]:
            return False
        measured = decision["verdict"]["measured"]
        return all(
            _ppb(measured.get(name)) == naive[column] for name, column in SHARES.items()
        ) and all(measured.get(word) == naive[word] for word in WORDS)

    def _is_row(self, decision: dict[str, Any], hours: int, row: dict[str, Any] | None) -> bool:
        naive = self._naive(decision, hours)
        if naive is None or row is None:
            return naive is None and row is None
        same = all(_ppb(row[name]) == naive[column] for name, column in ROW.items())
        return same and row["verdict"] == naive["verdict"] and row["plan"] == naive["plan"]

    def _naive(
        self, decision: dict[str, Any], hours: int, *, arena: bool = False
    ) -> dict[str, Any] | None:
        markets = self._arena if arena else self._markets
        asset = decision["asset"]
        stop, target = decision["stop_price"], decision["target_price"]
        call = Call(
            recomputed.micros(datetime.fromisoformat(decision["decided_at"])),
            decision["direction"],
            None if stop is None else Fraction(stop),
            None if target is None else Fraction(target),
        )
        leaders = [] if asset == LEADER else markets.get(LEADER, [])
        return recomputed.recompute(call, hours, markets.get(asset, []), leaders)

    def _window(self, decision: dict[str, Any]) -> int:
        return self._windows[decision["role_id"]]


def _read(file: Path) -> Market:
    return recomputed.read(file, HOUR, 2 * HOUR)


def _ppb(share: str | None) -> int | None:
    return None if share is None else int(Decimal(share) * PPB)
