"""An address and a key that can work; whatever cannot is refused at the start."""

import hashlib
import re
from typing import Final

import httpx2
from pydantic import SecretStr

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.http.model import Service

_KEY: Final = re.compile(r"[!-~]+")


def checked_address(service: Service, base_url: str) -> str:
    """Return the address without a final slash.

    Raises:
        InvalidInputError: it can never work; the value, which may hold a password, is not repeated.
    """
    try:
        url = httpx2.URL(base_url)
        url.host.encode("idna")  # what name look-up does, and fails at with a stranger's error
    except (httpx2.InvalidURL, UnicodeError):
        raise _bad(service, "is no address") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _bad(service, "names no http or https host")
    if url.port is not None and not 0 < url.port < 65536:
        raise _bad(service, "names a port that does not exist")
    if url.userinfo or url.query or url.fragment:
        raise _bad(service, "holds more than host and path")
    return base_url.rstrip("/")


def bearer(service: Service, api_key: SecretStr) -> dict[str, str]:
    """Return the header that carries the key; none for an empty one.

    Raises:
        InvalidInputError: the key would break out of its header.
    """
    key = api_key.get_secret_value()
    if not key:
        return {}
    if not _KEY.fullmatch(key):
        accepted = "printable ASCII without spaces"
        raise InvalidInputError(service.api_key, "cannot be a header", accepted)
    return {"Authorization": f"Bearer {key}"}


def setup_of(base_url: str, api_key: SecretStr) -> str:
    """Return a word for an address and a key that says neither; another one for other settings."""
    told = f"{base_url}\0{api_key.get_secret_value()}"
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def _bad(service: Service, problem: str) -> InvalidInputError:
    accepted = f"an http or https address that has {service.path} below it"
    return InvalidInputError(service.base_url, problem, accepted)
