"""Spot fills of Hyperliquid make round trips of holdings: no cost is invented, none vanishes."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.command import Command

START_MS = 1_740_000_000_000
HOUR_MS = 3_600_000


class Fills:
    """Fills of one account, an hour apart, written as the venue's API answers."""

    def __init__(self, command: Command, folder: Path) -> None:
        self._command, self._path = command, folder / "fills.json"
        self._rows: list[dict[str, Any]] = []
        self._numbers = count(1)

    def add(self, coin: str, size: str, held: str, px: str, **more: str) -> None:
        """Add a fill: a negative size sells; `held` is the balance before it."""
        number, sold = next(self._numbers), size.startswith("-")
        row = {"coin": coin, "px": px, "sz": size.lstrip("-"), "side": "A" if sold else "B"}
        row |= {"time": START_MS + number * HOUR_MS, "startPosition": held, "tid": number}
        row |= {"dir": "Sell" if sold else "Buy", "closedPnl": "0.0", "hash": "0x0"}
        row |= {"oid": number, "crossed": True, "fee": "0.0", "feeToken": "USDC"}
        self._rows.append(row | more)

    def write(self) -> str:
        """Write the fills, and return the name of the file."""
        self._path.write_text(json.dumps(self._rows))
        return str(self._path)

    def trips(self) -> list[dict[str, Any]]:
        """Import the fills; return the trips, the oldest first."""
        assert self._command("history", "import", self.write(), "--account", "main").code == 0
        return [row["trip"] for row in self._command("trades", "ls", "--json").json[::-1]]


@pytest.fixture
def fills(command, tmp_path) -> Fills:
    return Fills(command, tmp_path)


def test_what_is_bought_and_sold_is_one_long_trip_under_the_name_of_the_venue(fills):
    fills.add("@107", "10", "0.0", "40")
    fills.add("@107", "-10", "10.0", "44", closedPnl="40.0")

    (trip,) = fills.trips()
    assert (trip["symbol"], trip["kind"], trip["direction"]) == ("@107", "spot", "long")
    assert (trip["net"], trip["flags"]) == ("40", [])


def test_a_fee_in_the_coin_takes_units_and_costs_what_they_were_worth(fills):
    fills.add("@107", "10", "0.0", "40", fee="0.007", feeToken="HYPE")
    fills.add("@107", "-9.993", "9.993", "44", fee="0.3", closedPnl="39.97")

    (trip,) = fills.trips()
    # 9.993 x 44 - 10 x 40 - 0.3; of it 0.007 x 40 are a fee
    assert (trip["net"], trip["fees"]) == ("39.392", "0.58")
    assert trip["flags"] == []


def test_a_rest_too_small_to_be_sold_is_no_disagreement_with_the_venue(fills):
    """The venue's profit is that of what was sold; ours paid for the rest, too."""
    fills.add("@107", "10", "0.0", "40", fee="0.007", feeToken="HYPE")
    fills.add("@107", "-9.99", "9.993", "44", closedPnl="39.96")

    (trip,) = fills.trips()
    assert trip["flags"] == ["dust_left"]


def test_another_profit_of_the_venue_is_told(fills):
    fills.add("@107", "10", "0.0", "40")
    fills.add("@107", "-10", "10.0", "44", closedPnl="55.0")

    (trip,) = fills.trips()
    assert (trip["net"], trip["flags"]) == ("40", ["ledger_disagrees"])


def test_a_sale_in_another_dollar_pays_its_fee_in_it_and_sells_no_more_units(fills):
    fills.add("@230", "10", "0.0", "40", fee="0.01", feeToken="HYPE")
    fills.add("@230", "-9.99", "9.99", "44", fee="0.5", feeToken="USDH", closedPnl="39.56")

    (trip,) = fills.trips()
    assert (trip["quote"], trip["net"], trip["flags"]) == ("USDH", "39.06", [])


def test_what_came_by_a_transfer_and_is_sold_has_no_cost(fills):
    fills.add("PURR/USDC", "-100", "350.0", "0.2", closedPnl="1.5")

    (trip,) = fills.trips()
    assert (trip["entry_px"], trip["flags"]) == (None, ["opened_before"])


def test_a_sale_of_more_than_was_bought_counts_in_no_result(fills):
    """Twenty were sent here, ten were bought, twenty-five are sold: which ones, nobody knows."""
    fills.add("@107", "10", "20.0", "40")
    fills.add("@107", "-25", "30.0", "44", closedPnl="90.0")

    trips = fills.trips()
    assert {trip["size"]: trip["entry_px"] for trip in trips} == {"10": "40", "15": None}
    assert all(trip["is_incomplete"] for trip in trips)


def test_a_profit_larger_than_what_the_sale_brought_is_not_repeated(fills):
    """As a fill in the venue's documentation: 43.84 sold at 18.62, a profit of 8,722.99."""
    fills.add("@107", "-43.84", "10659.65", "18.62041381", closedPnl="8722.988077")

    (trip,) = fills.trips()
    assert trip["flags"] == ["opened_before", "ledger_disagrees"]
    assert trip["gross"] is None


def test_a_report_tells_spot_and_perps_apart(fills, command):
    fills.add("@107", "10", "0.0", "40")
    fills.add("@107", "-10", "10.0", "44", closedPnl="40.0")
    fills.add("BTC", "1", "0.0", "100", dir="Open Long")
    fills.add("BTC", "-1", "1.0", "90", dir="Close Long", closedPnl="-10.0")

    report = command("learn", fills.write()).out

    assert "Spot: 1 round trip, 1 won (100 %), net +40.00 USDC." in report
    assert "Perps: 1 round trip, 0 won (0 %), net −10.00 USDC." in report
