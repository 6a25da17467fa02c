"""A subject beside its peers: its move, and how much it moves, less the mean of theirs."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from afterword.pipeline.domain.outcomes.obstacles import (
    OutcomeObstacle,
    jumped,
    no_exit,
    too_few_shared_moves,
)
from afterword.pipeline.domain.outcomes.paths import HOUR_US, MarketPath, MarketPaths
from afterword.pipeline.rules.market.exact import rounded
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.market_record import MissingExit, find_exit
from afterword.pipeline.rules.market.volatility import FEWEST_MOVES, MOVE_PARTS, Spread


def move_beside(
    paths: MarketPaths,
    path: MarketPath,
    own_move: int,
    decided: int,
    hours: int,
    passed: int,
    peers: Iterable[str],
) -> tuple[int, int] | OutcomeObstacle:
    """Return its move and its deviation beside the mean of its peers; parts per billion.

    Args:
        path: of the subject.
        passed: from its entry to its exit; microseconds.
    """
    all_paths, moves, due = [path], [], decided + hours * HOUR_US
    for peer in peers:
        found = paths.path_of(paths.asset(peer), decided, hours, {})
        if isinstance(found, OutcomeObstacle):
            return found
        last = find_exit(found.ladder, found.entry, due, found.known)
        if isinstance(last, MissingExit):
            return no_exit(found.series, found.ladder, due, last)
        jump = found.ladder.jump(found.first, last)
        if jump is not None:
            return jumped(found.series, found.ladder, jump)
        all_paths.append(found)
        moves.append(found.ladder.move_ppb(found.entry, last))
    spread = _spread_beside(all_paths)
    if spread is None:
        return too_few_shared_moves(path.series)
    return own_move - rounded(sum(moves), len(moves)), spread.sigma_ppb(passed)


def _spread_beside(paths: Sequence[MarketPath]) -> Spread | None:
    """Return how much the first moves beside the mean of the others, where all have a close."""
    places = [
        {one.ladder.closed[place]: place for place in range(one.first, one.entry + 1)}
        for one in paths
    ]
    moments = sorted(set.intersection(*map(set, places)))
    if len(moments) <= FEWEST_MOVES:
        return None
    squares = 0
    for earlier, later in pairwise(moments):
        own, *others = (
            _move_parts(one.ladder, at[earlier], at[later])
            for one, at in zip(paths, places, strict=True)
        )
        squares += (own - rounded(sum(others), len(others))) ** 2
    return Spread(squares, moments[-1] - moments[0])


def _move_parts(ladder: Ladder, first: int, last: int) -> int:
    before = ladder.closes[first]
    return rounded((ladder.closes[last] - before) * MOVE_PARTS, before)
