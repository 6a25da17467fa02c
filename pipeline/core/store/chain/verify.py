"""Check one group for edits by other programs: its chain, its rows, and its anchors."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store.chain.anchors import (
    ANNOUNCED,
    Anchor,
    AnchorCause,
    anchor,
    anchor_key,
    anchors_of,
    faults_of,
)
from afterword.pipeline.core.store.chain.blocks import (
    NO_TABLE,
    has_chain,
    last_whole,
    link_at,
)
from afterword.pipeline.core.store.chain.compare import edits_of_rows
from afterword.pipeline.core.store.chain.fold import ChainState, fold
from afterword.pipeline.core.store.chain.model import ChainCheck, Edit, EditKind
from afterword.pipeline.core.store.chain.seal import ChainKey
from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.key import secret_key
from afterword.pipeline.core.store.transaction import reading, writing
from afterword.pipeline.core.telemetry import emit


def check_chain(instance: Store, group: Store, now: datetime) -> ChainCheck:
    """Return which rows of a group another program changed, removed, added or put back.

    Raises:
        PipelineError: as `reading` and `secret_key` do.
    """
    key = key_of(instance, group)
    own = anchors_since_announced(instance, group)  # first: the group may only be newer
    with reading(group) as conn, _any_text(conn.connection.dbapi_connection) as raw:
        state, edits = _compared(raw, key, own, now)
    if state.key_id in ("", key.id):  # anchors have the same secret
        edits += _faults_of_anchors(instance, now)
    emit("chain.checked", store=group.name, edits=len(edits))
    return ChainCheck(
        group.name,
        None if state.since is None else from_micros(state.since),
        state.blocks,
        state.head.hex(),
        len(state.rows),
        len(own),
        from_micros(own[-1].at) if own else None,
        tuple(edits),
    )


def _compared(
    conn: Any, key: ChainKey, anchors: list[Anchor], now: datetime
) -> tuple[ChainState, list[Edit]]:
    """Return what the chain says, and how rows, blocks and anchors differ from it."""
    if not has_chain(conn):
        return ChainState(), [_about("no chain", NO_TABLE, None, now)]
    state = fold(conn, key)
    if state.key_id not in ("", key.id):
        return state, [_about("key", _OTHER_KEY, None, now)]
    return state, [
        *(_about("chain", *fault, now) for fault in state.faults),
        *edits_of_rows(conn, key, state, now),
        *against_anchors(conn, anchors, state, now),
    ]


def _faults_of_anchors(instance: Store, now: datetime) -> Iterator[Edit]:
    with reading(instance) as conn:
        anchors = anchors_of(conn)
    for fault, at in faults_of(anchors, anchor_key(instance)):
        yield _about("chain", f"instance.sqlite: {fault}", at, now)


def accept_rows(instance: Store, group: Store, now: datetime) -> ChainCheck:
    """Take the present rows of a group as right, and return what was found before.

    The next check compares with them. What was accepted stays in the chain and in its anchors.

    Raises:
        PipelineError: as `check_chain` and `writing` do.
    """
    checked = check_chain(instance, group, now)
    _take(group, "accepted")
    anchor(instance, group, "accepted", now)
    return checked


def announce(instance: Store, group: Store, cause: AnchorCause, now: datetime) -> None:
    """Say that this program put another file in the place of a group; begin a missing chain.

    Raises:
        PipelineError: as `reading` and `writing` do.
    """
    with reading(group) as conn:
        is_missing = last_whole(conn.connection.dbapi_connection) is None
    if is_missing:
        _take(group, "begun")
    anchor(instance, group, cause, now)


def _take(group: Store, kind: str) -> None:
    assert group.chain is not None, "a group has a chain"
    group.chain.takes_other_keys = True
    try:
        with writing(group) as conn:
            group.chain.take_rows(conn.connection.dbapi_connection, kind)
    finally:
        group.chain.takes_other_keys = False


def key_of(instance: Store, group: Store) -> ChainKey:
    """Return the key of a group's chain."""
    return ChainKey(secret_key(instance.path.parent), group.name)


_OTHER_KEY = (
    "the chain was written with another key than keys/hmac.key: put that key back from a backup; "
    "nothing can be told without it, and nothing is written"
)


def anchors_since_announced(instance: Store, group: Store) -> list[Anchor]:
    """Return the anchors of a group since this program itself last replaced its chain."""
    with reading(instance) as conn:
        own = [each for each in anchors_of(conn) if each.group == group.name]
    places = [place for place, each in enumerate(own) if each.cause in ANNOUNCED]
    return own[places[-1] :] if places else own


def against_anchors(
    conn: Any, anchors: list[Anchor], state: ChainState, now: datetime
) -> Iterator[Edit]:
    """Yield how the chain differs from the anchors (raw connection); the first that differs.

    Anchors before the folded block are older than all that is left; the chain was compared with
    them when it was folded.
    """
    for each in (each for each in anchors if each.blocks >= state.first):
        if each.blocks > state.blocks:
            words = (
                f"the file is an older copy: its chain has {state.blocks:,} blocks, at "
                f"{from_micros(each.at):%Y-%m-%d %H:%M:%SZ} it had {each.blocks:,}"
            )
            if state.blocks:
                yield _about("older copy", words, each.at, now)
            else:
                yield _about("chain", "all its blocks were removed", each.at, now)
            return
        if each.blocks and link_at(conn, each.blocks) != each.head:
            words = (
                f"block {each.blocks:,} is another one than at "
                f"{from_micros(each.at):%Y-%m-%d %H:%M:%SZ}: an older copy was written on"
            )
            yield _about("older copy", words, each.at, now)
            return


def _about(what: EditKind, says: str, after: int | None, now: datetime) -> Edit:
    return Edit("", None, None, what, says, None if after is None else from_micros(after), now)


@contextmanager
def _any_text(raw: Any) -> Iterator[Any]:
    """Let a raw connection read text that is no UTF-8, which another program may have written."""
    usual = raw.text_factory
    raw.text_factory = lambda told: told.decode("utf-8", "surrogateescape")
    try:
        yield raw
    finally:
        raw.text_factory = usual
