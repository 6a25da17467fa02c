"""What an exchange tells of the account of a key, in the shapes of every other venue."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from typing import Generic, NamedTuple, TypeVar

from afterword.pipeline.domain.accounts.add_exchange import address_of
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.fills.model import EXACT, Fill
from afterword.pipeline.domain.funding.model import FundingPayment
from afterword.pipeline.domain.history.files import FileMark
from afterword.pipeline.domain.venues.ccxt import read_trades
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.exchanges.model import COVERED_EXCHANGES, ExchangePayment
from afterword.pipeline.gateway.http.model import AskFailedError

HistoryRow = TypeVar("HistoryRow", Fill, FundingPayment)


class HistoryPart(NamedTuple, Generic[HistoryRow]):
    """All rows of a span of time; it can be stored by itself.

    Args:
        upto_ms: nothing more is to come up to here, whatever there is later; UTC milliseconds.
        missing_ms: moments of which some rows are missing.
        since_ms: the venue may have had more before this moment, which it tells no longer; 0 where
            it tells all.
    """

    rows: Sequence[HistoryRow]
    upto_ms: int
    missing_ms: Sequence[int] = ()
    since_ms: int = 0


class ExchangeHistory:
    """Reads the history of an account at an exchange; close it when done.

    Reading raises what `ExchangeClient.ask` does.

    Args:
        account: whose key the settings have.

    Raises: see `Exchanges.open`; and
        InvalidInputError: the key in the environment is of another account.
    """

    def __init__(self, exchanges: Exchanges, account: Account) -> None:
        self._account = account
        self._opened = exchanges.open(account.venue, account.name, account.markets)
        address = address_of(account.venue, self._opened.holder)
        if address != account.address:
            self.close()
            problem = f"must be of {account.address}, and the key in the environment is of another"
            raise InvalidInputError("account", problem, "the key of that account")

    @property
    def file(self) -> FileMark:
        """Return a mark of the layout that files of ccxt have: their trades bear the same names."""
        title = COVERED_EXCHANGES[self._account.venue].title
        digest = sha256(f"mirror of {self._account.venue}".encode()).hexdigest()
        return FileMark(digest, "ccxt-trades", f"the mirror of {title}", is_mirror=True)

    def fills(self, start_ms: int, end_ms: int) -> Iterator[HistoryPart[Fill]]:
        """Yield the fills, the oldest part first: a span that the venue grants at a time.

        A fill of a contract that the venue lists no more, so that nobody says how many units it
        has, is left out and counts as missing.
        """
        reader = self._opened.reader
        for part in reader.trades(start_ms, end_ms):
            fills, left_out = read_trades(part.rows, self._account.venue, self._account.name)
            missing = (*part.full_ms, *left_out)
            yield HistoryPart(fills, part.upto_ms, missing, max(0, reader.horizon_ms))

    def payments(self, start_ms: int, end_ms: int) -> Iterator[HistoryPart[FundingPayment]]:
        """Yield the payments of funding, as `fills` does."""
        reader = self._opened.reader
        for part in reader.payments(start_ms, end_ms):
            rows = _summed(part.rows, COVERED_EXCHANGES[self._account.venue].title)
            yield HistoryPart(rows, part.upto_ms, part.full_ms, max(0, reader.horizon_ms))

    def close(self) -> None:
        """Close the connections."""
        self._opened.client.close()


def _summed(rows: Sequence[ExchangePayment], title: str) -> list[FundingPayment]:
    """Return one payment for each market and moment: a long and a short position pay apart."""
    payments: dict[tuple[str, int], FundingPayment] = {}
    for row in rows:
        try:
            amount = Decimal(row.amount)
            position, rate = (None if text is None else Decimal(text) for text in row[3:])
        except (InvalidOperation, TypeError):
            raise AskFailedError(f"{title} sent funding that is no number; try again") from None
        key = (row.symbol, row.time_ms)
        other = payments.get(key)
        if other is not None:
            amount, position = EXACT.add(amount, other.amount), None
        payments[key] = FundingPayment(row.symbol, row.time_ms, amount, position, rate)
    return list(payments.values())
