"""Arguments that several routes have, and the form of their bodies."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict

from afterword.pipeline.clock import checked_moment

AsOfMoment = Annotated[
    datetime | None,
    Query(description="Answer with what was known at this moment.", examples=["2026-01-05T00:00Z"]),
]
Thing = Annotated[str, Path(description="Its number or its uid.", max_length=200)]
MostShown = Annotated[int, Query(description="How many at most.", ge=1, le=1_000)]


class RequestForm(BaseModel):
    """The body of a request: a field that it does not have is refused, and none is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def given(self) -> dict[str, Any]:
        """Return the fields that the client sent, by name."""
        return {name: getattr(self, name) for name in self.model_fields_set}


def at(moment: datetime | None) -> datetime | None:
    """Return the moment of a question.

    Raises:
        InvalidInputError: it has no time zone, or is out of range.
    """
    return None if moment is None else checked_moment(moment, "as_of")


def thing(written: str) -> str | int:
    """Return the number or the uid of a thing, as it stands in the address."""
    is_number = written.isascii() and written.isdigit() and len(written) < 19
    return int(written) if is_number else written
