"""The job `extract_edges`: what a memory is about, by rule alone."""

from datetime import datetime

from pipeline.clock import to_micros
from pipeline.jobs.lease import Leases
from pipeline.memory import edge_rows
from pipeline.memory.edges import extract_edges
from pipeline.store import Store, reading, writing


def extract_memory_edges(store: Store, leases: Leases, now: datetime) -> int:
    """Extract and keep the edges of the leased memories; a replay adds none.

    Returns:
        How many edges were new.

    Raises:
        LeaseLostError: the jobs run elsewhere by now; nothing was written.
    """
    with reading(store) as conn:
        sources = edge_rows.sources(conn, [lease.payload["memory_id"] for lease in leases])
    found = [(row.id, extract_edges(row.content, row.scenario_id)) for row in sources]
    with writing(store, finishing=leases) as conn:
        return edge_rows.keep(conn, found, to_micros(now))
