"""One row of a table whose columns its owner named, by the keys of the mapping."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple, cast

from afterword.pipeline.domain.documents.cells import Cells
from afterword.pipeline.domain.exports.currency import currency_of, names_currency
from afterword.pipeline.domain.exports.mapped_table import MappedTable, parts_of
from afterword.pipeline.domain.exports.mapping import MARKET_KINDS
from afterword.pipeline.domain.exports.money import (
    amount_of,
    is_currency,
    is_priced_in,
    only_meaning,
)
from afterword.pipeline.domain.exports.status_words import BLANK, EXECUTED, VOID
from afterword.pipeline.domain.fills.model import EXACT, MarketKind
from afterword.pipeline.domain.layouts.layout import LeftOut, Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.symbols import is_listed_future, parse_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF, EXCHANGES
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.numbers import (
    DecimalMark,
    is_blank,
    is_plain_number,
    read_number,
)
from afterword.pipeline.rules.tabular.sheet import Row

SYMBOL: Final = re.compile(r"[\w@#$^/.-][\w@#$^/.:+ &-]{0,63}")
_TICKER: Final = re.compile(r"\w.{0,200} \(([A-Z0-9.]{1,12})\)")
"""A name with the ticker behind it: `Some ETF (ABC)`."""

_PERP: Final = re.compile(r"PERP|SWAP|\.P$|/[A-Z]+:[A-Z]+$", re.IGNORECASE)
_CONTRACTS: Final = ("future", "option")
_LOT: Final = re.compile(r"\blots?\b", re.IGNORECASE)
_EXECUTIONS: Final = re.compile(r"\b(?:filled|executed|exec|cum)\b", re.IGNORECASE)
_NO_MARKETS: Final = (EXCHANGES - {"SP", "DJ", "I", "CME", "CBOE", "OTC"}) | {
    *("LSE", "XETRA", "ASX", "TSX", "EURONEXT", "BINANCE", "KRAKEN", "BYBIT", "COINBASE", "HKEX"),
}
"""Exchanges that are no market of their own; a company or a coin has some of the other names."""

_ZERO: Final = Decimal(0)
_ONE: Final = Decimal(1)


def _number_in(text: str, mark: DecimalMark) -> Decimal | None:
    if mark == "." and is_plain_number(text):
        return Decimal(text)
    amount = amount_of(text)
    return None if amount.is_scaled else read_number(amount.number, mark)


_part_in = lru_cache(maxsize=4_096)(_number_in)
"""Fees of one sort repeat their numbers."""


@lru_cache(maxsize=4_096)  # thousands of rows name one market
def _is_name(symbol: str) -> bool:
    return SYMBOL.fullmatch(symbol) is not None


@lru_cache(maxsize=4_096)
def _unit_counted(symbol: str, kind: str, column: str, unit: str) -> str:
    """Return what a quantity counts where that is not the thing itself; else empty."""
    if kind in _CONTRACTS or (not kind and is_listed_future(symbol)):
        return "contract"
    counted = f"{column} {unit}".replace("_", " ")
    return "lot" if kind != "stock" and _LOT.search(counted) else ""


class MappedRow(NamedTuple):
    """One row by the keys of the mapping.

    Args:
        texts: what it holds by key, and what holds for all rows.
    """

    mapped: MappedTable
    row: Row
    cells: Cells
    origin: Origin
    texts: dict[str, str]

    def has(self, key: str) -> bool:
        """Tell whether the mapping names a column or a value for a key."""
        return key in self.mapped.table.at or key in self.mapped.mapping.fixed

    def text(self, key: str) -> str:
        """Return what the row holds under a key, or what holds for all rows; empty if nothing."""
        return self.texts.get(key, "")

    def number(self, key: str) -> Decimal:
        """Return the number of a cell, without the unit before or behind it."""
        return self._number(key, self.text(key))

    def number_or_none(self, key: str) -> Decimal | None:
        """Return the number of a cell; None for an empty one."""
        return None if is_blank(self.text(key)) else self.number(key)

    def size(self) -> Decimal:
        """Return the quantity, with its sign."""
        return self.number("qty")

    def fee(self) -> Decimal | None:
        """Return what it cost, all columns of fees together; None if they are all empty."""
        return self._sum("fee")

    def beside(self) -> Decimal:
        """Return what a total holds beside the worth of the units: fees and taxes."""
        return self._sum("without") or _ZERO

    def fee_token(self, quote: str) -> str:
        """Return what the fee was paid in, where its cell or a column says so; else empty.

        Raises:
            InvalidInputError: its columns are in several currencies.
        """
        if token := self.text("fee_token"):
            return token
        if "fee" not in self.mapped.table.at:
            return ""
        by_name = self.mapped.units.get("fee", "")
        is_one = "fee" in self.mapped.single
        parts = [self.text("fee")] if is_one else parts_of(self.mapped.table, self.row, "fee")
        if not by_name and all(map(is_plain_number, parts)):
            return ""
        units = {amount_of(part).unit or by_name for part in parts if not is_blank(part)}
        if len(units) > 1:
            raise self.refusal("fee", "fees in one currency")
        unit = units.pop() if units else ""
        if not unit or is_priced_in(unit, quote):
            return ""
        meaning = only_meaning(unit)
        if meaning is None:
            raise self.refusal("fee", "a fee with the code of its currency, or fee_token:CODE")
        return meaning

    def moment(self, key: str) -> datetime:
        """Return the moment of a cell, aware UTC."""
        text, timing, zone = self.text(key), self.mapped.timings[key], self.mapped.zone
        moment = timing.read(text, zone)
        if moment is None:
            name = f"{self.cells.name}: line {self.row.line}, column {mask(self._column(key))}"
            accepted = "one as in the rows before, or --zone, --time-unit, --time-format"
            problem = timing.problem(text, zone, shown(text, label=key))
            raise InvalidInputError(name, problem, accepted)
        return moment

    def is_timed(self) -> bool:
        """Tell whether the row says when it happened."""
        key = "closed" if self.mapped.mapping.is_closed else "time"
        return self.mapped.timings[key].read(self.text(key), self.mapped.zone or UTC) is not None

    def is_day(self, *keys: str) -> bool:
        """Tell whether one of these moments is a day without a time; an empty one is none."""
        timings = self.mapped.timings
        for key in keys:
            text = self.text(key)
            if not is_blank(text) and timings[key].is_day(text):
                return True
        return False

    def symbol(self) -> str:
        """Return the name of the market.

        Raises:
            InvalidInputError: it cannot be one, or is that of an exchange.
        """
        symbol = self.text("symbol") if self.has("symbol") else self._market_of_units()
        if not _is_name(symbol) and (ticker := _TICKER.fullmatch(symbol)):
            symbol = ticker[1]
        if not _is_name(symbol):
            raise self.refusal("symbol", "the name of a market, such as BTCUSDT")
        if symbol.upper() in _NO_MARKETS:
            raise self.refusal("symbol", "the name of a market, not of the exchange")
        return symbol

    def kind(self, symbol: str) -> MarketKind:
        """Return what a position in the market is."""
        kind = self.text("kind").lower()
        kind = self.mapped.mapping.program.kinds.get(kind, kind)
        if not kind:
            return "perp" if _PERP.search(symbol) else "spot"
        if kind not in MARKET_KINDS:
            accepted = (*MARKET_KINDS, *self.mapped.mapping.program.kinds)
            raise self.refusal("kind", ", ".join(accepted))
        return cast(MarketKind, kind)

    def multiplier(self, symbol: str, *, is_needed: bool) -> Decimal:
        """Return how many units of price one of the quantity is.

        Args:
            is_needed: whether a profit is computed with it.

        Raises:
            InvalidInputError: nobody said it, and the market is one of contracts or lots.
        """
        multiplier = self.number_or_none("multiplier")
        if multiplier is not None and multiplier <= 0:
            raise self.refusal("multiplier", "a number above 0")
        if multiplier is None:
            multiplier = self.origin.contract_sizes.get(symbol)
        if multiplier is None and is_needed and (unit := self._counted(symbol)):
            place = f"{self.cells.name}: line {self.row.line}"
            problem = f"does not say how many units of price one {unit} of {shown(symbol)} is"
            accepted = (
                f"--contract-size {mask(symbol)[:40]}=SIZE; multiplier=COLUMN, or for all rows "
                "multiplier:SIZE, in --columns; kind:stock where it is a share"
            )
            raise InvalidInputError(place, problem, accepted)
        return _ONE if multiplier is None else multiplier

    def quote(self, symbol: str) -> str:
        """Return the currency of the market's prices, one for all rows of a market.

        Raises:
            InvalidInputError: nothing says it, or two things say it differently.
        """
        mapped = self.mapped
        stated = mapped.mapping.program.currencies.get(self.text("quote"), self.text("quote"))
        units = {unit for key in mapped.money if (unit := self._unit(key))}
        known = mapped.quotes.get((self.text("account"), symbol))
        if known is not None and not units and not stated:
            return known
        named = stated or (currency_of(symbol) if names_currency(symbol) else "")
        if named:
            if odd := [unit for unit in units if not is_priced_in(unit, named)]:
                raise self._two_currencies(symbol, named, odd[0])
            quote: str | None = named
        elif units:
            meant = {only_meaning(unit) for unit in units}
            if len(meant) > 1:
                raise self._two_currencies(symbol, *sorted(units)[:2])
            quote = meant.pop()
        else:
            others = {unit for unit in mapped.others if not is_priced_in(unit, "USD")}
            is_unsaid = mapped.is_of_abroad and not names_currency(symbol)
            quote = None if others or is_unsaid else currency_of(symbol)
        if quote is None:
            name = f"{self.cells.name}: line {self.row.line}"
            problem = f"does not say in which currency {shown(symbol)} is priced"
            accepted = "quote=COLUMN or, for all rows, quote:USD in --columns"
            raise InvalidInputError(name, problem, accepted)
        before = mapped.quotes.setdefault((self.text("account"), symbol), quote)
        if before != quote:
            raise self._two_currencies(symbol, before, quote)
        return quote

    def check_quantity(self, symbol: str, quote: str) -> None:
        """Refuse an amount of money as a quantity: 100 USDT of SOL are not 100 SOL.

        Raises:
            InvalidInputError: the cell, or the name of its column, says the quote.
        """
        unit = amount_of(self.text("qty")).unit or self.mapped.units.get("qty", "")
        if not unit or symbol.upper().startswith(unit.upper()):
            return
        is_other = unit in CLASS_OF and parse_symbol(unit).key != parse_symbol(symbol).key
        if unit.upper() == quote.upper() or is_currency(unit) or is_other:
            raise self.refusal("qty", f"units of {mask(symbol)[:40]}, not an amount of money")

    def void_status(self) -> str | None:
        """Return the status of a row that was not executed; None of one that counts.

        Raises:
            InvalidInputError: the status says neither, or no key names its column.
        """
        words, table = self.mapped.words, self.mapped.table
        if "status" not in table.at:
            cells = self.cells.cells
            for place in self.mapped.statuses:
                if cells[place] and cells[place].lower() not in EXECUTED:
                    raise self._unnamed_status(place)
            unnamed = [cells[place].lower() for place in self.mapped.unnamed]
            if not VOID.isdisjoint(unnamed):
                at = next(at for at, text in enumerate(unnamed) if text in VOID)
                raise self._unnamed_status(self.mapped.unnamed[at])
            return None
        word = self.text("status").lower() or BLANK
        if word in words["done"]:
            return None
        if word in words["skip"]:
            return word
        if word in EXECUTED:
            return None
        if word in VOID:
            column = self._column("qty")
            if not _EXECUTIONS.search(column.replace("_", " ")) or not self.number_or_none("qty"):
                return word
        given = mask(self.text("status"))[:40] or BLANK
        accepted = f"done:{given} where such rows were executed, skip:{given} where not"
        raise self.refusal("status", f"{accepted}, in --columns")

    def is_of_other_sort(self) -> bool:
        """Tell a row of a sort that is no trade, where a column names the sorts."""
        words = self.mapped.words["trade"]
        return bool(words) and self.text("sort").lower() not in words

    def is_skipped(self, key: str) -> bool:
        """Tell whether the mapping leaves out rows that have this word under a key."""
        return self.text(key).lower() in self.mapped.words["skip"]

    def left_out(self, word: str) -> LeftOut:
        """Return what leaves the row out, with the reason that a layout file gives for its word."""
        word = word.lower()
        return LeftOut(self.row.line, self.mapped.mapping.program.reasons.get(word, word)[:40])

    def account(self) -> str:
        """Return the name of the account that the row is of."""
        return self.origin.account_of(self.text("account"))

    def refusal(self, key: str, accepted: str) -> InvalidInputError:
        """Return the error that refuses a cell, with its line and column."""
        if is_blank(self.text(key)) and key in ("time", "closed", "qty", "price", "side"):
            accepted += "; skip:blank in --columns leaves such rows out"
        return self.cells.refusal(self._column(key), accepted)

    def _market_of_units(self) -> str:
        """Return the market of a table that names none: `1.5 ETH` at `2214 EUR` is ETH/EUR."""
        base, quote = (amount_of(self.text(key)).unit for key in ("qty", "price"))
        if self.origin.symbol is None and base and quote and base not in (quote, "$"):
            return f"{base}/{quote}"
        return self.origin.symbol_or_refuse(needs_zone=False)

    def _number(self, key: str, text: str) -> Decimal:
        number = _number_in(text, self.mapped.mark)
        if number is None:
            raise self._no_number(key)
        return self._signed(key, number)

    def _no_number(self, key: str) -> InvalidInputError:
        return self.refusal(key, f"a number, with the decimal mark {self.mapped.mark}")

    def _signed(self, key: str, number: Decimal) -> Decimal:
        return -number if self.mapped.mapping.signs.get(key) == "-" else number

    def _sum(self, key: str) -> Decimal | None:
        """Return the numbers of all columns of a key together; None if they are all empty."""
        if key not in self.mapped.table.at or key in self.mapped.single:
            return self.number_or_none(key)
        mark = self.mapped.mark
        total: Decimal | None = None
        for part in parts_of(self.mapped.table, self.row, key):
            if is_blank(part):
                continue
            number = _part_in(part, mark)
            if number is None:
                raise self._no_number(key)
            total = number if total is None else EXACT.add(total, number)
        return None if total is None else self._signed(key, total)

    def _unit(self, key: str) -> str:
        """Return the currency of an amount, by its cell, else by the name of its column."""
        text = self.text(key)
        if is_blank(text):
            return ""
        unit = "" if is_plain_number(text) else amount_of(text).unit
        if unit and not is_currency(unit) and not (unit.isupper() and 3 <= len(unit) <= 5):
            raise self.refusal(key, "a number, with the code of its currency or without a unit")
        return unit or self.mapped.units.get(key, "")

    def _counted(self, symbol: str) -> str:
        unit = amount_of(self.text("qty")).unit
        return _unit_counted(symbol, self.text("kind").lower(), self._column("qty"), unit)

    def _column(self, key: str) -> str:
        return self.mapped.mapping.columns.get(key, key)

    def _two_currencies(self, symbol: str, one: str, other: str) -> InvalidInputError:
        place = f"{self.cells.name}: line {self.row.line}"
        problem = f"prices {shown(symbol)} in {shown(one)} and in {shown(other)}"
        return InvalidInputError(place, problem, "one currency for a market, in a file of its own")

    def _unnamed_status(self, place: int) -> InvalidInputError:
        name, word = self.mapped.names[place], self.cells.cells[place]
        place_of = f"{self.cells.name}: line {self.row.line}, column {mask(name)}"
        accepted = f"status={mask(name)} in --columns; with done:{word} too such rows count"
        return InvalidInputError(place_of, f"is {shown(word)}", accepted)
