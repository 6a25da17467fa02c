"""Which column of an unknown table holds what, as its owner says: `time=Date,symbol=Pair,...`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Final

from afterword.pipeline.domain.documents.named import split_parts
from afterword.pipeline.domain.exports.text_form import TextForm
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.moments import read_zone
from afterword.pipeline.rules.tabular.numbers import DecimalMark, read_number
from afterword.pipeline.rules.tabular.stamps import TimeUnit
from afterword.pipeline.rules.tabular.stated import (
    stated_mark,
    stated_time_format,
    stated_unit,
    stated_zone,
)

_SHARED: Final = (
    *("symbol", "qty", "fee", "quote", "kind", "multiplier", "pnl", "account", "status", "sort"),
)
FILL_KEYS: Final = (
    *("time", "side", "price", "total", "without", "base", "fee_token", "order", "id", *_SHARED),
)
CLOSED_KEYS: Final = ("opened", "closed", "direction", "entry", "exit", "net", "funding", "label")
EXCHANGE_KEYS: Final = ("got", "got_coin", "gave", "gave_coin")
"""Of rows that say which amounts changed hands, and neither a market nor a price."""

WORD_KEYS: Final = ("buy", "sell", "short", "cover", "done", "skip", "trade")
"""Words of the columns of sides, of statuses and of sorts: what buys, sells, opens a short, closes
a short; what was executed; rows that are no trades; the sorts of rows that are trades."""

FIXED_KEYS: Final = (
    *("symbol", "quote", "kind", "multiplier", "fee", "fee_token", "direction"),
    *WORD_KEYS,
)
_DIRECTIONS: Final = ("long", "short")
MARKET_KINDS: Final = ("spot", "perp", "future", "option", "stock", "forex", "cfd")
CURRENCY: Final = "CURRENCY"
"""Stands in a proposal for what only the owner of a file knows."""

COLUMN_KEYS: Final = (*FILL_KEYS, *CLOSED_KEYS, *EXCHANGE_KEYS)
_EXAMPLE: Final = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"


@dataclass(frozen=True, slots=True)
class MappedProgram:
    """The program that writes a table, where a layout file says it.

    Args:
        name: of the layout: `kucoin-fills`.
        venue: accounts are named by it.
        title: what the program calls the export.
        header: columns by which the table is recognised.
        reasons: why rows are left out, by the words of `skip`; small letters.
        currencies: codes of currencies, by the words that its tables have for them.
        kinds: kinds of markets, by the words that its tables have for them; small letters.
    """

    name: str = "columns"
    venue: str = "csv"
    title: str = "Columns as named"
    header: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    currencies: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Where an unknown table holds what a trade consists of.

    Args:
        columns: key to the name of a column, or `#3` for the third one.
        fixed: key to a value that holds for all rows: `quote` to `USDT`; `buy`, `sell` and `skip`
            to words of the columns of sides and statuses, parted by `|`.
        signs: `-` for `fee` and `funding` where a negative number was paid, `+` where it was a
            rebate; a column of fees that are all negative is refused without it.
        zone: of times that say none, as written; None if nobody said.
        time_unit: of times that are numbers; None finds it by their digits.
        mark: decimal mark; None finds it by the numbers of the file.
        time_format: `dmy`, `mdy`, `ymd` or a pattern of `strptime`; None finds it.
        program: whose table it is, as far as a layout file says it.
        texts: forms of cells that hold several keys, by column.
    """

    columns: Mapping[str, str]
    fixed: Mapping[str, str] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)
    zone: str | None = None
    time_unit: TimeUnit | None = None
    mark: DecimalMark | None = None
    time_format: str | None = None
    program: MappedProgram = MappedProgram()
    texts: Mapping[str, TextForm] = field(default_factory=dict)

    @classmethod
    def parse(
        cls,
        columns: str,
        *,
        zone: str | None = None,
        time_unit: str | None = None,
        decimal: str | None = None,
        time_format: str | None = None,
    ) -> "ColumnMapping":
        """Return the mapping written in options of a command.

        Args:
            columns: `key=Column` names a column, `key=-Column` one with the opposite sign,
                `key:value` holds for all rows; parted by commas. A part with a comma is quoted:
                `"fee=Fee, USD"`.

        Raises:
            InvalidInputError: a part or an option cannot be read, or a key is missing.
        """
        named: dict[str, str] = {}
        fixed: dict[str, str] = {}
        signs: dict[str, str] = {}
        for part in split_parts(columns, _EXAMPLE):
            key, sign, value = _split(part)
            if key in named or key in fixed:
                raise InvalidInputError("columns", f"{key} is given twice", "each key once")
            if sign == ":":
                fixed[key] = checked_value(key, value)
            else:
                named[key], sign_of = without_sign(key, value)
                signs |= {key: sign_of} if sign_of else {}
        stated_zone(zone)
        mapping = cls(
            named,
            fixed,
            signs,
            zone,
            stated_unit(time_unit),
            stated_mark(decimal),
            stated_time_format(time_format),
        )
        mapping.check_keys()
        return mapping

    @property
    def is_exchange(self) -> bool:
        """Tell a mapping of rows in which two amounts changed hands."""
        return "got" in self.columns or "gave" in self.columns

    @property
    def is_closed(self) -> bool:
        """Tell a mapping of closed trades from one of fills."""
        return "closed" in self.columns

    def text(self) -> str:
        """Return the columns as `parse` reads them."""
        parts = [f"{key}={self.signs.get(key, '')}{name}" for key, name in self.columns.items()]
        return quoted_columns([*parts, *(f"{key}:{word}" for key, word in self.fixed.items())])

    def zone_of_times(self) -> tzinfo | None:
        """Return the zone of times that say none; None if nobody said it."""
        return read_zone(self.zone) if self.zone else None

    def words(self, key: str) -> frozenset[str]:
        """Return the words that a key of `WORD_KEYS` holds, in small letters."""
        return frozenset(word.strip().lower() for word in self.fixed.get(key, "").split("|")) - {""}

    def check_keys(self) -> None:
        """Refuse a mapping that lacks a key, or has keys of another form of table.

        Raises:
            InvalidInputError: it does.
        """
        here = {*self.columns, *self.fixed}
        if self.is_exchange:
            needed: tuple[str, ...] = ("time", "got", "gave")
            strange = here & {*CLOSED_KEYS, "symbol", "base", "qty", "price", "total", "multiplier"}
            strange |= here & {"pnl", "without"}
            of = "exchanges"
        elif self.is_closed:
            needed = ("closed", "qty")
            if not here & {"net", "pnl"}:
                needed += ("entry", "exit")
            strange = here & {"time", "side", "price", "total", "without", "base", "order"}
            strange |= here & {"fee_token"}
            of = "closed trades"
        else:
            needed, of = ("time", "qty", "total" if "total" in here else "price"), "fills"
            strange = here & {*CLOSED_KEYS, *(["price"] if "total" in here else [])}
        if missing := [key for key in needed if key not in self.columns]:
            accepted = (
                f"--columns {_EXAMPLE}; of closed trades closed=, qty= and net= or pnl=; of "
                "exchanges time=, got= and gave="
            )
            raise InvalidInputError("columns", f"of {of} lack {', '.join(missing)}", accepted)
        if ("sort" in self.columns) != ("trade" in self.fixed):
            accepted = "sort=COLUMN with trade:WORD, the sorts of rows that are trades"
            raise InvalidInputError("columns", f"of {of} name one of sort and trade", accepted)
        if "without" in here and "total" not in here:
            raise InvalidInputError("columns", f"of {of} hold without", "without= beside total=")
        if strange:
            accepted = "closed= for closed trades, got= for exchanges, time= and qty= for fills"
            problem = f"of {of} hold {', '.join(sorted(strange))}"
            raise InvalidInputError("columns", problem, accepted)


