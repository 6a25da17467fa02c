"""The addition of a methodology; see `write`."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.checks import check_methodology
from afterword.pipeline.domain.methodologies.model import AddedMethodology, NewMethodology
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import open_session


def add_methodology(by: Writer, limits: Limits, new: NewMethodology) -> AddedMethodology:
    """Add a methodology; it is counted, unless its key added it before.

    Raises:
        NotFoundError: the session was erased.
        InvalidInputError: the session has ended, an argument is wrong, or the key names another
            methodology.
        BudgetExceededError: the session has no more methodologies.
    """
    # Imported here: it compiles the patterns that compare texts, for which no start waits.
    from afterword.pipeline.domain.methodologies.add import insert_methodology

    checked = check_methodology(new, by.actor)
    with writing(by.store) as conn:
        open_session(conn, by)
        done = insert_methodology(conn, by, checked, by.clock())
        if not done.is_repeat:
            spend(conn, by, limits, methodologies=1)
        return done
