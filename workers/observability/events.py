"""Turn events into counters and histograms, and hold the registry of the process."""

import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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

from afterword.pipeline.core.store.driver import dbapi
from afterword.workers.observability.catalogue import CATALOGUE, OTHER


@dataclass(frozen=True, slots=True)
class Count:
    """How an event raises a counter.

    Args:
        by: the fact with the number to add; empty to add one.
        facts: the facts that are its labels, in the catalogue's order.
        fixed: labels that are the same for every such event; they replace `facts`.
    """

    metric: str
    by: str = ""
    facts: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Time:
    """How an event adds to a histogram: the fact with the seconds, one or a list of them."""

    metric: str
    seconds: str
    facts: tuple[str, ...] = ()


RULES: Final[Mapping[str, tuple[Count | Time, ...]]] = {
    "jobs.leased": (Time("afterword_job_wait_seconds", "waited_s", ("kind",)),),
    "jobs.ended": (Count("afterword_process_jobs_ended_total", "jobs", ("kind", "outcome")),),
    "jobs.redelivered": (Count("afterword_jobs_redelivered_total", "jobs", ("kind",)),),
    "jobs.stale": (Count("afterword_stale_commits_total", "jobs", ("kind",)),),
    "jobs.refused": (Count("afterword_messages_refused_total", facts=("kind",)),),
    "jobs.held": (Count("afterword_jobs_held_total", "jobs", ("kind", "reason")),),
    "message.skipped": (Count("afterword_messages_skipped_total", facts=("kind",)),),
    "broker.dropped": (Count("afterword_messages_dropped_total", facts=("queue",)),),
    "redis.failed": (Count("afterword_redis_disruptions_total", facts=("where",)),),
    "relay.sent": (Count("afterword_jobs_sent_total", "jobs", ("kind",)),),
    "relay.epoch": (Count("afterword_jobs_resent_total", "jobs", fixed=("redis_empty",)),),
    "reconcile.resent": (Count("afterword_jobs_resent_total", "jobs", fixed=("unclaimed",)),),
    "reconcile.freed": (Count("afterword_owners_freed_total", facts=("state",)),),
    "relay.skipped": (Count("afterword_groups_skipped_total", fixed=("relay",)),),
    "reconcile.skipped": (Count("afterword_groups_skipped_total", fixed=("reconcile",)),),
    "cron.skipped": (Count("afterword_groups_skipped_total", fixed=("cron",)),),
    "heartbeat.failed": (Count("afterword_loop_failures_total", fixed=("heartbeat",)),),
    "dispatcher.failed": (Count("afterword_loop_failures_total", fixed=("dispatcher",)),),
    "cron.fired": (
        Count("afterword_cron_jobs_total", "jobs", ("entry",)),
        Time("afterword_cron_late_seconds", "late_s"),
    ),
    "llm.asked": (
        Count("afterword_llm_questions_total", facts=("task", "outcome")),
        Time("afterword_llm_question_seconds", "seconds", ("task",)),
    ),
    "injection.flagged": (Count("afterword_injection_flags_total", facts=("family",)),),
    "pattern.written": (Count("afterword_role_pattern_changes_total", "patterns", ("state",)),),
    "pattern.worded": (Count("afterword_role_pattern_wordings_total", facts=("result",)),),
    "methodology.changed": (
        Count("afterword_methodology_changes_total", "methodologies", ("change",)),
    ),
    "pattern.lessons_superseded": (Count("afterword_role_lessons_superseded_total", "lessons"),),
    "store.waited": (Time("afterword_store_wait_seconds", "seconds"),),
    "store.wrote": (Time("afterword_store_write_seconds", "seconds"),),
    "store.refused": (Count("afterword_store_refused_total", facts=("reason",)),),
}
"""Which event changes which metric. To find the events: `grep -rn 'emit('`."""

RUN: Final = "afterword_run_seconds"
"""The one metric without an event: the middleware measures it."""

COUNTED: Final = {RUN} | {rule.metric for rule in chain.from_iterable(RULES.values())}
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
        ProcessCollector(namespace="afterword", registry=self.registry)
        build = CATALOGUE["afterword_build_info"]
        Info(build.family, build.meaning, registry=self.registry).info(_versions())

    def __call__(self, action: str, facts: dict[str, Any]) -> None:
        """Count or time an event."""
        for rule in RULES.get(action, ()):
            if isinstance(rule, Count):
                self._count(rule, facts)
            else:
                self._time(rule, facts)

    def watch_slots(self, total: int, busy: Callable[[], int], long: Callable[[], int]) -> None:
        """Show how many jobs this process can run at once, and how many it is running.

        Args:
            long: returns how many jobs have been running for more than two minutes.
        """
        self._slots.set(total)
        self._busy.set_function(busy)
        self._long.set_function(long)

    def ran(self, kind: str, seconds: float) -> None:
        """Add one run."""
        self._by_name[RUN].labels(self.known(kind)).observe(seconds)

    def known(self, kind: str) -> str:
        """Return the kind, or `other` for one this program does not know."""
        return kind if kind in self.kinds else OTHER

    def _begin_at_zero(self) -> None:
        """Make the series with known labels, so that a query sees their first step from 0 to 1."""
        for rule in chain.from_iterable(RULES.values()):
            if isinstance(rule, Count) and rule.fixed:
                self._by_name[rule.metric].labels(*rule.fixed)
            elif isinstance(rule, Count) and rule.facts == ("kind",):
                for kind in self.kinds:
                    self._by_name[rule.metric].labels(kind)
            elif isinstance(rule, Count) and rule.facts == ("where",):
                for where in ("relay", "fetch", "ack", "lock"):
                    self._by_name[rule.metric].labels(where)
            elif isinstance(rule, Count) and rule.facts == ("result",):
                for result in ("kept", "shadow", "refused"):
                    self._by_name[rule.metric].labels(result)

    def _count(self, rule: Count, facts: dict[str, Any]) -> None:
        labels = rule.fixed or self._labels(rule.facts, facts)
        metric = self._by_name[rule.metric]
        series = metric.labels(*labels) if labels else metric
        series.inc(facts.get(rule.by, 0) if rule.by else 1)

    def _time(self, rule: Time, facts: dict[str, Any]) -> None:
        metric = self._by_name[rule.metric]
        series = metric.labels(*self._labels(rule.facts, facts)) if rule.facts else metric
        seconds = facts.get(rule.seconds, ())
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
