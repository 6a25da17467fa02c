"""Declares the accounts at venues, and the job that mirrors them: a recorded trade asks for it."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaTable,
    CronLine,
    ForgetPlace,
    Kind,
)

SYNC_HISTORY: Final = Kind("sync_history", deadline_s=600.0)
"""Payload: `{}`, or `{"trade": true}` where a recorded trade asks for it. Each run mirrors every
account whose turn it is; that of `{"account": 1}` one account (row id), whatever its pauses."""

AREA: Final = Area(
    name="accounts",
    tables=(AreaTable("accounts", quiet="venue kind role markets"),),
    exports=(
        # Whoever names an account lets the mirror ask a venue about it.
        AreaExport("accounts", "accounts", key="venue address added_at", order=290, trust="known"),
    ),
    # Which accounts somebody has is forgotten with their fills.
    places=(
        ForgetPlace("accounts", order=133, words=("name", "address", "master"), on_request=True),
    ),
    jobs=(
        AreaJob(
            SYNC_HISTORY,
            "afterword.workers.actors.sync:sync",
            queue="sync",
            serial="history {group}",
            has_work="afterword.pipeline.domain.sync.has_work:mirror_due",
        ),
    ),
    # Asked often and cheaply: the rule says when a mirror is due.
    cron=(CronLine("sync.history", "*/5 * * * *", job="sync_history", jitter_s=60),),
    commands=(
        AreaCommand(
            "account",
            "afterword.pipeline.doors.commands.account:app",
            "Name the accounts at venues that are yours.",
            order=118,
        ),
    ),
)
