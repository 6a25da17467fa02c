"""What is stored of accounts: fills, one trip with its fills, and the mappings of columns."""

from collections.abc import Mapping, Sequence

from afterword.pipeline.clock import from_millis, iso
from afterword.pipeline.domain.exports.kept import KeptMapping
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.blocks import Fields, Paragraph, Table, View

_COLUMNS = ("time", "account", "venue", "symbol", "side", "size", "price", "fee", "uid")


def fill_list(fills: Sequence[Fill]) -> View:
    """Return fills below each other."""
    rows = [
        [
            iso(from_millis(fill.time_ms)),
            fill.account,
            fill.venue,
            fill.symbol,
            "buy" if fill.side == "B" else "sell",
            plain(fill.sz),
            f"{plain(fill.px)} {fill.quote}",
            f"{plain(fill.fee)} {fill.fee_token or fill.quote}",
            fill.fill_uid,
        ]
        for fill in fills
    ]
    return View([Table(_COLUMNS, rows, "no fills yet; see `afterword history import --help`")])


def fill_details(fills: Sequence[Mapping[str, str]]) -> View:
    """Return all that is stored of fills.

    Args:
        fills: each as `fill_values` returns it.
    """
    return View([Fields(values) for values in fills])


def trip_details(trip: Trip, fills: Sequence[Fill]) -> View:
    """Return a trip with its fills, oldest first."""
    fields = {
        "trip": trip.trip_uid,
        "account": trip.account,
        "market": f"{trip.direction} {trip.symbol} ({trip.venue}, {trip.kind})",
        "opened": "unknown" if trip.opened_at is None else iso(trip.opened_at),
        "closed": iso(trip.closed_at),
        "entry": "unknown" if trip.entry_px is None else f"{plain(trip.entry_px)} {trip.quote}",
        "exit": "unknown" if trip.exit_px is None else f"{plain(trip.exit_px)} {trip.quote}",
        "size": plain(trip.size),
        "gross": "unknown" if trip.gross is None else f"{plain(trip.gross)} {trip.quote}",
        "fees": "unknown" if trip.fees is None else f"{plain(trip.fees)} {trip.quote}",
        "net": f"{plain(trip.net)} {trip.quote}",
        "notes": ", ".join(flag.replace("_", " ") for flag in trip.flags) or "none",
    }
    return View([Fields(fields), *(Paragraph(_fill_words(fill)) for fill in fills)])


def mapping_list(mappings: Sequence[KeptMapping]) -> View:
    """Return the kept mappings of columns below each other."""
    rows = [[one.name, one.mapping.text(), one.mapping.zone or "-"] for one in mappings]
    return View([Table(("name", "columns", "zone"), rows, "no mappings yet")])


def mapping_dropped(name: str) -> View:
    """Return that a mapping has ended."""
    return View([Paragraph(f"{name} is dropped")])


def _fill_words(fill: Fill) -> str:
    side = "bought" if fill.side == "B" else "sold"
    at, uid = iso(from_millis(fill.time_ms)), fill.fill_uid
    return f"{at} {side} {plain(fill.sz)} at {plain(fill.px)} ({uid})"
