"""However a table is written, it gives the same trades, or a question: never other trades."""

import csv
import io
import shlex
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError
from tests.unit.exports.answered import in_utc

NAMES = ("Date", "Symbol", "Side", "Quantity", "Price", "Fee")
START = datetime(2025, 1, 2, 9, 30, tzinfo=UTC)
DATES = {
    "iso": "%Y-%m-%d %H:%M:%S",
    "T": "%Y-%m-%dT%H:%M:%S",
    "dmy": "%d/%m/%Y %H:%M:%S",
    "mdy": "%m/%d/%Y %H:%M:%S",
    "dots": "%d.%m.%Y %H:%M:%S",
    "word": "%d %b %Y %H:%M:%S",
    "half": "%m/%d/%Y, %I:%M:%S %p",
}

rows = st.lists(
    st.tuples(
        st.integers(0, 40_000),  # minutes
        st.sampled_from(["AAPL", "SOL/USDT", "BRK.B", "BTCUSDT"]),
        st.sampled_from(["buy", "sell"]),
        st.decimals("0.001", "5000", places=3),
        st.decimals("0.01", "90000", places=2),
        st.decimals("0", "50", places=2),
    ),
    min_size=1,
    max_size=8,
)


def written(number: Decimal, mark: str, groups: bool) -> str:
    text = f"{number:,f}" if groups else f"{number:f}"
    return text if mark == "." else text.translate(str.maketrans(",.", ".,"))


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=rows,
    order=st.permutations(range(len(NAMES))),
    delimiter=st.sampled_from(",;\t|"),
    mark=st.sampled_from(".,"),
    groups=st.booleans(),
    date=st.sampled_from(sorted(DATES)),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    ending=st.sampled_from(["\n", "\r\n"]),
    blank=st.booleans(),
    foot=st.booleans(),
    case=st.sampled_from([str.upper, str.title, str.lower]),
)
def test_a_rewritten_table_gives_the_same_trades_or_a_question(
    tmp_path,
    rows,
    order,
    delimiter,
    mark,
    groups,
    date,
    quoting,
    encoding,
    ending,
    blank,
    foot,
    case,
):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator=ending)
    writer.writerow([NAMES[at] for at in order])
    for minutes, symbol, side, size, price, fee in rows:
        numbers = [written(number, mark, groups) for number in (size, price, fee)]
        moment = f"{START + timedelta(minutes=minutes):{DATES[date]}}"
        cells = [moment, symbol, case(side), *numbers]
        writer.writerow([cells[at] for at in order])
        if blank:
            text.write(ending)
    if foot:
        writer.writerow(["All times as shown"])
    file = tmp_path / "mine.csv"
    file.write_bytes(text.getvalue().encode(encoding))

    expected = [
        (int((START + timedelta(minutes=at)).timestamp() * 1000), symbol, side[0], size, price, fee)
        for at, symbol, side, size, price, fee in rows
    ]
    read = fills_or_question(file)

    assert read is None or read == expected


def fills_or_question(file) -> list[tuple] | None:
    """Read a file by the line that its refusal proposes; None where that asks something."""
    try:
        read_export(file, Origin(file.name, "me"))
        raise AssertionError("no layout has these names")
    except InvalidInputError as error:
        words = shlex.split(in_utc(error.accepted))
    if "with" in words:
        return None
    options = dict(zip(words[::2], words[1::2], strict=True))
    try:
        mapping = ColumnMapping.parse(options["--columns"], zone=options.get("--zone"))
        items = list(read_export(file, Origin(file.name, "me"), mapping)[1])
    except InvalidInputError:
        return None
    return [
        (one.time_ms, one.symbol, {"B": "b", "A": "s"}[one.side], one.sz, one.px, one.fee)
        for one in items
        if isinstance(one, Fill)
    ]
