"""`afterword role record ROLE --from-trips`: round trips become decisions of a role."""

from datetime import datetime

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.from_trips import record_trips
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.roles.listed import trips_recorded


def record_from_trips(
    call: Call, registry: RoleRegistry, role: str, account: str | None, since: datetime | None
) -> None:
    """Record the complete trips of an account, or of all, and print what was left out.

    Raises:
        NotFoundError: no skill declares the role.
        InvalidInputError: the role cannot judge trips; nothing was recorded.
    """
    if not role:
        raise InvalidInputError("role", "is missing", "one of `afterword role list`")
    registry.role(role)  # before the store is opened: a refused recording makes none
    store, roots = call.store(create=True), call.roots
    with reading(store) as conn:
        all_trips = trips(conn)
    with progress() as report:
        done = record_trips(
            store,
            registry,
            role,
            all_trips,
            roots.clock,
            roots.ids,
            weigh_later,
            account=account,
            since=since,
            embedding_enabled=call.embeds,
            report=lambda now, most: report("decisions", now, most),
        )
    call.answer(done, lambda: trips_recorded(done))
