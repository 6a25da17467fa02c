"""The cost of model calls: caps, reservations and a ledger of every call, one per installation.

Reading order: `model` (purpose, reservation, usage, window), `amounts`, `windows` (the UTC day and
month to which a call is booked), `caps` and `admission` (the rule), `prices` (of models), `rows`
(the ledger), `budget` (its verbs), `overview` (for an operator), `meter` (every model call passes
it), `simulate` with `simulate_rule` and `simulate_rows` (cost of planned calls), `area` and
`tables` (what the room declares).

    reserve the worst case → call → settle | settle at the reservation | release | expire as spent
"""

from typing import TYPE_CHECKING

from afterword.pipeline.exports import on_first_use

if TYPE_CHECKING:
    from afterword.pipeline.gateway.budget.budget import Budget
    from afterword.pipeline.gateway.budget.caps import Caps, caps_of
    from afterword.pipeline.gateway.budget.meter import (
        SETTLING_S,
        BookedReply,
        NoCharge,
        NotSentError,
        Reply,
        metered,
    )
    from afterword.pipeline.gateway.budget.model import (
        SPENDING_CATEGORIES,
        Purpose,
        Reservation,
        Usage,
    )
    from afterword.pipeline.gateway.budget.overview import Overview
    from afterword.pipeline.gateway.budget.prices import (
        Price,
        estimate_tokens,
        most_tokens,
        price_of,
    )
else:
    __getattr__ = on_first_use(
        __name__,
        budget=("Budget",),
        caps=("Caps", "caps_of"),
        meter=("SETTLING_S", "BookedReply", "NoCharge", "NotSentError", "Reply", "metered"),
        model=("SPENDING_CATEGORIES", "Purpose", "Reservation", "Usage"),
        overview=("Overview",),
        prices=("Price", "estimate_tokens", "most_tokens", "price_of"),
    )

__all__ = [
    "SETTLING_S",
    "SPENDING_CATEGORIES",
    "BookedReply",
    "Budget",
    "Caps",
    "NoCharge",
    "NotSentError",
    "Overview",
    "Price",
    "Purpose",
    "Reply",
    "Reservation",
    "Usage",
    "caps_of",
    "estimate_tokens",
    "metered",
    "most_tokens",
    "price_of",
]
