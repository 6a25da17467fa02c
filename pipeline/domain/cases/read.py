"""Read cases; nothing here writes, and nothing else of a case can be edited."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.cases import read_rows
from afterword.pipeline.domain.cases.model import CaseStory, CaseSummary
from afterword.pipeline.domain.decisions import read_rows as decision_rows
from afterword.pipeline.domain.methodologies.read import find_methodology
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.market.symbols import normalise_symbol

_BEYOND: Final = 1 << 63
"""Row ids end before; SQLite takes no larger number."""


def list_cases(
    conn: Connection,
    asset: str | None,
    method: str | None,
    state: str | None,
    limit: int,
    *,
    after: tuple[int, int] | None = None,
) -> list[CaseSummary]:
    """Return cases, the latest decision first.

    Args:
        asset: what they are about, in any written form; None for all.
        method: the id or number of a methodology that they cite; None for all.
        state: of their outcome; None for all.
        after: `decided_at` (microseconds) and `id` of the last case of the page before.

    Raises:
        NotFoundError: there is no such methodology.
    """
    uid = find_methodology(conn, method).uid if method else None
    key = normalise_symbol(asset) if asset else None
    return read_rows.listing(conn, key, uid, state, limit, after=after)


def case_story(conn: Connection, case_id: int) -> CaseStory:
    """Return a case from what was shown to what came of it.

    Raises:
        NotFoundError: there is no such case.
    """
    case = read_rows.find(conn, case_id) if 0 < case_id < _BEYOND else None
    if case is None:
        raise NotFoundError(f"there is no case {case_id}; see `afterword methodology cases`")
    decision = decision_rows.find(conn, case.decision_id)
    return CaseStory(
        case,
        "" if decision is None else decision.decision,
        None if case.hint_hash is None else read_rows.hint(conn, case.hint_hash),
        tuple(read_rows.outcomes(conn, case.decision_id)),
        tuple(read_rows.trades(conn, case.decision)),
    )
