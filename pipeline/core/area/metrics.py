"""What a room declares of its metrics: names, labels and the events that move them."""

from typing import Final, Literal, NamedTuple

_PREFIX: Final = "afterword_"
"""Every metric's name begins with it."""
RUN_S: Final = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Buckets of a histogram of runs and questions; seconds."""
MetricType = Literal["counter", "gauge", "histogram", "info"]


class MetricEvent(NamedTuple):
    """An event that changes a metric of the process in which it happens.

    Args:
        action: its name, as it is emitted.
        amount: the fact with the number to add, or with the seconds, one or a list of them; empty
            for a counter that adds one.
        labels: labels that are the same for every such event; without them each label is the fact
            of its name.
    """

    action: str
    amount: str = ""
    labels: tuple[str, ...] = ()


class MetricSpec(NamedTuple):
    """One metric.

    Args:
        name: its name in a query; counters end in `_total`, units are base units.
        meaning: its help text: plain sentences with the unit.
        buckets: upper bounds of a histogram, in the unit of its name.
        events: what changes it; without one it is measured or read otherwise.
    """

    name: str
    type: MetricType
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()
    events: tuple[MetricEvent, ...] = ()

    @property
    def family(self) -> str:
        """The name without the ending that OpenMetrics adds."""
        return self.name.removesuffix("_total").removesuffix("_info")


def counter(
    name: str, meaning: str, *labels: str, events: tuple[MetricEvent, ...] = ()
) -> MetricSpec:
    """Return a counter; `name` is without prefix and ending."""
    return MetricSpec(f"{_PREFIX}{name}_total", "counter", meaning, labels, events=events)


def gauge(name: str, meaning: str, *labels: str) -> MetricSpec:
    """Return a gauge; `name` is without prefix."""
    return MetricSpec(_PREFIX + name, "gauge", meaning, labels)


def seconds(
    name: str,
    meaning: str,
    buckets: tuple[float, ...],
    *labels: str,
    events: tuple[MetricEvent, ...] = (),
) -> MetricSpec:
    """Return a histogram of seconds; `name` is without prefix and ending."""
    return MetricSpec(f"{_PREFIX}{name}_seconds", "histogram", meaning, labels, buckets, events)
