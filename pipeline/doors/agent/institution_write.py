"""The capture of a run; see `write`."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.institution.model import CapturedRun, NewInstitutionRun
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import open_session


def capture(by: Writer, limits: Limits, new: NewInstitutionRun, is_enabled: bool) -> CapturedRun:
    """Capture a run; it is counted as a decision, unless it was captured before.

    Raises:
        NotFoundError: the session was erased, or there is no such decision.
        InvalidInputError: the session has ended, an argument is wrong, or the id names another run.
        BudgetExceededError: the session has no more decisions.
    """
    if not is_enabled:
        return CapturedRun(new.uid, is_kept=False, is_new=False)
    # Imported here: the forms are read by pydantic, for which no start waits.
    from afterword.pipeline.domain.institution.capture import insert_run
    from afterword.pipeline.domain.institution.checks import check_run

    checked = check_run(new, by.actor)
    with writing(by.store) as conn:
        open_session(conn, by)
        done = insert_run(conn, by, checked, by.clock())
        if done.is_new:
            spend(conn, by, limits, decisions=1)
        return done
