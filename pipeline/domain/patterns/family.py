"""The families of a role: one record for each class of assets that it decided on.

They are made from the own-window outcomes of the role, in order of entry; equal outcomes give equal
records, in whatever order they were measured.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.patterns import rows
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL, FamilyRecord
from afterword.pipeline.rules.evidence.market_rate import WindowCount
from afterword.pipeline.rules.evidence.model import SETUPS, Setup, Vote
from afterword.pipeline.rules.evidence.rates import base_rate
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.trend_base import hits_behind

_ALWAYS: Final = (1 << 62) - 1
"""Later than any exit: an outcome is measured after it, so all measured stretches are closed."""

_SETUPS: Final[dict[tuple[str, str | None], Setup]] = {
    (setup.direction, setup.trend): setup for setup in SETUPS
}
_UNKNOWN_BASE: Final = base_rate(0, 0)


class CastVote(NamedTuple):
    """A vote with its family.

    Args:
        outcome_id: id of its outcome; those that were measured later have larger ones.
    """

    outcome_id: int
    asset_class: str
    vote: Vote


def window_of(role: Role) -> int | None:
    """Return the hours after which decisions of a role cast a vote; None if no price judges it."""
    probe = role.reflection_policy.outcome_probe
    return probe.window_hours if isinstance(probe, PriceDelta | PeerRelative) else None


def vote_of(row: OutcomeRow) -> Vote | None:
    """Return the vote of an outcome; None for a neutral call and where the trend is unknown."""
    setup = _SETUPS.get((row.direction, row.trend))
    if setup is None:
        return None
    # What the market does after such a move does not depend on the role.
    base = row.base_ppb if row.setup_base_ppb is None else row.setup_base_ppb
    residual = row.residual_ppb
    # `_make` of a plain tuple is faster; a summary makes a vote of each decision.
    return Vote._make(
        (
            row.subject_id,
            row.asset_key,
            setup,
            row.entry_at,
            row.exit_at,
            row.move_ppb / PPB,
            row.band_ppb / PPB,
            _UNKNOWN_BASE if base is None else base / PPB,
            None if residual is None else residual / PPB,
            row.result_micro_usd,
            _market_of(row),
        )
    )


def _market_of(row: OutcomeRow) -> WindowCount | None:
    """Return what the asset itself did after such a move, as known at the entry."""
    base, setup_base, votes = row.base_ppb, row.setup_base_ppb, row.setup_votes
    if base is None or setup_base is None or votes is None:
        return None
    return WindowCount(hits_behind(setup_base, votes, base), votes, base / PPB)


class FamilyRecords:
    """The records of the families of a role, by class of assets."""

    def __init__(self, level: float) -> None:
        self._level = level
        self._families: dict[str, FamilyRecord] = {}

    def add(self, row: OutcomeRow) -> None:
        """Take an outcome in; not earlier than the last one, by entry."""
        vote = vote_of(row)
        if vote is None:
            return
        family = self._families.get(row.asset_class)
        if family is None:
            family = self._families[row.asset_class] = FamilyRecord(self._level)
        family.add(vote)

    def copy(self) -> "FamilyRecords":
        """Return records that stand where these do, and go on by themselves."""
        made = FamilyRecords(self._level)
        made._families = {name: family.copy() for name, family in self._families.items()}
        return made

    def closed(self) -> dict[str, FamilyRecord]:
        """Return the records that may show a pattern, with all stretches closed."""
        return {
            name: family.closed()
            for name, family in sorted(self._families.items())
            if family.may_show_patterns()
        }

    def ended(self) -> dict[str, FamilyRecord]:
        """End all stretches, and return the records."""
        for family in self._families.values():
            family.close(_ALWAYS)
        return dict(sorted(self._families.items()))


def families_by_class(outcomes: Iterable[OutcomeRow], level: float) -> dict[str, FamilyRecord]:
    """Return the records of the families, by class of assets.

    Args:
        outcomes: by entry.
        level: see `FamilyRecord`.
    """
    records = FamilyRecords(level)
    for row in outcomes:
        records.add(row)
    return records.ended()


def families_of(
    conn: Connection,
    role: Role,
    *,
    level: float = CONFIRMED_LEVEL,
    as_of: datetime | None = None,
) -> dict[str, FamilyRecord]:
    """Return the records of all families of a role, by class of assets.

    Args:
        as_of: as they were known at this moment.
    """
    window_hours = window_of(role)
    if window_hours is None:
        return {}
    moment = None if as_of is None else to_micros(as_of)
    return families_by_class(rows.votes(conn, role.id, window_hours, moment), level)


def family_of(
    conn: Connection,
    role: Role,
    asset_class: str,
    *,
    level: float = CONFIRMED_LEVEL,
    as_of: datetime | None = None,
) -> FamilyRecord:
    """Return the record of one family; an empty one if the role never decided on the class."""
    families = families_of(conn, role, level=level, as_of=as_of)
    return families.get(asset_class) or FamilyRecord(level)


def votes_of(conn: Connection, role: Role, after: int = 0) -> list[CastVote]:
    """Return the votes of a role by entry.

    Args:
        after: id of an outcome; only votes that were measured later are read. A reader that keeps
            families between reads begins anew where one of them enters before its place.
    """
    window_hours = window_of(role)
    if window_hours is None:
        return []
    if after:
        outcomes = rows.new_votes(conn, role.id, window_hours, after)
    else:
        outcomes = rows.votes(conn, role.id, window_hours)
    return [
        CastVote(row.id, row.asset_class, vote)
        for row in outcomes
        if (vote := vote_of(row)) is not None
    ]
