"""What an activity was worth in dollars: from a side in dollars, else by a price of then.

Nothing is guessed. Anybody can give a token any name, so a name counts only if it is spelled as a
known token's, on a chain where that token is: a share of a pool, a wrapped claim, a look-alike or
the coin of another chain has no price here.
"""

from datetime import datetime
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.fills.model import AVERAGE, EXACT
from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.domain.spot.model import SpotActivity, SpotValue
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.classes import asset_group
from afterword.pipeline.rules.market.dollars import is_dollar_token, is_worth_a_dollar
from afterword.pipeline.rules.market.symbols import parse_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF
from afterword.pipeline.rules.market.windows import oldest

WhyNoDollars = Literal["failed", "off its peg", "no price known", "unknown token"]
"""Why an activity has no dollars: it took no effect; a side is a dollar token that had lost its
peg; a known token, of which no price of then is stored; or no side is a known token."""

_NATIVE: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("ethereum", "arbitrum", "optimism", "base", "linea", "scroll", "blast", "zksync"), "ETH"
    ),
    "avalanche": "AVAX",
    "bsc": "BNB",
    "fantom": "FTM",
    "hyperevm": "HYPE",
    "polygon": "POL",
    "solana": "SOL",
    "sonic": "S",
}
"""The coin that a chain's gas is paid in. Its name with a W before it is that coin, wrapped by a
contract that gives it back one for one."""

_TOKENS: Final = frozenset({"layer_2", "defi_blue_chip", "meme_coin", "crypto_other"})
"""Classes of tokens that have no chain of their own."""

_SHORTEST: Final = 3
"""Letters of a token's name: shorter ones mean several things."""


def stable_value(activity: SpotActivity) -> SpotValue | None:
    """Return what a side in dollars says; what was given counts first.

    Exact: one unit of a token that holds its peg is taken for one dollar.
    """
    at = from_millis(activity.time_ms)
    for token, amount in activity.sides:
        if activity.status == "confirmed" and is_worth_a_dollar(token, at):
            return SpotValue(amount, "stable_leg")
    return None


def priced_value(activity: SpotActivity, prices: PriceSource) -> SpotValue | None:
    """Return what the last price before the activity says; what was given counts first.

    A price counts from the close of its bar on, and for as long as a decision could be measured
    by it. A price in a token that had lost its peg counts for nothing.
    """
    at = from_millis(activity.time_ms)
    for token, amount in activity.sides:
        asset = priced_as(token, activity.chain)
        if asset is None or activity.status == "failed":
            continue
        for series in prices.series(asset):
            bar = prices.close_at(series, at, at)
            if bar is not None and _is_usable(series, bar, at):
                unit = _of_one(series, bar)
                return SpotValue(EXACT.multiply(amount, unit), "price", asset, unit, bar.closed_at)
    return None


def why_no_dollars(activity: SpotActivity) -> WhyNoDollars:
    """Return why an activity without a value has none."""
    if activity.status == "failed":
        return "failed"
    names = [token for token, _ in activity.sides]
    if any(priced_as(token, activity.chain) for token in names):
        return "no price known"
    return "off its peg" if any(map(is_dollar_token, names)) else "unknown token"


def priced_as(token: str, chain: str) -> str | None:
    """Return the asset whose price is that of a token on a chain; None if none surely is."""
    native = _NATIVE.get(chain)
    if native is not None and token in (native, f"W{native}"):
        return native
    is_known = CLASS_OF.get(token) in _TOKENS and len(token) >= _SHORTEST
    return token if is_known else None


def _of_one(series: Series, bar: Bar) -> Decimal:
    """Return the close of one unit, exact but for markets that price a thousand of them."""
    units = parse_symbol(series.symbol).multiplier
    return bar.close if units == 1 else AVERAGE.divide(bar.close, Decimal(units))


def _is_usable(series: Series, bar: Bar, at: datetime) -> bool:
    quote = parse_symbol(series.symbol).quote
    if quote is not None and is_dollar_token(quote) and not is_worth_a_dollar(quote, at):
        return False
    return at - bar.closed_at <= oldest(asset_group(series.symbol), series.interval)
