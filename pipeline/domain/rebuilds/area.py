"""Declares the rebuilds of the profile: their state, their jobs, and when the schedule looks."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaJob,
    AreaRoute,
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

REBUILD_TRADING_SUMMARY: Final = Kind("rebuild_trading_summary", deadline_s=300.0)
REBUILD_TAGS: Final = Kind("rebuild_tags", deadline_s=300.0)
"""Payload of both: `{}`, or `{"forced": true}` where no pause counts."""

WORD_SUMMARY_TASK: Final = "word_trading_summary"
CONCLUDE_TAGS_TASK: Final = "conclude_tags"

_ACTOR: Final = "afterword.workers.actors.rebuilds:run"
_DUE: Final = "afterword.pipeline.domain.rebuilds.has_work:rebuild_due"

AREA: Final = Area(
    name="rebuilds",
    tables=(
        AreaTable("rebuilds", quiet="name worded_by"),
        AreaTable("rebuild_cursors", quiet="name rebuild"),
        AreaTable("trading_summary_parts", quiet="part"),
    ),
    # None of them names the budget `learning` as a gate: figures cost nothing, and are written
    # while it is spent. Only the model is asked at its expense.
    jobs=(
        AreaJob(
            REBUILD_TRADING_SUMMARY,
            _ACTOR,
            queue="llm",
            serial="trading_summary {group}",
            has_work=_DUE,
        ),
        AreaJob(REBUILD_TAGS, _ACTOR, queue="llm", serial="tags {group}", has_work=_DUE),
    ),
    # Asked often and cheaply: the rule says when a rebuild is due.
    cron=(
        CronLine(
            "profile.trading_summary", "*/5 * * * *", job="rebuild_trading_summary", jitter_s=60
        ),
        CronLine("profile.tags", "*/5 * * * *", job="rebuild_tags", jitter_s=60),
    ),
    switches=(
        SwitchTask(WORD_SUMMARY_TASK, "Have a model word the trading summary of the profile."),
        SwitchTask(CONCLUDE_TAGS_TASK, "Have a model conclude tags of the user."),
    ),
    places=(
        ForgetPlace("trading_summary_parts", order=25, words=("text",)),
        ForgetPlace(
            "rebuilds",
            order=26,
            words=("error", "refusal"),
            blank="refusal = NULL, error = iif(error IS NULL, NULL, 'forgotten')",
            quotes=True,
        ),
        ForgetPlace(
            "rebuild_cursors", order=27, words=("error",), blank="error = 'forgotten'", quotes=True
        ),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.rebuilds:check_rebuilds", order=96
        ),
    ),
    numbers=("afterword.pipeline.domain.rebuilds.metrics:RebuildNumbers",),
    metrics=(
        counter(
            "profile_rebuilds",
            "Runs of rebuilds of the profile by what they came to: rebuilt, failed, postponed "
            "(budget or circuit), overtaken (by another run), or without work.",
            "rebuild",
            "outcome",
            events=(MetricEvent("profile.rebuilt"),),
        ),
        gauge(
            "profile_rebuild_oldest_age_seconds",
            "How long ago each rebuild last succeeded in the group where that is longest, among "
            "groups where it is due or failed; seconds, 0 without one.",
            "rebuild",
        ),
        gauge(
            "profile_rebuild_failures",
            "Consecutive failures of each rebuild in the group with the most; count.",
            "rebuild",
        ),
    ),
    settings=(
        *("personalization_rebuild", "trading_summary_cooldown", "tags_cooldown"),
        *("memories_cooldown", "trading_summary_threshold", "rebuild_on_boot"),
    ),
    routes=(
        AreaRoute(
            "POST",
            "/v1/profile/refresh",
            "afterword.pipeline.doors.http.routes.profile:start_refresh",
            "owner",
        ),
    ),
)
