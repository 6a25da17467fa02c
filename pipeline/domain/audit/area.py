"""Declares the audit: its job and schedule, the table of its reports, and its metrics."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaPage,
    AreaRoute,
    AreaStep,
    AreaTable,
    CronLine,
    Kind,
    gauge,
)

AUDIT_JOB: Final = Kind("audit_methodologies", deadline_s=600.0)
"""Payload: none."""

AREA: Final = Area(
    name="audit",
    tables=(
        AreaTable(
            "methodology_audit_reports",
            quiet="uid trigger band dimension_scores dimension_weights_used findings"
            " advisory_actions",
        ),
    ),
    exports=(AreaExport("audit_reports", "methodology_audit_reports", key="uid", order=246),),
    jobs=(
        AreaJob(
            AUDIT_JOB,
            "afterword.workers.actors.learning:run_step",
            queue="upkeep",
            serial="audit {group}",
            has_work="afterword.pipeline.operations.loop.has_work:audits_wanted",
            step=AreaStep("afterword.pipeline.operations.loop.methodologies:AUDIT_STEP", 60, None),
        ),
    ),
    cron=(CronLine("methodologies.audit", "50 4 * * *", job="audit_methodologies", jitter_s=300),),
    commands=(
        AreaCommand(
            "audit",
            "afterword.pipeline.doors.commands.audit:app",
            "Score how healthy the learning loop is.",
            order=58,
        ),
    ),
    numbers=("afterword.pipeline.domain.audit.metrics:AuditNumbers",),
    metrics=(
        gauge(
            "audit_composite",
            "Lowest composite of the last audit of any group, 0 to 100; absent without one.",
        ),
        gauge(
            "audit_dimension_score",
            "Lowest score of each dimension in the last audit of any group, 0 to 100; absent "
            "where it could not be scored.",
            "dimension",
        ),
        gauge(
            "audit_findings",
            "Findings of the last audits of all groups, by severity: high, medium or low.",
            "severity",
        ),
        gauge(
            "audit_age_seconds",
            "Time since the last audit of a group, in seconds, the longest of all groups that "
            "were ever audited; 0 without one.",
        ),
    ),
    settings=("methodology_audit_cron_enabled", "methodology_audit_window_days"),
    routes=(
        AreaRoute(
            "GET",
            "/v1/audit",
            "afterword.pipeline.doors.http.routes.operator:get_audit",
            "owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/audit/trend",
            "afterword.pipeline.doors.http.routes.operator:get_audit_trend",
            "owner observer",
        ),
    ),
    pages=(
        AreaPage(
            "/audit",
            "afterword.pipeline.doors.web.operator.audit:audit",
            "Audit",
            "operator",
            order=260,
        ),
        AreaPage(
            "/audit/{audit}",
            "afterword.pipeline.doors.web.operator.audit:one_audit",
            "Audit",
            "",
            order=261,
            shows="audit",
        ),
    ),
)
