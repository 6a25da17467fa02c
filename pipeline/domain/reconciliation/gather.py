"""Read what the value of an account follows from."""

from collections.abc import Sequence

from sqlalchemy import Connection

from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.balances import rows as balance_rows
from afterword.pipeline.domain.funding import rows as funding_rows
from afterword.pipeline.domain.reconciliation import rows
from afterword.pipeline.domain.reconciliation.model import AccountEvidence
from afterword.pipeline.domain.transfers import rows as transfer_rows


def gather(
    conn: Connection, account: Account, owned: Sequence[Account], at: int | None
) -> AccountEvidence:
    """Return what is stored of an account.

    Args:
        owned: all accounts of the owner.
        at: as known at a moment (microseconds); now if None.
    """
    covered = balance_rows.covered(conn, account.name, account.address, at)
    transfers = {
        each.name: transfer_rows.transfers(conn, each.name, each.address, at) for each in owned
    }
    return AccountEvidence(
        values=tuple(each.value for each in covered),
        whole_since_ms=covered[-1].whole_since_ms if covered else 0,
        fills=rows.fills(conn, account.name, account.venue, at),
        payments=funding_rows.paid(conn, account.name, account.address, at),
        transfers=transfers.pop(account.name),
        gaps=rows.gaps(conn, account.name, at),
        other_sides={
            name: [each for each in of if each.other_party == account.address]
            for name, of in transfers.items()
        },
    )
