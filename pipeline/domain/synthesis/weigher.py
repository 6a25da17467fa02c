"""Weigh all methodologies again and again, each time by what is new since the last one."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from afterword.pipeline.domain.cases import vote_rows
from afterword.pipeline.domain.cases.votes import vote_of
from afterword.pipeline.domain.methodologies.scores import MethodStanding
from afterword.pipeline.domain.synthesis.model import WeighedMethod
from afterword.pipeline.rules.evidence.method_progress import MethodProgress


@dataclass(slots=True)
class KeptMethod:
    """What is known of a methodology.

    Args:
        begins: moments from which evidence counts; with others it is read anew.
        progress: its votes; keys are ids of cases.
        silent: cases that wait and cast no vote, for one that had cast it would be taken out.
        used: windows that were right or wrong; `correct` of these.
        weighed: as it was told last; None if that may have changed.
    """

    begins: tuple[int, int | None, int]
    progress: MethodProgress
    silent: set[int] = field(default_factory=set)
    used: int = 0
    correct: int = 0
    weighed: WeighedMethod | None = None


class MethodWeigher:
    """Gives what `weigh_methods` gives, in a store from which no row is deleted meanwhile.

    Cases and outcomes that came are read; a methodology is read anew only where one of them changes
    what was forgotten, or where its evidence begins at another moment.
    """

    def __init__(self) -> None:
        self._states: dict[int, KeptMethod] = {}
        self._seen = vote_rows.VotesSeen(0, 0)
        self._touched: set[tuple[int, int]] = set()

    def touch(self, citations: Collection[tuple[int, int]]) -> None:
        """Note citations (case and methodology) that an update of the cases has changed."""
        self._touched.update(citations)

    def weigh(self, conn: Connection, standings: Sequence[MethodStanding]) -> list[WeighedMethod]:
        """Return every methodology with its record as it is now.

        Args:
            standings: of all methodologies, by row id, as they are now.
        """
        newest = vote_rows.newest(conn)
        anew = {standing.id for standing in standings if not self._is_known(standing)}
        if newest != self._seen or self._touched:
            anew |= self._take_news(conn, anew)
        if anew:
            self._read_anew(conn, [standing for standing in standings if standing.id in anew])
        self._seen, self._touched = newest, set()
        return [self._weighed(standing) for standing in standings]

    def _is_known(self, standing: MethodStanding) -> bool:
        state = self._states.get(standing.id)
        return state is not None and state.begins == _begins(standing)

    def _take_news(self, conn: Connection, anew: Collection[int]) -> set[int]:
        """Take what came since; return the methodologies that must be read anew for it.

        Args:
            anew: those that are read anew in any case.
        """
        seen = self._seen
        silenced, misfits = [], set()
        for key, row in vote_rows.cited_since(conn, seen, self._touched).items():
            state = self._states.get(row.methodology_id)
            if state is None or row.methodology_id in anew:
                continue
            is_counted = row.case_id in state.progress
            if not _take(state, row, is_new=row.case_id > seen.case):
                misfits.add(row.methodology_id)
            elif is_counted and row.case_id not in state.progress:
                silenced.append(key)
        self._count(vote_rows.counts_since(conn, seen), 1)
        if silenced:
            self._count(vote_rows.counts_in(conn, silenced, seen), -1)
        return misfits

    def _read_anew(self, conn: Connection, standings: Sequence[MethodStanding]) -> None:
        for standing in standings:
            progress = MethodProgress(standing.strict_from, standing.strict_since)
            self._states[standing.id] = KeptMethod(_begins(standing), progress)
        ids = [standing.id for standing in standings]
        for row in vote_rows.cited_by(conn, ids):
            _take(self._states[row.methodology_id], row, is_new=True)
        self._count(vote_rows.counts_by(conn, ids), 1)

    def _count(self, counts: Iterable[tuple[int, int, int]], sign: int) -> None:
        for method, used, correct in counts:
            state = self._states.get(method)
            if state is not None:
                state.used += sign * used
                state.correct += sign * correct
                state.weighed = None

    def _weighed(self, standing: MethodStanding) -> WeighedMethod:
        state = self._states[standing.id]
        weighed = state.weighed
        if weighed is None:
            record, has_voted = state.progress.settle()
            weighed = WeighedMethod(standing, record, has_voted, state.used, state.correct)
        elif weighed.standing is not standing:
            weighed = WeighedMethod(
                standing, weighed.record, weighed.has_voted, weighed.used, weighed.correct
            )
        state.weighed = weighed
        return weighed


def _begins(standing: MethodStanding) -> tuple[int, int | None, int]:
    return standing.strict_from, standing.strict_since, standing.literal_from


def _take(state: KeptMethod, row: vote_rows.CitedRow, *, is_new: bool) -> bool:
    """Take a citation as it is now; False if it changes what was forgotten.

    Args:
        is_new: whether its case came since the last look.
    """
    waits = row.state == "pending"
    if row.standing == "counts":
        if not is_new and row.case_id not in state.progress:
            return False
        state.weighed = None
        return state.progress.put(row.case_id, vote_of(row), waits=waits)
    if row.case_id in state.progress:
        state.weighed = None
        state.progress.drop(row.case_id)
    elif is_new and waits:
        state.silent.add(row.case_id)
    elif not is_new and row.case_id not in state.silent:
        return False
    elif not waits:
        state.silent.discard(row.case_id)
    return True
