"""A question to a model, and one checked value back.

Reading order: `model` (question, form, answer), `request` (the words that are sent), `anthropic`
(one request by the official SDK), `reply` (what came back, believed or refused), `metered` (no
request without a reservation, none while the service is away), `cassette` (recorded answers),
`build` (the one the settings ask for).

    question → request → breaker(metered(client)) → reply → form
"""

from afterword.pipeline.gateway.llm.model import (
    DeclinedError,
    Form,
    Llm,
    LlmAnswer,
    Question,
    UnusableAnswerError,
)

__all__ = ["DeclinedError", "Form", "Llm", "LlmAnswer", "Question", "UnusableAnswerError"]
