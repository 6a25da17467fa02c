"""Who is asked, and how asking can fail."""

from dataclasses import dataclass
from typing import Final

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget import Unbilled

LONGEST_PAUSE_S: Final = 86_400.0
"""A service that asks for more than a day is asked again after one."""


@dataclass(frozen=True, slots=True)
class Service:
    """A kind of service, as refusals speak of it.

    Args:
        name: such as `embedding service`.
        prefix: what its settings begin with, such as `AFTERWORD_EMBEDDING`.
        path: what is asked below its address, such as `/embeddings`.
        given: what it is given, such as `texts`.
    """

    name: str
    prefix: str
    path: str
    given: str

    @property
    def base_url(self) -> str:
        """The setting with its address."""
        return f"{self.prefix}_BASE_URL"

    @property
    def api_key(self) -> str:
        """The setting with its key."""
        return f"{self.prefix}_API_KEY"

    @property
    def model(self) -> str:
        """The setting with the model that is asked for."""
        return f"{self.prefix}_MODEL"


class AskFailedError(UnavailableError):
    """The service was asked and gave no usable reply; it may bill the request.

    Args:
        message: what happened, without a word of the reply.
        retry_after_s: the pause the service asks for; seconds.
    """

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ErrorReplyError(Unbilled, AskFailedError):
    """The service answered with an error that it does not bill, such as HTTP 500."""


class BusyError(Unbilled, AskFailedError):
    """The service takes no more requests for now (HTTP 503, 529), whatever they are about."""


class RateLimitError(BusyError):
    """It takes no more of ours (HTTP 429)."""


class SetupError(Unbilled, AskFailedError):
    """The service refuses whoever asks with these settings: no job of ours is to blame."""


class RefusedError(Unbilled, InvalidInputError):
    """The service refuses this request, and would tomorrow."""
