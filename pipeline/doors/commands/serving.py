"""The address of the network door, for the commands that serve it and that connect clients to it."""

from ipaddress import IPv4Address, IPv6Address, ip_address

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.settings import Settings


def address_of(settings: Settings) -> IPv4Address | IPv6Address:
    """Return the address on which a server listens.

    Raises:
        InvalidInputError: the setting is no address.
    """
    try:
        return ip_address(settings.http_host)
    except ValueError:
        accepted = "an address such as 127.0.0.1 or 0.0.0.0"
        raise InvalidInputError(
            "AFTERWORD_HTTP_HOST", f"{settings.http_host!a:.60} is no address", accepted
        ) from None
