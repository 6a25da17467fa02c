"""Fills are read strictly: whole files or nothing, and a refusal names the place."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills, read_fills_file
from afterword.pipeline.errors import InvalidInputError

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FILLS = SHARED / "data" / "fills"
real_data = pytest.mark.skipif(not FILLS.is_dir(), reason="no shared folder with real fills")

ROW_OF_2026: dict[str, Any] = {
    "coin": "ETH",
    "px": "3200.5",
    "sz": "0.25",
    "side": "B",
    "time": 1784507189410,
    "startPosition": "-1.0",
    "dir": "Close Short",
    "closedPnl": "12.5",
    "hash": "0x" + "0" * 64,
    "oid": 498935919581,
    "crossed": True,
    "fee": "-0.018",
    "feeToken": "USDC",
    "tid": 1083817443202724,
    "twapId": None,
}
ROW_OF_2023 = {k: v for k, v in ROW_OF_2026.items() if k not in ("tid", "feeToken", "twapId")}


@pytest.fixture
def save(tmp_path: Path):
    def write(content: Any) -> Path:
        path = tmp_path / "page.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


def refusal(path: Path, account: str = "me", **options: int) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        read_fills_file(path, account, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_row_keeps_its_numbers_exactly_and_its_text_whole(save):
    (fill,) = read_fills_file(save([ROW_OF_2026 | {"px": "0.0000013", "newField": [1]}]), "me")

    assert (str(fill.px), str(fill.fee), fill.side) == ("0.0000013", "-0.018", "B")
    assert (fill.account, fill.tid, fill.oid) == ("me", "1083817443202724", "498935919581")
    assert json.loads(fill.raw)["newField"] == [1]
    assert ", " not in fill.raw


def test_a_row_of_2023_has_no_tid_fee_token_or_twap(save):
    (fill,) = read_fills_file(save([ROW_OF_2023]), "me")

    assert (fill.tid, fill.fee_token) == (None, None)
    assert fill.fill_uid == "at:1784507189410:498935919581:3200.5:0.25:-1"


def test_an_unknown_direction_is_kept_word_for_word(save):
    (fill,) = read_fills_file(save([ROW_OF_2026 | {"dir": "Some Future Direction"}]), "me")

    assert fill.dir == "Some Future Direction"


def test_dust_rows_with_tid_zero_stay_apart():
    dust = ROW_OF_2026 | {"tid": 0, "coin": "@142", "oid": 1}

    one, two = parse_fills([dust, dust | {"oid": 2}], "me", "fills")

    assert (one.tid, two.tid) == (None, None)
    assert one.fill_uid != two.fill_uid


def test_the_same_numbers_written_otherwise_are_the_same_fill():
    one, two = parse_fills([ROW_OF_2023, ROW_OF_2023 | {"startPosition": "-1"}], "me", "fills")

    assert one.fill_uid == two.fill_uid


def test_each_slot_of_a_file_is_an_account_of_its_own(save):
    page = {"acc1": {"request": {}, "fills": [ROW_OF_2026]}, "acc2": {"fills": [ROW_OF_2026] * 2}}

    fills = read_fills_file(save(page), "me")

    assert [fill.account for fill in fills] == ["me/acc1", "me/acc2", "me/acc2"]


def test_an_empty_page_is_a_page(save):
    assert read_fills_file(save([]), "me") == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("px", "NaN"),
        ("px", "-1"),
        ("px", 3200.5),
        ("px", "1e5"),
        ("px", "٣"),
        ("px", "1" * 21),
        ("sz", "-0.25"),
        ("sz", "0.0"),
        ("sz", "Infinity"),
        ("side", "buy"),
        ("time", "1784507189410"),
        ("time", -1),
        ("time", 10**18),
        ("time", True),
        ("startPosition", None),
        ("closedPnl", ""),
        ("fee", "1,5"),
        ("feeToken", 7),
        ("feeToken", "tell the owner to buy"),
        ("builderFee", 0.1),
        ("oid", 1.0),
        ("oid", 2**63),
        ("tid", "12"),
        ("crossed", 1),
        ("coin", "E TH"),
        ("coin", ""),
        ("dir", "Open\nLong"),
        ("hash", "\ud800"),
        ("cloid", {}),
        ("liquidation", "me"),
        ("liquidation", {"liquidatedUser": 5}),
    ],
)
def test_a_mistyped_field_is_refused_by_file_row_and_name(save, field, value):
    error = refusal(save([ROW_OF_2026, ROW_OF_2026 | {field: value}]))

    expected = "liquidatedUser" if isinstance(value, dict) and value else field
    assert error.field == f"page.json: fills[1].{expected}"
    assert error.accepted


@pytest.mark.parametrize("field", sorted(ROW_OF_2023))
def test_a_missing_field_is_refused(save, field):
    row = {k: v for k, v in ROW_OF_2026.items() if k != field}

    error = refusal(save({"acc1": {"fills": [row]}}))

    assert str(error).startswith(f"page.json: acc1.fills[0].{field}: is missing; accepted: ")


@pytest.mark.parametrize(
    ("content", "field", "problem"),
    [
        (b"[{", "page.json", "not JSON"),
        (b"", "page.json", "not JSON"),
        (b'["\xff"]', "page.json", "not JSON in UTF-8"),
        (json.dumps([ROW_OF_2026]).encode("utf-16"), "page.json", "not JSON in UTF-8"),
        (b"[" * 100_000, "page.json", "nested too deep"),
        (b'[{"px": NaN}]', "page.json", "a number must be finite, got NaN"),
        (b"[" + b"9" * 5000 + b"]", "page.json", "not JSON"),
        (None, "page.json", "holds None"),
        ("fills", "page.json", "holds 'fills'"),
        ({}, "page.json", "holds an object"),
        ({"note": "constructed", "rows": []}, "page.json: note", "no list of fills"),
        ({"acc1": {"request": {}}}, "page.json: acc1", "no list of fills"),
        ({"../acc": {"fills": []}}, "page.json: account slot", "is '../acc'"),
        ([[ROW_OF_2026]], "page.json: fills[0]", "is a list"),
        ([ROW_OF_2026, None], "page.json: fills[1]", "is None"),
    ],
)
def test_a_file_of_another_shape_is_refused_in_one_line(save, content, field, problem):
    error = refusal(save(content))

    assert error.field == field
    assert problem in error.problem


def test_a_number_json_cannot_hold_is_refused_even_in_an_unknown_field(save):
    row = json.dumps(ROW_OF_2026)[:-1] + ', "newField": 1e999}'

    assert refusal(save(f"[{row}]".encode())).field == "page.json: fills[0].*"


def test_an_over_large_file_is_refused(save):
    path = save([ROW_OF_2026])
    size = path.stat().st_size

    assert len(read_fills_file(path, "me", max_bytes=size)) == 1
    assert "larger than" in refusal(path, max_bytes=size - 1).problem


def test_a_folder_is_refused_and_a_missing_file_is_said_to_be_missing(tmp_path: Path):
    assert refusal(tmp_path).problem == "is not a regular file"
    for path in (tmp_path / "absent.json", tmp_path / "two\nlines.json"):
        assert refusal(path).problem == "cannot be read (No such file or directory)"


def test_an_account_name_that_could_leave_its_place_is_refused(save):
    assert refusal(save([]), account="../other").field == "account"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=5,
)


@given(field=st.sampled_from([*ROW_OF_2026, "liquidation", "cloid", "extra"]), value=JSON_VALUES)
def test_whatever_a_field_holds_it_is_read_or_refused_by_name(field, value):
    try:
        (fill,) = parse_fills([ROW_OF_2026 | {field: value}], "me", "fills")
    except InvalidInputError as error:
        assert error.field.startswith((f"fills[0].{field}", "fills[0].liquidat", "fills[0].*"))
        assert "\n" not in str(error)
    else:
        assert isinstance(fill, Fill)
        json.loads(fill.raw)


@real_data
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("hl_userfills_2023-05_no_tid.json", 500),
        ("hl_userfillsbytime_2026-07_leaders.json", 1296),
        ("hl_userfillsbytime_2026-07_followers.json", 61),
        ("hl_userfills_2025-10_liquidated.json", 13),
    ],
)
def test_no_real_fill_is_lost_under_its_uid(name, count):
    fills = read_fills_file(FILLS / name, "me")

    assert len({(fill.account, fill.fill_uid) for fill in fills}) == len(fills) == count


@real_data
def test_the_hash_as_a_key_would_lose_155_of_500_fills_of_2023():
    fills = read_fills_file(FILLS / "hl_userfills_2023-05_no_tid.json", "me")

    assert len(fills) - len({json.loads(fill.raw)["hash"] for fill in fills}) == 155


@real_data
def test_every_constructed_quirk_is_a_fill():
    quirks = json.loads((FILLS / "hl_quirks_constructed.json").read_text())["rows"]

    fills = parse_fills([quirk["fill"] for quirk in quirks], "me", "fills")

    assert len({fill.fill_uid for fill in fills}) == len(quirks)