def quoted_columns(parts: Iterable[str]) -> str:
    """Return parts of a mapping as one text that `ColumnMapping.parse` reads."""
    return ",".join(_quoted(part) for part in parts)


def _split(part: str) -> tuple[str, str, str]:
    places = [place for place in (part.find("="), part.find(":")) if place > 0]
    place = min(places, default=0)
    key, sign, value = part[:place].strip(), part[place : place + 1], part[place + 1 :].strip()
    known = FIXED_KEYS if sign == ":" else COLUMN_KEYS
    if key not in known or not value:
        kind = f"{key}:value" if sign == ":" else "key=Column"
        accepted = f"{kind} with a key of {', '.join(dict.fromkeys(known))}"
        raise InvalidInputError("columns", f"cannot read {shown(part)}", accepted)
    return key, sign, value


def without_sign(key: str, value: str) -> tuple[str, str]:
    """Return a column and the sign before its name, of keys that have one: `fee=-Commission`."""
    if key in ("fee", "funding") and value[:1] in "+-" and len(value) > 1:
        return value[1:], value[0]
    return value, ""


def checked_value(key: str, value: str) -> str:
    """Return a value that holds for all rows.

    Raises:
        InvalidInputError: the key cannot have it.
    """
    if mask(value) != value:
        raise InvalidInputError("columns", f"{key} holds a secret", "words of the file's columns")
    if key == "kind" and value not in MARKET_KINDS:
        raise InvalidInputError("columns", f"kind is {value!a:.20}", ", ".join(MARKET_KINDS))
    if key == "multiplier" and (not value.replace(".", "", 1).isdecimal() or not float(value)):
        raise InvalidInputError("columns", f"multiplier is {value!a:.20}", "a number above 0: 100")
    if key == "quote" and value == CURRENCY:
        raise InvalidInputError("columns", "quote is not said yet", "the currency: quote:EUR")
    if key == "direction" and value not in _DIRECTIONS:
        raise InvalidInputError("columns", f"direction is {value!a:.20}", " or ".join(_DIRECTIONS))
    if key == "fee" and read_number(value) is None:
        raise InvalidInputError("columns", f"fee is {value!a:.20}", "what each row cost: fee:0")
    return value


def _quoted(part: str) -> str:
    if "," in part or '"' in part or part != part.strip():
        return '"' + part.replace('"', '""') + '"'
    return part
