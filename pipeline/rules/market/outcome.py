"""Was a directional decision right: beyond what the market does by itself, and its costs?

| verdict | a long or short | neutral |
|---|---|---|
| right | moved its way by more than the band | stayed inside the band |
| wrong | moved against it by more than the band | left the band |
| noise | stayed inside the band | never |
| unknown | no price, bars too coarse, a jump nobody explains, …: the reason says which | the same |
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, Literal, get_args

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import RATES
from afterword.pipeline.rules.market.volatility import Costs, noise_band

Stance = Literal["long", "short", "neutral"]
"""What a decision says the price will do: rise, fall, or stay."""

STANCES: Final = get_args(Stance)

Verdict = Literal["right", "wrong", "noise", "unknown"]

Reason = Literal[
    "no_asset",  # the decision names none
    "no_series",  # no source has this market
    "no_entry",  # no price when it was decided, or one too old
    "too_coarse",  # its bars are longer than the window: most of a move may be of before
    "no_volatility",  # too few moves before it to tell a move from noise
    "no_exit",  # no price when it was due, or none yet
    "unexplained_jump",  # looks like a split that no factor file tells of
    "no_mark",  # waits for a person
    "no_answer",  # a registered probe cannot say
]
"""Why an outcome is unknown."""


_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class PricePoint:
    """A price, and the moment from which it could be known.

    Args:
        symbol: the market as its source writes it.
        at: when its bar closed; aware UTC.
    """

    source: str
    symbol: str
    at: datetime
    price: Decimal


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a decision; shares of the price (0.05 is 5 %), 28 digits.

    Args:
        why: one line that says how it was decided.
        reason: why it is unknown; None otherwise.
        change: how the price moved over the window, splits apart; beside its peers where those
            are compared.
        result: what the stance earned, a round trip's costs off; None for neutral.
        band: the size up to which a move is noise.
        entry: the price as the decision could know it.
        exit: the price when it was due, and the only thing here known after the decision.
    """

    verdict: Verdict
    why: str
    reason: Reason | None = None
    change: Decimal | None = None
    result: Decimal | None = None
    band: Decimal | None = None
    entry: PricePoint | None = None
    exit: PricePoint | None = None


def unknown(reason: Reason, why: str, entry: PricePoint | None = None) -> Outcome:
    """Return the outcome of a decision that cannot be judged, and may be parked."""
    return Outcome("unknown", why, reason, entry=entry)


def marked(verdict: Verdict, why: str) -> Outcome:
    """Return the outcome a person or a registered probe gives; its words are kept.

    Raises:
        InvalidInputError: no outcome, or unknown, which is what it is without a mark.
    """
    if verdict not in ("right", "wrong", "noise"):
        raise InvalidInputError("outcome", f"is {verdict!a:.40}", "right, wrong or noise")
    return Outcome(verdict, why)


def judged(
    stance: Stance,
    change: Decimal,
    one_sigma: Decimal,
    costs: Costs,
    entry: PricePoint,
    exit: PricePoint,
    *,
    beside_peers: bool = False,
) -> Outcome:
    """Judge a move.

    Args:
        change: over the window; 0.05 is 5 % up.
        one_sigma: the market's own deviation over such a window, as known at the entry.
        beside_peers: whether the change is the difference to that of its peers.
    """
    band = noise_band(one_sigma, costs)
    is_beyond = abs(change) > band
    gained = RATES.minus(change) if stance == "short" else change
    if stance == "neutral":
        verdict: Verdict = "wrong" if is_beyond else "right"
    elif is_beyond:
        verdict = "right" if gained > 0 else "wrong"
    else:
        verdict = "noise"
    moved = f"{_percent(change)}{' beside its peers' if beside_peers else ''}"
    hours = round((exit.at - entry.at) / _HOUR)
    return Outcome(
        verdict,
        f"{stance}: {moved} in {hours} h, band {_percent(band, sign='')}",
        change=change,
        result=None if stance == "neutral" else RATES.subtract(gained, costs.round_trip),
        band=band,
        entry=entry,
        exit=exit,
    )


def _percent(share: Decimal, sign: str = "+") -> str:
    return f"{share * 100:{sign}.2f} %"
