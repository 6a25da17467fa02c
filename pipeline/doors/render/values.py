"""A value as one JSON document, for programs."""

import dataclasses
import json
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, Final

import typer

from afterword.pipeline.clock import iso

_PIECES: Final = 10_000
"""Pieces of a JSON document that are printed at once; count."""


def print_json(value: Any) -> None:
    """Print one JSON document in ASCII, which every terminal, pipe and locale can show.

    It is printed piece by piece: the text of 100,000 trades is larger than the trades.
    """
    pieces = json.JSONEncoder(indent=2, default=_parts).iterencode(value)
    while text := "".join(islice(pieces, _PIECES)):
        typer.echo(text, nl=False)
    typer.echo()


def json_bytes(value: Any) -> bytes:
    """Return one JSON document in UTF-8, without line breaks, for a client of the network."""
    return json.dumps(value, ensure_ascii=False, default=_parts).encode()


def plain(value: Any) -> Any:
    """Return a value as JSON types: fields by name, moments and paths as text.

    Raises:
        TypeError: an unknown type; its repr would not be a stable answer.
    """
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(key): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
    return plain(_parts(value))


def _parts(value: Any) -> Any:
    """Return a value that JSON does not know as one that it knows; its parts stay as they are."""
    match value:
        case datetime():
            return iso(value)
        case date():
            return value.isoformat()
        case Path() | Decimal() | Fraction():
            return str(value)
        case Mapping():
            return dict(value)
        case set() | frozenset():
            return list(value)
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")
