"""Files as they come: read or refused with their line, and never half."""

import gzip
import io
import json
import os
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.core.files import packed
from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular import sheet
from afterword.pipeline.testing.exports import fills_of, items_of

TEXT = "Date,Pair,Note\n2024-01-01,BTC,Gebühr\n2024-01-02,ETH,\n"
CELLS = [["Date", "Pair", "Note"], ["2024-01-01", "BTC", "Gebühr"], ["2024-01-02", "ETH", ""]]


def cells(path, content: bytes, name="a.csv"):
    (path / name).write_bytes(content)
    return [row.cells for row in open_document(path / name).rows()]


def refused(path, content: bytes, name="a.csv") -> str:
    with pytest.raises(InvalidInputError) as told:
        cells(path, content, name)
    return str(told.value)


def zipped(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_any_encoding_and_line_end_gives_the_same_rows(tmp_path, encoding, ends):
    assert cells(tmp_path, TEXT.replace("\n", ends).encode(encoding)) == CELLS


def test_utf_16_with_its_mark_in_either_order(tmp_path):
    assert cells(tmp_path, b"\xfe\xff" + TEXT.encode("utf-16-be")) == CELLS
    assert cells(tmp_path, b"\xff\xfe" + TEXT.encode("utf-16-le")) == CELLS


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_any_delimiter_gives_the_same_rows(tmp_path, delimiter):
    assert cells(tmp_path, TEXT.replace(",", delimiter).encode()) == CELLS


def test_packed_files_are_read_by_what_they_are(tmp_path):
    plain = TEXT.encode()

    assert cells(tmp_path, gzip.compress(plain), "a.csv.gz") == CELLS
    assert cells(tmp_path, gzip.compress(plain), "a.csv") == CELLS
    assert cells(tmp_path, zipped(("x/", b""), ("x/(UTC+8).csv", plain)), "a.zip") == CELLS
    assert open_document(tmp_path / "a.zip").name == "(UTC+8).csv"
    assert open_document(tmp_path / "a.csv.gz").name == "a.csv"


def test_a_mixture_of_encodings_is_refused_with_its_line(tmp_path):
    rows = ["a,b", *(["1,2"] * 5)]
    late = b"\n".join([*(row.encode() for row in rows * 5000), "3,é".encode("cp1252"), b""])
    early = "Gebühr,1\n".encode() + "Gebühr,2\n".encode("cp1252")
    other = "Gebühr,2\n".encode("cp1252") + b"1,1\n" * 30_000 + "Gebühr,1\n".encode()

    assert "line 30001: has the byte 0xe9, which is not utf-8" in refused(tmp_path, late)
    assert "line 2: has the byte 0xfc, which is not utf-8" in refused(tmp_path, early)
    assert "line 30002: is UTF-8, and lines before are not" in refused(tmp_path, other)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b",,,\n,,\n", "is empty"),
        (b'a,b\n1,"2\n3,4\n', "line 2: begins a quoted cell that never ends"),
        (b'a,b\n1,"2"x\n', "line 2: "),
        (b'a,b\n1,"' + b"x\n" * 100_000, "line 2: has a cell that does not end"),
        (b"a,b\n1,2\n3,\x004\n", "line 3: has a NUL character"),
        (b"a,b\n" + b"x" * 10_000_000, "line 2: is longer than"),
        (b"\xff\xfea\0,\0b\0\n\0\x00\xd8", "bytes that are not utf-16"),
        (b"\x1f\x8bxx", "cannot be read"),
        (gzip.compress(TEXT.encode() * 100, mtime=0)[:-12], "cannot be read"),
        (b"PK\x03\x04xx", "cannot be read"),
        (zipped(("a.csv", b"1"), ("b.csv", b"2")), "a zip of 2 files"),
        (zipped(("[Content_Types].xml", b"1"), ("b.xml", b"2")), "an Office document"),
        (b'{"a": NaN}', "is not JSON"),
        (b'[{"a": 1}', "is not JSON"),
        (b"[" * 100_000, "JSON|nested"),
        (b'{"a": "\xe9", "b": "\xc3\xa9"}', "line 1: has the byte 0xe9"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(tmp_path, content, named):
    told = refused(tmp_path, content)

    assert any(word in told for word in named.split("|")), told
    assert "\n" not in told


def test_directories_and_devices_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for path in (tmp_path, tmp_path / "pipe.csv", tmp_path / "none.csv"):
        with pytest.raises(InvalidInputError):
            open_document(path)


def test_a_bomb_is_refused_before_it_unfolds(tmp_path, monkeypatch):
    monkeypatch.setattr(packed, "FREE_BYTES", 200_000)
    monkeypatch.setattr(packed, "MOST_TIMES", 10)
    bomb = gzip.compress(b"a,b\n" + b"1,2\n" * 5_000_000)

    tracemalloc.start()
    told = None
    try:
        (tmp_path / "a.csv.gz").write_bytes(bomb)
        for _ in open_document(tmp_path / "a.csv.gz").rows():
            pass
    except InvalidInputError as error:
        told = str(error)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert told is not None and "too large" in told
    assert most < 3_000_000


def test_a_small_file_that_unfolds_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(packed, "FREE_BYTES", 100_000)
    bomb = b"a,b\n" + b"1,2\n" * 100_000

    for content, name in ((gzip.compress(bomb), "a.csv.gz"), (zipped(("a.csv", bomb)), "a.zip")):
        told = refused(tmp_path, content, name)
        assert "more than 100,000 bytes, unpacked" in told and "the same one unpacked" in told

    assert len(cells(tmp_path, bomb, "plain.csv")) == 100_001


def test_a_file_of_many_rows_is_read_packed(tmp_path, monkeypatch):
    monkeypatch.setattr(packed, "FREE_BYTES", 1_000)
    rows = b"".join(b"%d,BTC,%d.%d\n" % (n, n * 7919 % 997, n * 31 % 89) for n in range(20_000))

    assert len(cells(tmp_path, gzip.compress(rows), "a.csv.gz")) == 20_000


def test_a_row_has_as_many_cells_as_a_table_has_columns_at_most(tmp_path):
    most = sheet.MOST_COLUMNS
    assert len(cells(tmp_path, b"1," * (most - 1) + b"1\n")[0]) == most

    told = refused(tmp_path, b"a,b\n" + b"1," * most + b"1\n")

    assert told == "a.csv: line 2: has 1,001 cells; accepted: a table of 1,000 columns at most"


def test_empty_rows_behind_each_other_are_refused_where_no_sheet_has_so_many(tmp_path, monkeypatch):
    monkeypatch.setattr(sheet, "MOST_EMPTY_ROWS", 10)

    assert len(cells(tmp_path, b"a,b\n" + b",\n" * 10 + b"1,2\n")) == 2
    told = refused(tmp_path, b"a,b\n" + b"\n" * 11 + b"1,2\n")

    assert told == "a.csv: line 12: is the last of 11 empty rows; accepted: a table without them"


SPOT = "Date(UTC),Pair,Side,Price,Executed,Amount,Fee"
TRADE = "2026-01-01 10:00:00,BTCUSDT,BUY,100,1BTC,100USDT,0.1USDT"


@pytest.mark.parametrize("name", ["Fee", "fee", " FEE "])
def test_a_column_whose_name_several_have_is_not_guessed(tmp_path, name):
    (tmp_path / "a.csv").write_text(f"{SPOT},{name}\n{TRADE},0.2USDT\n")

    with pytest.raises(InvalidInputError) as told:
        items_of(tmp_path / "a.csv")

    assert "a.csv: has several columns Fee; accepted: one of them, or --columns" in str(told.value)


def test_columns_of_one_name_that_nobody_reads_do_no_harm(tmp_path):
    (tmp_path / "a.csv").write_text(f"{SPOT},x,x,x\n{TRADE},1,2,3\n")

    (fill,) = fills_of(items_of(tmp_path / "a.csv"))

    assert str(fill.fee) == "0.1"
    assert json.loads(fill.raw)["x 3"] == "3"


def test_quoted_cells_hold_line_breaks_and_rows_keep_their_lines(tmp_path):
    (tmp_path / "a.csv").write_text('a,b\n1,"x\ny"\n\n2,"say ""hi"""\n')

    rows = list(open_document(tmp_path / "a.csv").rows())

    assert [(row.line, row.cells) for row in rows] == [
        (1, ["a", "b"]),
        (2, ["1", "x\ny"]),
        (5, ["2", 'say "hi"']),
    ]


def test_numbers_of_json_keep_their_digits(tmp_path):
    (tmp_path / "a.json").write_text('[{"id": 18446744073709551617, "px": 0.1000000000000000055}]')

    (row,) = open_document(tmp_path / "a.json").content

    assert (row["id"], row["px"]) == (18446744073709551617, "0.1000000000000000055")


def test_rows_are_read_one_by_one(tmp_path):
    line = "2024-01-01 10:00:00,BTCUSDT,BUY,0.5,60000.5,0.1\n"
    (tmp_path / "a.csv").write_text("Date,Pair,Type,Amount,Price,Fee\n" + line * 200_000)

    tracemalloc.start()
    count = sum(1 for _ in open_document(tmp_path / "a.csv").rows())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert count == 200_001
    assert most < 3_000_000


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused_by_one_error(tmp_path_factory, content):
    file = tmp_path_factory.mktemp("any") / "a.csv"
    file.write_bytes(content)

    try:
        document = open_document(file)
        if document.form == "sheet":
            assert all(row.line > 0 for row in document.rows())
    except InvalidInputError as told:
        assert str(told).startswith(("a.csv", "'a.csv'"))


@given(
    st.lists(st.lists(st.text("abc1,;\"'\n\t| é", max_size=8), min_size=2, max_size=4), max_size=6)
)
def test_what_a_program_quotes_is_read_back(tmp_path_factory, table):
    text = "Time,Symbol\n" + "".join(
        ",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in table
    )
    file = tmp_path_factory.mktemp("quoted") / "a.csv"
    file.write_text(text, newline="")

    document = open_document(file)
    if document.delimiter == ",":
        found = [row.cells for row in document.rows()]
        wanted = [[cell.strip() for cell in row] for row in table]
        assert found[1:] == [row for row in wanted if any(row)]


def test_json_of_a_document_is_decoded_once(tmp_path):
    (tmp_path / "a.json").write_text("\ufeff" + json.dumps([1]))

    assert open_document(tmp_path / "a.json").form == "json"


def test_half_a_character_is_refused_and_a_whole_one_is_read(tmp_path):
    said = refused(tmp_path, b'[{"note": "\\ud800"}]', "a.json")

    assert "is not JSON" in said
    (tmp_path / "b.json").write_bytes(b'[{"note": "\\ud83d\\ude00"}]')
    assert open_document(tmp_path / "b.json").content == [{"note": "\U0001f600"}]
