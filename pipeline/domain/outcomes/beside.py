"""A subject beside its peers: its move, and how much it moves, less the mean of theirs."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle, too_few_shared_moves
from afterword.pipeline.domain.outcomes.paths import MarketPath, MarketPaths
from afterword.pipeline.rules.market.exact import rounded
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.volatility import FEWEST_MOVES, MOVE_PARTS, Spread


def move_beside(
    paths: MarketPaths,
    path: MarketPath,
    own_move: int,
    exited_at: int,
    hours: int,
    peers: Iterable[str],
) -> tuple[int, int] | OutcomeObstacle:
    """Return its move and its deviation beside the mean of its peers; parts per billion.

    Each peer has the first price at or after the entry of the subject, and at or after its exit.

    Args:
        path: of the subject.
        exited_at: microseconds.
    """
    entered_at, all_paths, moves = path.entry.at, [path], []
    for peer in peers:
        span = paths.span_of(paths.asset(peer), entered_at, hours, {}, exited_at)
        if isinstance(span, OutcomeObstacle):
            return span
        all_paths.append(span.path)
        moves.append(span.path.ladder.move_from_ppb(span.path.entry.price, span.last))
    spread = _spread_beside(all_paths)
    if spread is None:
        return too_few_shared_moves(path.series)
    sigma = spread.sigma_ppb(exited_at - entered_at)
    return own_move - rounded(sum(moves), len(moves)), sigma


def _spread_beside(paths: Sequence[MarketPath]) -> Spread | None:
    """Return how much the first moves beside the mean of the others, where all have a close."""
    places = [
        {path.ladder.closed[place]: place for place in range(path.first, path.entry.last + 1)}
        for path in paths
    ]
    moments = sorted(set.intersection(*map(set, places)))
    if len(moments) <= FEWEST_MOVES:
        return None
    squares = 0
    for earlier, later in pairwise(moments):
        own, *others = (
            _move_parts(path.ladder, at[earlier], at[later])
            for path, at in zip(paths, places, strict=True)
        )
        squares += (own - rounded(sum(others), len(others))) ** 2
    return Spread(squares, moments[-1] - moments[0])


def _move_parts(ladder: Ladder, first: int, last: int) -> int:
    before = ladder.closes[first]
    return rounded((ladder.closes[last] - before) * MOVE_PARTS, before)
