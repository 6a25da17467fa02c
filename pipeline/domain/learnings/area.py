"""Declares learnings: their tables, the review of turns, their commands, tools and metrics."""

from typing import Final

from afterword.pipeline.core.area import (
    AgentTool,
    Area,
    AreaAction,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaLineage,
    AreaPage,
    AreaRoute,
    AreaStep,
    AreaTable,
    DoctorCheck,
    ForgetPlace,
    Kind,
    MetricEvent,
    SwitchTask,
    ToolEffect,
    counter,
    gauge,
)

REVIEW_TURN: Final = Kind("review_turn", deadline_s=300.0)
"""Payload: `turn`, the id of a finished turn."""

_STANDS: Final = "learning_id IN (SELECT id FROM learnings WHERE deleted_at IS NULL)"

_TOOLS: Final = "afterword.pipeline.doors.agent.learnings"

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="learnings",
    tables=(
        AreaTable("learnings", quiet="uid source session_id"),
        AreaTable("learning_terms", quiet="part"),
        AreaTable("learning_turns", quiet="arm result outcome"),
        AreaTable("learning_reviews", quiet="reviewer verdict"),
    ),
    exports=(
        AreaExport(
            "learnings",
            "learnings",
            key="uid",
            order=80,
            links="turn_id=turns",
            where="deleted_at IS NULL",
            trust="signed",
            after="afterword.pipeline.domain.learnings.learn:index_learning",
        ),
        AreaExport(
            "learning_turns",
            "learning_turns",
            key="turn_id learning_id",
            order=85,
            links="turn_id=turns learning_id=learnings",
            where=_STANDS,
            trust="signed",
        ),
        AreaExport(
            "learning_reviews",
            "learning_reviews",
            key="turn_id",
            order=86,
            links="turn_id=turns learning_id=learnings",
            leaves="",
            trust="signed",
        ),
    ),
    jobs=(
        # No gate before it starts: a rule reviews for nothing, and each model call is metered.
        AreaJob(
            REVIEW_TURN,
            "afterword.workers.actors.learning:run_step",
            queue="llm",
            step=AreaStep("afterword.pipeline.operations.loop.turns:REVIEW_STEP", 5, None),
        ),
    ),
    switches=(
        SwitchTask("review_turn", "Ask a model whether a finished turn is worth learning from."),
    ),
    places=(
        ForgetPlace(
            "learning_reviews",
            order=25,
            words=("summary", "suggested_trigger", "guidance", "reason"),
            json=("suggested_tool_sequence", "shadow"),
            # The row stays: the turn is not reviewed again.
            blank="summary = '', suggested_trigger = '', guidance = '', reason = '',"
            " suggested_tool_sequence = '[]', shadow = NULL",
        ),
        # With its words go the digests of these, and what turns did with it.
        ForgetPlace(
            "learnings",
            order=26,
            words=("name", "trigger", "guidance"),
            json=("tool_sequence",),
        ),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.learnings:check_learnings", order=85
        ),
    ),
    commands=(
        AreaCommand(
            "learning",
            "afterword.pipeline.doors.commands.learning:app",
            "How tasks were done: list, show and delete what turns taught.",
            order=147,
        ),
    ),
    tools=(
        AgentTool("skill_learn", f"{_TOOLS}:skill_learn", ToolEffect(writes=True), order=128),
        AgentTool("memory_learn", f"{_TOOLS}:memory_learn", ToolEffect(writes=True), order=129),
    ),
    lineage=(
        AreaLineage(
            "learning", "afterword.pipeline.domain.learnings.lineage:learning_lineage", order=37
        ),
    ),
    numbers=("afterword.pipeline.domain.learnings.metrics:LearningNumbers",),
    metrics=(
        gauge("learnings", "Learnings by state: active, waiting, or deleted.", "state"),
        gauge(
            "learning_turn_reviews",
            "Reviewed turns by what became of them: learned, repeated, below, or refused.",
            "verdict",
        ),
        counter(
            "learnings_shown",
            "Learnings that turns were shown by this process.",
            events=(MetricEvent("learning.shown", "learnings"),),
        ),
        counter(
            "learnings_settled",
            "Learnings that finished turns had been shown, by what they did with them: succeeded, "
            "failed, ignored, or noted.",
            "result",
            events=(MetricEvent("learning.settled"),),
        ),
    ),
    settings=("learning_min_calls", "learning_score_threshold", "learning_top_k"),
    routes=(
        AreaRoute(
            "GET",
            "/v1/learnings",
            "afterword.pipeline.doors.http.routes.learned:list_all_learnings",
            "agent owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/learnings/{learning}",
            "afterword.pipeline.doors.http.routes.learned:get_learning",
            "agent owner observer",
        ),
        AreaRoute(
            "DELETE",
            "/v1/learnings/{learning}",
            "afterword.pipeline.doors.http.routes.learned:remove_learning",
            "owner",
        ),
    ),
    pages=(
        AreaPage(
            "/learnings",
            f"{_PAGES}.learnings:learnings",
            "Learnings",
            "memory",
            165,
        ),
        AreaPage(
            "/learnings/{learning}",
            f"{_PAGES}.learnings:learning",
            "Learning",
            "",
            166,
            shows="learning",
        ),
    ),
    actions=(AreaAction("/learnings/{learning}/delete", f"{_PAGES}.learnings:remove"),),
)
