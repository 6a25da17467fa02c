"""Bring the cases up to date: open new ones, close those with outcomes, share their results.

Each batch is a transaction of its own; killed between two, the next update goes on.
"""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.cases import rows
from afterword.pipeline.domain.cases.attribution import Attribution, attribute
from afterword.pipeline.domain.cases.model import CasesSeen, CaseTally, CaseUpdate
from afterword.pipeline.domain.cases.standing import CitingDecision, NewCitation, citation_of
from afterword.pipeline.domain.decisions.ladder import PATIENCE_US
from afterword.pipeline.domain.methodologies.citable_rows import CitableRow, citable

_BATCH: Final = 2_000
"""Cases of one transaction: it takes some 50 ms, so that other writers wait no longer."""

_BEFORE_ALL: Final = -(1 << 62)


class _OpenedCases(NamedTuple):
    """Cases that were opened.

    Args:
        due_at: when the first of their citations is due; microseconds.
    """

    cases: int
    due_at: int


class _ClosedCases(NamedTuple):
    """Cases that were closed, and citations that changed."""

    cases: int
    resolved: int
    touched: frozenset[tuple[int, int]]


def update_cases(store: Store, now: datetime) -> CaseTally:
    """Open, close and settle cases; done again without news, it writes nothing.

    Raises:
        UnavailableError: the store cannot be written now; what was written stays.
    """
    at = to_micros(now)
    opened = _open(store, at, 0)
    closed = _close(store, at, None, opened.due_at)
    return CaseTally(opened.cases, closed.cases, _settle(store))


def update_since(store: Store, now: datetime, seen: CasesSeen | None) -> CaseUpdate:
    """Do what `update_cases` does, by what is new since an earlier update.

    Use it where nothing else changes cases, and no row is deleted meanwhile.

    Args:
        seen: of that update; None for none.

    Raises:
        UnavailableError: see `update_cases`.
    """
    at = to_micros(now)
    with reading(store) as conn:
        marks = rows.marks(conn)
        # What a decision cites may be known now.
        if seen is not None and seen.method != marks.method:
            seen = None
        before = rows.count_resolved(conn) if seen is None else seen.resolved
        has_trades = rows.has_trades(conn)
    opened = _open(store, at, 0 if seen is None else seen.decision)
    closed = _close(store, at, seen, opened.due_at)
    tally = CaseTally(opened.cases, closed.cases, _settle(store) if has_trades else 0)
    return CaseUpdate(tally, closed.touched, CasesSeen(*marks, at, before + closed.resolved))


def _open(store: Store, now: int, after: int) -> _OpenedCases:
    """Open the cases of decisions that came after one (an id)."""
    methods: dict[str, CitableRow] | None = None
    opened, due_at = 0, now
    while True:
        with reading(store) as conn:
            decisions = rows.citing(conn, after, _BATCH)
            if decisions and methods is None:
                methods = citable(conn)
        if not decisions or methods is None:
            return _OpenedCases(opened, due_at)
        after = decisions[-1].id
        cited = ((decision, _citations(decision, methods)) for decision in decisions)
        cases = [case for case in cited if case[1]]
        if cases:
            with writing(store) as conn:
                # Another process may have opened some of them meanwhile.
                known = rows.last_case(conn)
                cases = [case for case in cases if case[0].id > known]
                rows.open_cases(conn, cases, now)
            opened += len(cases)
            due_at = min(
                [due_at, *(citation.due_at for _, citations in cases for citation in citations)]
            )


def _citations(decision: CitingDecision, methods: dict[str, CitableRow]) -> list[NewCitation]:
    """Return the citations of known methodologies; of a merged one, that of its survivor."""
    citations: dict[int, NewCitation] = {}
    for uid in decision.cited:
        method = methods.get(uid)
        while method is not None and method.merged_at is not None:
            if method.merged_at > decision.known_at or method.merged_uid is None:
                break
            method = methods.get(method.merged_uid)
        if method is not None:
            citations.setdefault(method.id, citation_of(decision, method))
    return list(citations.values())


def _close(store: Store, now: int, seen: CasesSeen | None, due_at: int) -> _ClosedCases:
    """Close citations that have an outcome or wait too long, and the cases that wait for none.

    Args:
        seen: looks at what is new since then only; None for all.
        due_at: when the first citation is due that was opened since; microseconds.
    """
    cases = resolved = 0
    with writing(store) as conn:
        touched = set(rows.withdraw(conn, None if seen is None else seen.outcome))
    while True:
        with writing(store) as conn:
            outcomes = _ended(conn, now, seen, due_at)
            states = rows.close(conn, outcomes, now) if outcomes else []
        cases += len(states)
        resolved += states.count("resolved")
        touched.update((outcome.case_id, outcome.methodology_id) for outcome in outcomes)
        if not outcomes:
            return _ClosedCases(cases, resolved, frozenset(touched))


def _ended(
    conn: Connection, now: int, seen: CasesSeen | None, due_at: int
) -> list[rows.CitationOutcome]:
    """Return the next citations that are to be closed; see `_close`."""
    if seen is None:
        measured = rows.measured(conn, _BEFORE_ALL, now, _BATCH)
        return measured or rows.overdue(conn, _BEFORE_ALL, now - PATIENCE_US, _BATCH)
    return (
        rows.measured(conn, seen.at, now, _BATCH)
        or rows.measured_late(conn, seen.outcome, now, _BATCH)
        or rows.overdue(conn, min(seen.at - PATIENCE_US, due_at - 1), now - PATIENCE_US, _BATCH)
    )


def _settle(store: Store) -> int:
    settled = 0
    while True:
        with reading(store) as conn:
            if not rows.new_results(conn, 1):
                return settled
        with writing(store) as conn:
            settled += _settle_batch(conn)


def _settle_batch(conn: Connection) -> int:
    results = rows.new_results(conn, _BATCH)
    counting = rows.counting(conn, [result.case_id for result in results])
    rows.settle(conn, [(result, _shares(result, counting[result.case_id])) for result in results])
    return len(results)


def _shares(result: rows.CaseResult, counting: list[int]) -> Attribution | None:
    return None if result.realised is None else attribute(result.realised, result.cited, counting)
