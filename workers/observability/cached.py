"""A source that is read at a scrape, at a bounded cost."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.errors import PipelineError
from afterword.workers.observability.catalogue import CATALOGUE

_KEPT_S = 3.0
"""How long an answer is used for further scrapes; seconds."""

SOURCE_SHARE = 0.05
"""Largest share of one processor that a source may take: a slow source is read less often."""

Source = Callable[[], Mapping[str, Values]]
"""Returns numbers by metric name; a metric that it leaves out is not shown."""


class CachedSource(Collector):
    """Shows the numbers of a source, and reads it again after a few seconds at the earliest.

    Args:
        name: name of the source, for the log.
        source: if it raises a `PipelineError`, nothing is shown until it answers again.
        effort: returns the processor time of this thread; seconds.
    """

    def __init__(
        self,
        name: str,
        source: Source,
        monotonic: Monotonic,
        effort: Monotonic = time.thread_time,
    ) -> None:
        self._name, self._source = name, source
        self._monotonic, self._effort = monotonic, effort
        self._lock = threading.Lock()
        self._families: list[Metric] = []
        self._again_at = float("-inf")

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that the registry does not read the source to learn its names."""
        return []

    def collect(self) -> Iterable[Metric]:
        """Return the latest answer; concurrent scrapes wait for it."""
        with self._lock:
            if self._monotonic() >= self._again_at:
                before = self._effort()
                self._families = self._read()
                cost_s = self._effort() - before
                self._again_at = self._monotonic() + max(_KEPT_S, cost_s / SOURCE_SHARE)
            return self._families

    def _read(self) -> list[Metric]:
        try:
            return [family(name, values) for name, values in self._source().items()]
        except PipelineError as error:
            emit("metrics.skipped", source=self._name, error=str(error))
            return []


def family(name: str, values: Values) -> Metric:
    """Return a metric of the catalogue with its numbers."""
    named = CATALOGUE[name]
    made = (CounterMetricFamily if named.type == "counter" else GaugeMetricFamily)(
        named.family, named.meaning, labels=named.labels
    )
    for labels, number in values.items():
        made.add_metric(labels, number)
    return made
