"""The one door to every model: reserve the worst case, call, book what it really cost."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget.budget import Budget
from afterword.pipeline.gateway.budget.model import Purpose, Usage
from afterword.pipeline.gateway.budget.prices import Price

T = TypeVar("T")

SETTLING_S: Final = 60.0
"""Room between a call's deadline and the moment its reservation counts as lost; seconds."""


class Unbilled:
    """Marks an error of a request that is not billed."""


class NotSentError(Unbilled, UnavailableError):
    """The request never left this machine."""


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """What a model answered, and the usage it claims, unchecked as it came over the wire.

    Args:
        input_tokens: a count, or anything else a broken service sends.
        output_tokens: likewise; 0 for an embedding.
    """

    content: T
    input_tokens: object = None
    output_tokens: object = None


@dataclass(frozen=True, slots=True)
class BookedReply(Generic[T]):
    """What a model answered, and what was booked for it.

    Args:
        usage: as the reply names it; the reserved worst case where it names none.
    """

    content: T
    usage: Usage


def metered(
    budget: Budget,
    purpose: Purpose,
    price: Price,
    call: Callable[[], Reply[T]],
    *,
    input_tokens: int,
    max_output_tokens: int,
    ttl_s: float,
) -> BookedReply[T]:
    """Make one request within the budget, and return what it answered and cost.

    Args:
        call: sends one request, without retries of its own and with a deadline on the whole of it.
        input_tokens: upper bound of what it reads, see `estimate_tokens`.
        max_output_tokens: upper bound of what it writes, as the request says; 0 for an embedding.
        ttl_s: when the money counts as spent if this process dies; seconds, beyond the deadline.

    Raises:
        BudgetExceededError: the worst case does not fit under a cap; nothing was sent.
        Unbilled: from `call`; nothing is charged.
        Exception: whatever else `call` raised; it may have been billed, the reservation is charged.
    """
    worst = price.cost_micro_usd(input_tokens, max_output_tokens)
    held = budget.reserve(purpose, worst, ttl_s)
    try:
        reply = call()
    except BaseException as error:  # an interrupt too: the request was on its way
        if isinstance(error, Unbilled):
            budget.release(held.uid)
        else:
            budget.settle_at_reservation(held.uid, type(error).__name__)
        raise
    usage = _measured(price, reply)
    if usage is None:
        budget.settle_at_reservation(held.uid, "the reply names no whole number of tokens")
        return BookedReply(reply.content, Usage(input_tokens, max_output_tokens, worst))
    budget.settle(held.uid, usage)
    return BookedReply(reply.content, usage)


def _measured(price: Price, reply: Reply[T]) -> Usage | None:
    read, written = reply.input_tokens, reply.output_tokens
    if not (isinstance(read, int) and isinstance(written, int)):
        return None
    try:
        return Usage(read, written, price.cost_micro_usd(read, written))
    except InvalidInputError:
        return None
