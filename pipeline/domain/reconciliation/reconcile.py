"""Explain how the value of accounts changed, from what is stored."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.checks import missing_account
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.reconciliation.explain import explain
from afterword.pipeline.domain.reconciliation.flows import first_ms
from afterword.pipeline.domain.reconciliation.gather import gather
from afterword.pipeline.domain.reconciliation.model import AccountEvidence, AccountStatement
from afterword.pipeline.errors import InvalidInputError

_NOTHING: Final = Decimal(0)


def reconcile(
    store: Store,
    name: str | None = None,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
) -> list[AccountStatement]:
    """Return how the value of the owner's accounts changed, by account.

    Args:
        name: of one account; all if None.
        since, until: only between the values that lie within; None begins with the account, if its
            history is whole, and ends with the last value.
        as_of: as it was known then.

    Raises:
        InvalidInputError: the account is a reference, or `since` is not before `until`.
        NotFoundError: there is no such account.
    """
    if since is not None and until is not None and since >= until:
        raise InvalidInputError("from", "must be before --to", "an earlier moment")
    at = None if as_of is None else to_micros(as_of)
    with reading(store) as conn:
        accounts = account_rows.listed(conn, at)
        owned = [account for account in accounts if account.kind == "own"]
        chosen = owned if name is None else [_named(accounts, name)]
        gathered = [(account.name, gather(conn, account, owned, at)) for account in chosen]
    return [_statement(account, evidence, since, until) for account, evidence in gathered]


def _named(accounts: list[Account], name: str) -> Account:
    for account in accounts:
        if account.name == name and account.kind == "own":
            return account
        if account.name == name:
            problem = f"must be yours, and {name} is a reference: it is not mirrored"
            raise InvalidInputError("account", problem, "an account that was added with --own")
    raise missing_account(name)


def _statement(
    account: str, evidence: AccountEvidence, since: datetime | None, until: datetime | None
) -> AccountStatement:
    values = [
        value
        for value in (*_beginning(evidence, since), *evidence.values)
        if (since is None or value.time_ms >= to_micros(since) // 1_000)
        and (until is None or value.time_ms <= to_micros(until) // 1_000)
    ]
    if len(values) < 2:
        return AccountStatement(account, len(values), None)
    from_beginning = values[0].time_ms < evidence.values[0].time_ms
    return AccountStatement(
        account, len(values), explain(evidence, values, from_beginning=from_beginning)
    )


def _beginning(evidence: AccountEvidence, since: datetime | None) -> list[AccountValue]:
    """Return the value of the account before its first row, which is 0; empty if it is not known.

    Rows that the venue did not hand out come before the first one that is known. Such a beginning
    counts only where somebody asks for that time, or where one value is all there is.
    """
    begins_ms = first_ms(evidence)
    if not evidence.values or begins_ms is None or begins_ms > evidence.values[0].time_ms:
        return []
    if evidence.whole_since_ms and since is None and len(evidence.values) > 1:
        return []
    return [
        replace(
            evidence.values[0],
            time_ms=begins_ms - 1,
            perps=_NOTHING,
            unrealised=_NOTHING,
            spot_usdc=_NOTHING,
            positions={},
            tokens={},
        )
    ]
