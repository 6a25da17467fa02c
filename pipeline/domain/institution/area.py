"""Declares runs of an institution: their tables, the job of their ladder, commands and tools."""

from typing import Final

from afterword.pipeline.core.area import (
    READS,
    AgentTool,
    Area,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaLineage,
    AreaPage,
    AreaSection,
    AreaStep,
    AreaTable,
    CronLine,
    DoctorCheck,
    ForgetPlace,
    Kind,
    MetricEvent,
    SwitchTask,
    ToolEffect,
    counter,
    gauge,
)

REFLECT_RUNS: Final = Kind("reflect_institution_runs", batch=256, deadline_s=600.0)
"""Payload: `{"run": id, "window_hours": hours}` of a window that ends, or none. Each job answers
all that is due."""

REFLECT_TASK: Final = "reflect_institution"
"""The switch of the ladder."""

_LINEAGE: Final = "afterword.pipeline.domain.institution.lineage"
_TOOLS: Final = "afterword.pipeline.doors.agent.institution"

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="institution",
    tables=(
        AreaTable(
            "institution_runs",
            quiet="digest session_id asset_key direction decision_uid retrospect",
        ),
        AreaTable("institution_role_outputs", quiet="form"),
        AreaTable("institution_reflections", quiet="kind answer numbers digest"),
    ),
    exports=(
        AreaExport("institution_runs", "institution_runs", key="uid", order=130, trust="signed"),
        AreaExport(
            "institution_outputs",
            "institution_role_outputs",
            key="run_id place",
            order=131,
            links="run_id=institution_runs",
            trust="signed",
        ),
        AreaExport(
            "institution_reflections",
            "institution_reflections",
            key="run_id kind window_hours is_shadow digest",
            order=132,
            links="run_id=institution_runs",
            trust="signed",
        ),
    ),
    # What was said is forgotten with the run; its decision is a place of its own.
    places=(
        ForgetPlace("institution_reflections", order=82, words=("text",)),
        ForgetPlace(
            "institution_role_outputs",
            order=83,
            words=("role", "model"),
            json=("body", "cited"),
        ),
        ForgetPlace(
            "institution_runs",
            order=84,
            words=("uid", "asset", "trigger", "base_case", "thesis"),
            json=("meta", "cited"),
        ),
    ),
    jobs=(
        AreaJob(
            REFLECT_RUNS,
            "afterword.workers.actors.learning:run_step",
            queue="upkeep",
            serial="institution {group}",
            has_work="afterword.pipeline.operations.loop.has_work:runs_unanswered",
            # After the outcomes are measured; a person has a command of its own.
            step=AreaStep(
                "afterword.pipeline.operations.loop.institution:REFLECT_RUNS_STEP", 15, None
            ),
        ),
    ),
    # Where prices came late, the outcome is there after the job of its window.
    cron=(
        CronLine(
            "institution.reflect", "12-59/15 * * * *", job="reflect_institution_runs", jitter_s=30
        ),
    ),
    switches=(SwitchTask(REFLECT_TASK, "Answer the questions of the ladder of institution runs."),),
    sections=(AreaSection("afterword.pipeline.recall.page.institution:RUNS", order=58),),
    lineage=(
        AreaLineage("institution run", f"{_LINEAGE}:run_lineage", order=38),
        AreaLineage("decision", f"{_LINEAGE}:run_of_decision", order=39),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.institution:check_runs", order=82
        ),
    ),
    commands=(
        AreaCommand(
            "institution",
            "afterword.pipeline.doors.commands.institution.app:app",
            "Capture runs of several roles, and see how they came out.",
            order=147,
        ),
    ),
    tools=(
        AgentTool(
            "institution_capture",
            f"{_TOOLS}:institution_capture",
            ToolEffect(writes=True),  # the same run again adds nothing
            order=127,
        ),
        AgentTool(
            "institution_retrospect",
            f"{_TOOLS}:institution_retrospect",
            ToolEffect(writes=True),  # keeps what was told, once
            order=128,
        ),
        AgentTool("institution_show", f"{_TOOLS}:institution_show", READS, order=129),
    ),
    settings=("institution_learning_enabled",),
    numbers=("afterword.pipeline.domain.institution.metrics:InstitutionNumbers",),
    metrics=(
        gauge("institution_runs", "Runs of an institution that are kept."),
        gauge(
            "institution_answers",
            "Answered windows of the ladder of runs, by answer: yes, no or unclear.",
            "answer",
        ),
        gauge(
            "institution_oldest_unanswered_age_seconds",
            "Time since the first outcome of a run that no question has answered was measured, in "
            "seconds, the longest of all groups; 0 if all are answered, or captures are off.",
        ),
        counter(
            "institution_captures",
            "Runs that this process captured.",
            events=(MetricEvent("institution.captured", "runs"),),
        ),
    ),
    pages=(
        AreaPage("/institution", f"{_PAGES}.institution:runs", "Institution", "trades", 130),
        AreaPage("/institution/{run}", f"{_PAGES}.institution:run", "Run", "", 131, shows="run"),
    ),
)
