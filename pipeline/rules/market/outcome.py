"""Judge whether a directional decision was right, beyond market noise and trading costs.

| verdict | a long or short | neutral |
|---|---|---|
| right | moved its way, beyond the band | stayed inside the band |
| wrong | moved against it, beyond the band | left the band |
| noise | stayed inside the band | never |
| unknown | no price, bars too coarse, an unexplained jump, … (see `reason`) | the same |
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, Literal, get_args

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import RATES
from afterword.pipeline.rules.market.volatility import Costs, noise_band

Stance = Literal["long", "short", "neutral"]
"""The claim of a decision about the price: it rises, falls or stays."""

STANCES: Final = get_args(Stance)

Verdict = Literal["right", "wrong", "noise", "unknown"]

Reason = Literal[
    "no_asset",  # the decision names no market
    "no_series",  # no source has this market
    "no_entry",  # no price at the decision, or a too old one
    "too_coarse",  # its bars are longer than the window: most of a move may be from before it
    "no_volatility",  # too few earlier moves to separate a move from noise
    "no_exit",  # no price at the due moment, or not yet
    "unexplained_jump",  # looks like a split, but no factor file has it
    "no_mark",  # waits for a person
    "no_answer",  # a registered probe cannot decide
]
"""The reasons of an unknown outcome."""


_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class PricePoint:
    """A price, and the moment from which it was known.

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
    """The outcome of a decision; shares of the price (0.05 is 5 %), 28 digits.

    Args:
        why: one line that explains the verdict.
        reason: why it is unknown; None otherwise.
        change: price move over the window, adjusted for splits; relative to the peers, if the probe
            compares with peers.
        result: what the stance earned, minus the costs of a round trip; None for neutral.
        band: the greatest move that counts as noise.
        entry: the price known at the decision.
        exit: the price at the due moment, the only value here from after the decision.
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
    """Return an unknown outcome; its decision may be parked."""
    return Outcome("unknown", why, reason, entry=entry)


def marked(verdict: Verdict, why: str) -> Outcome:
    """Return the outcome of a mark or a registered probe, with its own explanation.

    Raises:
        InvalidInputError: not an outcome, or `unknown`, which a mark cannot give.
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
        beside_peers: whether the change is relative to the peers.
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
