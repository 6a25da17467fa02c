"""Turn events into counters and histograms, and hold the registry of the process."""

import platform
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from itertools import chain
from typing import Any, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
)

from afterword.pipeline.core.area import MetricEvent, MetricSpec
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.telemetry.numbers import OTHER
from afterword.workers.observability.catalogue import CATALOGUE

EventRule = tuple[MetricSpec, MetricEvent]
"""How one event changes one metric."""


def rules_of(metrics: Iterable[MetricSpec]) -> Mapping[str, tuple[EventRule, ...]]:
    """Return which event changes which metrics, as areas declare it, by the event's action."""
    rules: dict[str, tuple[EventRule, ...]] = {}
    for metric in metrics:
        for event in metric.events:
            rules[event.action] = (*rules.get(event.action, ()), (metric, event))
    return rules


EVENT_RULES: Final = rules_of(CATALOGUE.values())
"""The rules of all areas. To find the events: `grep -rn 'emit('`."""

RUN: Final = "afterword_run_seconds"
"""The one metric without an event: the middleware measures it."""

COUNTED: Final = {RUN} | {metric.name for metric in CATALOGUE.values() if metric.events}
"""The metrics that this process counts itself."""


class Metrics:
    """The registry of this process, and a telemetry listener that fills it.

    It is cheap and never raises: it is called inside write transactions.

    Args:
        kinds: names of the kinds of job; any other kind is shown as `other`.
    """

    def __init__(self, kinds: Iterable[str]) -> None:
        # A sample `_created` for each series would double the stored data; no query uses it.
        disable_created_metrics()  # type: ignore[no-untyped-call]  # the library leaves it untyped
        self.kinds = frozenset(kinds)
        # Not the library's global registry: tests run several processes' parts in one process.
        self.registry = CollectorRegistry()
        self._by_name = {name: self._new(name) for name in CATALOGUE if name in COUNTED}
        self._begin_at_zero()
        self._slots, self._busy, self._long = (
            self._gauge("afterword_slots"),
            self._gauge("afterword_slots_busy"),
            self._gauge("afterword_process_jobs_long"),
        )
        self._connections = self._gauge("afterword_http_connections")
        ProcessCollector(namespace="afterword", registry=self.registry)
        build = CATALOGUE["afterword_build_info"]
        Info(build.family, build.meaning, registry=self.registry).info(_versions())

    def __call__(self, action: str, facts: dict[str, Any]) -> None:
        """Count or time an event."""
        for metric, event in EVENT_RULES.get(action, ()):
            if metric.type == "counter":
                self._count(metric, event, facts)
            else:
                self._time(metric, event, facts)

    def watch_slots(self, total: int, busy: Callable[[], int], long: Callable[[], int]) -> None:
        """Show how many jobs this process can run at once, and how many it is running.

        Args:
            long: returns how many jobs have been running for more than two minutes.
        """
        self._slots.set(total)
        self._busy.set_function(busy)
        self._long.set_function(long)

    def watch_connections(self, count: Callable[[], int]) -> None:
        """Show how many connections are open to the network door of this process."""
        self._connections.set_function(count)

    def ran(self, kind: str, seconds: float) -> None:
        """Add one run."""
        self._by_name[RUN].labels(self.known(kind)).observe(seconds)

    def known(self, kind: str) -> str:
        """Return the kind, or `other` for one this program does not know."""
        return kind if kind in self.kinds else OTHER

    def _begin_at_zero(self) -> None:
        """Make the series with known labels, so that a query sees their first step from 0 to 1."""
        for metric, event in chain.from_iterable(EVENT_RULES.values()):
            if metric.type == "counter":
                for labels in [event.labels] if event.labels else self._known_labels(metric.labels):
                    self._by_name[metric.name].labels(*labels)

    def _known_labels(self, names: tuple[str, ...]) -> list[tuple[str, ...]]:
        match names:
            case ("kind",):
                return [(kind,) for kind in self.kinds]
            case ("where",):
                return [("relay",), ("fetch",), ("ack",), ("lock",)]
            case ("known",):
                return [("yes",), ("no",)]
            case ("result",):
                return [("kept",), ("shadow",), ("refused",)]
        return []

    def _count(self, metric: MetricSpec, event: MetricEvent, facts: dict[str, Any]) -> None:
        labels = event.labels or self._labels(metric.labels, facts)
        total = self._by_name[metric.name]
        series = total.labels(*labels) if labels else total
        series.inc(facts.get(event.amount, 0) if event.amount else 1)

    def _time(self, metric: MetricSpec, event: MetricEvent, facts: dict[str, Any]) -> None:
        times = self._by_name[metric.name]
        series = times.labels(*self._labels(metric.labels, facts)) if metric.labels else times
        seconds = facts.get(event.amount, ())
        for one in seconds if isinstance(seconds, list | tuple) else (seconds,):
            series.observe(one)

    def _labels(self, names: tuple[str, ...], facts: dict[str, Any]) -> list[str]:
        found = {name: str(facts.get(name, OTHER)) for name in names}
        return [self.known(label) if name == "kind" else label for name, label in found.items()]

    def _new(self, name: str) -> Any:
        named = CATALOGUE[name]
        if named.type == "histogram":
            return Histogram(
                named.name,
                named.meaning,
                named.labels,
                registry=self.registry,
                buckets=named.buckets,
            )
        return Counter(named.name, named.meaning, named.labels, registry=self.registry)

    def _gauge(self, name: str) -> Gauge:
        return Gauge(name, CATALOGUE[name].meaning, registry=self.registry)


def _versions() -> dict[str, str]:
    return {
        "version": version("afterword"),
        "python": platform.python_version(),
        "sqlite": dbapi.sqlite_version,
    }
