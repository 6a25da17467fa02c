"""When a capital is computed again: after a day, sooner if a part of it is old or missing."""

from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.core.jobs.has_work import UNKNOWN_START
from afterword.pipeline.domain.capital.parts import PART_NAMES
from afterword.pipeline.domain.capital.rows import CapitalBook

CAPITAL_TICK: Final = timedelta(hours=24)
"""From one capital to the next, where nothing asks for one earlier (R3)."""


def rests_until(book: CapitalBook, now: datetime, cooldown: timedelta) -> datetime | None:
    """Return until when nothing is asked again after the last capital; None if it may be now."""
    capital = book.newest
    if capital is None or not _is_of_these_accounts(book):
        return None
    until = capital.computed_at + cooldown
    # A clock that was set back must not hold it for longer than its pause.
    return until if capital.computed_at <= now < until else None


def is_told(book: CapitalBook, account_id: int, now: datetime, cooldown: timedelta) -> bool:
    """Return whether both parts of an account are younger than the pause.

    A run that ended early, because the weight of a minute was spent, goes on with the others.
    """
    parts = [book.parts.get((account_id, name)) for name in PART_NAMES]
    return all(
        part is not None
        and part.known_at is not None
        and part.error is None
        and abs(now - part.known_at) < cooldown
        for part in parts
    )


def next_capital_at(book: CapitalBook, now: datetime, cooldown: timedelta) -> datetime | None:
    """Return when a capital is due by itself; None without an account to ask for."""
    active_ids = [key for key, account in book.accounts.items() if account.paused_at is None]
    tried = [book.parts.get((account_id, name)) for account_id in active_ids for name in PART_NAMES]
    if not active_ids:
        return None
    if None in tried:
        return UNKNOWN_START
    has_failed = any(part.error for part in tried if part is not None)
    if book.newest is None or has_failed or not _is_of_these_accounts(book):
        last, pause = max(part.tried_at for part in tried if part is not None), cooldown
    else:
        last, pause = book.newest.computed_at, CAPITAL_TICK
    return last + pause if last <= now else UNKNOWN_START  # a clock that was set back


def _is_of_these_accounts(book: CapitalBook) -> bool:
    assert book.newest is not None
    summed = {part.account for part in book.newest.parts}
    return summed == {account.name for account in book.accounts.values()}
