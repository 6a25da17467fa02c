"""What a model is asked, what it may fill in, and how asking can fail."""

from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget import Usage

MOST_OUTPUT_TOKENS: Final = 16_000
"""More than any form needs; the SDK itself wants longer answers streamed from 21,333 on."""

MOST_BYTES: Final = 500_000
"""A longer question fits into no context window that is cheap enough to ask."""


class Form(BaseModel):
    """The fields a model may fill in; whatever else it says has no effect.

    The docstring of a form tells the model what to do with it. Give every text a `max_length` and
    every choice a `Literal` or an enum.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


Filled = TypeVar("Filled", bound=Form)


@dataclass(frozen=True, slots=True)
class Question(Generic[Filled]):
    """One thing a model is asked.

    Args:
        task: what it is for, a stable word such as `classify_entry`; for the budget.
        group: whose memory it is about; for the budget.
        system: what the model is to do, in words that are ours alone.
        user: the material, which may hold anybody's words.
        form: what it must fill in.
        max_output_tokens: how much it may write; count, 1 to `MOST_OUTPUT_TOKENS`.
        occasion: tells this asking from another one of the same words, such as the uid of what it
            is about. A cassette keeps it, the model never sees it.

    Raises:
        InvalidInputError: no model can be asked this.
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
        if size > MOST_BYTES:
            raise InvalidInputError("question", f"{size:,} bytes", f"{MOST_BYTES:,} at most")


@dataclass(frozen=True, slots=True)
class LlmAnswer(Generic[Filled]):
    """What came back.

    Args:
        value: the form, filled in and checked.
        usage: what it took; nothing where it was recorded.
        model: who answered, as the service names it.
        request_id: the service's name for the request; empty if it gave none.
    """

    value: Filled
    usage: Usage
    model: str
    request_id: str


class Llm(Protocol):
    """Somebody who fills in forms."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...

    def ask(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Return a checked answer; ask outside any transaction.

        Raises:
            UnusableAnswerError: it answered something else; another try may succeed.
            DeclinedError: it will not answer this.
            UnavailableError: no usable reply; an `AskFailedError` may say when to try again.
            PostponedError: the budget is spent, or the service is left alone for now.
            InvalidInputError: the service will never take this question.
        """
        ...

    def close(self) -> None:
        """Give back what it holds; nothing is asked afterwards."""
        ...


class UnusableAnswerError(UnavailableError):
    """The model answered, was paid, and did not fill in the form as asked."""


class DeclinedError(InvalidInputError):
    """The model will not answer this question; asking again is no use."""

    def __init__(self, model: str, category: str | None) -> None:
        why = f" ({category})" if category else ""
        accepted = "another question, or another AFTERWORD_LLM_MODEL"
        super().__init__("question", f"{model} declined to answer{why}", accepted)
