"""Every call to a model passes here: reserve the worst case, call, book the measured cost."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget.budget import Budget
from afterword.pipeline.gateway.budget.model import Purpose, Usage
from afterword.pipeline.gateway.budget.prices import Price

_Content = TypeVar("_Content")

SETTLING_S: Final = 60.0
"""Time from the deadline of a call to the expiry of its reservation; seconds."""


class NoCharge:
    """Marks an error after which the service does not bill the request."""


class NotSentError(NoCharge, UnavailableError):
    """The request was not sent."""


@dataclass(frozen=True, slots=True)
class Reply(Generic[_Content]):
    """The reply of a model, and the usage that it reports, not yet checked.

    Args:
        input_tokens: a count, or any other value from a broken service.
        output_tokens: the same; 0 for an embedding.
    """

    content: _Content
    input_tokens: object = None
    output_tokens: object = None


@dataclass(frozen=True, slots=True)
class BookedReply(Generic[_Content]):
    """What a model answered, and what was booked for it.

    Args:
        usage: as the reply names it; the reserved worst case where it names none.
    """

    content: _Content
    usage: Usage


def metered(
    budget: Budget,
    purpose: Purpose,
    price: Price,
    call: Callable[[], Reply[_Content]],
    *,
    input_tokens: int,
    max_output_tokens: int,
    ttl_s: float,
) -> BookedReply[_Content]:
    """Make one request within the budget, and return the content and cost of its reply.

    Args:
        call: sends one request, without retries and with one deadline.
        input_tokens: upper bound of the tokens read, see `estimate_tokens`.
        max_output_tokens: upper bound of the tokens written, as in the request; 0 for an embedding.
        ttl_s: life of the reservation, longer than the deadline: if this process dies, the money
            then counts as spent; seconds.

    Raises:
        BudgetExceededError: the worst case does not fit under a cap; nothing was sent.
        NoCharge: an error of `call` that costs nothing.
        Exception: any other error of `call`; the service may bill it, so the reservation is booked.
    """
    worst = price.cost_micro_usd(input_tokens, max_output_tokens)
    reservation = budget.reserve(purpose, worst, ttl_s)
    try:
        reply = call()
    except BaseException as error:  # an interrupt too: the request may have been sent
        if isinstance(error, NoCharge):
            budget.release(reservation.uid)
        else:
            budget.settle_at_reservation(reservation.uid, type(error).__name__)
        raise
    usage = _measured(price, reply)
    if usage is None:
        budget.settle_at_reservation(reservation.uid, "the reply has no whole number of tokens")
        return BookedReply(reply.content, Usage(input_tokens, max_output_tokens, worst))
    budget.settle(reservation.uid, usage)
    return BookedReply(reply.content, usage)


def _measured(price: Price, reply: Reply[_Content]) -> Usage | None:
    read, written = reply.input_tokens, reply.output_tokens
    if not (isinstance(read, int) and isinstance(written, int)):
        return None
    try:
        return Usage(read, written, price.cost_micro_usd(read, written))
    except InvalidInputError:
        return None
