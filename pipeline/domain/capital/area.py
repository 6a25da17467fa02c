"""Declares what the owner's accounts hold together, and the job that computes it."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaAction,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaPage,
    AreaTable,
    CronLine,
    ForgetPlace,
    Kind,
    gauge,
)

REFRESH_CAPITAL: Final = Kind("refresh_capital", deadline_s=600.0)
"""Payload: `{}`, or `{"activity": true}` where new fills of an account ask for it, or
`{"asked": true}` where its owner does."""

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="capital",
    tables=(
        AreaTable("capital_parts", quiet="part error"),
        AreaTable("capital_metrics", quiet="tier"),
    ),
    exports=(
        AreaExport(
            "capital_metrics", "capital_metrics", key="computed_at", order=335, trust="signed"
        ),
    ),
    # What somebody owns is forgotten with the account.
    places=(
        ForgetPlace("capital_parts", order=131, json=("unpriced",), on_request=True),
        ForgetPlace(
            "capital_metrics",
            order=132,
            json=("parts",),
            account="(SELECT account.value FROM json_each(parts) AS part"
            " WHERE part.value ->> 'account' = account.value)",
            on_request=True,
        ),
    ),
    jobs=(
        AreaJob(
            REFRESH_CAPITAL,
            "afterword.workers.actors.capital:refresh",
            queue="sync",
            asks="accounts",
            serial="capital {group}",
            has_work="afterword.pipeline.domain.capital.has_work:capital_due",
        ),
    ),
    # Asked often and cheaply: the rule says when a capital is due.
    cron=(CronLine("capital.refresh", "*/15 * * * *", job="refresh_capital", jitter_s=300),),
    commands=(
        AreaCommand(
            "capital",
            "afterword.pipeline.doors.commands.capital:app",
            "Show what your accounts hold together.",
            order=120,
        ),
    ),
    settings=("capital_cooldown",),
    numbers=("afterword.pipeline.domain.capital.metrics:CapitalNumbers",),
    metrics=(
        gauge(
            "capital_oldest_age_seconds",
            "How long ago the oldest capital of a group was computed; seconds, 0 without accounts.",
        ),
        gauge(
            "capital_parts_kept",
            "Parts of accounts that keep an older value, because the last look failed.",
        ),
    ),
    pages=(AreaPage("/accounts", f"{_PAGES}.accounts:accounts", "Accounts", "trades", 135),),
    actions=(AreaAction("/accounts/capital", f"{_PAGES}.accounts:refresh"),),
)
