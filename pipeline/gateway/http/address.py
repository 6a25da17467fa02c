"""Check the address and key of a service at start, so that a wrong setting fails early."""

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
        InvalidInputError: the address can never work. The message does not repeat it, since it
            may hold a password.
    """
    try:
        url = httpx2.URL(base_url)
        url.host.encode("idna")  # name look-up does this too, but fails with an unclear error
    except (httpx2.InvalidURL, UnicodeError):
        raise _bad(service, "is not an address") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _bad(service, "has no http or https host")
    if url.port is not None and not 0 < url.port < 65536:
        raise _bad(service, "has a port outside 1 to 65535")
    if url.userinfo or url.query or url.fragment:
        raise _bad(service, "has more than a host and a path")
    return base_url.rstrip("/")


def bearer(service: Service, api_key: SecretStr) -> dict[str, str]:
    """Return the header with the key; empty without a key.

    Raises:
        InvalidInputError: the key has characters that a header cannot hold.
    """
    key = api_key.get_secret_value()
    if not key:
        return {}
    if not _KEY.fullmatch(key):
        accepted = "printable ASCII without spaces"
        raise InvalidInputError(service.api_key, "cannot be sent in a header", accepted)
    return {"Authorization": f"Bearer {key}"}


def setup_of(base_url: str, api_key: SecretStr) -> str:
    """Return a digest of an address and a key: 12 characters that reveal neither."""
    settings = f"{base_url}\0{api_key.get_secret_value()}"
    return hashlib.sha256(settings.encode()).hexdigest()[:12]


def _bad(service: Service, problem: str) -> InvalidInputError:
    accepted = f"an http or https address with {service.path} below it"
    return InvalidInputError(service.base_url, problem, accepted)
