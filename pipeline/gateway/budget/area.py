"""What the budget declares: its ledger, its caps, and what models cost."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaJob,
    AreaTable,
    CronLine,
    DoctorCheck,
    Kind,
    counter,
    gauge,
)

EXPIRE_RESERVATIONS: Final = Kind("expire_reservations")

AREA: Final = Area(
    name="budget",
    tables=(
        AreaTable("llm_usage"),
        AreaTable("budget_reservations"),
        AreaTable("budget_windows"),
        AreaTable("budget_switch"),
    ),
    jobs=(
        AreaJob(
            EXPIRE_RESERVATIONS,
            "afterword.workers.actors.upkeep:expire_reservations",
            queue="upkeep",
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
            "afterword.pipeline.doors.commands.budget:app",
            "See what models cost; stop all spending.",
            order=150,
        ),
    ),
    metrics=(
        gauge("budget_limit_usd", "How many US dollars a budget may spend.", "budget", "period"),
        gauge("budget_spent_usd", "How many of them are spent.", "budget", "period"),
        gauge(
            "budget_reserved_usd", "How many are held by calls on their way.", "budget", "period"
        ),
        gauge("budget_stopped", "How many stops hold all spending, 0 or 1."),
        counter("llm_calls", "How many calls were booked.", "category", "model", "basis"),
        counter("llm_tokens", "How many tokens were used.", "category", "model", "direction"),
        counter("llm_cost_usd", "How many US dollars the calls cost.", "category", "model"),
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
)
