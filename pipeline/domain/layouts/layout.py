"""What a layout is: how a file is recognised, and what its reader yields."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, tzinfo
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill
from afterword.pipeline.domain.spot.model import ETHEREUM, SpotActivity
from afterword.pipeline.rules.tabular.numbers import DecimalMark
from afterword.pipeline.rules.tabular.stamps import TimeUnit
from afterword.pipeline.rules.tabular.unsaid import DAY, MARKET, ZONE, ask_for


class LeftOut(NamedTuple):
    """A row that is no trade, or part of one that was read elsewhere.

    Args:
        reason: two or three words, equal for all rows of a sort: `funding`, `cancelled order`.
        split: of a row that changes the units of a share.
    """

    line: int
    reason: str
    split: "ShareSplit | None" = None


class ShareSplit(NamedTuple):
    """A moment at which the units of a share changed, in an account that held it.

    Args:
        ratio: new units for one old one, where the row says it.
        added: units that came to those held, where the row says that.
    """

    account: str
    symbol: str
    time_ms: int
    ratio: Fraction | None = None
    added: Decimal | None = None


Item = Fill | ClosedTrade | SpotActivity | LeftOut


def line_of(item: Item) -> int:
    """Return the line an item begins at, to bring items back into the order of their file."""
    return item.line


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a file comes from, as far as its reader must know.

    Args:
        name: the file's name, printable.
        account: name of the account in the store.
        zone: of moments that the file does not place; None if nobody said.
        symbol: market of a file that names none; None if nobody said.
        time_unit: of times that are numbers; None if nobody said.
        time_format: `dmy`, `mdy`, `ymd` or a pattern of `strptime`; None if nobody said.
        mark: decimal mark of numbers; None if nobody said.
        contract_sizes: units of one contract by market, where a file counts contracts only.
        chain: of the transactions of a wallet, where its file names none.
        day: of times without a date; None if nobody said.
    """

    name: str
    account: str
    zone: tzinfo | None = None
    symbol: str | None = None
    time_unit: TimeUnit | None = None
    time_format: str | None = None
    mark: DecimalMark | None = None
    contract_sizes: Mapping[str, Decimal] = field(default_factory=dict)
    chain: str = ETHEREUM
    day: date | None = None

    def account_of(self, slot: str) -> str:
        """Return the name of an account below this one; this one for an empty slot."""
        return f"{self.account}/{slot}" if slot else self.account

    def zone_or_refuse(self) -> tzinfo:
        """Return the zone of moments that the file does not place.

        Raises:
            InvalidInputError: nobody said it.
        """
        if self.zone is None:
            raise ask_for(self.name, ZONE)
        return self.zone

    def day_or_refuse(self, *, needs_zone: bool) -> date:
        """Return the day of times without a date.

        Args:
            needs_zone: the zone of its times must be said too; both are asked for at once.

        Raises:
            InvalidInputError: nobody said it.
        """
        if self.day is None:
            zone = [ZONE] if needs_zone and self.zone is None else []
            raise ask_for(self.name, DAY, *zone)
        return self.day

    def symbol_or_refuse(self, *, needs_zone: bool) -> str:
        """Return the market of a file that names none.

        Args:
            needs_zone: the zone of its times must be said too; both are asked for at once.

        Raises:
            InvalidInputError: nobody said it.
        """
        if self.symbol is None:
            zone = [ZONE] if needs_zone and self.zone is None else []
            raise ask_for(self.name, *zone, MARKET)
        return self.symbol


def account_names(ids: Iterable[str], origin: Origin) -> Callable[[str], str]:
    """Return what names the account of a row by the broker's id of it.

    A file of one account keeps the name the user gave; of several each gets a name below it, so
    that their positions are not added up.
    """
    several = len({name for name in ids if name}) > 1
    return lambda name: origin.account_of(name if several else "")


@dataclass(frozen=True, slots=True)
class Layout:
    """One way in which one program lays out its export.

    Args:
        name: `binance-futures-trades`; unique.
        venue: `binance`; empty where the rows tell their own. Accounts are named by it.
        title: what the venue calls the export: `Binance futures, Trade History`.
        columns: the header in its order where the layout is a sheet, else empty; for messages.
        recognises: says whether a document is of this layout; looks at `head` only.
        read: yields the items of the document, in the order of the file.
        is_of_wallet: whether it holds what a wallet did on chains, which makes no round trips.
        has_alternatives: whether its accounts are strategies tried on the same money: each is a
            result of its own, and they are never added up.
        is_by_columns: whether it is described by its columns alone, so that a table which a
            spreadsheet saved without seconds is of the layout too.
    """

    name: str
    venue: str
    title: str
    columns: tuple[str, ...]
    recognises: Callable[[Document], bool]
    read: Callable[[Document, Origin], Iterator[Item]]
    is_of_wallet: bool = False
    has_alternatives: bool = False
    is_by_columns: bool = False
