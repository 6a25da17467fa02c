"""Read what stored verdicts name, for prompts and pages."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.domain.trades import rows
from afterword.pipeline.domain.trades.model import Cell, NamedHabit, TradeVerdict
from afterword.pipeline.domain.trades.text import book_text, cell_text


def named(conn: Connection, as_of: datetime | None = None) -> list[NamedHabit]:
    """Return what the verdicts that stand name: those on all accounts together first.

    A verdict names nothing more often than not: then the list is empty.

    Args:
        as_of: the verdicts of that moment; those of now if None.
    """
    return [habit for verdict in rows.verdicts(conn, as_of) for habit in _named_by(verdict)]


def _named_by(verdict: TradeVerdict) -> list[NamedHabit]:
    whose = "" if verdict.account is None else f" (account {verdict.account})"
    told: list[tuple[Cell | None, float, str]] = [
        (cell, cell.difference or 0.0, cell_text(cell)) for cell in verdict.named
    ]
    if verdict.book is not None:
        told.append((None, verdict.book.score, book_text(verdict.book)))
    return [
        NamedHabit(
            account=verdict.account,
            judged_at=verdict.known_at,
            tried=verdict.tried,
            level=verdict.level,
            cell=cell,
            effect=effect,
            text=f"{text}{whose}",
        )
        for cell, effect, text in told
    ]
