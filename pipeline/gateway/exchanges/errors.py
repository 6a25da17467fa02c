"""The errors of ccxt as ours. None repeats a text of ccxt: it holds the reply, and the address."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.gateway.exchanges.keys import ExchangeKey
from afterword.pipeline.gateway.exchanges.model import ExchangeVenue
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    ErrorReplyError,
    RateLimitError,
    RefusedError,
    SetupError,
)
from afterword.pipeline.gateway.http.status import WRONG_ADDRESS

UNREADABLE: Final = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What a reply of another shape than ccxt knows raises inside it."""

_NOT_HERE: Final = frozenset({403, 451})
"""Statuses of a venue that answers nobody of this network, whatever the key."""

_Answer = Callable[[ExchangeVenue, ExchangeKey], PipelineError]


def _bad_key(venue: ExchangeVenue, key: ExchangeKey) -> PipelineError:
    accepted = f"a key of {venue.title} that may read, from this network address"
    return RefusedError(key.variable, f"was refused by {venue.title}", accepted)


def _bad_clock(venue: ExchangeVenue, _key: ExchangeKey) -> PipelineError:
    return AskFailedError(
        f"{venue.title} refused the time or the number of a request; check the clock of this "
        "machine, and use the key in no other program"
    )


def _bad_market(venue: ExchangeVenue, _key: ExchangeKey) -> PipelineError:
    problem = f"is unknown to {venue.title}"
    return RefusedError("market", problem, "the name of a market there, such as BTC/USDT")


def _over_limit(venue: ExchangeVenue, _key: ExchangeKey) -> PipelineError:
    return RateLimitError(f"{venue.title} accepts no more requests for now; try again later")


def _away(venue: ExchangeVenue, _key: ExchangeKey) -> PipelineError:
    return BusyError(f"{venue.title} accepts nothing for now, such as in maintenance")


_ANSWERS: Final[Sequence[tuple[str, _Answer]]] = (
    ("AuthenticationError", _bad_key),
    ("InvalidNonce", _bad_clock),
    ("BadSymbol", _bad_market),
    ("DDoSProtection", _over_limit),
    ("RateLimitExceeded", _over_limit),
    ("ExchangeNotAvailable", _away),
)
"""By classes of ccxt, each with those below it: `PermissionDenied` is an `AuthenticationError`,
`OnMaintenance` an `ExchangeNotAvailable`."""


def own_error(error: Exception, classes: Any, venue: ExchangeVenue, key: ExchangeKey) -> Exception:
    """Return the error of ours for one that ccxt raised.

    Args:
        classes: the module `ccxt.base.errors`.
    """
    if isinstance(error, PipelineError):
        return error
    for name, answer in _ANSWERS:
        if isinstance(error, getattr(classes, name)):
            return answer(venue, key)
    if isinstance(error, classes.BaseError):
        kind = type(error).__name__
        return ErrorReplyError(f"{venue.title} answered with an error ({kind}); try again later")
    return unreadable(venue)


def refused_status(status: int, venue: ExchangeVenue, key: ExchangeKey) -> PipelineError:
    """Return the error for an HTTP status that neither ccxt nor a circuit knows."""
    said = f"{venue.title} answered HTTP {status}"
    if status == 401:
        return _bad_key(venue, key)
    if status in _NOT_HERE:
        return SetupError(f"{said}: it serves nobody of this network")
    if status in WRONG_ADDRESS:
        return SetupError(f"{said}; check AFTERWORD_EXCHANGE_BASE_URL")
    return ErrorReplyError(f"{said}; try again later")


def unreadable(venue: ExchangeVenue) -> AskFailedError:
    """Return the error for a reply of an unknown shape."""
    return AskFailedError(f"{venue.title} sent a reply that cannot be read; try again later")


def not_installed() -> InvalidInputError:
    """Return the error for a program without ccxt."""
    return InvalidInputError(
        "venue", "needs a package that is not installed", "pip install 'afterword[exchanges]'"
    )
