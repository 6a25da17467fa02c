"""The declaration of the schedules: their tables, metrics and commands."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaAction,
    AreaCommand,
    AreaPage,
    AreaRoute,
    AreaTable,
    MetricEvent,
    counter,
    gauge,
    seconds,
)

_LATE_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 60.0, 600.0, 3600.0)

AREA: Final = Area(
    name="schedules",
    tables=(
        AreaTable("cron_entries", quiet="entry spec"),
        AreaTable("cron_ticks", quiet="entry"),
        AreaTable("cron_specs", quiet="entry spec"),
    ),
    commands=(
        AreaCommand(
            "up",
            "afterword.schedules.commands:up",
            "Run everything in one process, without a server.",
            order=300,
        ),
        AreaCommand(
            "dispatcher",
            "afterword.schedules.commands:dispatcher",
            "Send due jobs to the fleet and tick the schedule.",
            order=320,
        ),
        AreaCommand("cron", "afterword.schedules.commands:cron", "See what runs when.", order=350),
        AreaCommand(
            "demo",
            "afterword.schedules.demo.command:demo",
            "Show on real prices what Afterword does: one page, no network.",
            order=360,
        ),
    ),
    metrics=(
        counter(
            "cron_jobs",
            "Jobs that this process added for the schedule.",
            "entry",
            events=(MetricEvent("cron.fired", "jobs"),),
        ),
        seconds(
            "cron_late",
            "Time from a slot of the schedule until it was fired or missed, in seconds.",
            _LATE_S,
            events=(MetricEvent("cron.fired", "late_s"),),
        ),
        counter("cron_missed_ticks", "Slots of a schedule entry that did not fire.", "entry"),
        gauge(
            "cron_last_fired_timestamp_seconds",
            "When a schedule entry last fired in any group, in seconds since 1970.",
            "entry",
        ),
    ),
    routes=(
        AreaRoute("GET", "/v1/cron", "afterword.schedules.http_routes:list_cron", "owner observer"),
        AreaRoute(
            "GET", "/v1/cron/next", "afterword.schedules.http_routes:list_coming", "owner observer"
        ),
        AreaRoute(
            "POST", "/v1/cron/{entry}/run", "afterword.schedules.http_routes:run_cron", "owner"
        ),
    ),
    pages=(
        AreaPage("/cron", "afterword.schedules.pages:cron", "Schedule", "operator", order=220),
        AreaPage(
            "/cron/{entry}",
            "afterword.schedules.pages:entry",
            "Entry",
            "",
            order=221,
            shows="cron entry",
        ),
    ),
    actions=(AreaAction("/cron/{entry}/run", "afterword.schedules.pages:run"),),
)
