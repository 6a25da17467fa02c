"""Declares the mirror of accounts at venues; its job stands with the accounts."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaAction,
    AreaCommand,
    AreaPage,
    AreaTable,
    DoctorCheck,
    ForgetPlace,
    gauge,
)

AREA: Final = Area(
    name="sync",
    tables=(AreaTable("minara_history_sync_state", quiet="source last_error"),),
    places=(
        ForgetPlace(
            "minara_history_sync_state",
            order=135,
            words=("sub_account_id", "last_error"),
            account="sub_account_id",
            on_request=True,
        ),
    ),
    commands=(
        AreaCommand(
            "sync",
            "afterword.pipeline.doors.commands.sync:app",
            "Mirror what venues have of your accounts.",
            order=119,
        ),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.mirrors:check_mirrors", order=75
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
            "How long ago the mirror that stands still the longest ended a run well; seconds, 0 "
            "without accounts.",
        ),
    ),
    pages=(
        AreaPage(
            "/sync",
            "afterword.pipeline.doors.web.operator.sync:sync",
            "Sync",
            "operator",
            order=250,
        ),
    ),
    actions=(
        AreaAction("/sync/now", "afterword.pipeline.doors.web.operator.sync:now"),
        AreaAction("/sync/pause", "afterword.pipeline.doors.web.operator.sync:pause"),
        AreaAction("/sync/resume", "afterword.pipeline.doors.web.operator.sync:resume"),
    ),
)
