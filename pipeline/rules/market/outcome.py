"""The outcome of a directional decision, beyond market noise and trading costs.

| verdict | a long or short | neutral | with a stop or a target |
|---|---|---|---|
| right | moved its way, beyond the band | below 0.9 of a typical move | the target came first |
| wrong | moved against it, beyond the band | above 1.1 of a typical move | the stop came first |
| noise | stayed inside the band | between the two | both came in one bar |
| unknown | no price, bars too coarse, an unexplained jump, … (see `reason`) | the same | the same |

Where neither stop nor target came, or one was passed at the entry, the move over the window
decides.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal, get_args

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.volatility import neutral_verdict

Stance = Literal["long", "short", "neutral"]
"""The claim of a decision about the price: it rises, falls or stays."""

STANCES: Final = get_args(Stance)

OutcomeVerdict = Literal["right", "wrong", "noise", "unknown"]

UnknownReason = Literal[
    "no_asset",  # the decision names no market
    "no_series",  # no source has this market
    "no_entry",  # no price at or soon after the decision, or none yet
    "too_coarse",  # its bars are longer than the window: most of a move may be from before it
    "no_volatility",  # too few earlier moves to separate a move from noise
    "no_exit",  # no price at or soon after the end of the window, or none yet
    "closed",  # of a neutral call: no trading in most of the time the market usually trades
    "unexplained_jump",  # looks like a split, but no factor file has it
    "no_mark",  # waits for a person
    "no_answer",  # a registered probe cannot decide
]
"""The reasons of an unknown outcome."""


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
    """The outcome of a decision; shares of the price (0.05 is 5 %), 9 decimals.

    Args:
        why: one line that explains the verdict.
        reason: why it is unknown; None otherwise.
        change: price move over the window, adjusted for splits; relative to the peers, if the probe
            compares with peers.
        result: what the stance earned, minus the costs of a round trip; None for neutral.
        band: the greatest move that counts as noise for a long or a short.
        entry: the first price at or after the decision.
        exit: the price at the end of the window, the only value here from after the entry.
        again_at: before then an unknown outcome cannot be measured; None where prices are missing.
    """

    verdict: OutcomeVerdict
    why: str
    reason: UnknownReason | None = None
    change: Decimal | None = None
    result: Decimal | None = None
    band: Decimal | None = None
    entry: PricePoint | None = None
    exit: PricePoint | None = None
    again_at: datetime | None = None


def unknown(reason: UnknownReason, why: str, again_at: datetime | None = None) -> Outcome:
    """Return an unknown outcome; its decision may be parked, or waits until it can be measured."""
    return Outcome("unknown", why, reason, again_at=again_at)


def marked(verdict: OutcomeVerdict, why: str) -> Outcome:
    """Return the outcome of a mark or a registered probe, with its own explanation.

    Raises:
        InvalidInputError: not an outcome, or `unknown`, which a mark cannot give.
    """
    if verdict not in ("right", "wrong", "noise"):
        raise InvalidInputError("outcome", f"is {verdict!a:.40}", "right, wrong or noise")
    return Outcome(verdict, why)


def judged(
    stance: Stance, move_ppb: int, band_ppb: int, typical_ppb: int
) -> Literal["right", "wrong", "noise"]:
    """Judge a move over a window; all in parts per billion.

    Args:
        move_ppb: of the price; above 0 is up.
        band_ppb: the greatest move that is noise for a long or a short.
        typical_ppb: the move that a neutral call is compared with.
    """
    if stance == "neutral":
        return neutral_verdict(move_ppb, typical_ppb)
    if -band_ppb <= move_ppb <= band_ppb:
        return "noise"
    return "right" if (move_ppb > 0) == (stance == "long") else "wrong"
