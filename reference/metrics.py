"""Every metric with its labels and meaning, and the event that changes it."""

from afterword.workers.observability import CATALOGUE
from afterword.workers.observability.events import RULES
from reference.markdown import code, codes, page, table

INTRODUCTION = """What each process serves as `/metrics` on its loopback port \
([how to read them](../operations.md#metrics)). A metric with an event is counted by the process \
itself when it emits that [event](log-events.md); the others are read from the files when they are \
asked for."""


def metrics_page() -> str:
    """Return the page: one table."""
    rows = [
        (
            code(metric.name),
            metric.type,
            codes(metric.labels),
            codes(events_of(metric.name)),
            metric.meaning,
        )
        for metric in CATALOGUE.values()
    ]
    return page(
        "Metrics", INTRODUCTION, table(("metric", "type", "labels", "event", "meaning"), rows)
    )


def events_of(metric: str) -> list[str]:
    """Return the events that change a metric."""
    return [event for event, rules in RULES.items() if any(rule.metric == metric for rule in rules)]
