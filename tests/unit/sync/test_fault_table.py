"""What each fault of a venue does to its mirrors: a row says what must happen.

Two accounts are mirrored, and `bad` is asked first. A fault hits every question, or those about
`bad` alone. Afterwards the venue is well again, and both must have all that it has.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.status import sync_status
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses
from afterword.pipeline.errors import PostponedError, UnavailableError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    RequestTurn,
    answer,
    cut,
    drip_body,
    flood,
    hang,
    refuses,
    reset,
    says,
)
from afterword.pipeline.testing.venue_server import VenueServer, venue_payment, venue_trip

ADDRESSES = {"bad": "0x" + "0b" * 20, "good": "0x" + "cd" * 20}
PAUSES = SyncPauses()
HOUR_MS = 3_600_000

FAULTS: dict[str, Behaviour] = {
    "hangs": hang,
    "drips": drip_body,
    "floods": flood,
    "is cut": cut,
    "is reset": reset,
    "answers 500": refuses(500),
    "answers 502": refuses(502),
    "answers 503": refuses(503),
    "is busy": refuses(429),
    "is busy for a time": refuses(429, Retry_After="7"),
    "answers HTML": says(b"<html>"),
    "answers nothing": says(b""),
    "answers null": says(b"null"),
    "answers an object": says(b'{"a": 1}'),
    "answers numbers": says(b"[1]"),
    "answers rows of another time": says(b'[{"time": 99999999999999}]'),
    "answers bad rows": says(b'[{"time": 1}]'),
    "answers bad text": says(b'[{"time": 1, "coin": "\\ud800"}]'),
}
BUSY = {"answers 503", "is busy", "is busy for a time"}
"""The venue is busy, whoever is asked for: it is nobody's fault, and the run ends."""

OF_EVERYBODY = (
    set(FAULTS)
    - {name for name in FAULTS if name.startswith("answers bad")}
    - {
        "answers rows of another time",
        "answers numbers",
        "answers an object",
        "answers null",
    }
)
"""Faults in which a question about nobody fails, too; the others are answers to that."""


class After(NamedTuple):
    """What a run with a fault leaves.

    Args:
        counted: failures that count against `bad`, of its three sources.
        is_current: whether `good` has all.
    """

    counted: int
    is_current: bool


def ms(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)


@pytest.fixture
def both(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> VenueServer:
    """The venue with two accounts that have traded."""
    for name, address in ADDRESSES.items():
        account = venue.account(address)
        account.trade(venue_trip(1, ms(clock()) - HOUR_MS))
        account.funding = [venue_payment(ms(clock()) - HOUR_MS + 1_000)]
        add_account(mirror_parts.store, worker_info, name, address, "own", clock)
        clock.advance(seconds=1)
    return venue


def strikes(venue: VenueServer, fault: Behaviour, whom: Callable[[str], bool]) -> None:
    def act(turn: RequestTurn[Any]) -> None:
        (fault if whom(turn.asked.user) else answer)(turn)

    venue.unscripted = lambda: act  # type: ignore[method-assign]


def left(store: Store) -> After:
    failures = {"bad": 0, "good": 0}
    for state in sync_status(store):
        failures[state.sub_account_id] += state.consecutive_failures
    assert failures["good"] == 0
    return After(failures["bad"], kept(store)["good"] == (2, 1))


def kept(store: Store) -> dict[str, tuple[int, int]]:
    """Return how many fills and payments each account has."""
    with reading(store) as conn:
        return {
            name: (
                conn.exec_driver_sql(
                    "SELECT count(*) FROM perps_fills WHERE sub_account_id = ?", (name,)
                ).scalar_one(),
                conn.exec_driver_sql(
                    "SELECT count(*) FROM funding_payments WHERE sub_account_id = ?", (name,)
                ).scalar_one(),
            )
            for name in ADDRESSES
        }


def recovers(
    venue: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    del venue.unscripted  # type: ignore[method-assign]
    for _ in range(2):
        clock.advance(minutes=31)
        sync_accounts(parts, info, PAUSES)
    assert kept(parts.store) == {"bad": (2, 1), "good": (2, 1)}
    assert left(parts.store) == After(0, is_current=True)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_one_account_holds_no_other(
    both: VenueServer,
    worker_info: HyperliquidInfo,
    mirror_parts: MirrorParts,
    clock: ManualClock,
    name: str,
) -> None:
    strikes(both, FAULTS[name], lambda user: user == ADDRESSES["bad"])
    for _ in range(4):  # a busy one ends its run, and not every run begins with it
        with suppress(UnavailableError, PostponedError):
            sync_accounts(mirror_parts, worker_info, PAUSES)
        clock.advance(minutes=1)
    assert left(mirror_parts.store) == After(0 if name in BUSY else 3, is_current=True)
    recovers(both, worker_info, mirror_parts, clock)


@pytest.mark.parametrize("name", sorted(OF_EVERYBODY))
def test_a_fault_of_the_venue_counts_against_nobody(
    both: VenueServer,
    worker_info: HyperliquidInfo,
    mirror_parts: MirrorParts,
    clock: ManualClock,
    name: str,
) -> None:
    strikes(both, FAULTS[name], lambda _user: True)
    for _ in range(3):
        with pytest.raises((UnavailableError, PostponedError)):
            sync_accounts(mirror_parts, worker_info, PAUSES)
        clock.advance(minutes=1)
    assert left(mirror_parts.store) == After(0, is_current=False)
    recovers(both, worker_info, mirror_parts, clock)


@pytest.mark.parametrize("name", sorted(OF_EVERYBODY))
def test_a_command_says_what_the_venue_did_in_one_line(
    both: VenueServer,
    mirror_parts: MirrorParts,
    command: Command,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", both.origin)
    monkeypatch.setenv("AFTERWORD_HYPERLIQUID_TIMEOUT_S", "0.5")
    strikes(both, FAULTS[name], lambda _user: True)
    failed = command("sync", "now")
    assert failed.code != 0
    assert failed.err.count("\n") == 1
    assert "Hyperliquid" in failed.err
    assert left(mirror_parts.store) == After(0, is_current=False)
    del both.unscripted  # type: ignore[method-assign]
    clock.advance(minutes=11)
    assert command("sync", "now").code == 0
    assert kept(mirror_parts.store) == {"bad": (2, 1), "good": (2, 1)}


@pytest.mark.parametrize("ahead", [-1, 1, 23], ids=lambda hours: f"{hours} h ahead")
def test_a_venue_whose_clock_is_wrong_loses_nothing(
    both: VenueServer,
    worker_info: HyperliquidInfo,
    mirror_parts: MirrorParts,
    clock: ManualClock,
    ahead: int,
) -> None:
    account = both.account(ADDRESSES["good"])
    for number in range(12):  # its clock is set right in the middle
        at_ms = ms(clock()) - 600_000 + (ahead * HOUR_MS if number < 6 else 0)
        account.trade(venue_trip(10 + 2 * number, at_ms, f"C{number}"))
        sync_accounts(mirror_parts, worker_info, PAUSES)
        clock.advance(minutes=31)
    assert kept(mirror_parts.store)["good"] == (len(account.fills), 1)
    assert {state.whole_since_ms for state in sync_status(mirror_parts.store)} == {0}
