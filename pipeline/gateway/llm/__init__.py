"""Ask a model one question, and get one checked value back.

Reading order: `model` (question, form, answer), `ask` (what an asker calls), `request`
(the request body), `anthropic` (send it by the official SDK), `reply` (check the reply), `metered`
(reserve the cost first, and send nothing while the circuit is open), `cassette` (recorded answers),
`build` (the one the settings ask for), `area` (what the room declares).

    ask_form → question → request → breaker(metered(client)) → reply → form
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
