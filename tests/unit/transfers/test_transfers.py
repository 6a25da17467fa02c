"""Every update of a ledger is mirrored once, and signed from the account's view."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses
from afterword.pipeline.domain.sync.venue_ledger import PAGE_UPDATES
from afterword.pipeline.domain.transfers.model import LedgerTransfer
from afterword.pipeline.domain.transfers.read import transfers_in
from afterword.pipeline.domain.transfers.rows import transfers
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import Reply
from afterword.pipeline.testing.venue_server import VenueServer

MINE, OTHER, VAULT = ("0x" + digits * 20 for digits in ("ab", "cd", "ef"))
NUMBERS = count()


def update(type: str, at_ms: int = 1_700_000_000_000, number: int = 1, **fields: Any) -> Reply:
    return {"time": at_ms, "hash": f"0x{number:064x}", "delta": {"type": type, **fields}}


def read(type: str, **fields: Any) -> LedgerTransfer:
    (transfer,) = transfers_in([update(type, **fields)], MINE)
    return transfer


FROM_ME = {"user": MINE, "destination": OTHER}
TO_ME = {"user": OTHER, "destination": MINE}
TO_MYSELF = {"user": MINE.upper().replace("X", "x"), "destination": MINE}
TOKEN = {"usdcValue": "50.0", "nativeTokenFee": "0.0", "nonce": 1}
FREE = {"fee": "0.0", "feeToken": ""}
WITHDRAWN = {"requestedUsd": "90.0", "commission": "1.0", "closingCost": "0.5", "basis": "80.0"}


@pytest.mark.parametrize(
    ("type", "fields", "usdc", "fee"),
    [
        ("deposit", {"usdc": "100.5"}, "100.5", "0"),
        ("withdraw", {"usdc": "99.0", "nonce": 1, "fee": "1.0"}, "-100", "1"),
        ("accountClassTransfer", {"usdc": "5.0", "toPerp": True}, "0", "0"),
        ("accountClassTransfer", {"usdc": "5.0", "toPerp": False}, "0", "0"),
        ("internalTransfer", {"usdc": "10.0", "fee": "1.0"} | FROM_ME, "-11", "1"),
        ("internalTransfer", {"usdc": "10.0", "fee": "1.0"} | TO_ME, "10", "0"),
        ("subAccountTransfer", {"usdc": "10.0"} | FROM_ME, "-10", "0"),
        ("subAccountTransfer", {"usdc": "10.0"} | TO_ME, "10", "0"),
        ("spotTransfer", {"token": "USDC", "amount": "7.5"} | TOKEN | FREE | TO_ME, "7.5", "0"),
        (
            "spotTransfer",
            {"token": "USDC", "amount": "7.5", "fee": "1.0", "feeToken": "USDC"} | TOKEN | FROM_ME,
            *("-8.5", "1"),
        ),
        ("send", {"token": "USDC", "amount": "7.5"} | TOKEN | FREE | TO_MYSELF, "0", "0"),
        ("send", {"token": "USDC", "amount": "7.5"} | TOKEN | FREE | FROM_ME, "-7.5", "0"),
        ("vaultCreate", {"vault": VAULT, "usdc": "100.0", "fee": "100.0"}, "-200", "100"),
        ("vaultDeposit", {"vault": VAULT, "usdc": "50.0"}, "-50", "0"),
        ("vaultDistribution", {"vault": VAULT, "usdc": "9.0"}, "9", "0"),
        (
            "vaultWithdraw",
            {"vault": VAULT, "user": MINE, "netWithdrawnUsd": "88.5"} | WITHDRAWN,
            *("88.5", "0"),
        ),
        ("vaultLeaderCommission", {"user": MINE, "usdc": "3.0"}, "3", "0"),
        ("liquidation", {"liquidatedNtlPos": "280.0", "accountValue": "-1.0"}, "0", "0"),
        ("rewardsClaim", {"amount": "4.0", "token": "USDC"}, "4", "0"),
        ("rewardsClaim", {"amount": "4.0"}, "4", "0"),
        ("deployGasAuction", {"token": "USDC", "amount": "20.0"}, "-20", "0"),
    ],
    ids=str,
)
def test_dollars_are_signed_from_the_view_of_the_account(
    type: str, fields: dict[str, Any], usdc: str, fee: str
) -> None:
    transfer = read(type, **fields)
    assert (transfer.usdc, transfer.fee) == (Decimal(usdc), Decimal(fee))
    assert (transfer.kind, transfer.token, transfer.amount) == (type, None, None)


@pytest.mark.parametrize(
    ("type", "fields", "amount"),
    [
        ("spotTransfer", {"amount": "2.5"} | TOKEN | FREE | FROM_ME, "-2.5"),
        ("spotTransfer", {"amount": "2.5"} | TOKEN | FREE | TO_ME, "2.5"),
        ("cStakingTransfer", {"amount": "2.5", "isDeposit": True}, "-2.5"),
        ("cStakingTransfer", {"amount": "2.5", "isDeposit": False}, "2.5"),
        ("spotGenesis", {"amount": "2.5"}, "2.5"),
        ("rewardsClaim", {"amount": "2.5"}, "2.5"),
    ],
    ids=str,
)
def test_other_tokens_move_no_dollars(type: str, fields: dict[str, Any], amount: str) -> None:
    transfer = read(type, token="HYPE", **fields)
    assert (transfer.usdc, transfer.token, transfer.amount) == (0, "HYPE", Decimal(amount))


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("luckyDraw", {"prize": "77.0"}),
        ("borrowLend", {"token": "USDC", "operation": "borrow", "amount": "5.0"}),
        ("deposit", {"usdc": 5.0}),
        ("deposit", {"usdc": "-5.0"}),
        ("deposit", {"usdc": "NaN"}),
        ("withdraw", {"usdc": "5.0"}),
        ("accountClassTransfer", {"usdc": "5.0"}),
        ("internalTransfer", {"usdc": "5.0", "user": OTHER, "destination": VAULT}),
        ("vaultWithdraw", {"vault": VAULT, "user": OTHER, "netWithdrawnUsd": "5.0"}),
        ("vaultDeposit", {"vault": MINE, "usdc": "5.0"}),
        ("cStakingTransfer", {"token": "HYPE", "amount": "5.0"}),
    ],
    ids=str,
)
def test_what_is_not_understood_is_kept_and_never_counted_as_nothing(
    type: str, fields: dict[str, Any]
) -> None:
    transfer = read(type, **fields)
    assert (transfer.kind, transfer.usdc, transfer.amount) == (type, None, None)
    assert all(str(value) in transfer.raw for value in fields.values())


@pytest.mark.parametrize(
    "change",
    [
        {"time": None},
        {"time": True},
        {"hash": 7},
        {"hash": "no hash"},
        {"delta": None},
        {"delta": {"usdc": "5.0"}},
        {"delta": {"type": "two words"}},
        {"delta": {"type": "deposit", "usdc": float("inf")}},
    ],
    ids=str,
)
def test_a_row_that_is_no_update_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(AskFailedError, match="Hyperliquid sent"):
        transfers_in([update("deposit", usdc="5.0") | change], MINE)


@pytest.fixture
def server() -> Iterator[VenueServer]:
    with VenueServer() as server:
        yield server


@pytest.fixture
def info(server: VenueServer, clock: ManualClock) -> Iterator[HyperliquidInfo]:
    with closing(HyperliquidInfo(server.origin, 5, clock)) as info:
        yield info


@pytest.fixture
def main(
    server: VenueServer, info: HyperliquidInfo, store: Store, clock: ManualClock
) -> list[Reply]:
    """The ledger of the account `main`, which is mirrored."""
    add_account(store, info, "main", _opened(server, MINE), "own", clock)
    return server.account(MINE).ledger


def _opened(server: VenueServer, address: str) -> str:
    server.account(address)
    return address


def mirrored(store: Store, info: HyperliquidInfo, clock: ManualClock, ids: IdSource) -> None:
    report = sync_accounts(MirrorParts(store, clock, ids), info, SyncPauses(), is_forced=True)
    assert [source.error for source in report.sources if source.error] == []


def kept(store: Store, address: str = MINE) -> list[LedgerTransfer]:
    with reading(store) as conn:
        return transfers(conn, "main", address)


def ms(clock: ManualClock) -> int:
    return (clock() - EPOCH) // timedelta(milliseconds=1)


def test_updates_of_one_transaction_and_equal_ones_are_all_kept_once(
    main: list[Reply], info: HyperliquidInfo, store: Store, clock: ManualClock, ids: IdSource
) -> None:
    at = ms(clock) - 60_000
    one_hash = [update("deposit", at, 7, usdc="5.0"), update("deposit", at, 7, usdc="6.0")]
    main += [*one_hash, *one_hash, update("withdraw", at, 7, usdc="5.0", fee="1.0")]
    for _ in range(2):
        mirrored(store, info, clock, ids)
        clock.advance(minutes=30)
    assert [transfer.usdc for transfer in kept(store)] == [5, 6, 5, 6, -6]


def test_pages_are_read_to_the_end_though_equal_moments_lie_on_their_edge(
    main: list[Reply], info: HyperliquidInfo, store: Store, clock: ManualClock, ids: IdSource
) -> None:
    at = ms(clock) - 3_600_000
    # Seven updates a moment, pairs of which are equal: edges of pages are inside moments.
    main += [
        update("deposit", at + number // 7, number // 2, usdc="1.0")
        for number in range(PAGE_UPDATES * 2 + 7)
    ]
    mirrored(store, info, clock, ids)
    assert len(kept(store)) == len(main)
    with reading(store) as conn:
        assert state_rows.find(conn, "transfers", "main").whole_since_ms == 0


def test_a_moment_that_fills_a_page_ends_a_whole_ledger(
    main: list[Reply], info: HyperliquidInfo, store: Store, clock: ManualClock, ids: IdSource
) -> None:
    at = ms(clock) - 60_000
    main += [update("deposit", at, number, usdc="1.0") for number in range(PAGE_UPDATES + 1)]
    mirrored(store, info, clock, ids)
    with reading(store) as conn:
        assert state_rows.find(conn, "transfers", "main").whole_since_ms == at + 1


def test_a_transfer_between_own_accounts_is_kept_for_each(
    server: VenueServer,
    main: list[Reply],
    info: HyperliquidInfo,
    store: Store,
    clock: ManualClock,
    ids: IdSource,
) -> None:
    add_account(store, info, "sub", _opened(server, OTHER), "own", clock)
    row = update("subAccountTransfer", ms(clock) - 60_000, usdc="5.0", **FROM_ME)
    main.append(row)
    server.account(OTHER).ledger.append(row)
    mirrored(store, info, clock, ids)
    with reading(store) as conn:
        (received,) = transfers(conn, "sub", OTHER)
    (sent,) = kept(store)
    assert (sent.usdc, sent.other_party) == (-5, OTHER)
    assert (received.usdc, received.other_party) == (5, MINE)


def test_an_unknown_type_is_told_in_the_log(
    main: list[Reply],
    info: HyperliquidInfo,
    store: Store,
    clock: ManualClock,
    ids: IdSource,
) -> None:
    told: list[dict[str, Any]] = []

    def hear(action: str, facts: dict[str, Any]) -> None:
        if action == "history.unknown_transfers":
            told.append(facts)

    stop = listen(hear)
    main.append(update("luckyDraw", ms(clock) - 60_000, prize="77.0"))
    for _ in range(2):
        mirrored(store, info, clock, ids)
    stop()
    assert [facts["updates"] for facts in told] == [1]


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(arrivals=st.lists(st.lists(st.integers(0, 50), max_size=6), min_size=1, max_size=5))
def test_whatever_arrives_late_the_mirror_has_the_ledger(
    server: VenueServer,
    info: HyperliquidInfo,
    stores: Stores,
    clock: ManualClock,
    ids: IdSource,
    arrivals: list[list[int]],
) -> None:
    number = next(NUMBERS)  # each example has a group and an address of its own
    store, address = stores.group(f"group-{number}", create=True), f"0x{number:040x}"
    add_account(store, info, "main", _opened(server, address), "own", clock)
    account = server.account(address)
    for arrived in arrivals:
        late = [update("deposit", ms(clock) - minutes * 60_000, usdc="1.0") for minutes in arrived]
        account.ledger = sorted([*account.ledger, *late], key=lambda row: row["time"])
        mirrored(store, info, clock, ids)
        clock.advance(minutes=5)
    assert len(kept(store, address)) == len(account.ledger)
