"""The job `extract_edges`: extract the edges of rows, by rule and without a model."""

from datetime import datetime

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.domain.edges.rows import MEMORY_EDGES, Sources


def extract_memory_edges(store: Store, leases: Leases, now: datetime) -> int:
    """Extract and store the edges of the leased memories; see `extract_row_edges`."""
    return extract_row_edges(MEMORY_EDGES, store, leases, now)


def extract_row_edges(of: Sources, store: Store, leases: Leases, now: datetime) -> int:
    """Extract and store the edges of the leased rows of a table; a replay adds none.

    Returns:
        How many edges were new.

    Raises:
        LeaseLostError: the jobs run elsewhere by now; nothing was written.
    """
    with reading(store) as conn:
        rows = edge_rows.sources(conn, [lease.payload[of.row_key] for lease in leases], of)
    edges = [(row.id, extract_edges(row.words, row.scenario_id, row.own)) for row in rows]
    with writing(store, finishing=leases) as conn:
        return edge_rows.keep(conn, edges, to_micros(now), of)
