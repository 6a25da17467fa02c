"""Ask Hyperliquid for the fills of an address, as if its API had been saved to a file."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import EPOCH, from_millis
from afterword.pipeline.domain.accounts.checks import checked_address
from afterword.pipeline.domain.accounts.known_role import trading_role
from afterword.pipeline.domain.funding.model import FundingPayment
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.sync.pages import VenueRow
from afterword.pipeline.domain.sync.venue_fills import REACHABLE_FILLS, read_fills
from afterword.pipeline.domain.sync.venue_funding import read_funding
from afterword.pipeline.domain.trips.settle_fills import ShowProgress
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.operations.learn.report import UnreadLine
from afterword.pipeline.operations.learn.venue_history import VenueHistory

_MS: Final = timedelta(milliseconds=1)
_STEP: Final = "ask Hyperliquid"


def ask_venue(
    venue: VenueInfo, addresses: Sequence[str], folder: Path, now: datetime, told: ShowProgress
) -> list[VenueHistory]:
    """Write the fills of addresses into a folder, one file each.

    Args:
        folder: of this look only.

    Raises:
        InvalidInputError: an address that is malformed, unknown to the venue, signs for another
            one, or never traded.
        UnavailableError: the venue gave no usable reply.
    """
    checked = list(dict.fromkeys(map(checked_address, addresses)))
    return [
        _ask(venue, address, folder, now, told, is_alone=len(checked) == 1) for address in checked
    ]


def missing_lines(histories: Sequence[VenueHistory]) -> list[UnreadLine]:
    """Return what the venue did not hand out, and what brings it."""
    lines = []
    for history in histories:
        if history.whole_since is not None:
            lines.append(
                UnreadLine(
                    f"Hyperliquid hands out the newest {REACHABLE_FILLS:,} fills of an address, and"
                    f" {history.address} has more: its history is whole from "
                    f"{history.whole_since:%Y-%m-%d %H:%M} UTC on",
                    1,
                    remedy="the CSV of its trade history, which its owner exports at the venue, "
                    "brings the time before: give it beside the address",
                )
            )
        full = {"fills": history.full_moments, "payments": history.full_funding_moments}
        for what, moments in full.items():
            if moments:
                lines.append(
                    UnreadLine(
                        f"moments have more {what} than Hyperliquid hands out of one, so that some "
                        "are missing",
                        len(moments),
                        tuple(f"{moment:%Y-%m-%d %H:%M:%S} UTC" for moment in moments[:3]),
                    )
                )
    return lines


def _ask(
    venue: VenueInfo,
    address: str,
    folder: Path,
    now: datetime,
    told: ShowProgress,
    *,
    is_alone: bool,
) -> VenueHistory:
    trading_role(venue, address)
    rows: list[VenueRow] = []
    full_at = []
    told(_STEP, 0, REACHABLE_FILLS)
    end_ms = (now - EPOCH) // _MS
    for page in read_fills(venue, address, 0, end_ms):
        rows += page.rows
        if page.full_at_ms is not None:
            full_at.append(from_millis(page.full_at_ms))
        told(_STEP, len(rows), max(REACHABLE_FILLS, len(rows)))
    told(_STEP, len(rows), len(rows))
    if not rows:
        problem = "must have traded, and Hyperliquid has no fill of it"
        raise InvalidInputError("address", problem, "an address with trades")
    file = folder / f"hyperliquid-{address}.json"
    # The account of one address is named as that of a file; of several, each has a name.
    saved = rows if is_alone else {address: {"fills": rows}}
    file.write_text(json.dumps(saved), encoding="utf-8")
    first_ms: int = rows[0]["time"]
    funding, full_funding = _funding(venue, address, first_ms, end_ms, told)
    return VenueHistory(
        address,
        file,
        len(rows),
        whole_since=from_millis(first_ms) if len(rows) >= REACHABLE_FILLS else None,
        full_moments=tuple(full_at),
        funding=funding,
        full_funding_moments=full_funding,
    )


def _funding(
    venue: VenueInfo, address: str, start_ms: int, end_ms: int, told: ShowProgress
) -> tuple[tuple[FundingPayment, ...], tuple[datetime, ...]]:
    """Return the payments of a span of time, and the moments of which some are missing."""
    payments: list[FundingPayment] = []
    full: list[datetime] = []
    for page in read_funding(venue, address, start_ms, end_ms):
        payments += payments_in(page.rows)
        full += [] if page.full_at_ms is None else [from_millis(page.full_at_ms)]
        told("ask for funding", page.upto_ms - start_ms, end_ms - start_ms)
    return tuple(payments), tuple(full)
