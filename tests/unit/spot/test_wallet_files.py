"""Files of wallets through the command: every leg once, and dollars only where they are known."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.testing.spot import (
    JUNE_2021,
    transaction,
    wallet_row,
    write_wallet_file,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
REAL = SHARED / "data" / "spot" / "eth_wallet_swaps.csv"
DAY = timedelta(days=1)
AT_MS = str(to_micros(JUNE_2021) // 1_000)


@pytest.fixture
def keep(command, tmp_path):
    """Import rows as the file of a wallet; return what the command says of the wallets."""

    def write(*rows: str, account: str = "main", chain: str = "ethereum") -> dict:
        path = str(write_wallet_file(tmp_path / "wallet.csv", *rows))
        line = ("history", "import", path, "--account", account, "--chain", chain, "--json")
        done = command(*line)
        assert done.code == 0, done.err
        return done.json["spot"]

    return write


@pytest.fixture
def spot(command):
    """List what wallets did."""

    def ask(*options: str) -> dict:
        done = command("history", "spot", "--json", *options)
        assert done.code == 0, done.err
        return done.json

    return ask


def test_a_second_import_changes_nothing(keep):
    rows = (wallet_row(1), wallet_row(2))

    first, second = keep(*rows), keep(*rows)

    assert [(done["new"], done["known"]) for done in (first, second)] == [(2, 0), (0, 2)]


def test_both_sides_stay_exact(keep, spot):
    keep(wallet_row(1, "83333.938200000000000001 USDC", "0.000000000000000001 WETH"))

    (row,) = spot()["activities"]
    sides = (row["from_amount"], row["from_token"], row["to_amount"], row["to_token"])
    assert sides == ("83333.938200000000000001", "USDC", "0.000000000000000001", "WETH")
    assert (row["value_usd"], row["basis"]) == ("83333.938200000000000001", "stable_leg")


def test_two_swaps_of_one_transaction_are_two_legs(keep, spot):
    keep(wallet_row(1, "100 USDC", "0.05 WETH"), wallet_row(1, "0.05 WETH", "90 CRV"))

    legs = [(row["leg"], row["to_token"]) for row in spot()["activities"]]
    assert sorted(legs) == [(0, "WETH"), (1, "CRV")]


def test_a_leg_that_another_page_brings_is_not_lost(keep):
    keep(wallet_row(1, "100 USDC", "0.05 WETH"))

    assert keep(wallet_row(1, "0.05 WETH", "90 CRV"))["new"] == 1


def test_two_equal_swaps_of_one_transaction_are_two(keep):
    twice = (wallet_row(1), wallet_row(1))

    assert [keep(*twice)["new"], keep(*twice)["new"], keep(wallet_row(1))["new"]] == [2, 0, 0]


def test_the_same_hash_on_two_chains_is_two_transactions(keep, spot):
    keep(wallet_row(1))

    assert keep(wallet_row(1), chain="Arbitrum")["new"] == 1
    assert [row["chain"] for row in spot("--chain", "arbitrum")["activities"]] == ["arbitrum"]


def test_a_transaction_of_two_own_wallets_is_kept_twice_and_counted_once(keep, spot):
    keep(wallet_row(1, "100 USDC", "0.05 WETH"), account="hot")
    keep(wallet_row(1, "100 USDC", "0.05 WETH"), account="cold")

    told = spot()
    assert [row["account"] for row in told["activities"]] == ["cold", "hot"]
    assert (told["totals"]["swaps"], told["totals"]["shared"]) == (1, 1)
    assert told["totals"]["usd"] == {"stable_leg": "100"}


def test_a_failed_transaction_is_kept_and_counted_in_nothing(keep, spot):
    keep(wallet_row(1, status="reverted"))

    told = spot()
    assert [(row["status"], row["value_usd"]) for row in told["activities"]] == [("failed", None)]
    assert (told["totals"]["swaps"], told["totals"]["failed"]) == (0, 1)


def test_a_transfer_is_no_swap(keep, spot):
    keep(wallet_row(1, "", "5 WETH"), wallet_row(2, "100 USDC", ""))

    totals = spot()["totals"]
    assert (totals["swaps"], totals["transfers"], totals["usd"]) == (0, 2, {})


def test_a_file_with_a_bad_row_is_refused_whole(command, tmp_path):
    bad = str(
        write_wallet_file(
            tmp_path / "wallet.csv", wallet_row(1), wallet_row(2).replace(transaction(2), "no-hash")
        )
    )

    done = command("history", "import", bad)

    assert done.code != 0
    assert "line 3: tx_hash" in done.err
    assert command("history", "spot").code != 0  # nothing was made


@pytest.mark.parametrize(
    "row",
    [
        wallet_row(1, "100 ignore previous orders", "1 WETH"),
        wallet_row(1, "-1 USDC", "1 WETH"),
        wallet_row(1, "1 USDC", "1 WETH", status="maybe"),
        wallet_row(1).replace(AT_MS, "2021-06-01"),
        wallet_row(1).replace(AT_MS, AT_MS[:-3]),  # seconds: a day of 1970
        wallet_row(1) + ",000",  # a number with a comma may have made two cells
        wallet_row(1, "", "1 CRV").replace(",transfer,,,", ",transfer,,5,"),  # of what?
    ],
)
def test_a_row_that_cannot_be_read_is_named(command, tmp_path, row):
    done = command("history", "import", str(write_wallet_file(tmp_path / "wallet.csv", row)))

    assert done.code != 0
    assert "line 2" in done.err


def test_a_wallets_file_makes_no_report_and_the_command_says_where_it_belongs(command, tmp_path):
    done = command("learn", str(write_wallet_file(tmp_path / "wallet.csv", wallet_row(1))))

    assert done.code != 0
    assert "afterword history import" in done.err


def test_the_one_row_of_the_mirror_says_how_far_the_files_reach(keep, store):
    keep(wallet_row(1, at=JUNE_2021 + DAY))
    keep(wallet_row(2, at=JUNE_2021))

    with reading(store) as conn:
        state = state_rows.find(conn, "spot_activities", "")
    assert state.last_synced_ts_ms == to_micros(JUNE_2021 + DAY) // 1_000
    assert state.consecutive_failures == 0


def test_new_activities_are_told_once(keep):
    heard: list[str] = []
    stop = listen(lambda action, facts: heard.append(f"{action} {facts}"))
    try:
        keep(wallet_row(1), wallet_row(2))
        keep(wallet_row(1), wallet_row(2))
    finally:
        stop()

    told = [line for line in heard if line.startswith("external_spot:recorded")]
    assert told == ["external_spot:recorded {'activities': 2}"]


def test_prices_that_are_stored_later_give_dollars_from_then_on(
    keep, spot, command, clock, tmp_path
):
    row = wallet_row(1, "2 WETH", "9 3Crv", at=JUNE_2021 + DAY)
    keep(row)
    before = clock()
    prices = tmp_path / "ETHUSDT_1d.csv"
    prices.write_text(f"t_open_ms,open,high,low,close,volume\n{AT_MS},2500,2600,2400,2500.5,1\n")
    clock.advance(hours=1)
    assert command("prices", "import", str(prices)).code == 0

    assert keep(row)["priced"] == 1

    (now,), (then,) = spot()["activities"], spot("--as-of", before.isoformat())["activities"]
    assert (now["value_usd"], now["basis"], now["price_token"]) == ("5001", "price", "ETH")
    assert now["price_at"] == "2021-06-02T00:00:00.000000Z"
    assert (then["value_usd"], then["basis"]) == (None, None)


def test_who_forgets_a_wallet_with_its_trades_forgets_what_it_did(keep, spot, command):
    keep(wallet_row(1), account="hot")
    keep(wallet_row(2), account="cold")

    done = command("forget", "--subject", "hot", "--trades", "--apply", "--yes")

    assert done.code == 0, done.err
    assert [row["account"] for row in spot()["activities"]] == ["cold"]


@pytest.mark.skipif(not REAL.exists(), reason="no shared folder with the swaps of a real wallet")
def test_the_swaps_of_a_real_wallet_are_kept_once(command, spot):
    """1,018 swaps of one public wallet, 2020 to 2022; 94 names of tokens."""
    line = ("history", "import", str(REAL), "--account", "whale", "--json")

    first, second = command(*line).json["spot"], command(*line).json["spot"]

    assert [(done["new"], done["known"]) for done in (first, second)] == [(1018, 0), (0, 1018)]
    totals = spot()["totals"]
    assert totals["with_dollars"] == {"stable_leg": 408}
    assert totals["usd"] == {"stable_leg": "232538119.3616"}
    without = {"no price known": 255, "off its peg": 4, "unknown token": 351}
    assert totals["without_dollars"] == without


def test_a_filter_that_fits_nothing_is_not_an_empty_store(command, keep):
    keep(wallet_row(1))

    filtered = command("history", "spot", "--token", "NO_SUCH").out
    early = command("history", "spot", "--as-of", "2001-01-01T00:00:00Z").out

    told = "nothing fits these options; `afterword history spot` lists all that is stored"
    assert filtered.strip() == early.strip() == told


def test_without_any_swap_it_says_so(command, store):
    told = "no swaps of a wallet yet; see `afterword history import --help`"
    assert command("history", "spot", "--token", "CRV").out.strip() == told
