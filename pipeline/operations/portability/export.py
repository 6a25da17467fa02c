"""Export a group: everything that it learned, remembered and traded, in a folder of plain files."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, iso
from afterword.pipeline.core.area import Area
from afterword.pipeline.core.store import Store, Stores, read_value, reading
from afterword.pipeline.core.store.chain.anchors import anchor
from afterword.pipeline.core.store.key import secret_key
from afterword.pipeline.operations.portability import serials
from afterword.pipeline.operations.portability.folder import ExportFolder, folder_that_becomes
from afterword.pipeline.operations.portability.front_matter import page_text
from afterword.pipeline.operations.portability.model import (
    DATA,
    INDEX,
    SCHEMA_VERSION,
    SIGNATURE,
    ExportHeader,
    ExportRequest,
    MadeExport,
)
from afterword.pipeline.operations.portability.not_carried import DERIVED, NOT_CARRIED
from afterword.pipeline.operations.portability.pages import (
    CONSTRAINTS_LEFT_OUT,
    AssetText,
    ExportPage,
    PageSource,
    pages,
)
from afterword.pipeline.operations.portability.signature import instance_name, signature_text
from afterword.pipeline.operations.portability.tables import ExportTables, where_of

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_LEFT_OUT: Final = """
SELECT count(*) FROM learned_preferences
WHERE kind = 'hard_constraint' AND superseded_at IS NULL AND state = 'active'
"""
_LISTED: Final = 200
"""Pages of a folder that the index links to; a folder shows the others."""


def export_group(
    stores: Stores,
    group: str,
    target: Path,
    request: ExportRequest,
    areas: Sequence[Area],
    asset_text: Callable[[Store], AssetText],
    clock: Clock,
) -> MadeExport:
    """Write a group into a new folder, as it is at one moment, while writers go on.

    The folder gets its name when everything in it is on the disk; a killed export leaves a folder
    with a temporary name, which the next one deletes.

    Args:
        target: a folder that does not exist.
        asset_text: returns the compiled page of an asset, by the file of the group.

    Raises:
        InvalidInputError: the target exists.
        NotFoundError: there is no such group.
        UnavailableError: the disk is full, or cannot be written.
    """
    store, key = stores.group(group), secret_key(stores.home)
    with folder_that_becomes(target) as folder:
        serial = serials.begin(stores.instance, group, request.is_signed, clock())
        header = ExportHeader(instance_name(key), group, serial)
        anchor(stores.instance, store, "export", clock())
        with reading(store) as conn:
            left_out = 0 if request.with_constraints else int(read_value(conn, _LEFT_OUT))
            tables = ExportTables(areas)
            rows = _write_data(conn, tables, folder, request)
            where = where_of(tables.exports["memories"], with_constraints=request.with_constraints)
            source = PageSource(
                conn, header.instance_id, request.with_constraints, where, asset_text(store)
            )
            chapters = _write_pages(source, folder)
        index = _index(header, iso(clock()), request, rows, chapters)
        folder.write(INDEX, [index])
        if request.is_signed:
            folder.write(SIGNATURE, [signature_text(key, header, folder.digests)])
    serials.finish(stores.instance, group, serial, clock())
    counts = {top: chapter.count for top, chapter in chapters.items()}
    return MadeExport(target, header, request.is_signed, rows, counts, left_out)


def _write_data(
    conn: Connection, tables: ExportTables, folder: ExportFolder, request: ExportRequest
) -> dict[str, int]:
    written: dict[str, int] = {}
    for name, export in tables.exports.items():
        if export.on_request and not request.with_prices:
            continue
        columns = tables.columns(conn, export)
        where = where_of(export, with_constraints=request.with_constraints)
        counter = [0]
        lines = tables.lines(conn, export, columns, where)
        folder.write(f"{DATA}/{name}.jsonl", _pieces(name, lines, counter))
        written[name] = counter[0]
    return written


def _pieces(name: str, lines: Iterator[dict[str, Any]], counter: list[int]) -> Iterator[str]:
    """Yield the lines of a file of data, after one that says what it is; count them."""
    yield _ENCODER.encode({"schema_version": SCHEMA_VERSION, "kind": name}) + "\n"
    for line in lines:
        counter[0] += 1
        yield _ENCODER.encode(line) + "\n"


class _Chapter:
    """The pages of one folder: how many there are, and the links to the first ones."""

    def __init__(self) -> None:
        self.count = 0
        self.links: list[str] = []

    def add(self, page: ExportPage) -> None:
        self.count += 1
        if self.count <= _LISTED:
            self.links.append(f"- [{_plain(page.title)}]({page.path})")


def _write_pages(source: PageSource, folder: ExportFolder) -> dict[str, _Chapter]:
    chapters: defaultdict[str, _Chapter] = defaultdict(_Chapter)
    for page in pages(source):
        folder.write(page.path, [page.text])
        chapters[page.path.split("/")[0].removesuffix(".md")].add(page)
    return dict(chapters)


def _index(
    header: ExportHeader,
    at: str,
    request: ExportRequest,
    rows: dict[str, int],
    chapters: dict[str, _Chapter],
) -> str:
    fields = {
        "schema_version": header.schema,
        "kind": "index",
        "instance_id": header.instance_id,
        "group": header.group,
        "serial": header.serial,
        "exported_at": at,
        "signed": request.is_signed,
        "constraints": request.with_constraints,
    }
    lines = [f"# {header.group}", ""]
    if not request.with_constraints:
        lines += [CONSTRAINTS_LEFT_OUT, ""]
    for top, chapter in chapters.items():
        lines += [f"## {top} ({chapter.count})", "", *chapter.links]
        lines += [f"- and {chapter.count - _LISTED} more"] if chapter.count > _LISTED else []
        lines.append("")
    lines += ["## Data", "", "One JSON object a line.", ""]
    lines += [f"- [{name}]({DATA}/{name}.jsonl): {rows[name]}" for name in rows if rows[name]]
    if empty := [name for name in rows if not rows[name]]:
        lines.append(f"- without rows: {', '.join(empty)}")
    lines += ["", "## Not in this export", "", "A backup has all of it: `afterword store backup`."]
    lines += ["", *(f"- {words}" for words in (*DERIVED, *NOT_CARRIED))]
    return page_text(fields, "\n".join(lines))


def _plain(title: str) -> str:
    """Return a title that cannot end the link around it."""
    return title.replace("[", "(").replace("]", ")").replace("\n", " ")[:120]
