"""An account is added by its public address, once the venue has said what the address is."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.model import SubAccount
from afterword.pipeline.domain.accounts.read import list_accounts, show_account
from afterword.pipeline.domain.accounts.remove import remove_account
from afterword.pipeline.errors import InvalidInputError, NotFoundError, UnavailableError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import refuses, says
from afterword.pipeline.testing.venue_server import VenueServer

MINE, MASTER, SUB = ("0x" + digit * 40 for digit in "abc")


@pytest.fixture
def server() -> Iterator[VenueServer]:
    with VenueServer() as server:
        yield server


@pytest.fixture
def venue(server: VenueServer, clock: ManualClock) -> Iterator[HyperliquidInfo]:
    with closing(HyperliquidInfo(server.origin, 5, clock)) as info:
        yield info


def test_an_account_is_listed_until_it_is_removed(
    server: VenueServer, venue: HyperliquidInfo, store: Store, clock: ManualClock
) -> None:
    server.account(MINE)
    before = clock() - timedelta(seconds=1)
    added = add_account(store, venue, "main", MINE.upper().replace("X", "x"), "own", clock)
    assert added.is_new
    assert added.account.address == MINE
    assert list_accounts(store) == [show_account(store, "main")] == [added.account]
    clock.advance(hours=1)
    remove_account(store, "main", clock)
    assert list_accounts(store) == []
    assert list_accounts(store, before) == []
    (then,) = list_accounts(store, clock() - timedelta(minutes=1))
    assert then == added.account  # what came later is not in it
    with pytest.raises(NotFoundError, match="account ls"):
        remove_account(store, "main", clock)


def test_the_same_account_again_changes_nothing(
    server: VenueServer, venue: HyperliquidInfo, store: Store, clock: ManualClock
) -> None:
    server.account(MINE)
    first = add_account(store, venue, "main", MINE, "own", clock)
    asked = server.requests
    again = add_account(store, venue, "main", MINE, "own", clock)
    assert (again.account, again.is_new) == (first.account, False)
    assert server.requests == asked


def test_a_removed_account_may_be_added_again(
    server: VenueServer, venue: HyperliquidInfo, store: Store, clock: ManualClock
) -> None:
    server.account(MINE)
    for _ in range(2):
        assert add_account(store, venue, "main", MINE, "own", clock).is_new
        remove_account(store, "main", clock)


def test_an_agent_wallet_is_refused_with_the_address_it_signs_for(
    server: VenueServer, venue: HyperliquidInfo, store: Store, clock: ManualClock
) -> None:
    server.account(MINE).role = {"role": "agent", "data": {"user": MASTER}}
    with pytest.raises(InvalidInputError, match=MASTER):
        add_account(store, venue, "main", MINE, "own", clock)
    assert list_accounts(store) == []


def test_an_address_that_the_venue_never_saw_is_refused(
    venue: HyperliquidInfo, store: Store, clock: ManualClock
) -> None:
    with pytest.raises(InvalidInputError, match="never saw"):
        add_account(store, venue, "main", MINE, "own", clock)


def test_sub_accounts_are_offered_until_they_are_added(
    server: VenueServer, venue: HyperliquidInfo, store: Store, clock: ManualClock
) -> None:
    main = server.account(MASTER)
    main.sub_accounts = [{"name": "grid", "subAccountUser": SUB.upper().replace("X", "x")}]
    server.account(SUB).role = {"role": "subAccount", "data": {"master": MASTER}}
    sub = add_account(store, venue, "grid", SUB, "own", clock)
    assert (sub.account.role, sub.account.master) == ("subAccount", MASTER)
    assert add_account(store, venue, "main", MASTER, "own", clock).sub_accounts == ()
    remove_account(store, "main", clock)
    remove_account(store, "grid", clock)
    offered = add_account(store, venue, "main", MASTER, "own", clock).sub_accounts
    assert offered == (SubAccount("grid", SUB),)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("0x" + "a" * 64, "private key"),
        ("a" * 64, "private key"),
        ("0x" + "a" * 63, "private key"),
        ("0x12", "got 4 characters"),
        ("0x" + "g" * 40, "40 hex digits"),
        ("", "got 0 characters"),
    ],
)
def test_what_is_no_public_address_is_refused_unseen(
    server: VenueServer,
    venue: HyperliquidInfo,
    store: Store,
    clock: ManualClock,
    address: str,
    message: str,
) -> None:
    with pytest.raises(InvalidInputError, match=message) as refused:
        add_account(store, venue, "main", address, "own", clock)
    assert not address or address not in str(refused.value)
    assert server.requests == 0


def test_a_taken_name_or_address_is_refused(
    server: VenueServer, venue: HyperliquidInfo, store: Store, clock: ManualClock
) -> None:
    server.account(MINE)
    server.account(MASTER)
    add_account(store, venue, "main", MINE, "own", clock)
    with pytest.raises(InvalidInputError, match=rf"name: .*main is {MINE}"):
        add_account(store, venue, "main", MASTER, "own", clock)
    with pytest.raises(InvalidInputError, match=r"address: .*own account main"):
        add_account(store, venue, "second", MINE, "own", clock)
    with pytest.raises(InvalidInputError, match=r"address: .*own account main"):
        add_account(store, venue, "main", MINE, "reference", clock)


@pytest.mark.parametrize("name", ["", "two words", "x" * 65, "a/b", "zoë"])
def test_a_name_that_a_fill_could_not_carry_is_refused(
    venue: HyperliquidInfo, store: Store, clock: ManualClock, name: str
) -> None:
    with pytest.raises(InvalidInputError, match="name: "):
        add_account(store, venue, name, MINE, "own", clock)


@pytest.mark.parametrize(
    "reply",
    [
        b"[]",
        b"null",
        b'{"role": "king"}',
        b'{"role": "agent"}',
        b'{"role": "agent", "data": {"user": "0x12"}}',
        b'{"role": "subAccount", "data": []}',
    ],
)
def test_a_reply_that_says_nothing_known_adds_nothing(
    server: VenueServer, venue: HyperliquidInfo, store: Store, clock: ManualClock, reply: bytes
) -> None:
    server.script(says(reply))
    with pytest.raises(UnavailableError, match="try again later"):
        add_account(store, venue, "main", MINE, "own", clock)
    server.script(refuses(500))
    with pytest.raises(UnavailableError):
        add_account(store, venue, "main", MINE, "own", clock)
    assert list_accounts(store) == []


def test_adding_and_removing_are_in_the_audit_log(
    server: VenueServer, venue: HyperliquidInfo, store: Store, clock: ManualClock
) -> None:
    server.account(MINE)
    add_account(store, venue, "main", MINE, "own", clock)
    remove_account(store, "main", clock)
    with reading(store) as conn:
        lines = conn.exec_driver_sql("SELECT actor, tool_call, detail FROM audit_log").all()
    assert [(actor, call) for actor, call, _ in lines] == [
        ("owner", "account.add"),
        ("owner", "account.remove"),
    ]
    assert MINE not in str(lines)
