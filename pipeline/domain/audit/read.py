"""Read the reports of audits; nothing here writes."""

from datetime import datetime

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.audit import rows
from afterword.pipeline.domain.audit.model import AuditReport
from afterword.pipeline.errors import NotFoundError


def read_audit(store: Store, name: str = "") -> AuditReport | None:
    """Return one report, or the last one; None if there was no audit yet.

    Args:
        name: its uid or its number; empty for the last one.

    Raises:
        NotFoundError: no audit has this name.
    """
    with reading(store) as conn:
        report = rows.find(conn, name) if name else rows.latest(conn)
    if name and report is None:
        raise NotFoundError(f"--pass: there is no audit {name!r}; see `afterword audit trend`")
    return report


def read_audits(
    store: Store, since: datetime, limit: int = -1, after: tuple[int, str] = (-1, "")
) -> list[AuditReport]:
    """Return the reports from a moment on, the earliest first; see `rows.since`."""
    with reading(store) as conn:
        return rows.since(conn, to_micros(since), limit, after)
