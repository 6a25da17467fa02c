"""Say up to which value of an account the mirror has every row."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.balances import rows
from afterword.pipeline.domain.sync import state_rows


def cover_values(conn: Connection, account: str, now: datetime) -> None:
    """Cover the values of an account that every source was mirrored after."""
    upto = state_rows.synced_upto(conn, account)
    if upto is not None:
        rows.cover(conn, account, *upto, to_micros(now))
