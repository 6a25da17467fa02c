"""Forget: erase, leave no bytes behind, prove it; from whatever point an earlier try stopped at."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pipeline.clock import Clock
from pipeline.errors import ConflictError, CorruptStoreError
from pipeline.forget import rows
from pipeline.forget.copies import copies_of
from pipeline.forget.erase import erase, owed
from pipeline.forget.look import describe, look
from pipeline.forget.model import Forgotten, Preview, Proof, Wish
from pipeline.forget.prove import prove
from pipeline.forget.scrub import empty_log, scrub
from pipeline.store import Shelf, Store, reading, writing
from pipeline.store.key import secret_key
from pipeline.telemetry import tell

ROUNDS: Final = 5
"""Looks at most: each finds what was written during the one before."""


def preview(store: Store, wish: Wish) -> Preview:
    """Return what a wish finds, without changing anything.

    Raises:
        NotFoundError: a named memory does not exist, and was not forgotten before.
    """
    return describe(store, wish, look(store, wish))


def forget(
    shelf: Shelf, group: str, wish: Wish, clock: Clock, beside: Sequence[Path] = ()
) -> Forgotten:
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
    store = shelf.group(group)
    key = secret_key(shelf.home)
    found = look(store, wish)
    before = describe(store, wish, found)
    for _ in range(ROUNDS):
        if not found.places:
            return Forgotten(before, _settle(shelf, store, key, clock, beside))
        erase(store, found, key, clock())
        found = look(store, wish, found.contents)
    raise ConflictError(
        f"group {group}: what is to be forgotten is being written again and again; stop who "
        "writes it, then run this again"
    )


def _settle(
    shelf: Shelf, store: Store, key: bytes, clock: Clock, beside: Sequence[Path]
) -> Proof | None:
    """Scrub and prove what erasures owe, those of earlier calls among them."""
    with reading(store) as conn:
        ids, erased = owed(conn, key)
    if not ids:
        return None
    scrub(store)
    with empty_log(store):
        copies = [*copies_of(shelf.home, store.name, shelf.instance_id), *beside]
        proof = prove(store, shelf.instance, erased, copies)
    if proof.found:
        where = ", ".join(map(str, proof.where))
        raise CorruptStoreError(
            f"{proof.found} of {proof.phrases + proof.words} phrases and words of what was erased "
            f"are still in {where}; run this again, and if it stays so report it"
        )
    with writing(store) as conn:
        rows.mark_proved(conn, ids, clock())
    tell("forget.proved", group=store.name, looked_for=proof.phrases + proof.words)
    return proof
