"""How often a market went on, or turned, after it fell, rested or rose.

What a market does after a move does not depend on the role that decides then: a pattern of
decisions is compared with what any decision of its direction met in its setup.
"""

from typing import Final, NamedTuple

from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.volatility import Spread
from afterword.pipeline.rules.setup import TRENDS, Trend

SETUP_WEIGHT: Final = 60
"""Windows that the base rate of all setups counts as, beside those of one. See decision record
0065."""


class SetupBase(NamedTuple):
    """The base rate of a direction after one kind of move.

    Args:
        base_ppb: chance of a right call without skill; parts per billion.
        votes: windows it was counted from; count.
    """

    base_ppb: int
    votes: int


class TrendCounts(NamedTuple):
    """Rises and falls beyond the band after each kind of move; counts.

    Args:
        rises: in the order of `TRENDS`; `falls` likewise.
    """

    rises: tuple[int, int, int] = (0, 0, 0)
    falls: tuple[int, int, int] = (0, 0, 0)

    def with_one(self, trend: Trend, is_rise: bool) -> "TrendCounts":
        """Return the counts with one more window."""
        place = TRENDS.index(trend)
        if is_rise:
            return TrendCounts(_more(self.rises, place), self.falls)
        return TrendCounts(self.rises, _more(self.falls, place))

    def base(self, is_long: bool, trend: Trend, base_ppb: int) -> SetupBase:
        """Return the base rate of a direction after a move: its hits, drawn to that of all moves.

        (hits + 60 * base) / (n + 60).

        Args:
            base_ppb: of the direction after any move; parts per billion.
        """
        place = TRENDS.index(trend)
        rises, falls = self.rises[place], self.falls[place]
        votes = rises + falls
        hits = rises if is_long else falls
        shrunk = hits * PPB + SETUP_WEIGHT * base_ppb
        return SetupBase(rounded(shrunk, votes + SETUP_WEIGHT), votes)


def hits_behind(setup_base_ppb: int, votes: int, base_ppb: int) -> int:
    """Return how many windows went in the direction, from the base rate that they gave.

    It solves `TrendCounts.base` for them, exactly below a billion windows: no other count gives the
    same base rate to the last digit.

    Args:
        setup_base_ppb: base rate of the setup; parts per billion.
        votes: windows it was counted from; count.
        base_ppb: of the direction after any move, as it was counted with; parts per billion.
    """
    shrunk = setup_base_ppb * (votes + SETUP_WEIGHT) - SETUP_WEIGHT * base_ppb
    return (shrunk + PPB // 2) // PPB


def place_before(ladder: Ladder, at: int, window: int) -> int | None:
    """Return the place of the close that the trend before an entry begins with.

    Args:
        at: moment of the entry; microseconds, as `window`.

    Returns:
        None where no close is near enough, or an unexplained jump lies between.
    """
    since = at - window
    before = ladder.last_by(since)
    if before < 0 or since - ladder.closed[before] > ladder.oldest:
        return None
    if ladder.jumps and ladder.jump(before, ladder.last_by(at)) is not None:
        return None
    return before


def trend_of(spread: Spread, moved: int, passed: int, costs: int) -> Trend:
    """Return the class of a move by the band: a quarter of the deviation, and costs.

    Args:
        moved: parts per billion, as `costs`.
        passed: microseconds.
    """
    if not spread.is_beyond(abs(moved) - costs, passed):
        return "flat"
    return "up" if moved > 0 else "down"


def _more(counts: tuple[int, int, int], place: int) -> tuple[int, int, int]:
    down, flat, up = (count + (number == place) for number, count in enumerate(counts))
    return down, flat, up
