"""The trades behind one line of a report."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.trades.model import TradesReport, TripOutcome
from afterword.pipeline.errors import InvalidInputError

_MOST_NAMED: Final = 12


def trips_of_cell(
    trades: TradesReport, outcomes: Sequence[TripOutcome], cell: str
) -> tuple[TripOutcome, ...]:
    """Return the trades of a line of a report, in their order.

    Args:
        cell: `hour=12-16`, or `mistake=added_to_loser`, as the report writes it.

    Raises:
        InvalidInputError: the report has no such line.
    """
    lines = _lines(trades)
    if cell not in lines:
        attribute, _, _ = cell.partition("=")
        near = [name for name in lines if name.partition("=")[0] == attribute]
        names = near or list(dict.fromkeys(f"{name.partition('=')[0]}=…" for name in lines))
        shown = ", ".join(names[:_MOST_NAMED]) or "no line: there are too few trades"
        rest = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        raise InvalidInputError(
            "cell", f"must be a line of the report, got {cell!a:.60}", shown + rest
        )
    uids = set(lines[cell])
    return tuple(outcome for outcome in outcomes if outcome.trip.trip_uid in uids)


def _lines(trades: TradesReport) -> dict[str, tuple[str, ...]]:
    cells = {
        f"{cell.attribute}={cell.value}": cell.trip_uids
        for cell in (*trades.named, *trades.looked_at)
    }
    return cells | {f"mistake={mistake.rule}": mistake.trip_uids for mistake in trades.mistakes}
