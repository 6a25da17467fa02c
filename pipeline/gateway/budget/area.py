"""Declares the budget: its ledger, its caps, and the cost of models."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaAction,
    AreaCommand,
    AreaJob,
    AreaPage,
    AreaRoute,
    AreaTable,
    CronLine,
    DoctorCheck,
    ForgetPlace,
    Kind,
    counter,
    gauge,
)

# Stored jobs carry this name, from a time when the job also booked expired reservations. The
# dispatcher does that now.
EXPIRE_RESERVATIONS: Final = Kind("expire_reservations")

AREA: Final = Area(
    name="budget",
    tables=(
        AreaTable(
            "llm_usage", quiet="category group_name task model date reservation_uid basis note"
        ),
        AreaTable("budget_reservations", quiet="uid category group_name task model day_key state"),
        AreaTable("budget_windows", quiet="scope name window_key"),
        AreaTable("budget_switch"),
    ),
    # Spending stays stopped.
    places=(
        ForgetPlace(
            "budget_switch", order=210, words=("note",), blank="note = ''", file="instance"
        ),
    ),
    jobs=(
        AreaJob(
            EXPIRE_RESERVATIONS,
            "afterword.workers.actors.upkeep:reopen_waiting_jobs",
            queue="upkeep",
            has_work="afterword.pipeline.core.jobs.has_work:jobs_wait_for_a_gate",
        ),
    ),
    cron=(CronLine("budget.expire", "* * * * *", job="expire_reservations"),),
    checks=(
        DoctorCheck(
            "instance", "afterword.pipeline.operations.doctor.governance:check_budget", order=10
        ),
    ),
    commands=(
        AreaCommand(
            "budget",
            "afterword.pipeline.doors.commands.budget.app:app",
            "See what models cost; stop all spending.",
            order=150,
        ),
    ),
    metrics=(
        gauge("budget_limit_usd", "The cap of a budget, in US dollars.", "budget", "period"),
        gauge("budget_spent_usd", "The spent part of a budget, in US dollars.", "budget", "period"),
        gauge(
            "budget_reserved_usd",
            "The part of a budget that running calls have reserved, in US dollars.",
            "budget",
            "period",
        ),
        gauge("budget_stopped", "1 if all spending is stopped, else 0."),
        counter("llm_calls", "Calls to models that were booked.", "category", "model", "basis"),
        counter(
            "llm_tokens", "Tokens that models read and wrote.", "category", "model", "direction"
        ),
        counter("llm_cost_usd", "Cost of the calls to models, in US dollars.", "category", "model"),
    ),
    settings=(
        "learning_daily_cap_usd",
        "learning_monthly_cap_usd",
        "agent_daily_cap_usd",
        "agent_monthly_cap_usd",
        "workflow_daily_cap_usd",
        "workflow_monthly_cap_usd",
        "experiment_daily_cap_usd",
        "experiment_monthly_cap_usd",
        "budget_soft_ratio",
        "group_caps_usd",
    ),
    routes=(
        AreaRoute(
            "GET",
            "/v1/budget",
            "afterword.pipeline.doors.http.routes.operator:get_budget",
            "owner observer",
        ),
        AreaRoute(
            "POST",
            "/v1/budget/stop",
            "afterword.pipeline.doors.http.routes.operator:stop_budget",
            "owner",
        ),
        AreaRoute(
            "POST",
            "/v1/budget/resume",
            "afterword.pipeline.doors.http.routes.operator:resume_budget",
            "owner",
        ),
    ),
    pages=(
        AreaPage(
            "/budget",
            "afterword.pipeline.doors.web.operator.budget:budget",
            "Budget",
            "operator",
            order=230,
            needs_group=False,
        ),
    ),
    actions=(
        AreaAction("/budget/stop", "afterword.pipeline.doors.web.operator.budget:stop"),
        AreaAction("/budget/resume", "afterword.pipeline.doors.web.operator.budget:resume"),
    ),
)
