"""`afterword role record ROLE --from-trips`: round trips become decisions of a role."""

from datetime import datetime

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.from_trips import LEFT_OUT, TripDecisions, record_trips
from afterword.pipeline.domain.history.read import trips
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import print_line
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.errors import InvalidInputError


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
        found = trips(conn)
    with progress() as report:
        done = record_trips(
            store,
            registry,
            role,
            found,
            roots.clock,
            roots.ids,
            weigh_later,
            account=account,
            since=since,
            embedding_enabled=call.embeds,
            report=lambda now, most: report("decisions", now, most),
        )
    call.answer(done, lambda: _print(done))


def _print(done: TripDecisions) -> None:
    print_line(f"{_count(done.recorded, 'trip')} recorded, {done.known:,} known before")
    for reason, count in sorted(done.left_out.items()):
        print_line(f"{_count(count, 'trip')} left out, {reason}: {LEFT_OUT[reason]}")
    for uids, what in ((done.changed, "says something else now"), (done.gone, "exists no more")):
        if uids:
            named = ", ".join(uids[:3]) + (", …" if len(uids) > 3 else "")
            verb = "counts" if len(uids) == 1 else "count"
            ends = f"{_count(len(uids), 'decision')} {verb} no more, since the trip {what}"
            print_line(f"{ends}: {named}")


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
