"""Trades in other forms than a table in text: JSON, workbooks, statements in OFX."""

import json
from decimal import Decimal
from pathlib import Path
from zipfile import ZipFile

import pytest

COLUMNS = "time=time,symbol=symbol,side=side,qty=fill.qty,price=fill.price,fee=fee.cost"
RECORDS = [
    {
        "time": f"2025-01-0{day}T10:00:00Z",
        "symbol": "SOL/USDT",
        "side": side,
        "fill": {"qty": 2, "price": price},
        "fee": {"cost": 0.1},
        "tags": ["a", "b"],
    }
    for day, side, price in ((1, "buy", 100.5), (2, "sell", 101.5))
]


def trips(done) -> list[tuple]:
    assert done.code == 0, done.err
    return [
        (one["trip"]["symbol"], Decimal(one["trip"]["gross"]), Decimal(one["trip"]["fees"]))
        for one in done.json["outcomes"]
    ]


@pytest.mark.parametrize("form", ["lines", "list", "inside"])
def test_records_of_json_are_read_by_their_paths(command, tmp_path, form):
    file = tmp_path / "mine.json"
    lines = "\n".join(map(json.dumps, RECORDS))
    inside = json.dumps({"ok": True, "result": {"list": RECORDS}})
    file.write_text({"lines": lines, "list": json.dumps(RECORDS), "inside": inside}[form])

    told = command("learn", str(file)).err
    assert "2 fills of SOL/USDT" in told and "qty=fill.qty,price=fill.price" in told

    done = command("--json", "learn", str(file), "--columns", COLUMNS)
    assert trips(done) == [("SOL/USDT", 2, Decimal("0.2"))]


def test_a_bad_line_of_json_lines_is_named(command, tmp_path):
    (tmp_path / "mine.jsonl").write_text('{"a": 1}\n{"a": 2}\n{"a": \n')

    done = command("learn", str(tmp_path / "mine.jsonl"))

    assert done.code == 2 and "mine.jsonl: line 3: is not JSON" in done.err


SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def workbook(file: Path, *sheets: list[list]) -> None:
    """Write a workbook; a number is a number, a tuple of one number a moment in days."""
    with ZipFile(file, "w") as archive:
        types = "".join(
            f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="application/vnd'
            '.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
            for number in range(1, len(sheets) + 1)
        )
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
            f'ContentType="application/xml"/>{types}</Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r" Type="{RELATIONS}'
            '/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        names = "".join(
            f'<sheet name="S{number}" sheetId="{number}" r:id="r{number}"/>'
            for number in range(1, len(sheets) + 1)
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>{names}</sheets></workbook>',
        )
        relations = "".join(
            f'<Relationship Id="r{number}" Type="{RELATIONS}/worksheet" '
            f'Target="worksheets/sheet{number}.xml"/>'
            for number in range(1, len(sheets) + 1)
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships">{relations}<Relationship Id="s" '
            f'Type="{RELATIONS}/styles" Target="styles.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/styles.xml",
            f'<styleSheet xmlns="{MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22" '
            'applyNumberFormat="1"/></cellXfs></styleSheet>',
        )
        for number, rows in enumerate(sheets, start=1):
            lines = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
            archive.writestr(
                f"xl/worksheets/sheet{number}.xml", f"{SHEET}{lines}</sheetData></worksheet>"
            )


def cell(value: object) -> str:
    if isinstance(value, tuple):
        return f'<c s="1"><v>{value[0]}</v></c>'
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
    return f"<c><v>{value}</v></c>"


TABLE = [
    ["My broker, all trades"],
    ["Date", "Symbol", "Side", "Qty", "Price", "Fee"],
    [(45658.5,), "AAPL", "buy", 10, 100.1, 0.25],
    [(45659.0,), "AAPL", "sell", 10, 110.35, 0.25],
    ["Total"],
]


def test_a_workbook_is_read_as_the_table_it_shows(command, tmp_path):
    file = tmp_path / "mine.xlsx"
    workbook(file, TABLE, [["Notes"]])

    told = command("learn", str(file)).err
    assert "2 fills of AAPL, from 2025-01-01 12:00 to 2025-01-02 00:00 UTC" in told

    columns = "time=Date,symbol=Symbol,side=Side,qty=Qty,price=Price,fee=Fee"
    done = command("--json", "learn", str(file), "--zone", "UTC", "--columns", columns)
    assert trips(done) == [("AAPL", Decimal("102.5"), Decimal("0.5"))]
    assert "days_only" not in done.json["outcomes"][0]["trip"]["flags"]


def test_a_bad_row_of_a_workbook_is_named_by_its_line_in_the_sheet(command, tmp_path):
    empty: list[list] = [[], [], []]
    bad = [(45660.5,), "AAPL", "buy", 10, "many", 0.25]
    workbook(tmp_path / "mine.xlsx", [*empty, *TABLE[1:4], [], bad])
    columns = "time=Date,symbol=Symbol,side=Side,qty=Qty,price=Price,fee=Fee"

    line = ["--zone", "UTC", "--columns", columns]
    done = command("learn", str(tmp_path / "mine.xlsx"), *line)

    assert done.code == 2 and "mine.xlsx: line 8, column Price: is 'many'" in done.err


