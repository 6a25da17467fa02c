"""Bring the cases up to date: open new ones, close those with outcomes, share their results.

Each batch is a transaction of its own; killed between two, the next update goes on.
"""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.cases import rows
from afterword.pipeline.domain.cases.attribution import Attribution, attribute
from afterword.pipeline.domain.cases.model import BATCH, CaseTally
from afterword.pipeline.domain.cases.standing import CitingDecision, NewCitation, citation_of
from afterword.pipeline.domain.decisions.ladder import PATIENCE
from afterword.pipeline.domain.methodologies.citable_rows import CitableRow, citable


def update_cases(store: Store, now: datetime) -> CaseTally:
    """Open, close and settle cases; done again without news, it writes nothing.

    Raises:
        UnavailableError: the store cannot be written now; what was written stays.
    """
    at = to_micros(now)
    return CaseTally(_open(store, at), _close(store, at), _settle(store))


def _open(store: Store, now: int) -> int:
    with reading(store) as conn:
        methods = citable(conn)
    opened = after = 0
    while True:
        with reading(store) as conn:
            found = rows.citing(conn, after, BATCH)
        if not found:
            return opened
        after = found[-1].id
        cases = [(one, citations) for one in found if (citations := _citations(one, methods))]
        if cases:
            with writing(store) as conn:
                # Another process may have opened some of them meanwhile.
                new = {one.id for one in rows.citing(conn, found[0].id - 1, BATCH)}
                cases = [one for one in cases if one[0].id in new]
                rows.open_cases(conn, cases, now)
            opened += len(cases)


def _citations(one: CitingDecision, methods: dict[str, CitableRow]) -> list[NewCitation]:
    """Return the citations of known methodologies; of a merged one, that of its survivor."""
    found: dict[int, NewCitation] = {}
    for uid in one.cited:
        method = methods.get(uid)
        while method is not None and method.merged_at is not None:
            if method.merged_at > one.known_at or method.merged_uid is None:
                break
            method = methods.get(method.merged_uid)
        if method is not None:
            found.setdefault(method.id, citation_of(one, method))
    return list(found.values())


def _close(store: Store, now: int) -> int:
    closed = 0
    with writing(store) as conn:
        rows.withdraw(conn)
    while True:
        with writing(store) as conn:
            found = rows.measured(conn, now, BATCH)
            found = found or rows.overdue(conn, now - PATIENCE, BATCH)
            closed += rows.close(conn, found, now) if found else 0
        if not found:
            return closed


def _settle(store: Store) -> int:
    settled = 0
    while True:
        with reading(store) as conn:
            if not rows.new_results(conn, 1):
                return settled
        with writing(store) as conn:
            settled += _settle_batch(conn)


def _settle_batch(conn: Connection) -> int:
    found = rows.new_results(conn, BATCH)
    counting = rows.counting(conn, [one.case_id for one in found])
    rows.settle(conn, [(one, _shares(one, counting[one.case_id])) for one in found])
    return len(found)


def _shares(one: rows.CaseResult, counting: list[int]) -> Attribution | None:
    return None if one.realised is None else attribute(one.realised, one.cited, counting)
