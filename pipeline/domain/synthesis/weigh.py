"""Weigh all methodologies: their votes, and what the literal gate counts."""

from collections.abc import Sequence

from sqlalchemy import Connection

from afterword.pipeline.domain.cases.model import LiteralCount
from afterword.pipeline.domain.cases.votes import literal_counts, method_votes
from afterword.pipeline.domain.methodologies.score_rows import standings
from afterword.pipeline.domain.methodologies.scores import MethodStanding
from afterword.pipeline.domain.synthesis.model import WeighedMethod
from afterword.pipeline.rules.evidence.method_record import (
    MethodVote,
    method_record,
    method_stretches,
)


def weigh_methods(conn: Connection) -> list[WeighedMethod]:
    """Return every methodology with its record as it is now, by row id."""
    votes, counts = method_votes(conn), literal_counts(conn)
    none = LiteralCount(0, 0)
    return [
        _weighed(standing, votes.get(standing.id, ()), counts.get(standing.id, none))
        for standing in standings(conn)
    ]


def _weighed(
    standing: MethodStanding, votes: Sequence[MethodVote], count: LiteralCount
) -> WeighedMethod:
    record = method_record(
        votes, evidence_from=standing.strict_from, graduated_at=standing.strict_since
    )
    has_voted = record.n_eff > 0 or (
        standing.strict_from > 0 and any(stretch.voted for stretch in method_stretches(votes))
    )
    return WeighedMethod(standing, record, has_voted, count.used, count.correct)
