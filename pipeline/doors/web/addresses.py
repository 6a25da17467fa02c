"""Addresses and fields as a browser sends them."""

from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.requests import Request

MOST_FIELDS: Final = 500
"""Fields of one form, and arguments of one address; count."""

DONE: Final = "done"
"""The number of the action that led to a page, in its address."""


def fields_of(encoded: bytes) -> dict[str, Any]:
    """Return the fields of a form or of an address; an empty one is left out.

    Of more than `MOST_FIELDS`, which no page sends, none is read.
    """
    try:
        several = parse_qs(encoded.decode(errors="replace"), max_num_fields=MOST_FIELDS)
    except ValueError:
        return {}
    return {name: values[0] if len(values) == 1 else values for name, values in several.items()}


def query_of(request: Request) -> dict[str, Any]:
    """Return what the address of a request asks for."""
    return fields_of(request.url.query.encode())


def own_address(request: Request) -> str:
    """Return the address of a page, without the action that led to it."""
    query = {name: value for name, value in query_of(request).items() if name != DONE}
    encoded = urlencode(query, doseq=True)
    return f"{request.url.path}?{encoded}" if encoded else request.url.path


def inside(address: object) -> str:
    """Return an address of this site, or that of its first page: a form must lead nowhere else."""
    text = address if isinstance(address, str) else "/"
    split = urlsplit(text) if text.isprintable() and "\\" not in text else None
    is_inside = split is not None and not split.scheme and not split.netloc
    return text if is_inside and text.startswith("/") and not text.startswith("//") else "/"
