"""Import an export of Afterword into a group: a file at a time, each with its line in the audit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from afterword.pipeline.core.area import Area, ExportTrust
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.facts.carried import add_missing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.portability.audit import audit_file
from afterword.pipeline.operations.portability.bundle import Bundle, BundleFile
from afterword.pipeline.operations.portability.model import (
    DATA,
    DIFFERENCES,
    SIGNATURE,
    TRUST_LEVELS,
    ImportedFile,
    ImportOutcome,
    ImportReport,
    ImportRequest,
    RowCounts,
)
from afterword.pipeline.operations.portability.restore import Restorer
from afterword.pipeline.operations.portability.tables import ExportTables
from afterword.pipeline.operations.portability.take_pages import (
    take_methodology,
    take_preference,
)

_DATA: Final = re.compile(rf"{DATA}/([a-z_]+)\.jsonl")
_FOR_PEOPLE: Final = (
    *("trade-cases/", "assets/", "memories/", "preferences/README.md"),
    DIFFERENCES,
)
_METHODOLOGIES: Final = "methodologies/"
_PREFERENCES: Final = "preferences/"
_LAST: Final = 1 << 20
_NOT_TAKEN: Final[Mapping[ExportTrust, str]] = {
    "known": "nobody whose key is here signed it; --key takes the key of its home, and"
    " --keep-provenance your word that the folder is your own",
    "signed": "nobody whose key is here signed it; --key takes the key of its home",
    "own": "counted by another group, which is no evidence here",
}


def take_in(
    by: Writer, bundle: Bundle, request: ImportRequest, areas: Sequence[Area]
) -> ImportReport:
    """Import an export; what is here stays as it is, so a second import changes nothing.

    A killed import is finished by the same one again.

    Raises:
        UnavailableError: the store cannot be written now.
    """
    tables = ExportTables(areas)
    # All signatures are looked at before the first row is written.
    ordered = sorted(bundle.files(), key=lambda file: (_order(file.path, tables), file.path))
    done = []
    for number, file in enumerate(ordered, 1):
        result = replace(_take(by, bundle, tables, file, request), signed_by=file.signed_by)
        if result.outcome != "for_people":
            audit_file(by, number, result, is_signed=file.is_signed)
        emit("import.file_taken", path=file.path)
        done.append(result)
    with writing(by.store) as conn:
        add_missing(conn, by.clock())
    done += [
        ImportedFile(path, "B", "refused", problems=(f"{SIGNATURE} has it, and it is not here",))
        for path in bundle.missing
    ]
    return ImportReport("afterword", True, bundle.header, done)


def _order(path: str, tables: ExportTables) -> int:
    match = _DATA.fullmatch(path)
    if match is not None and match[1] in tables.exports:
        return tables.exports[match[1]].order
    if path.startswith(_METHODOLOGIES):
        return tables.exports["methodologies"].order
    if path.startswith(_PREFERENCES):
        return tables.exports["preferences"].order
    return _LAST


def _take(
    by: Writer, bundle: Bundle, tables: ExportTables, file: BundleFile, request: ImportRequest
) -> ImportedFile:
    try:
        if file.path.startswith(_FOR_PEOPLE):
            return ImportedFile(file.path, file.channel, "for_people")
        match = _DATA.fullmatch(file.path)
        if match is not None:
            return _take_data(by, bundle, tables, file, match[1])
        return _take_page(by, bundle, file, request)
    except InvalidInputError as error:
        return ImportedFile(file.path, file.channel, "refused", problems=(str(error),))


def _take_data(
    by: Writer, bundle: Bundle, tables: ExportTables, file: BundleFile, name: str
) -> ImportedFile:
    export = tables.exports.get(name)
    if export is None:
        raise InvalidInputError(file.path, "is no data of an export", ", ".join(tables.exports))
    if export.trust == "none":
        return ImportedFile(file.path, file.channel, "for_people")
    if file.trust < TRUST_LEVELS[export.trust]:
        rows = sum(1 for _ in bundle.lines(file.path))
        problem = _NOT_TAKEN[export.trust]
        outcome: ImportOutcome = "not_carried" if rows else "unchanged"
        return ImportedFile(
            file.path, file.channel, outcome, refused=rows, problems=(problem,) if rows else ()
        )
    restorer = Restorer(by, tables, export, file.trust)
    counts = restorer.run(lambda: bundle.lines(file.path))
    return _counted(file, counts)


def _counted(file: BundleFile, counts: RowCounts) -> ImportedFile:
    outcome: ImportOutcome = "unchanged"
    if counts.new:
        outcome = "applied"
    elif counts.refused:
        outcome = "refused"
    return ImportedFile(
        file.path,
        file.channel,
        outcome,
        counts.new,
        counts.known,
        counts.refused,
        tuple(counts.problems),
        counts.notes,
    )


def _take_page(
    by: Writer, bundle: Bundle, file: BundleFile, request: ImportRequest
) -> ImportedFile:
    page, body = bundle.page(file.path)
    is_own = file.channel == "A"
    folder, kind = file.path.split("/")[0], page.get("kind")
    wanted = {"methodologies": "methodology", "preferences": "preference"}.get(folder)
    if wanted is None or kind != wanted:
        problem = f"is a {kind!s:.40} in {folder!a:.40}"
        accepted = "methodologies/ with kind methodology, preferences/ with kind preference"
        raise InvalidInputError(file.path, problem, accepted)
    with writing(by.store) as conn:
        if kind == "methodology":
            taken = take_methodology(
                conn, by, file.path, page, body, by.clock(), is_own=is_own, is_signed=file.is_signed
            )
        else:
            taken = take_preference(
                conn,
                by,
                file.path,
                page,
                is_own=is_own,
                is_signed=file.is_signed,
                are_constraints_approved=request.are_constraints_approved,
            )
    outcome: ImportOutcome = "applied" if taken.is_new else "unchanged"
    new = int(taken.is_new)
    return ImportedFile(
        file.path, file.channel, outcome, new, 1 - new, notes=dict.fromkeys(taken.notes, 1)
    )
