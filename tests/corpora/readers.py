"""The readers of foreign text, found in the program itself, and the repeated texts that slow one.

A reader whose time is quadratic needs a minute for what a stranger sends in a second. Nobody lists
the readers: each function of one text and each regular expression of the program is one.
"""

import csv
import importlib
import inspect
import io
import json
import pkgutil
import re
import string
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from time import process_time
from types import ModuleType
from typing import Any, Final, NamedTuple

import afterword.pipeline
import afterword.schedules
import afterword.workers
from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.exports.read import known_layouts, layout_of
from afterword.pipeline.domain.exports.refusal import unknown_layout
from afterword.pipeline.domain.layouts.layout import Layout, Origin
from afterword.pipeline.domain.prices.csv_file import read_prices
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.expression import LazyPattern

Read = Callable[[str], object]

TIMES: Final = 4
"""How much longer the second text of a pair is."""

MOST_GROWTH: Final = 8.0
"""A linear reader takes `TIMES` as long for it, a quadratic one 16 times."""

_QUICK_S: Final = 0.001
"""What takes less is not measured again: of two thousand characters, nothing quadratic does."""

_TRIES: Final = 6

_FLOORS: Final = ("rules", "domain", "recall", "operations", "gateway")
"""Where texts of others are read; the doors only hand them on."""

_OWN_ROWS: Final = (
    "pipeline.domain.decisions.lesson_sets.read_set",
    "pipeline.domain.trips.row_values.amount_of",
    "pipeline.domain.trips.row_values.amounts_of",
    "pipeline.domain.trips.row_values.flags_of",
    "pipeline.domain.methodologies.checks.phases_of",
    "pipeline.domain.patterns.numbers.read_numbers",
    "pipeline.operations.replay.loop.decision_row",
)
"""Functions that decode what the program itself stored, checked."""

_OF_SHORT_WORDS: Final = (
    "pipeline.rules.text.base58.checked",
    "pipeline.rules.text.base58.decoded",
)
"""Functions that are not linear; who calls them bounds the word, and is measured."""

_OF_SHORT_TEXTS: Final = {
    "pipeline.operations.replay.digest._NESTED": "it is shown the columns that its module names",
    "pipeline.domain.prices.names._FORMS": "`read_name` bounds a file name to 255 characters",
    "pipeline.rules.masking.evm._CUE": "`mask` shows it the 110 characters before a number",
    "pipeline.rules.market.symbols._PERP": "`parse_symbol` bounds the name of a market",
}
"""Expressions that are not linear, by what bounds their texts; that function is measured."""

_MARKS: Final = (*string.punctuation, *" \n\t\r\0", "a", "A", "1", "é", "й", "中", "か", "한", "ไ")
_SIGNS: Final = ("😀", "\u200b", "\u200d", "\u0301", "\u202e", "\ufdfa", "½", "１", "𝐚", "а")
_PAIRS: Final = (
    *("a ", "a. ", "A ", "1 ", "1.", "1,", ",1", "-a", "_a", "a1", "aA", "A1", "ab1-", "a/", "a:"),
    *("((", "[[", "{{", "<<", "<!--", "<a ", "<|", "](", "://", "a://", "a@", "a@b.", "&#", "&lt;"),
    *("%41", "\\u0041", "\\x41", "=41", "0x", "0xab", "##", "## ", "\n\n", "\r\n", "\n ", " \n"),
    *("a=", "a: ", '"a', '" ', "'s ", "``", "`a", "**", "- ", "* ", "> ", "| ", "...", "--", "$1"),
    *("-----BEGIN ", "-----END ", "BEGIN PRIVATE KEY", "key: ", "password ", "seed phrase ", "sk-"),
    *("abandon ", "eyJ", "eyJ.", "AKIA", "xprv", "user:pass@", "hooks.slack.com/", "-u ", "=="),
    *("and ", "not ", "or ", "OR ", "NOT ", "the ", "I ", "you ", "ignore ", "system ", "system: "),
    *("BTC ", "BTC/", "BTC-", "$BTC ", "long ", "buy ", "sold ", "2024-01-01 ", "10:00 ", "last "),
    *("Aа", "aa\u200b", "中 ", "中1", "5x ", "1e5", "1.000", "1,000", "10% ", "a\u0301", "it's "),
)

