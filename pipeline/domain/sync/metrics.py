"""Metrics of the mirrors of all groups."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.sync.status import mirrors

_Mirror = tuple[datetime, bool]
"""Since when a mirror stands still, and whether its last run failed."""


class MirrorNumbers:
    """Reads the mirrors of a group, and sums those of all groups; see `GroupNumbers`."""

    def __init__(self, process: object) -> None:
        del process

    def read(self, conn: Connection) -> list[_Mirror]:
        """Return the mirrors of a group."""
        added = {account.name: account.added_at for account in account_rows.listed(conn)}
        return [
            (state.last_synced_at or added[state.sub_account_id], bool(state.consecutive_failures))
            for state in mirrors(conn)
        ]

    def sums(
        self, present: Sequence[list[_Mirror]], gone: Sequence[list[_Mirror]], now: datetime, /
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        del gone
        known = [mirror for group in present for mirror in group]
        oldest = min((since for since, _ in known), default=now)
        return {
            "afterword_history_mirrors": {(): len(known)},
            "afterword_history_mirrors_failing": {(): sum(failed for _, failed in known)},
            "afterword_history_oldest_sync_age_seconds": {
                (): max(0.0, (now - oldest).total_seconds())
            },
        }
