"""Every area of the program: adding one is its folder, its migration, and its line here."""

from functools import cache
from typing import Final

from afterword.pipeline.core.area import Area
from afterword.pipeline.core.jobs import area as jobs
from afterword.pipeline.core.store import area as store
from afterword.pipeline.core.telemetry import area as telemetry
from afterword.pipeline.domain.accounts import area as accounts
from afterword.pipeline.domain.audit import area as audit
from afterword.pipeline.domain.balances import area as balances
from afterword.pipeline.domain.capital import area as capital
from afterword.pipeline.domain.cases import area as cases
from afterword.pipeline.domain.clients import area as clients
from afterword.pipeline.domain.decisions import area as decisions
from afterword.pipeline.domain.edges import area as edges
from afterword.pipeline.domain.exports import area as exports
from afterword.pipeline.domain.facts import area as facts
from afterword.pipeline.domain.fills import area as fills
from afterword.pipeline.domain.funding import area as funding
from afterword.pipeline.domain.history import area as history
from afterword.pipeline.domain.institution import area as institution
from afterword.pipeline.domain.learnings import area as learnings
from afterword.pipeline.domain.memory import area as memory
from afterword.pipeline.domain.methodologies import area as methodologies
from afterword.pipeline.domain.outcomes import area as outcomes
from afterword.pipeline.domain.patterns import area as patterns
from afterword.pipeline.domain.preferences import area as preferences
from afterword.pipeline.domain.prices import area as prices
from afterword.pipeline.domain.profile import area as profile
from afterword.pipeline.domain.rebuilds import area as rebuilds
from afterword.pipeline.domain.recorded_trades import area as recorded_trades
from afterword.pipeline.domain.reflection import area as reflection
from afterword.pipeline.domain.sessions import area as sessions
from afterword.pipeline.domain.skills import area as skills
from afterword.pipeline.domain.spot import area as spot
from afterword.pipeline.domain.statements import area as statements
from afterword.pipeline.domain.strategies import area as strategies
from afterword.pipeline.domain.sync import area as sync
from afterword.pipeline.domain.synthesis import area as synthesis
from afterword.pipeline.domain.trades import area as trades
from afterword.pipeline.domain.transfers import area as transfers
from afterword.pipeline.domain.trips import area as trips
from afterword.pipeline.domain.vectors import area as vectors
from afterword.pipeline.domain.workspace import area as workspace
from afterword.pipeline.doors.commands import area as commands
from afterword.pipeline.doors.connect import area as connect
from afterword.pipeline.doors.http import area as serve
from afterword.pipeline.doors.mcp import area as mcp
from afterword.pipeline.doors.web import area as web
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.access import area as access
from afterword.pipeline.gateway.budget import area as budget
from afterword.pipeline.gateway.embedding import area as embedding
from afterword.pipeline.gateway.exchanges import area as exchanges
from afterword.pipeline.gateway.http import area as http
from afterword.pipeline.gateway.llm import area as llm
from afterword.pipeline.gateway.switches import area as switches
from afterword.pipeline.gateway.venue import area as venue
from afterword.pipeline.operations.doctor import area as doctor
from afterword.pipeline.operations.forget import area as forget
from afterword.pipeline.operations.learn import area as learn
from afterword.pipeline.operations.portability import area as portability
from afterword.pipeline.operations.replay import area as replay
from afterword.pipeline.recall.lessons import area as lessons
from afterword.pipeline.recall.methods import area as methods
from afterword.pipeline.recall.page import area as page
from afterword.pipeline.recall.prompts import area as prompts
from afterword.pipeline.recall.search import area as search

AREAS: Final[tuple[Area, ...]] = (
    telemetry.AREA,
    store.AREA,
    jobs.AREA,
    budget.AREA,
    switches.AREA,
    access.AREA,
    http.AREA,
    llm.AREA,
    embedding.AREA,
    venue.AREA,
    exchanges.AREA,
    memory.AREA,
    prices.AREA,
    edges.AREA,
    vectors.AREA,
    sessions.AREA,
    clients.AREA,
    facts.AREA,
    accounts.AREA,
    fills.AREA,
    funding.AREA,
    spot.AREA,
    transfers.AREA,
    balances.AREA,
    trips.AREA,
    recorded_trades.AREA,
    capital.AREA,
    history.AREA,
    exports.AREA,
    sync.AREA,
    strategies.AREA,
    workspace.AREA,
    outcomes.AREA,
    skills.AREA,
    decisions.AREA,
    patterns.AREA,
    reflection.AREA,
    trades.AREA,
    methodologies.AREA,
    learnings.AREA,
    profile.AREA,
    preferences.AREA,
    statements.AREA,
    rebuilds.AREA,
    cases.AREA,
    institution.AREA,
    synthesis.AREA,
    audit.AREA,
    search.AREA,
    lessons.AREA,
    prompts.AREA,
    page.AREA,
    methods.AREA,
    forget.AREA,
    learn.AREA,
    portability.AREA,
    replay.AREA,
    doctor.AREA,
    commands.AREA,
    mcp.AREA,
    serve.AREA,
    connect.AREA,
    web.AREA,
)
"""The areas of `pipeline`, from the lowest floor up."""


def kinds_of_queue(queue: str | None) -> list[str] | None:
    """Return the kinds of job that wait in a queue; None, which is all of them, without one.

    Raises:
        InvalidInputError: there is no such queue.
    """
    if queue is None:
        return None
    if queue not in queues():
        raise InvalidInputError("queue", f"{queue!a:.40} is unknown", ", ".join(queues()))
    return [job.kind.name for area in all_areas() for job in area.jobs if job.queue == queue]


def queues() -> list[str]:
    """Return the queues in which some kind of job waits, by name."""
    return sorted({job.queue for area in all_areas() for job in area.jobs})


@cache
def all_areas() -> tuple[Area, ...]:
    """Return these areas, and those of the packages above: `workers` and `schedules`.

    They are found through the entry-point group `afterword.areas`, so that nothing here imports
    upwards.
    """
    # Loaded here: it takes 25 ms, and most commands do not look above `pipeline`.
    from importlib.metadata import entry_points

    above = sorted(entry_points(group="afterword.areas"), key=lambda point: point.name)
    return (*AREAS, *(point.load() for point in above))
