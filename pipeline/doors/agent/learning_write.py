"""The writing of learnings by an agent, and what it is told; see `write`."""

from dataclasses import dataclass

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.learnings.model import KeptLearning, NewLearning
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions import rows as session_rows
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import open_session


@dataclass(frozen=True, slots=True)
class AgentLearning:
    """What became of something learned.

    Args:
        id: of the new one, or of the stored one that says the same.
        is_new: whether it is kept as one of its own.
        note: when it is shown, or what it counts for.
    """

    id: str
    is_new: bool
    note: str


def learn(by: Writer, limits: Limits, new: NewLearning) -> AgentLearning:
    """Keep what an agent says it learned; it counts as a write of its session.

    In a turn a sequence waits for the end of it: if the turn fails, or did not run these tools,
    nothing is kept.

    Raises:
        NotFoundError: the session was erased.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more writes.
    """
    # Imported here: they load the rules that scan and compare texts, for which no start waits.
    from afterword.pipeline.domain.learnings.checks import check_learning
    from afterword.pipeline.domain.learnings.learn import keep_learning

    checked = check_learning(new)
    with writing(by.store) as conn:
        session, now = open_session(conn, by), by.clock()
        turn = session_rows.open_turn(conn, session, to_micros(now))
        is_of_turn = turn is not None and bool(checked.tool_sequence)
        kept = keep_learning(
            conn, by, checked, "agent", now, turn_id=turn.id if turn and is_of_turn else None
        )
        spend(conn, by, limits, stores=1)
    return AgentLearning(kept.uid, kept.is_new, _note(kept))


def _note(kept: KeptLearning) -> str:
    if not kept.is_new:
        return "says the same as this one, which stays as it is"
    if kept.waits:
        return "kept once this turn has succeeded with these tools; dropped if it fails"
    return "kept; turns of its kind are shown it"
