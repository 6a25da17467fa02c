"""Compute the capital: ask the venue for every own account, and keep what each was last told.

gather → ask (no transaction is open; each account is kept when it was told) → settle
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.capital import rows
from afterword.pipeline.domain.capital.look import CapitalLook, LookedPart
from afterword.pipeline.domain.capital.model import CapitalMetrics, MissingPart
from afterword.pipeline.domain.capital.parts import known_parts, missing_parts
from afterword.pipeline.domain.capital.rows import CapitalBook, StoredPart
from afterword.pipeline.domain.capital.tiers import sum_of_parts
from afterword.pipeline.domain.capital.turn import is_told, rests_until
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.venue.info import VenueInfo


@dataclass(frozen=True, slots=True)
class CapitalRefresh:
    """What a run did.

    Args:
        capital: as it is known now; None before the first sum.
        is_new: whether this run computed it.
        rests_until: the last one is so young that nothing was asked.
        missing: parts that were never told, so that there is no new sum.
    """

    capital: CapitalMetrics | None
    is_new: bool = False
    rests_until: datetime | None = None
    missing: tuple[MissingPart, ...] = ()


def refresh_capital(
    store: Store,
    venue: VenueInfo,
    clock: Clock,
    cooldown: timedelta,
    *,
    is_forced: bool = False,
) -> CapitalRefresh:
    """Compute the capital of a group, unless that was done a moment ago.

    A part that fails keeps its last value. Without an account nothing is computed.

    Args:
        cooldown: least time between two runs.
        is_forced: somebody asks for it, so the pause does not count.

    Raises:
        UnavailableError, PostponedError: the venue answered nothing, or nobody any more; the last
            capital stays. What was told until then is not asked for again at the next run.
    """
    with reading(store) as conn:
        book = rows.book(conn)
    if not book.accounts:
        return CapitalRefresh(None)
    until = rests_until(book, clock(), cooldown)
    if until is not None and not is_forced:
        return CapitalRefresh(book.newest, rests_until=until)
    _ask(store, venue, clock, book, timedelta() if is_forced else cooldown)
    return _settle(store, clock, book)


def _ask(
    store: Store, venue: VenueInfo, clock: Clock, book: CapitalBook, cooldown: timedelta
) -> None:
    """Keep what the venue says of each account that was not asked for a moment ago."""
    look = CapitalLook(venue)
    failed: list[StoredPart] = []
    errors: list[AskFailedError] = []
    is_answered = False
    for account_id, account in book.accounts.items():
        tried_at = clock()
        if account.paused_at is not None or is_told(book, account_id, tried_at, cooldown):
            continue
        parts = look.at(account.address)
        stored = [_stored(account_id, part, tried_at) for part in parts]
        with writing(store) as conn:
            rows.keep(conn, [part for part in stored if part.error is None])
        failed += [part for part in stored if part.error is not None]
        unanswered = [part.error for part in parts if isinstance(part.error, AskFailedError)]
        errors += unanswered
        is_answered |= len(unanswered) < len(parts)
    if errors and not is_answered:
        raise errors[0]  # an outage is the fault of no account
    with writing(store) as conn:
        rows.keep(conn, failed)


def _settle(store: Store, clock: Clock, before: CapitalBook) -> CapitalRefresh:
    with writing(store) as conn:
        book = rows.book(conn)
        if book.newest_id != before.newest_id:  # another run ended meanwhile
            return CapitalRefresh(book.newest)
        missing = missing_parts(book)
        if missing or not book.accounts:
            return CapitalRefresh(book.newest if book.accounts else None, missing=missing)
        capital = sum_of_parts(known_parts(book), clock())
        rows.insert(conn, capital)
    old_parts = sum(part.kept_because is not None for part in capital.parts)
    emit("capital.computed", parts=len(capital.parts), kept=old_parts)
    return CapitalRefresh(capital, is_new=True)


def _stored(account_id: int, part: LookedPart, tried_at: datetime) -> StoredPart:
    return StoredPart(
        account_id,
        part.part,
        part.value_micro_usd,
        None if part.error else tried_at,
        part.unpriced,
        tried_at,
        str(part.error)[:300] if part.error else None,
    )
