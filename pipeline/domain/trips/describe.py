"""The sentence a closed round trip is remembered by, and a fill as names and texts."""

from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from afterword.pipeline.domain.fills.money import is_dollar, is_money, to_micro_usd
from afterword.pipeline.domain.trips.model import Flag, RoundTrip, time_held
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.decimals import plain

_CENT: Final = Decimal("0.01")
_UNITS: Final = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
_WORDS: Final[dict[Flag, str]] = {
    "share_split": "its shares were split while it was held, nobody says how",
    "units_split": "its shares were split while it was held: units and prices are those after it",
    "opened_before": "opened before the first known fill",
    "fills_missing": "fills are missing inside",
    "liquidation_unmatched": "a liquidation took part, whose is unknown",
    "auto_deleveraged": "auto-deleveraged",
    "vault_netting": "netted inside a vault",
    "other_side": "a fill closes the other side: did the account hold long and short at once?",
    "dust_left": "a rest too small to sell is left",
    "ledger_disagrees": "the venue reports another profit",
    "days_only": "its days are known, not their hours",
    "closed_trade": "reported without its fills",
    "fees_unknown": "fees are not known",
}


def describe_trip(trip: RoundTrip) -> str:
    """Say in one ASCII line what a trip was, with the figures of its row.

    Returns:
        For example `long ETH from $3200 to $3450, closed +7.75 % net (+$248.10, fees $1.90),
        held 2 h 5 min, 4 fills`; a trip that is incomplete states no rate.
    """
    entry = "unknown" if trip.entry_px is None else _price(trip.entry_px, trip.quote)
    remarks = [
        f"{trip.direction} {trip.market.symbol} from {entry} to {_price(trip.exit_px, trip.quote)}",
        _result(trip),
        _held(time_held(trip.opened_at, trip.closed_at, is_day="days_only" in trip.flags)),
        f"{len(trip.fill_uids)} fill{'s' if len(trip.fill_uids) > 1 else ''}",
        *(f"other fees {plain(amount)} {token}" for token, amount in trip.other_fees),
        *(["liquidated"] if trip.liquidated else []),
        *(["incomplete"] if trip.is_incomplete else []),
        *(_WORDS[flag] for flag in trip.flags),
    ]
    return ", ".join(remarks)


def describe_closed(trip: Trip) -> str:
    """Say in one line what a closed trade was; what no file says is called unknown."""
    entry, exit_ = (
        "unknown" if px is None else _price(px, trip.quote) for px in (trip.entry_px, trip.exit_px)
    )
    net = _amount(trip.net, to_micro_usd(trip.net), trip.quote, plus="+")
    fees = "unknown" if trip.fees is None else _fees_of(trip.fees, trip.quote)
    remarks = [
        f"{trip.direction} {trip.symbol} from {entry} to {exit_}",
        f"closed {net} net (fees {fees})",
        *([] if trip.opened_at is None else [_held(trip.held)]),
        *(_WORDS[flag] for flag in trip.flags),
    ]
    return ", ".join(remarks)


def _fees_of(fees: Decimal, quote: str) -> str:
    return _amount(fees, to_micro_usd(fees), quote)


def _price(px: Decimal, quote: str) -> str:
    return f"${plain(px)}" if is_dollar(quote) else f"{plain(px)} {quote}"


def _result(trip: RoundTrip) -> str:
    costs = "fees unknown"
    if "fees_unknown" not in trip.flags:
        costs = f"fees {_amount(trip.fees, trip.fees_micro_usd, trip.quote)}"
    if trip.funding is not None:
        costs += f", funding {_amount(trip.funding, trip.funding_micro_usd, trip.quote, plus='+')}"
    if trip.gross_pnl is None:
        return f"closed with an unknown profit ({costs})"
    net = _amount(trip.net_pnl, trip.net_micro_usd, trip.quote, plus="+")
    if trip.return_on_entry is None:
        return f"closed {net} net ({costs})"
    return f"closed {trip.return_on_entry * 100:+.2f} % net ({net}, {costs})"


def _amount(exact: Decimal, micro_usd: int, quote: str, plus: str = "") -> str:
    """Write an amount in its currency; dollars in cents."""
    if is_dollar(quote):
        return _dollars(micro_usd, plus)
    if is_money(quote) and abs(exact) >= 1:
        exact = exact.quantize(_CENT, ROUND_HALF_UP)
    return f"{plus if exact >= 0 else ''}{plain(exact)} {quote}"


def _dollars(micro_usd: int, plus: str = "") -> str:
    """Write an amount in cents, and one below a dollar exactly; the row has every digit."""
    sign = "-" if micro_usd < 0 else plus
    amount = Decimal(abs(micro_usd)).scaleb(-6)
    if amount >= 1:
        return f"{sign}${amount.quantize(_CENT, ROUND_HALF_UP)}"
    cents, rest = f"{amount:.6f}"[:4], f"{amount:.6f}"[4:].rstrip("0")
    return f"{sign}${cents}{rest}"


def _held(held: timedelta | None) -> str:
    return "opened and closed on one day" if held is None else f"held {_span(held)}"


def _span(held: timedelta) -> str:
    """Write a duration in its two largest units."""
    left = held // timedelta(seconds=1)
    words = []
    for unit, seconds in _UNITS:
        count, left = divmod(left, seconds)
        if count:
            words.append(f"{count} {unit}")
    return " ".join(words[:2]) or "under 1 s"
