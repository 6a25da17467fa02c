"""The tools of an institution: capture a run, hear how earlier ones came out, read one."""

from datetime import datetime
from typing import Annotated, Any

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.checks import MAX_ASSET
from afterword.pipeline.domain.institution.given import read_run
from afterword.pipeline.domain.memory.checks import MAX_NAME
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.doors.agent import institution_model, institution_write
from afterword.pipeline.doors.agent.arguments import described
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.institution_model import (
    AgentRetrospect,
    AgentRun,
    AgentRunCapture,
)

RunOutput = Annotated[
    dict[str, Any],
    described(
        "What one role handed in: its form, or the reply of the model that was forced to fill it.",
        properties={
            "role": {"type": "string", "description": "Its name at the desk."},
            "form": {
                "type": "string",
                "description": "Which form it is.",
                "enum": [
                    *("analyst_report", "debate_argument", "risk_assessment"),
                    *("trader_proposal", "portfolio_decision"),
                ],
            },
            "output": {"type": "object", "description": "The input of the tool of that name."},
            "reply": {"type": "object", "description": "Instead: the whole model reply."},
            "model": {"type": "string", "description": "The model that filled it in."},
        },
        required=["role", "form"],
        additionalProperties=False,
    ),
]


def institution_capture(
    door: Door,
    run: Annotated[str, described("Its id: sent again, it is captured once.", maxLength=MAX_NAME)],
    asset: Annotated[str, described("The ticker, such as BTC.", maxLength=MAX_ASSET)],
    outputs: Annotated[
        list[RunOutput], described("Of all roles in order; exactly one portfolio_decision.")
    ],
    decision: Annotated[
        str | None,
        described("Id of the decision, where role_record recorded it.", maxLength=MAX_NAME),
    ] = None,
    retrospect: Annotated[
        str | None,
        described("Digest of the retrospect it began with.", pattern="^[0-9a-f]{64}$"),
    ] = None,
    meta: Annotated[dict[str, Any] | None, described("What else belongs to it.")] = None,
) -> AgentRunCapture:
    """Capture a run when it is over: what each role handed in, and what was decided.

    Its decision is measured after 1, 7, 30, 90, 180 and 365 days; the methodologies that its roles
    cite get their votes by it. Text beside a tool call is not kept. While captures are off it
    writes nothing, and says so.

    Args:
        decision: without one, the decision of the run is recorded; never give both.

    Raises:
        InvalidInputError: an argument is wrong, the id names another run, or the session has ended.
        NotFoundError: the decision that it names does not exist.
        BudgetExceededError: the session has no more decisions.
    """
    given = {"run": run, "asset": asset, "outputs": outputs, "decision": decision}
    new = read_run(given | {"retrospect": retrospect, "meta": meta})
    done = institution_write.capture(door.writer, door.limits, new, door.institution_enabled)
    return institution_model.captured(done)


def institution_retrospect(
    door: Door,
    asset: Annotated[str, described("The ticker that the next run is about.", maxLength=MAX_ASSET)],
    *,
    as_of: datetime | None = None,
) -> AgentRetrospect:
    """Return how earlier runs on an asset came out, for the prompt of the next one (Phase 0).

    What was told is kept, and feeds nothing.

    Args:
        as_of: what could be told at this moment; it keeps nothing.
    """
    # Imported here: it loads the rules that make a text safe for a prompt.
    from afterword.pipeline.recall.institution.retrospect import tell_runs

    told = tell_runs(door.writer, asset, is_kept=door.institution_enabled, as_of=as_of)
    return institution_model.retrospect(told)


def institution_show(
    door: Door,
    run: Annotated[str, described("Its id.", maxLength=MAX_NAME)],
    *,
    as_of: datetime | None = None,
) -> AgentRun:
    """Return one run: what its roles handed in, and the answers of its ladder so far.

    Args:
        as_of: as it was known at this moment.

    Raises:
        NotFoundError: there is no such run.
    """
    from afterword.pipeline.domain.institution.read import run_story

    with reading(door.store) as conn:
        read_moment(conn, as_of)  # refuses a moment that was purged
        return institution_model.told(run_story(conn, run, door.clock(), as_of))
