"""The parts of a capital: what each account was last told to hold, and what was never told."""

from typing import Final, get_args

from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.capital.model import CapitalPart, CapitalPartName, MissingPart
from afterword.pipeline.domain.capital.rows import CapitalBook, StoredPart

PART_NAMES: Final[tuple[CapitalPartName, ...]] = get_args(CapitalPartName)


def known_parts(book: CapitalBook) -> tuple[CapitalPart, ...]:
    """Return the parts that have a value, by account."""
    return tuple(
        CapitalPart(
            account.name,
            part,
            stored.value_micro_usd,
            stored.known_at,
            _problem(account, stored),
            stored.unpriced,
        )
        for account, part, stored in _all(book)
        if stored is not None and stored.value_micro_usd is not None and stored.known_at is not None
    )


def missing_parts(book: CapitalBook) -> tuple[MissingPart, ...]:
    """Return the parts that were never told, by account: without them there is no sum."""
    return tuple(
        MissingPart(account.name, part, _problem(account, stored) or "it was not asked for yet")
        for account, part, stored in _all(book)
        if stored is None or stored.value_micro_usd is None
    )


def _all(book: CapitalBook) -> list[tuple[Account, CapitalPartName, StoredPart | None]]:
    return [
        (account, part, book.parts.get((account_id, part)))
        for account_id, account in book.accounts.items()
        for part in PART_NAMES
    ]


def _problem(account: Account, stored: StoredPart | None) -> str | None:
    if account.paused_at is not None:
        return "the account is paused"
    return None if stored is None else stored.error
