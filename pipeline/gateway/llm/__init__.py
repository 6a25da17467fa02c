"""A question to a model, and one checked value back.

Reading order: `model` (question, form, answer), `request` (the words that are sent), `anthropic`
(one request by the official SDK), `reply` (what came back, believed or refused), `metered` (no
request without a reservation, none while the service is away), `cassette` (recorded answers),
`build` (the one the settings ask for).

    question → request → breaker(metered(client)) → reply → form
"""

from typing import TYPE_CHECKING

from afterword.pipeline.exports import on_first_use

if TYPE_CHECKING:
    from afterword.pipeline.gateway.llm.model import (
        DeclinedError,
        Form,
        Llm,
        LlmAnswer,
        Question,
        UnusableAnswerError,
    )
else:
    __getattr__ = on_first_use(
        __name__,
        model=("DeclinedError", "Form", "Llm", "LlmAnswer", "Question", "UnusableAnswerError"),
    )

__all__ = ["DeclinedError", "Form", "Llm", "LlmAnswer", "Question", "UnusableAnswerError"]
