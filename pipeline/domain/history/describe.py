"""The sentence a closed round trip is remembered by."""

from datetime import timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final

from afterword.pipeline.domain.history.model import Flag, RoundTrip
from afterword.pipeline.rules.market.decimals import plain

_CENT: Final = Decimal("0.01")
_UNITS: Final = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
_WORDS: Final[dict[Flag, str]] = {
    "opened_before": "opened before the first known fill",
    "fills_missing": "fills are missing inside",
    "liquidation_unmatched": "a liquidation took part, whose is unknown",
    "auto_deleveraged": "auto-deleveraged",
    "vault_netting": "netted inside a vault",
}


def describe_trip(trip: RoundTrip) -> str:
    """Say in one ASCII line what a trip was, with the figures of its row.

    Returns:
        For example `long ETH from $3200 to $3450, closed +7.75 % net (+$248.10, fees $1.90),
        held 2 h 5 min, 4 fills`; a trip that is incomplete states no rate.
    """
    entry = "unknown" if trip.entry_px is None else f"${plain(trip.entry_px)}"
    remarks = [
        f"{trip.direction} {trip.coin} from {entry} to ${plain(trip.exit_px)}",
        _result(trip),
        f"held {_span(trip.closed_at - trip.opened_at)}",
        f"{len(trip.fill_uids)} fill{'s' if len(trip.fill_uids) > 1 else ''}",
        *(f"other fees {plain(amount)} {token}" for token, amount in trip.other_fees),
        *(["liquidated"] if trip.liquidated else []),
        *(["incomplete"] if trip.is_incomplete else []),
        *(_WORDS[flag] for flag in trip.flags),
    ]
    return ", ".join(remarks)


def _result(trip: RoundTrip) -> str:
    net, fees = _dollars(trip.net_micro_usd, plus="+"), _dollars(trip.fees_micro_usd)
    if trip.return_on_entry is None:
        return f"closed {net} net (fees {fees})"
    return f"closed {trip.return_on_entry * 100:+.2f} % net ({net}, fees {fees})"


def _dollars(micro_usd: int, plus: str = "") -> str:
    """Write an amount in cents, and one below a dollar exactly; the row has every digit."""
    sign = "-" if micro_usd < 0 else plus
    amount = Decimal(abs(micro_usd)).scaleb(-6)
    if amount >= 1:
        return f"{sign}${amount.quantize(_CENT, ROUND_HALF_EVEN)}"
    cents, rest = f"{amount:.6f}"[:4], f"{amount:.6f}"[4:].rstrip("0")
    return f"{sign}${cents}{rest}"


def _span(held: timedelta) -> str:
    """Write a duration in its two largest units."""
    left = held // timedelta(seconds=1)
    words = []
    for unit, seconds in _UNITS:
        count, left = divmod(left, seconds)
        if count:
            words.append(f"{count} {unit}")
    return " ".join(words[:2]) or "under 1 s"
