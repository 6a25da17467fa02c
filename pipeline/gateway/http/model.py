"""The services that are called, and the errors of a call."""

from dataclasses import dataclass
from typing import Final

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget import NoCharge

LONGEST_PAUSE_S: Final = 86_400.0
"""The longest pause that is accepted from a service: one day; seconds."""


@dataclass(frozen=True, slots=True)
class Service:
    """A kind of service, with the words that error messages need.

    Args:
        name: such as `embedding service`.
        prefix: start of the names of its settings, such as `AFTERWORD_EMBEDDING`.
        path: path below its address, such as `/embeddings`.
        input_name: what a request sends, such as `texts`.
    """

    name: str
    prefix: str
    path: str
    input_name: str

    @property
    def base_url(self) -> str:
        """Name of the setting that holds the address."""
        return f"{self.prefix}_BASE_URL"

    @property
    def api_key(self) -> str:
        """Name of the setting that holds the key."""
        return f"{self.prefix}_API_KEY"

    @property
    def model(self) -> str:
        """Name of the setting that holds the model."""
        return f"{self.prefix}_MODEL"


class AskFailedError(UnavailableError):
    """The service received the request and gave no usable reply; it may bill the request.

    Args:
        message: what happened; it never repeats text of the reply.
        retry_after_s: the pause that the service asks for; seconds.
    """

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ErrorReplyError(NoCharge, AskFailedError):
    """The service answered with an error that it does not bill, such as HTTP 500."""


class BusyError(NoCharge, AskFailedError):
    """The service accepts no requests for now (HTTP 503, 529), whatever their content."""


class RateLimitError(BusyError):
    """The service accepts no more requests of this account for now (HTTP 429)."""


class SetupError(NoCharge, AskFailedError):
    """The service rejects every request with these settings; the job is not the cause."""


class RefusedError(NoCharge, InvalidInputError):
    """The service rejects this request, and would reject it again."""
