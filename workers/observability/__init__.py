"""Metrics, logs and health of a process. Each process has its own registry and loopback port.

Reading order: `setup` (all parts of one process), `catalogue` (every metric), `events` (events
become counters and histograms), `cached` (a source that is read at a scrape, at a bounded cost),
then the sources: `ledger` (with what areas declare of groups), `files`, `damage`, `fleet`, `money`;
`sources` puts them together. `health`, `health_server` and `scrape` answer for the process,
`condition`, `health_view` and `health_command` ask it, `serve_command` is the network door with
both, and `doctor` checks Redis.

Every process shows the same ledger, files, fleet and money, so they do not depend on which process
is alive: aggregate them with `max`, and the counts of one process with `sum`. No metric is stored
in a file, so a killed process leaves none behind.
"""

from afterword.workers.observability.catalogue import CATALOGUE
from afterword.workers.observability.events import Metrics
from afterword.workers.observability.sources import watch

__all__ = ["CATALOGUE", "Metrics", "watch"]
