"""What Prometheus is told: one registry and one loopback port per process, nothing shared.

Reading order: `catalogue` (every name), `told` (events become counters and histograms of this
process), `cached` (a source read at scrape, at a bounded cost), then the sources: `ledger` and,
read with it, `decisions`; `files`, `damage`, `fleet`, `money`; `watch` puts them together.

Every process shows the same ledger, files, fleet and money, so that none of it depends on which
one lives: aggregate those with `max`, and what one process counted with `sum`. No number is kept
in a file of its own, so a killed process leaves none behind.
"""

from afterword.workers.observability.catalogue import CATALOGUE
from afterword.workers.observability.events import Metrics
from afterword.workers.observability.sources import watch

__all__ = ["CATALOGUE", "Metrics", "watch"]
