"""Keep the mapping of a header, so that the next file with the same header needs none."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, Protocol

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.named import find_header, places_of
from afterword.pipeline.domain.exports import mapping_rows as rows
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.fills.secrets import masked
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.masking import mask, shown

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class KnownTable(Protocol):
    """A table that the owner has described before: a kept mapping, or a layout file."""

    @property
    def mapping(self) -> ColumnMapping:
        """Which column holds what."""

    @property
    def symbol(self) -> str | None:
        """The market of files that name none; None if nobody said."""

    def fits(self, document: Document) -> bool:
        """Tell whether a file is such a table."""


@dataclass(frozen=True, slots=True)
class KeptMapping:
    """A mapping under its name.

    Args:
        header: the cells of the header that it belongs to, in their order, secrets masked.
        symbol: the market of files that name none; None if nobody said.
        known_at: since when (aware UTC).
    """

    name: str
    header: tuple[str, ...]
    mapping: ColumnMapping
    symbol: str | None
    known_at: datetime

    def fits(self, document: Document) -> bool:
        """Tell whether a file has the header."""
        return any(tuple(map(masked, row.cells)) == self.header for row in document.head)


def keep_mapping(
    conn: Connection,
    document: Document,
    mapping: ColumnMapping,
    now: datetime,
    *,
    name: str | None = None,
    zone: str | None = None,
    symbol: str | None = None,
) -> KeptMapping | None:
    """Keep a mapping for the header of a file that it read; an equal one is not kept twice.

    One of the same name or header ends. None for a mapping that names columns by their place only:
    a file without a header is not recognised again.

    Args:
        name: None makes one of the header's digest.
        zone: of the file's times as written, if the mapping says none.

    Raises:
        InvalidInputError: the name cannot be one.
    """
    _, header = find_header(document, mapping.columns.values())
    if header is None:
        return None
    cells = tuple(map(masked, header.cells))
    mapping = _without_secrets(mapping, header.cells)
    digest = sha256(rows.header_text(cells).encode()).hexdigest()
    kept = KeptMapping(
        checked_name(name) if name is not None else f"csv-{digest[:8]}",
        cells,
        replace(mapping, zone=mapping.zone or zone),
        symbol,
        now,
    )
    if any(replace(other, known_at=now) == kept for other in kept_mappings(conn)):
        return kept
    rows.end(conn, kept.name, cells, to_micros(now))
    rows.add(conn, cells, _words(kept), to_micros(now))
    return kept


def kept_mappings(conn: Connection, as_of: datetime | None = None) -> tuple[KeptMapping, ...]:
    """Return the mappings that are kept, or were at a moment, by name."""
    mappings = []
    for row in rows.current(conn, None if as_of is None else to_micros(as_of)):
        name, header, columns, zone, unit, mark, time_format, symbol, known_at = tuple(row)
        mapping = ColumnMapping.parse(
            columns, zone=zone, time_unit=unit, decimal=mark, time_format=time_format
        )
        cells = tuple(json.loads(header))
        mappings.append(KeptMapping(name, cells, mapping, symbol, from_micros(int(known_at))))
    return tuple(mappings)


def drop_mapping(conn: Connection, name: str, now: datetime) -> None:
    """End a kept mapping; it stays readable as of its time.

    Raises:
        NotFoundError: there is none of this name.
    """
    if not rows.end(conn, name, None, to_micros(now)):
        raise NotFoundError(f"no mapping {shown(name, 70)}; see `afterword history mappings ls`")


def fitting(document: Document, tables: Iterable[KnownTable]) -> KnownTable | None:
    """Return the first table that a file is; None if it is none of them."""
    return next((table for table in tables if table.fits(document)), None)


def fitted(
    document: Document,
    origin: Origin,
    mapping: ColumnMapping | None,
    kept: Iterable[KnownTable],
) -> tuple[Origin, ColumnMapping | None]:
    """Return how a file is to be read: as the table it is known to be, if no mapping is named."""
    if mapping is not None or (known := fitting(document, kept)) is None:
        return origin, mapping
    return replace(origin, symbol=origin.symbol or known.symbol), known.mapping


def checked_name(name: str) -> str:
    """Return the name of a mapping.

    Raises:
        InvalidInputError: it cannot be one.
    """
    if not _NAME.fullmatch(name) or mask(name) != name:
        accepted = "1-64 of the characters A-Z a-z 0-9 _ . -, and no secret"
        raise InvalidInputError("mapping", f"is {shown(name, 70)}", accepted)
    return name


def _without_secrets(mapping: ColumnMapping, cells: Sequence[str]) -> ColumnMapping:
    """Return a mapping that names a column by its place where its name holds a secret."""
    columns = dict(mapping.columns)
    for key, name in mapping.columns.items():
        if masked(name) != name:
            columns[key] = "+".join(f"#{at + 1}" for at in places_of(cells, name))
    return replace(mapping, columns=columns)


def _words(kept: KeptMapping) -> dict[str, str | None]:
    mapping = kept.mapping
    return {
        "name": kept.name,
        "columns": mapping.text(),
        "zone": mapping.zone,
        "time_unit": mapping.time_unit,
        "decimal_mark": mapping.mark,
        "time_format": mapping.time_format,
        "symbol": kept.symbol,
    }
