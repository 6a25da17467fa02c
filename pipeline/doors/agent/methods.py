"""The tools of methods: add one, ask for those that held up, read one as a plan."""

from datetime import datetime
from typing import Annotated, Any, Final

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.checks import MAX_NAME
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.methodologies.checks import (
    MAX_METHOD_EVIDENCE,
    MAX_METHOD_NAME,
    MAX_METHODOLOGY,
    MAX_PHASES,
    read_phases,
    require_learning,
)
from afterword.pipeline.domain.methodologies.indicators import MAX_INDICATORS
from afterword.pipeline.domain.methodologies.model import (
    MethodDirection,
    NewMethodology,
    PrimarySignal,
    Timeframe,
)
from afterword.pipeline.domain.methodologies.read import find_methodology
from afterword.pipeline.domain.recorded_trades.checks import MAX_TRADE_ASSET
from afterword.pipeline.doors.agent import method_model, method_write
from afterword.pipeline.doors.agent.arguments import described
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.method_model import (
    AgentMethod,
    AgentMethodPlan,
    AgentSuggestion,
)

_TEXTS: Final = {"type": "array", "items": {"type": "string"}}

Phase = Annotated[
    dict[str, Any],
    described(
        "One step.",
        properties={
            "name": {"type": "string", "description": "Its name."},
            "criteria": {**_TEXTS, "description": "When it is done."},
            "tools_used": {**_TEXTS, "description": "What it is done with."},
            "depends_on": {**_TEXTS, "description": "Names of earlier steps."},
        },
        required=["name", "criteria", "tools_used", "depends_on"],
        additionalProperties=False,
    ),
]


def methodology_add(
    door: Door,
    methodology: Annotated[
        str, described("What to do, and when, in words.", maxLength=MAX_METHODOLOGY)
    ],
    asset_class: Annotated[str, described("The class it is about, such as major_crypto.")],
    direction: Annotated[MethodDirection, described("What it expects of the price.")],
    timeframe: Annotated[Timeframe, described("How soon: within 1, 7, 30 or 90 days.")],
    name: Annotated[str | None, described("A short name.", maxLength=MAX_METHOD_NAME)] = None,
    evidence: Annotated[str, described("What speaks for it.", maxLength=MAX_METHOD_EVIDENCE)] = "",
    phases: Annotated[
        list[Phase] | None, described("Its steps in order.", maxItems=MAX_PHASES)
    ] = None,
    primary_signal: Annotated[
        PrimarySignal | None, described("Read from the text if missing.")
    ] = None,
    indicators: Annotated[
        list[str] | None,
        described(
            "What it watches, such as rsi; read from the text if missing.", maxItems=MAX_INDICATORS
        ),
    ] = None,
    key: Annotated[
        str | None,
        described("Names this writing: sent again, it is added once.", maxLength=MAX_NAME),
    ] = None,
) -> AgentMethod:
    """Add a method; it is tried on later decisions that cite it, and suggested once it held up.

    One that says the same as a stored one counts as a sighting of that, never as a use.

    Args:
        phases: `depends_on` names earlier phases only.

    Raises:
        InvalidInputError: an argument is wrong, the key names another one, the session has ended,
            or learning is off.
        BudgetExceededError: the session has no more methodologies.
    """
    require_learning(door.learning_enabled)
    new = NewMethodology(
        methodology,
        asset_class,
        direction,
        timeframe,
        name,
        evidence,
        tuple(read_phases(phases or [], "phases")),
        primary_signal,
        indicators,
        key,
    )
    return method_model.added(method_write.add_methodology(door.writer, door.limits, new))


def methodology_suggest(
    door: Door,
    asset: Annotated[
        str, described("What you decide about, such as SOL.", maxLength=MAX_TRADE_ASSET)
    ],
    *,
    as_of: datetime | None = None,
) -> AgentSuggestion:
    """Return the methods that held up for the class of an asset, with the hash to cite.

    Args:
        as_of: what could be suggested at this moment; it keeps no hint.

    Raises:
        InvalidInputError: an asset of no known class, or learning is off.
    """
    # Imported here: it loads the rules that find assets in a text, which takes 50 ms.
    from afterword.pipeline.recall.methods.suggest import suggest_methods

    require_learning(door.learning_enabled)
    suggested = suggest_methods(door.writer, asset, door.methodology_top_k, as_of=as_of)
    return method_model.suggestion(suggested)


def methodology_show(
    door: Door,
    method: Annotated[str, described("Its id.", maxLength=MAX_NAME)],
    *,
    as_of: datetime | None = None,
) -> AgentMethodPlan:
    """Return one method as a plan: its phases with criteria, tools and order, and its record.

    Args:
        as_of: as it was known at this moment.

    Raises:
        NotFoundError: there is no such method.
    """
    with reading(door.store) as conn:
        read_moment(conn, as_of)  # refuses a moment that was purged
        return method_model.planned(find_methodology(conn, method, as_of))
