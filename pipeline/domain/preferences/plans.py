"""What the decisions that the owner recorded show: stops, targets and leverage, by day.

Decisions of an agent show nothing of the user: an agent that follows a preference would confirm it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from afterword.pipeline.domain.preferences.dimensions import LEVERAGE, MIXED
from afterword.pipeline.domain.preferences.habits import MOST_EVIDENCE
from afterword.pipeline.domain.preferences.model import PreferenceObservation
from afterword.pipeline.domain.preferences.source_rows import PlannedDecision
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.windows import DAY_US


def plans(decisions: Iterable[PlannedDecision], today: int) -> Iterator[PreferenceObservation]:
    """Yield what the decisions of each day that ended show.

    Args:
        decisions: to go long or short, that the owner recorded with a plan.
        today: the day that is not over, numbered from 1970.
    """
    days: defaultdict[int, list[PlannedDecision]] = defaultdict(list)
    for decision in decisions:
        days[decision.decided_at // DAY_US].append(decision)
    for day, ones in days.items():
        if day >= today:
            continue
        yield _seen("stop_loss", _share([one.stop is not None for one in ones]), day, ones)
        yield _seen("take_profit", _share([one.target is not None for one in ones]), day, ones)
        levers = [one for one in ones if one.leverage is not None]
        if levers:
            most = max(Decimal(one.leverage or 0) for one in levers)
            yield _seen(LEVERAGE, plain(most), day, levers)


def _share(has: Sequence[bool]) -> str:
    if all(has):
        return "always"
    return MIXED if any(has) else "never"


def _seen(
    dimension: str, value: str, day: int, ones: Sequence[PlannedDecision]
) -> PreferenceObservation:
    named = tuple(("decision", one.uid) for one in ones[:MOST_EVIDENCE])
    return PreferenceObservation(
        dimension, value, "habit", "decisions", day, times=len(ones), evidence=named
    )
