"""The ledger has at least the bill of a model, however a request ends."""

from collections.abc import Iterable
from typing import Any

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import BudgetExceededError
from afterword.pipeline.gateway.budget import (
    BookedReply,
    Budget,
    NotSentError,
    Price,
    Purpose,
    Reply,
    Usage,
    estimate_tokens,
    metered,
)
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.meter import FakeModel, ModelTurn, level_caps

CENT = 10_000
PRICE = Price(input_micro_usd=CENT * 1_000_000, output_micro_usd=CENT * 1_000_000, as_of=None)
"""A cent a token, read or written."""
PURPOSE = Purpose("learning", "main", "judge_outcome", "fake")


@pytest.fixture
def budget(instance: Store, clock: ManualClock, ids: IdSource) -> Budget:
    return Budget(instance, level_caps(100 * CENT, 10_000 * CENT), clock, ids)


def model(turns: Iterable[ModelTurn]) -> FakeModel:
    return FakeModel(turns, PRICE)


def ask(budget: Budget, call: Any, read: int = 10, wrote: int = 10) -> BookedReply[object]:
    return metered(
        budget, PURPOSE, PRICE, call, input_tokens=read, max_output_tokens=wrote, ttl_s=60
    )


def books(budget: Budget) -> tuple[int, int]:
    """Return (spent, reserved) of today, in cents."""
    today = budget.overview().categories[0]
    return today.spent_micro_usd // CENT, today.reserved_micro_usd // CENT


def test_a_call_is_booked_at_the_tokens_it_used(budget: Budget) -> None:
    fake = model([ModelTurn(7, 2)])

    assert ask(budget, fake) == BookedReply("answer", Usage(7, 2, 9 * CENT))

    assert books(budget) == (9, 0)
    assert fake.billed_micro_usd == 9 * CENT


def test_the_worst_case_is_held_while_the_model_is_asked(budget: Budget) -> None:
    seen = []

    def look() -> Reply[str]:
        seen.append(books(budget))
        return Reply("answer", 1, 1)

    ask(budget, look)

    assert seen == [(0, 20)]


def test_a_spent_budget_is_not_asked_at_all(budget: Budget) -> None:
    fake = model([ModelTurn(100, 0), ModelTurn(1, 0)])
    ask(budget, fake, read=100, wrote=0)

    with pytest.raises(BudgetExceededError):
        ask(budget, fake, read=1, wrote=0)
    assert fake.calls == 1


@pytest.mark.parametrize("claims", [None, -1, "7", 7.0, True, 2**40, [7], {}])
def test_a_reply_without_a_whole_number_of_tokens_is_charged_at_the_reservation(
    budget: Budget, claims: object
) -> None:
    fake = model([ModelTurn(7, 2, claims=claims)])

    assert ask(budget, fake) == BookedReply("answer", Usage(10, 10, 20 * CENT))
    assert books(budget) == (20, 0)


def test_a_reply_that_names_no_output_is_charged_at_the_reservation(budget: Budget) -> None:
    ask(budget, lambda: Reply("answer", input_tokens=7))
    assert books(budget) == (20, 0)


@pytest.mark.parametrize(
    "error", [TimeoutError("late"), ConnectionResetError("cut"), KeyboardInterrupt(), ValueError()]
)
def test_a_call_that_fails_on_its_way_is_charged_at_the_reservation(
    budget: Budget, error: BaseException
) -> None:
    fake = model([ModelTurn(7, 0, error=error)])

    with pytest.raises(type(error)):
        ask(budget, fake)
    assert books(budget) == (20, 0)


def test_a_request_that_never_left_costs_nothing(budget: Budget) -> None:
    fake = model([ModelTurn(error=NotSentError("no address for the service"))])

    with pytest.raises(NotSentError):
        ask(budget, fake)
    assert books(budget) == (0, 0)


def test_each_retry_is_a_reservation_of_its_own(budget: Budget) -> None:
    fake = model([ModelTurn(10, 10, error=TimeoutError()), ModelTurn(10, 10)])

    with pytest.raises(TimeoutError):
        ask(budget, fake)
    ask(budget, fake)
    assert books(budget) == (40, 0)


def test_a_model_that_uses_more_than_it_could_is_booked_and_not_asked_again(
    budget: Budget,
) -> None:
    fake = model([ModelTurn(30, 1), ModelTurn(1, 1)])
    ask(budget, fake)

    with pytest.raises(BudgetExceededError, match=r"cost 0\.31 USD, 0\.2 was reserved"):
        ask(budget, fake)
    assert books(budget) == (31, 0)
    assert fake.calls == 1


def test_the_books_hold_at_least_what_the_model_billed(budget: Budget) -> None:
    turns = [
        *(ModelTurn(3, 1), ModelTurn(2, 2, claims=None), ModelTurn(1, 1, error=TimeoutError())),
        *(
            ModelTurn(5, 5),
            ModelTurn(4, 0, claims="4"),
            ModelTurn(0, 0, error=NotSentError("no route")),
        ),
    ]
    fake = model(turns)
    for _ in turns:
        try:
            ask(budget, fake, read=5, wrote=5)
        except (TimeoutError, NotSentError):
            continue
    spent, reserved = books(budget)

    assert spent * CENT >= fake.billed_micro_usd
    assert reserved == 0
    budget.check_counted()


def test_a_text_is_reserved_by_its_bytes_and_booked_by_its_tokens(budget: Budget) -> None:
    text = "BTC held above 60k"
    ask(budget, model([ModelTurn(6, 0)]), read=estimate_tokens(text), wrote=0)

    assert books(budget) == (6, 0)
    assert Usage(6, 0, 6 * CENT).input_tokens <= estimate_tokens(text)
