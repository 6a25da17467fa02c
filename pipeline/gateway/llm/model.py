"""The question to a model, the form it fills in, its answer, and the errors."""

from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget import Usage

MOST_OUTPUT_TOKENS: Final = 16_000
"""More than any form needs; from 21,333 on the SDK wants answers streamed."""

_MOST_BYTES: Final = 500_000
"""A longer question fits into no context window of an affordable model."""


class Form(BaseModel):
    """The fields a model may fill in; everything else in its reply is ignored.

    The docstring of a form is sent to the model as its instruction. Give every text a `max_length`
    and every choice a `Literal` or an enum.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


Filled = TypeVar("Filled", bound=Form)


@dataclass(frozen=True, slots=True)
class Question(Generic[Filled]):
    """One question to a model.

    Args:
        task: its purpose, a stable word such as `classify_entry`; for the budget.
        group: the group that pays; for the budget.
        system: the instruction, written by us only.
        user: the material, which may contain third-party text.
        form: the form the model must fill in.
        max_output_tokens: most tokens it may write; count, 1 to `MOST_OUTPUT_TOKENS`.
        occasion: correlation id, such as the uid of the decision: it distinguishes two questions
            with the same text. A cassette stores it, the model never sees it.

    Raises:
        InvalidInputError: too large, empty, or not writable as UTF-8.
    """

    task: str
    group: str
    system: str
    user: str
    form: type[Filled]
    max_output_tokens: int = 1_024
    occasion: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.max_output_tokens <= MOST_OUTPUT_TOKENS:
            accepted = f"1 to {MOST_OUTPUT_TOKENS:,} tokens"
            raise InvalidInputError("max_output_tokens", f"{self.max_output_tokens}", accepted)
        if not self.user.strip():
            raise InvalidInputError("user", "is empty", "the material of the question")
        try:
            size = len(self.system.encode()) + len(self.user.encode())
        except UnicodeEncodeError:
            accepted = "text without lone surrogates"
            raise InvalidInputError("question", "cannot be written as UTF-8", accepted) from None
        if size > _MOST_BYTES:
            raise InvalidInputError("question", f"{size:,} bytes", f"{_MOST_BYTES:,} at most")


@dataclass(frozen=True, slots=True)
class LlmAnswer(Generic[Filled]):
    """A model's answer.

    Args:
        value: the form, filled in and checked.
        usage: as it was booked; zero for a replayed answer.
        model: the model that answered, as the service names it.
        request_id: the service's id of the request; empty if it gave none.
    """

    value: Filled
    usage: Usage
    model: str
    request_id: str


class Llm(Protocol):
    """A model that fills in forms."""

    @property
    def provider(self) -> str:
        """Return the name of the service that is asked."""
        ...

    @property
    def model(self) -> str:
        """Return the model that answers, as the service names it."""
        ...

    def ask(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Return a checked answer; ask outside any transaction.

        Raises:
            UnusableAnswerError: the answer does not fit the form; another try may succeed.
            DeclinedError: the model refuses to answer this question.
            UnavailableError: no usable reply; an `AskFailedError` may say when to try again.
            PostponedError: the budget is spent, or the circuit is open.
            InvalidInputError: the service will never accept this question.
        """
        ...

    def close(self) -> None:
        """Close the connections; ask nothing afterwards."""
        ...


class UnusableAnswerError(UnavailableError):
    """The model answered and was paid, but the answer does not fit the form."""

    usage: Usage | None = None
    """As it was booked; None where it is not known."""


class DeclinedError(InvalidInputError):
    """The model refuses to answer this question; do not ask again."""

    usage: Usage | None = None
    """As it was booked; None where it is not known."""

    def __init__(self, model: str, category: str | None) -> None:
        why = f" ({category})" if category else ""
        accepted = "another question, or another AFTERWORD_LLM_MODEL"
        super().__init__("question", f"{model} declined to answer{why}", accepted)
        self.category = category
