"""Declares learned preferences: their tables, the job that mines them, page, doctor, commands."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaAction,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaLineage,
    AreaPage,
    AreaRoute,
    AreaSection,
    AreaStep,
    AreaTable,
    CronLine,
    DoctorCheck,
    ForgetPlace,
    Kind,
    MetricEvent,
    SwitchTask,
    counter,
    gauge,
)

MINE_JOB: Final = Kind("mine_preferences", deadline_s=300.0)
"""Payload: none."""

_LINEAGE: Final = "afterword.pipeline.domain.preferences.lineage"

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="preferences",
    tables=(
        AreaTable("preference_observations", quiet="dimension kind seen_in evidence"),
        AreaTable("learned_preferences", quiet="uid dimension kind state decided_by"),
        AreaTable("preference_minings", quiet="mode"),
    ),
    exports=(
        AreaExport(
            "preferences",
            "learned_preferences",
            key="uid known_at",
            order=70,
            links="memory_id=memories",
            leaves="id text_id",
            constraint="kind = 'hard_constraint'",
            trust="none",
        ),
        AreaExport(
            "preference_observations",
            "preference_observations",
            key="dimension seen_in stretch value is_against known_at",
            order=75,
            constraint="kind = 'hard_constraint'",
        ),
    ),
    places=(
        ForgetPlace(
            "learned_preferences",
            order=25,
            words=("statement", "value"),
            names="memory_id IN (SELECT value FROM json_each(:memories))",
        ),
        ForgetPlace(
            "preference_observations",
            order=26,
            words=("value",),
            names="EXISTS (SELECT 1 FROM json_each(evidence) AS shown, json_each(:memories) AS gone"
            " WHERE shown.value ->> 0 = 'memory' AND shown.value ->> 1 = gone.value)",
        ),
        ForgetPlace("preference_minings", order=27, json=("changes",), blank="changes = '[]'"),
    ),
    jobs=(
        # No gate before it starts: it asks no model and no service.
        AreaJob(
            MINE_JOB,
            "afterword.workers.actors.learning:run_step",
            queue="upkeep",
            serial="preferences {group}",
            has_work="afterword.pipeline.domain.preferences.has_work:preferences_due",
            step=AreaStep("afterword.pipeline.operations.loop.preferences:MINE_STEP", 45, None),
        ),
    ),
    # Asked often and cheaply: the rule says when a run is due.
    cron=(CronLine("preferences.mine", "*/10 * * * *", job="mine_preferences", jitter_s=60),),
    switches=(
        SwitchTask("mine_preferences", "Learn preferences from trades, decisions and chat."),
    ),
    sections=(AreaSection("afterword.pipeline.recall.page.preferences:HARD_CONSTRAINTS", order=6),),
    checks=(
        DoctorCheck(
            "group",
            "afterword.pipeline.operations.doctor.preferences:check_preferences",
            order=82,
        ),
    ),
    commands=(
        AreaCommand(
            "preference",
            "afterword.pipeline.doors.commands.preference:app",
            "See what was learned of your habits, and decide what counts.",
            order=101,
        ),
    ),
    settings=("non_interactive",),
    numbers=("afterword.pipeline.domain.preferences.metrics:PreferenceNumbers",),
    metrics=(
        gauge(
            "preferences",
            "Learned preferences by kind (habit, soft_preference or hard_constraint) and state "
            "(proposed, active or rejected); preferences.",
            "kind",
            "state",
        ),
        counter(
            "preference_changes",
            "Preferences that were proposed, became active, or fell back, by kind and change; "
            "changes.",
            "kind",
            "change",
            events=(MetricEvent("preference.changed"),),
        ),
    ),
    lineage=(
        AreaLineage("preference", f"{_LINEAGE}:preference_lineage", order=33),
        AreaLineage("memory", f"{_LINEAGE}:told_preference", order=13),
    ),
    routes=(
        AreaRoute(
            "GET",
            "/v1/preferences",
            "afterword.pipeline.doors.http.routes.learned:list_all_preferences",
            "agent owner observer",
        ),
        AreaRoute(
            "POST",
            "/v1/preferences",
            "afterword.pipeline.doors.http.routes.learned:propose",
            "owner",
        ),
        AreaRoute(
            "GET",
            "/v1/preferences/{preference}",
            "afterword.pipeline.doors.http.routes.learned:get_preference",
            "agent owner observer",
        ),
        AreaRoute(
            "POST",
            "/v1/preferences/{preference}/approve",
            "afterword.pipeline.doors.http.routes.learned:approve",
            "owner",
        ),
        AreaRoute(
            "POST",
            "/v1/preferences/{preference}/reject",
            "afterword.pipeline.doors.http.routes.learned:reject",
            "owner",
        ),
    ),
    pages=(
        AreaPage(
            "/preferences",
            f"{_PAGES}.preferences:preferences",
            "Preferences",
            "memory",
            155,
        ),
        AreaPage(
            "/preferences/{preference}",
            f"{_PAGES}.preferences:preference",
            "Preference",
            "",
            156,
            shows="preference",
        ),
    ),
    actions=(
        AreaAction("/preferences/{preference}/approve", f"{_PAGES}.preferences:approve"),
        AreaAction("/preferences/{preference}/reject", f"{_PAGES}.preferences:reject"),
    ),
)
