"""Declares the mirror of accounts at venues: its job, its schedule and what is shown of it."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaJob, AreaTable, CronLine, gauge
from afterword.pipeline.domain.accounts.area import SYNC_HISTORY

AREA: Final = Area(
    name="sync",
    tables=(AreaTable("minara_history_sync_state", quiet="source sub_account_id last_error"),),
    jobs=(
        AreaJob(
            SYNC_HISTORY,
            "afterword.workers.actors.sync:sync",
            queue="sync",
            asks="accounts",
            serial="history {group}",
            has_work="afterword.pipeline.domain.sync.has_work:mirror_due",
        ),
    ),
    # Asked often and cheaply: the rule says when a mirror is due.
    cron=(CronLine("sync.history", "*/5 * * * *", job="sync_history", jitter_s=60),),
    commands=(
        AreaCommand(
            "sync",
            "afterword.pipeline.doors.commands.sync:app",
            "Mirror what venues have of your accounts.",
            order=119,
        ),
    ),
    settings=(
        "history_sync_min_interval",
        "history_sync_tick",
        "history_sync_max_failures",
        "history_sync_failure_cooldown",
    ),
    numbers=("afterword.pipeline.domain.sync.metrics:MirrorNumbers",),
    metrics=(
        gauge("history_mirrors", "Mirrors of accounts at venues that are not paused."),
        gauge(
            "history_mirrors_failing",
            "Mirrors whose last run failed; after some failures one is left out for a while.",
        ),
        gauge(
            "history_oldest_sync_age_seconds",
            "Seconds since the mirror that stands still the longest ended a run well; 0 without "
            "accounts.",
        ),
    ),
)