GENERIC: Final = (*_MARKS, *_SIGNS, *_PAIRS)
"""What any text may repeat."""


class Expression(NamedTuple):
    """A regular expression of the program.

    Args:
        uses: the methods it is called by, such as `fullmatch`.
    """

    pattern: re.Pattern[str]
    uses: frozenset[str]

    def read(self, text: str) -> None:
        """Use it as the program does."""
        if "fullmatch" in self.uses:
            self.pattern.fullmatch(text)
        if "match" in self.uses:
            self.pattern.match(text)
        if "search" in self.uses:
            self.pattern.search(text)
        if "finditer" in self.uses:
            for _ in self.pattern.finditer(text):
                pass


def functions() -> dict[str, Read]:
    """Return each public function of the pipeline that takes one text, by its name."""
    return {
        name: _drained(value)
        for module in _modules(afterword.pipeline)
        for name, value in _public(module)
        if name.split(".")[1] in _FLOORS
        and name not in (*_OWN_ROWS, *_OF_SHORT_WORDS)
        and _takes_one_text(value)
    }


def expressions() -> dict[str, Expression]:
    """Return each regular expression that a module of the program holds, by its name."""
    found: dict[str, Expression] = {}
    known: set[tuple[str, int]] = set()
    for package in (afterword.pipeline, afterword.workers, afterword.schedules):
        for module in _modules(package):
            source = inspect.getsource(module)
            for name, value in list(vars(module).items()):
                place = f"{_short(module)}.{name}"
                patterns = () if place in _OF_SHORT_TEXTS else tuple(_patterns(value))
                uses = _uses(source, name) if patterns else frozenset()
                for number, pattern in enumerate(patterns):
                    if (pattern.pattern, pattern.flags) not in known:
                        known.add((pattern.pattern, pattern.flags))
                        found[f"{place}[{number}]"] = Expression(pattern, uses)
    return found


def tokens_of(pattern: re.Pattern[str]) -> list[str]:
    """Return texts made of an expression's own parts: what it begins with, and each part alone."""
    return list(dict.fromkeys(filter(None, _parts(parser.parse(pattern.pattern, pattern.flags)))))


