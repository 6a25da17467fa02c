"""Weigh the patterns of a role soon after outcomes of it were measured."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.domain.patterns import form_rows
from afterword.pipeline.domain.patterns.area import WEIGH_PATTERNS, WORD_PATTERNS

PAUSE: Final = timedelta(seconds=30)
"""How long new outcomes are collected before they are weighed together."""


def weigh_later(conn: Connection, role_id: str, now: datetime) -> None:
    """Add the job that weighs the patterns of a role, in the transaction of its new outcomes.

    A role has one such job; outcomes that come while it waits are weighed with it.
    """
    add(conn, WEIGH_PATTERNS, {"role": role_id}, now, key=role_id, run_at=now + PAUSE)


def word_later(conn: Connection, role_id: str, now: datetime) -> None:
    """Add the job that has a model word the confirmed patterns of a role, if one has no words."""
    if form_rows.to_word(conn, [role_id]):
        add(conn, WORD_PATTERNS, {"role": role_id}, now, key=role_id)
