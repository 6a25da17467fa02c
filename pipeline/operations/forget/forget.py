"""Forget: erase rows, remove their bytes from the files, and prove it; after any crash."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.core.store.alone import Wait, working_alone
from afterword.pipeline.core.store.key import secret_key
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.sync.sync import SYNC_WORK
from afterword.pipeline.domain.workspace.source import WORKSPACE_FOLDER
from afterword.pipeline.errors import ConflictError, CorruptStoreError
from afterword.pipeline.operations.forget import rows
from afterword.pipeline.operations.forget.copies import copies_of, replays_of
from afterword.pipeline.operations.forget.erase import erase, erase_notes, owed
from afterword.pipeline.operations.forget.find_rows import RowsToErase, describe, find_rows
from afterword.pipeline.operations.forget.model import ForgetReport, ForgetRequest, Preview, Proof
from afterword.pipeline.operations.forget.places import Files
from afterword.pipeline.operations.forget.prove import files_of, prove
from afterword.pipeline.operations.forget.scrub import empty_log, scrub
from afterword.pipeline.operations.forget.workspace import files_that_hold, searched_whole

ROUNDS: Final = 5
"""Most searches (count): each one finds the rows that were written during the one before."""


def preview(
    stores: Stores, group: str, request: ForgetRequest, workspace: Path | None = None
) -> Preview:
    """Return the rows that match a request, without changing anything.

    Args:
        workspace: the folder of the group's workspace; its files are searched as well.

    Raises:
        NotFoundError: a named memory does not exist and was not forgotten before.
    """
    files = Files(stores.group(group), stores.instance)
    return _described(stores, files, request, find_rows(files, request), workspace)


def forget(
    stores: Stores,
    group: str,
    request: ForgetRequest,
    clock: Clock,
    beside: Sequence[Path] = (),
    workspace: Path | None = None,
    wait: Wait | None = None,
) -> ForgetReport:
    """Erase the matching rows of a group, and notes of operators, and prove it.

    A second call changes nothing.

    A killed process loses nothing: the erased texts stay sealed in the group's file until the
    proof, and the next call, with any request, completes the proof.

    Args:
        beside: other files that may hold copies, such as recorded replies; they are searched and
            named, never changed.
        workspace: the folder of the group's workspace, the same.
        wait: for a process that mirrors accounts now, if trades are forgotten: it would store what
            it has read already.

    Raises:
        NotFoundError: a named memory does not exist and was not forgotten before.
        PostponedError: a process mirrors accounts now, and this one does not wait.
        ConflictError: the content is written again faster than it is erased.
        CorruptStoreError: some of the content is still in the files.
        UnavailableError: a file could not be rewritten or read; run it again.
    """
    files = Files(stores.group(group), stores.instance)
    alone = working_alone(files.group, SYNC_WORK, clock, wait) if request.trades else nullcontext()
    with alone:
        return _forget(stores, files, request, clock, beside, workspace)


def _forget(
    stores: Stores,
    files: Files,
    request: ForgetRequest,
    clock: Clock,
    beside: Sequence[Path],
    workspace: Path | None,
) -> ForgetReport:
    key = secret_key(stores.home)
    found = find_rows(files, request)
    before = _described(stores, files, request, found, workspace)
    innocent = _innocent(stores, before) if workspace is not None else frozenset()
    for _ in range(ROUNDS):
        if not found.places:
            return ForgetReport(before, _settle(stores, files, key, clock, beside, innocent))
        erase(files, found, key, clock())
        found = find_rows(files, request, found)
    raise ConflictError(
        f"group {files.group.name}: other processes keep writing the content that is being erased; "
        "stop them, then run this again"
    )


def _described(
    stores: Stores,
    files: Files,
    request: ForgetRequest,
    found: RowsToErase,
    workspace: Path | None,
) -> Preview:
    described = describe(files, request, found)
    if workspace is None:
        return described
    folders = dict.fromkeys((workspace, stores.home / WORKSPACE_FOLDER))
    held = [path for each in folders for path in files_that_hold(each, request, found.contents)]
    return replace(described, workspace=tuple(held))


def _innocent(stores: Stores, before: Preview) -> frozenset[Path]:
    """Return the files of the home's workspace that do not hold what is forgotten.

    What a session was shown is erased as a whole, also what it was shown of files that say nothing
    of the subject: to find such a part in its file is no reason to name it. Where an earlier call
    still owes its proof, nobody knows any more what it was about.
    """
    folder = stores.home / WORKSPACE_FOLDER
    if before.unfinished:
        return frozenset()
    return frozenset(searched_whole(folder)) - frozenset(before.workspace)


def _settle(
    stores: Stores,
    files: Files,
    key: bytes,
    clock: Clock,
    beside: Sequence[Path],
    innocent: frozenset[Path],
) -> Proof | None:
    """Scrub the files and prove all erasures without a proof, also those of earlier calls.

    Args:
        innocent: files that hold no more than what the erased rows told beside; not named.
    """
    store = files.group
    with reading(store) as conn:
        ids, erased = owed(conn, key)
    if not ids:
        return None
    erase_notes(files.instance, erased)
    for one in files:
        scrub(one)
    with empty_log(files.instance):
        pass  # not held longer: every group's calls to models wait for it
    with empty_log(store):
        copies = [*copies_of(stores, store.name, files_of(files)), *beside]
        copies = [path for path in copies if path not in innocent]
        proof = prove(files, erased, copies, replays_of(stores))
    if proof.found:
        where = ", ".join(map(str, proof.where))
        raise CorruptStoreError(
            f"{proof.found} of {proof.phrases + proof.words} erased phrases and words are still in "
            f"{where}; run this again, and report it if they remain"
        )
    with writing(store) as conn:
        rows.mark_proved(conn, ids, clock())
    emit("forget.proved", group=store.name, looked_for=proof.phrases + proof.words)
    return proof
