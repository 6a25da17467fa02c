"""Forget: erase, leave no bytes behind, prove it; from whatever point an earlier try stopped at."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.core.store.key import secret_key
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import ConflictError, CorruptStoreError
from afterword.pipeline.operations.forget import rows
from afterword.pipeline.operations.forget.copies import copies_of
from afterword.pipeline.operations.forget.erase import erase, owed
from afterword.pipeline.operations.forget.look import describe, look
from afterword.pipeline.operations.forget.model import ForgetReport, ForgetRequest, Preview, Proof
from afterword.pipeline.operations.forget.prove import prove
from afterword.pipeline.operations.forget.scrub import empty_log, scrub

ROUNDS: Final = 5
"""Looks at most: each finds what was written during the one before."""


def preview(store: Store, wish: ForgetRequest) -> Preview:
    """Return what a wish finds, without changing anything.

    Raises:
        NotFoundError: a named memory does not exist, and was not forgotten before.
    """
    return describe(store, wish, look(store, wish))


def forget(
    stores: Stores, group: str, wish: ForgetRequest, clock: Clock, beside: Sequence[Path] = ()
) -> ForgetReport:
    """Erase what is wished, everywhere in a group, and prove it; repeated, it changes nothing.

    A kill loses nothing: until its proof, what was erased stays sealed in the group's file, and
    the next call, whatever it wishes, takes the proof up again.

    Args:
        beside: other files that may hold copies, such as recorded answers; they are searched and
            named, never changed.

    Raises:
        NotFoundError: a named memory does not exist, and was not forgotten before.
        ConflictError: it is written faster than it is erased.
        CorruptStoreError: something of it is still in the files.
        UnavailableError: a file could not be rewritten or read; run it again.
    """
    store = stores.group(group)
    key = secret_key(stores.home)
    found = look(store, wish)
    before = describe(store, wish, found)
    for _ in range(ROUNDS):
        if not found.places:
            return ForgetReport(before, _settle(stores, store, key, clock, beside))
        erase(store, found, key, clock())
        found = look(store, wish, found.contents)
    raise ConflictError(
        f"group {group}: what is to be forgotten is being written again and again; stop who "
        "writes it, then run this again"
    )


def _settle(
    stores: Stores, store: Store, key: bytes, clock: Clock, beside: Sequence[Path]
) -> Proof | None:
    """Scrub and prove what erasures owe, those of earlier calls among them."""
    with reading(store) as conn:
        ids, erased = owed(conn, key)
    if not ids:
        return None
    scrub(store)
    with empty_log(store):
        copies = [*copies_of(stores.home, store.name, stores.instance_id), *beside]
        proof = prove(store, stores.instance, erased, copies)
    if proof.found:
        where = ", ".join(map(str, proof.where))
        raise CorruptStoreError(
            f"{proof.found} of {proof.phrases + proof.words} phrases and words of what was erased "
            f"are still in {where}; run this again, and if it stays so report it"
        )
    with writing(store) as conn:
        rows.mark_proved(conn, ids, clock())
    emit("forget.proved", group=store.name, looked_for=proof.phrases + proof.words)
    return proof
