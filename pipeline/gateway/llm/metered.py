"""The metered model: the worst case of a request is reserved in the budget before it is sent."""

from functools import partial
from typing import Any, Final, Protocol

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import BudgetExceededError, CircuitOpenError
from afterword.pipeline.gateway.budget import (
    SETTLING_S,
    BookedReply,
    Budget,
    Price,
    Purpose,
    Reply,
    metered,
)
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.model import RefusedError
from afterword.pipeline.gateway.llm.model import (
    DeclinedError,
    Filled,
    LlmAnswer,
    Question,
    UnusableAnswerError,
)
from afterword.pipeline.gateway.llm.reply import Message, read_value
from afterword.pipeline.gateway.llm.request import most_tokens_of, request_of

NOT_ASKED: Final = frozenset({"over_budget", "left_alone"})
"""Outcomes of a question that the budget or the circuit refused."""


class LlmClient(Protocol):
    """Sends one request; it books no cost."""

    @property
    def provider(self) -> str:
        """Return the name of the service that is asked."""
        ...

    @property
    def model(self) -> str:
        """Return the model that answers, as the service names it."""
        ...

    @property
    def timeout_s(self) -> float:
        """Return the longest time that one request may take; seconds."""
        ...

    def ask(self, request: dict[str, Any]) -> Reply[Message]:
        """Return the reply and the tokens it names."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class MeteredLlm:
    """An `Llm` over one service, paid from one budget; close it when done.

    Args:
        client: sends the requests; nothing else may use it.
        breaker: sends nothing while the service fails.
        price: of the model.
        category: the category of the budget that pays.
        monotonic: times each call.
    """

    def __init__(
        self,
        client: LlmClient,
        breaker: Breaker,
        budget: Budget,
        price: Price,
        category: str,
        monotonic: Monotonic,
    ) -> None:
        self.provider, self.model = client.provider, client.model
        self._client, self._breaker, self._budget = client, breaker, budget
        self._price, self._category, self._monotonic = price, category, monotonic

    def ask(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Return a checked answer, by one request (see `Llm`)."""
        return self._ask(question, at_once=False)

    def probe(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Ask even while the circuit is open, when a person tests the service."""
        return self._ask(question, at_once=True)

    def close(self) -> None:
        """Close the connections to the service."""
        self._client.close()

    def _ask(self, question: Question[Filled], at_once: bool) -> LlmAnswer[Filled]:
        began, outcome = self._monotonic(), "failed"
        try:
            answer = self._answer(question, at_once)
            outcome = "answered"
            return answer
        except Exception as error:
            outcome = _outcome(error)
            raise
        finally:
            took = {} if outcome in NOT_ASKED else {"seconds": self._monotonic() - began}
            emit("llm.asked", task=question.task, outcome=outcome, **took)

    def _answer(self, question: Question[Filled], at_once: bool) -> LlmAnswer[Filled]:
        request = request_of(question, self.model)
        call = partial(
            metered,
            self._budget,
            Purpose(self._category, question.group, question.task, self.model),
            self._price,
            partial(self._client.ask, request),
            input_tokens=most_tokens_of(request),
            max_output_tokens=question.max_output_tokens,
            ttl_s=self._client.timeout_s + SETTLING_S,
        )
        booked: BookedReply[Message] = self._breaker.guard(call, at_once=at_once)
        message = booked.content
        try:
            value = read_value(message, question.form, self.model)
        except (UnusableAnswerError, DeclinedError) as error:
            error.usage = booked.usage
            raise
        return LlmAnswer(value, booked.usage, _name(message, self.model), message.request_id)


def _outcome(error: Exception) -> str:
    match error:
        case BudgetExceededError():
            return "over_budget"
        case CircuitOpenError():
            return "left_alone"
        case DeclinedError():
            return "declined"
        case RefusedError():
            return "refused"
        case UnusableAnswerError():
            return "unusable"
    return "failed"


def _name(message: Message, model: str) -> str:
    named = message.body.get("model")
    return named[:100] if isinstance(named, str) and named.isprintable() else model