def spread(tokens: Sequence[str], count: int) -> Sequence[str]:
    """Return so many tokens at equal distances, the first one included."""
    return tokens[:: max(1, -(-len(tokens) // count))]


def repeated(token: str, size: int, end: str = "") -> str:
    """Return a text of so many characters that repeats a token."""
    return (token * (size // len(token) + 1))[:size] + end


def growth(read: Read, text_of: Callable[[int], str], size: int) -> float:
    """Return how much longer a text of `TIMES` the size takes to read; 0.0 where it is quick.

    The shortest of several measurements counts, of texts that differ a little: a reader may have
    kept its answer.
    """
    least_small = least_large = found = float("inf")
    for number in range(_TRIES):
        least_large = min(least_large, _seconds(read, text_of(TIMES * (size + number))))
        if least_large < _QUICK_S:
            return 0.0
        least_small = min(least_small, _seconds(read, text_of(size + number)))
        found = least_large / max(least_small, 1e-6)
        if found < MOST_GROWTH:
            break
    return found


def _seconds(read: Read, text: str) -> float:
    began = process_time()
    with suppress(PipelineError, ExceptionGroup, ValueError, LookupError, RecursionError):
        read(text)
    return process_time() - began


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if ".testing" not in found.name and not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _short(module: ModuleType) -> str:
    return module.__name__.removeprefix("afterword.")


def _public(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, value in vars(module).items():
        is_own = getattr(value, "__module__", None) == module.__name__
        if is_own and not name.startswith("_") and inspect.isfunction(inspect.unwrap(value)):
            yield f"{_short(module)}.{name}", value


def _takes_one_text(function: Callable[..., Any]) -> bool:
    given = list(inspect.signature(inspect.unwrap(function)).parameters.values())
    needed = [
        one
        for one in given
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    return len(needed) == 1 and needed[0] is given[0] and needed[0].annotation is str


def _drained(function: Callable[..., Any]) -> Read:
    def read(text: str) -> None:
        found = function(text)
        if inspect.isgenerator(found):
            for _ in found:
                pass

    return read


def _patterns(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, LazyPattern):
        value = value.compiled()
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth < 3 and isinstance(value, dict):
        for one in value.values():
            yield from _patterns(one, depth + 1)
    elif depth < 3 and isinstance(value, tuple | list):
        for one in value:
            yield from _patterns(one, depth + 1)


def _uses(source: str, name: str) -> frozenset[str]:
    """Return the methods by which a module uses an expression, itself or as one of a loop's."""
    methods = "fullmatch|match|search|finditer|findall|sub|subn"
    called = set(re.findall(rf"\b{name}(?:\[[^\]]*\])?\.({methods}|split)\b", source))
    called = called or set(re.findall(rf"\b(?!re\b)[a-z]\w*\.({methods})\(", source))
    direct = called & {"fullmatch", "match", "search"}
    return frozenset(direct if called and called == direct else direct | {"finditer"})


def _parts(items: Any) -> Iterator[str]:
    """Yield a sample of an expression's beginning up to each part, and of the part alone."""
    for place, (code, value) in enumerate(items):
        yield _sample(items[: place + 1])
        yield _sample(items[place : place + 1])
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from _parts(value[2])
        elif code is codes.SUBPATTERN:
            yield from _parts(value[3])
        elif code is codes.ATOMIC_GROUP:
            yield from _parts(value)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _parts(value[1])
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from _parts(branch)
        elif code is codes.IN:
            yield from (_of_set([one]) for one in value)


def _sample(items: Any) -> str:
    """Return a text that a part matches, what may be left out included."""
    found = []
    for code, value in items:
        if code is codes.LITERAL:
            found.append(chr(value))
        elif code is codes.IN:
            found.append(_of_set(value))
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, _, repeated_items = value
            found.append(_sample(repeated_items) * max(1, min(least, 8)))
        elif code is codes.SUBPATTERN:
            found.append(_sample(value[3]))
        elif code is codes.ATOMIC_GROUP:
            found.append(_sample(value))
        elif code is codes.BRANCH:
            found.append(_sample(value[1][0]))
        elif code in (codes.ANY, codes.NOT_LITERAL):
            found.append("a")
    return "".join(found)


_CATEGORIES: Final = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_WORD: "-",
}


def _of_set(members: Sequence[tuple[Any, Any]]) -> str:
    code, value = members[0]
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.RANGE:
        return chr(value[0])
    return _CATEGORIES.get(value, "a") if code is codes.CATEGORY else "a"


_OBJECTS: Final = {
    "aitrader-positions": ("date", "id", "positions"),
    "schwab-equity-awards": (
        *("Date", "Action", "Symbol", "Quantity", "Amount", "TransactionDetails"),
    ),
    "alpaca-activities": ("activity_type",),
    "ccxt-trades": ("symbol", "side", "price", "amount", "timestamp", "datetime"),
    "dydx-fills": ("market", "marketType", "createdAt", "side", "price", "size"),
    "freqtrade-backtest": (
        *("pair", "open_rate", "close_rate"),
        *("fee_open", "fee_close", "profit_abs"),
    ),
    "hyperliquid-fills": (
        *("coin", "px", "sz", "side", "time"),
        *("startPosition", "dir", "closedPnl"),
    ),
}
"""Names of the objects by which a layout of JSON is known."""

_PAGES: Final = {
    "ibkr-flex-xml": "<FlexQueryResponse><FlexStatements><FlexStatement>",
    "metatrader4-statement": "<html><table><tr><td>Closed Transactions:</td></tr>",
    "metatrader5-history": "<html><title>Trade History Report</title><table><tr><td>1</td></tr>",
    "ofx-investments": "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\n"
    "CHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX><INVSTMTRS>",
}
"""Beginnings by which a layout of markup is known."""

_MARKUP: Final = (
    *("<!--", "<!-", "<!", "<?", "<", "</", "<td", "<td ", "<td>", "</td>", "<tr>", "<td a=", "&"),
    *(
        '<td a="',
        "<td a='",
        "<td class=hidden ",
        "<script>",
        "<style>",
        "</script",
        "&#1",
        "1 (",
        "1",
    ),
    *(
        "<Trade ",
        "<Trade/>",
        '<Trade a="1"/>',
        "<![CDATA[",
        "]]>",
        "<td>1 ",
        "\n",
        " ",
        '"',
        "=",
        ">",
    ),
)


class Sample(NamedTuple):
    """A file of a layout that grows.

    Args:
        what: grows in it, for messages.
        text_of: returns the text for a size.
    """

    what: str
    text_of: Callable[[int], str]


def samples_of(layout: Layout) -> Iterator[Sample]:
    """Yield growing files of a layout.

    Raises:
        KeyError: the layout is no sheet, and what it is known by stands in no table here.
    """
    if layout.columns:
        yield from _sheets([column.removesuffix("*") for column in layout.columns])
    elif layout.name in _PAGES:
        start = _PAGES[layout.name]
        for token in _MARKUP:
            yield Sample(f"{token!r}", lambda size, token=token: start + repeated(token, size))
    else:
        names = _OBJECTS[layout.name]
        for what, row_of in (
            ("objects", lambda _: dict.fromkeys(names, "")),
            ("names", lambda number: dict.fromkeys((*names, f"name {number}"), "")),
        ):
            yield Sample(what, partial(_objects, row_of, layout.name))


def _objects(row_of: Callable[[int], dict[str, Any]], layout: str, size: int) -> str:
    rows = [row_of(number) for number in range(size // 20)]
    if layout == "aitrader-positions":
        rows = [{**row, "positions": {"CASH": 1}} for row in rows]
    around = {
        "freqtrade-backtest": {"strategy": {"one": {"trades": rows}}},
        "schwab-equity-awards": {"Transactions": rows},
    }
    return json.dumps(around.get(layout, rows))


def _sheets(columns: Sequence[str]) -> Iterator[Sample]:
    rows = [["1"] * len(columns)] * 3

    def widened(more_of: Callable[[int], list[str]]) -> Callable[[int], str]:
        return lambda size: sheet([columns + more_of(size // 20), *rows])

    yield Sample("columns of one new name", widened(lambda count: ["x"] * count))
    yield Sample("columns of one known name", widened(lambda count: [columns[0]] * count))
    yield Sample("columns", widened(lambda count: [f"c{number}" for number in range(count)]))
    yield Sample("empty lines", lambda size: sheet([columns, *rows]) + "\n" * size)
    yield Sample("rows", lambda size: sheet([columns, *rows * (size // 20)]))
    yield Sample("cells", lambda size: sheet([columns, ["1"] * (len(columns) + size // 20)]))
    for token in ("(", " ", "a", "1", "_A", "UTC"):
        cell = partial(repeated, token)
        yield Sample(
            f"cells of {token!r}", lambda size, cell=cell: sheet([columns, [cell(size)] * 3])
        )
        yield Sample(
            f"a name of {token!r}", lambda size, cell=cell: sheet([[*columns, cell(size)], *rows])
        )


def sheet(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as CSV."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def file_reader(path: Path) -> Read:
    """Return what reads a text as `learn` reads a file: its layout, its items, or its refusal."""

    def read(text: str) -> None:
        path.write_text(text, encoding="utf-8")
        document = open_document(path)
        layout = layout_of(document)
        if layout is None:
            raise unknown_layout(document, known_layouts())
        for _ in layout.read(
            document, Origin(path.name, "main", UTC, "BTCUSDT", time_format="dmy")
        ):
            pass

    return read


def price_reader(path: Path) -> Read:
    """Return what reads a text as a file of prices."""

    def read(text: str) -> None:
        path.write_text(text, encoding="utf-8")
        read_prices(path, "file", "BTCUSDT", "1h", known_by=datetime(2030, 1, 1, tzinfo=UTC))

    return read


def price_samples() -> Iterator[Sample]:
    """Yield growing files of prices: sheets, and candles of JSON."""
    for header in ("t_open_ms,open,high,low,close,volume", "Date,Open,High,Low,Close,Volume"):
        for sample in _sheets(header.split(",")):
            yield Sample(f"{sample.what} of {header[:4]}", sample.text_of)
    yield Sample("candles", lambda size: json.dumps([["1"] * 6] * (size // 20)))
    yield Sample(
        "names of candles",
        lambda size: json.dumps([{f"name {number}": "1"} for number in range(size // 20)]),
    )
