"""Every metric with its labels and meaning, and the event that changes it."""

from afterword.workers.observability import CATALOGUE
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
            codes(event.action for event in metric.events),
            metric.meaning,
        )
        for metric in CATALOGUE.values()
    ]
    return page(
        "Metrics", INTRODUCTION, table(("metric", "type", "labels", "event", "meaning"), rows)
    )
