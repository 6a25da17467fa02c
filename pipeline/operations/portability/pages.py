"""The markdown pages of an export: read as they are, or by Obsidian."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.methodologies.carried import SAID, carried_methodologies
from afterword.pipeline.domain.methodologies.checks import phases_text
from afterword.pipeline.domain.preferences import rows as preference_rows
from afterword.pipeline.operations.portability import page_rows
from afterword.pipeline.operations.portability.front_matter import page_text
from afterword.pipeline.operations.portability.model import DIFFERENCES, SCHEMA_VERSION
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

_LINES_A_PAGE: Final = 1_000
_LINE_CHARS: Final = 2_000
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")

CONSTRAINTS_LEFT_OUT: Final = (
    "Hard constraints are not part of this export: they are limits that their owner set, and say"
    " much about an account. `afterword memory export --include-constraints` takes them along."
)
CONSTRAINTS_TAKEN: Final = (
    "Hard constraints are part of this export. No import lets one act: their owner approves each."
)

_DIFFERENCES_ARE: Final = (
    "Each line names the fields that have other values here than in the export they came from, and"
    " why; then how many rows it is about, and the day of the last import."
)

AssetText = Callable[[str], str]
"""Returns the compiled page of an asset."""


class ExportPage(NamedTuple):
    """A markdown file: its path below the folder, its title in the table of contents, its text."""

    path: str
    title: str
    text: str


class PageSource(NamedTuple):
    """What pages are made of.

    Args:
        instance_id: the name of the installation in exports.
        memories_where: SQL that is true for the memories that are taken along.
    """

    conn: Connection
    instance_id: str
    with_constraints: bool
    memories_where: str
    asset_text: AssetText

    def head(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return the front matter of a page, which begins with what it is."""
        common = {"schema_version": SCHEMA_VERSION, "kind": kind, "instance_id": self.instance_id}
        return {**common, **fields}


def pages(source: PageSource) -> Iterator[ExportPage]:
    """Yield all pages of an export but its index."""
    paths: dict[str, str] = {}
    for part in (_methodologies, _preferences):
        for page in part(source):
            paths[page.path.rsplit("/", 1)[-1].removesuffix(".md")] = page.path
            yield page
    names = _asset_names(page_rows.assets(source.conn))
    yield from _cases(source, paths, names)
    yield from _assets(source, names)
    yield from _memories(source)
    yield from _differences(source)


def _methodologies(source: PageSource) -> Iterator[ExportPage]:
    for method, standing in carried_methodologies(source.conn):
        values = {name: getattr(method, name) for name in SAID}
        said = {name: mask(one) if isinstance(one, str) else one for name, one in values.items()}
        said["phases"] = json.loads(mask(phases_text(method.phases)))
        name, body = said.pop("name"), said.pop("methodology")
        fields = source.head(
            "methodology",
            id=method.uid,
            name=name,
            **said,
            session_id=method.session_id,
            state=method.state,
            confidence=standing.pop("confidence"),
            quarantine=standing.pop("quarantine"),
            times_used=standing.pop("times_used"),
            times_correct=standing.pop("times_correct"),
            standing=standing,
        )
        path = f"methodologies/{method.asset_class}/{method.uid}.md"
        yield ExportPage(path, name, page_text(fields, body))


def _preferences(source: PageSource) -> Iterator[ExportPage]:
    for one in preference_rows.current(source.conn):
        if one.state != "active" or (one.is_hard and not source.with_constraints):
            continue
        fields = source.head(
            "preference",
            id=one.uid,
            dimension=one.dimension,
            preference_kind=one.kind,
            value=mask(one.value),
            state=one.state,
            decided_by=one.decided_by,
            observed_for=one.observed_for,
            observed_against=one.observed_against,
            proposed_at=iso(one.proposed_at),
            known_at=iso(one.known_at),
        )
        path, says = f"preferences/{one.dimension}/{one.uid}.md", mask(one.statement)
        yield ExportPage(path, says, page_text(fields, says))
    words = CONSTRAINTS_TAKEN if source.with_constraints else CONSTRAINTS_LEFT_OUT
    text = page_text(source.head("readme"), f"# Preferences\n\n{words}")
    yield ExportPage("preferences/README.md", "About these preferences", text)


def _cases(
    source: PageSource, paths: dict[str, str], assets: dict[str, str]
) -> Iterator[ExportPage]:
    for case in page_rows.cases(source.conn):
        methods = json.loads(case.methods)
        fields = source.head(
            "trade-case",
            id=case.uid,
            role=case.role_id,
            asset=case.asset_key,
            direction=case.direction,
            decided_at=case.decided_at,
            reflected_at=case.reflected_at,
            outcome=case.outcome,
            classification=case.classification,
            methodologies=methods,
        )
        links = [f"[{uid}](../{paths[uid]})" for uid in methods if uid in paths]
        if case.asset_key in assets:
            links.append(f"[{case.asset_key}](../assets/{assets[case.asset_key]}.md)")
        about = f"\n\nAbout: {', '.join(links)}" if links else ""
        says = f"## Decision\n\n{mask(case.decision)}\n\n## Reflection\n\n{mask(case.reflection)}"
        title = f"{case.asset_key or case.role_id} {case.direction}, {case.outcome}"
        yield ExportPage(f"trade-cases/{case.uid}.md", title, page_text(fields, says + about))


def _assets(source: PageSource, names: dict[str, str]) -> Iterator[ExportPage]:
    for key, name in names.items():
        text = page_text(source.head("asset", asset=key), mask(source.asset_text(key)))
        yield ExportPage(f"assets/{name}.md", key, text)


def _memories(source: PageSource) -> Iterator[ExportPage]:
    """Yield pages of a thousand memories each, so that none is too long to open."""
    rows = page_rows.memories(source.conn, source.memories_where)
    for category, standing in groupby(rows, key=lambda row: row.category):
        number = 0
        while lines := [_memory_line(row) for row in islice(standing, _LINES_A_PAGE)]:
            number += 1
            fields = source.head("memories", category=category, page=number)
            title = f"{category} {number}"
            text = page_text(fields, f"# {title}\n\n" + "\n".join(lines))
            yield ExportPage(f"memories/{category}-{number:05}.md", title, text)


def _memory_line(row: page_rows.MemoryRow) -> str:
    return f"- {row.day} ({row.origin}) {one_line(mask(row.content), _LINE_CHARS)} ^{row.uid}"


def _differences(source: PageSource) -> Iterator[ExportPage]:
    """Yield a page about what was imported, if anything of it differs from its export."""
    rows = page_rows.differences(source.conn)
    if not rows:
        return
    lines = ["# What differs from what was imported", "", _DIFFERENCES_ARE]
    for place, notes in groupby(rows, key=lambda row: row.place):
        lines += ["", f"## {place}", ""]
        lines += [f"- {note.words} (rows: {note.rows:,}, {note.day})" for note in notes]
    yield ExportPage(DIFFERENCES, "Fields", page_text(source.head("differences"), "\n".join(lines)))


def _asset_names(keys: Sequence[str]) -> dict[str, str]:
    """Return a file name for each asset; no two differ only in case."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for key in keys:
        name = first = _UNSAFE.sub("_", key).lstrip(".") or "_"
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{first}-{number}"
        taken.add(name.casefold())
        names[key] = name
    return names