@pytest.mark.parametrize(
    ("number", "size"),
    [(1e-7, "0.0000001"), (2.5e6, "2500000"), (12.0, "12"), (0.1, "0.1")],
)
def test_a_number_of_a_workbook_keeps_its_digits(command, tmp_path, number, size):
    rows = [[*row[:3], number, *row[4:]] if isinstance(row[0], tuple) else row for row in TABLE]
    workbook(tmp_path / "mine.xlsx", rows)
    columns = "time=Date,symbol=Symbol,side=Side,qty=Qty,price=Price,fee=Fee"

    line = ["--zone", "UTC", "--columns", columns]
    done = command("--json", "learn", str(tmp_path / "mine.xlsx"), *line)

    assert Decimal(done.json["outcomes"][0]["trip"]["size"]) == Decimal(size)


def test_a_workbook_of_two_tables_is_refused(command, tmp_path):
    workbook(tmp_path / "mine.xlsx", TABLE, TABLE)

    done = command("learn", str(tmp_path / "mine.xlsx"))

    assert done.code == 2 and "has 2 sheets with rows: 'S1', 'S2'" in done.err


OFX = """OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>0<INVSTMTRS><DTASOF>20250301<CURDEF>USD
<INVACCTFROM><BROKERID>b<ACCTID>1</INVACCTFROM>
<INVTRANLIST><DTSTART>20250101<DTEND>20250301
<BUYSTOCK><INVBUY><INVTRAN><FITID>a<DTTRADE>20250102143000[-5:EST]</INVTRAN>
<SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID><UNITS>10<UNITPRICE>100.1<COMMISSION>1
<FEES>0.5<TOTAL>-1002.5<SUBACCTSEC>CASH<SUBACCTFUND>CASH</INVBUY><BUYTYPE>BUY</BUYSTOCK>
<INCOME><INVTRAN><FITID>d<DTTRADE>20250110</INVTRAN><SECID><UNIQUEID>037833100
<UNIQUEIDTYPE>CUSIP</SECID><INCOMETYPE>DIV<TOTAL>2<SUBACCTSEC>CASH<SUBACCTFUND>CASH</INCOME>
<SELLSTOCK><INVSELL><INVTRAN><FITID>b<DTTRADE>20250103150000[-5:EST]</INVTRAN>
<SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID><UNITS>-10<UNITPRICE>110<COMMISSION>1
<TOTAL>1099<SUBACCTSEC>CASH<SUBACCTFUND>CASH</INVSELL><SELLTYPE>SELL</SELLSTOCK>
</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>
<SECLISTMSGSRSV1><SECLIST><STOCKINFO><SECINFO><SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID>
<SECNAME>Apple<TICKER>AAPL</SECINFO></STOCKINFO></SECLIST></SECLISTMSGSRSV1></OFX>
"""


def test_a_statement_in_ofx_is_read_with_all_its_costs(command, tmp_path):
    (tmp_path / "mine.qfx").write_text(OFX)

    done = command("--json", "learn", str(tmp_path / "mine.qfx"))

    assert trips(done) == [("AAPL", 99, Decimal("2.5"))]
    assert done.json["files"][0]["left_out"] == {"income": 1}
    assert done.json["outcomes"][0]["trip"]["opened_at"].startswith("2025-01-02T19:30")


def test_a_record_of_ofx_that_contradicts_itself_is_refused(command, tmp_path):
    (tmp_path / "mine.ofx").write_text(OFX.replace("<TOTAL>1099", "<TOTAL>2099"))

    done = command("learn", str(tmp_path / "mine.ofx"))

    assert done.code == 2 and "TOTAL: is 2099, which its units" in done.err


def trade(pair: str) -> dict:
    return {
        "pair": pair,
        "stake_amount": 100,
        "amount": 1.0,
        "open_date": "2025-01-01 07:15:00+00:00",
        "close_date": "2025-01-01 08:15:00+00:00",
        "open_rate": 100,
        "close_rate": 110,
        "fee_open": 0,
        "fee_close": 0,
        "profit_ratio": 0.1,
        "profit_abs": 10,
        "is_open": False,
        "is_short": False,
        "enter_tag": None,
    }


def test_strategies_of_one_file_are_never_added_up(command, tmp_path):
    strategies = {name: {"trades": [trade("SOL/USDT")]} for name in ("A", "B")}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"strategy": strategies}))

    done = command("learn", str(file))
    assert done.code == 2 and "--account freqtrade/A or --account freqtrade/B" in done.err
    done = command("--json", "learn", str(file), "--account", "freqtrade/B")
    assert done.json["accounts"] == ["freqtrade/B"] and len(done.json["outcomes"]) == 1
