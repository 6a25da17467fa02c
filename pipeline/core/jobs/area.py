"""Declares the ledger of jobs: its tables, checks and metrics."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaAction,
    AreaCommand,
    AreaPage,
    AreaRoute,
    AreaTable,
    DoctorCheck,
    ForgetPlace,
    counter,
    gauge,
)

_PAGES: Final = "afterword.pipeline.doors.web.operator"

AREA: Final = Area(
    name="jobs",
    tables=(
        # Names of kinds and states, uids of workers; keys are ids or an account's name.
        AreaTable("jobs", quiet="kind key state lease_owner gate"),
        AreaTable("job_runs", quiet="kind outcome owner excused_by"),
        AreaTable("job_stats", quiet="kind outcome"),
        AreaTable("paused_kinds", quiet="kind"),
    ),
    # What a job's row says is gone with it before its errors are looked at.
    places=(
        ForgetPlace(
            "jobs",
            order=100,
            json=("payload",),
            names="payload ->> 'memory_id' IN (SELECT value FROM json_each(:memories))",
        ),
        ForgetPlace(
            "jobs",
            order=110,
            words=("last_error", "last_traceback", "waits_for"),
            blank="last_error = NULL, last_traceback = NULL, waits_for = NULL",
            quotes=True,
        ),
        ForgetPlace("job_runs", order=120, words=("note",), blank="note = NULL", quotes=True),
        ForgetPlace("paused_kinds", order=125, words=("note",), blank="note = ''", key="paused_at"),
    ),
    checks=(
        DoctorCheck("group", "afterword.pipeline.operations.doctor.ledger:check_ledger", order=10),
    ),
    commands=(
        AreaCommand(
            "jobs",
            "afterword.pipeline.doors.commands.jobs:app",
            "See what must happen later; retry, redrive, pause it.",
            order=140,
        ),
    ),
    metrics=(
        gauge("jobs", "Jobs of each kind in each state.", "kind", "state"),
        gauge(
            "jobs_oldest_ready_age_seconds",
            "Time that the oldest due job has waited for its start, in seconds.",
            "kind",
        ),
        gauge(
            "jobs_paused_groups", "Groups in which an operator has paused this kind of job.", "kind"
        ),
        counter(
            "jobs_ended",
            "Runs by outcome, since the files were made.",
            "kind",
            "outcome",
        ),
        gauge(
            "leases",
            "Leases: all (`held`), past their deadline (`expired`), or older than two minutes "
            "(`long`).",
            "state",
        ),
        gauge(
            "store_open_jobs",
            "Open jobs of a group; only the groups with the most open jobs are shown.",
            "store",
        ),
    ),
    settings=("jobs_max_ready", "autostart", "autostart_idle_s"),
    routes=(
        AreaRoute(
            "GET",
            "/v1/jobs",
            "afterword.pipeline.doors.http.routes.operator:list_jobs",
            "owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/jobs/{job}",
            "afterword.pipeline.doors.http.routes.operator:get_job",
            "owner observer",
        ),
        AreaRoute(
            "POST",
            "/v1/jobs/{job}/retry",
            "afterword.pipeline.doors.http.routes.operator:retry",
            "owner",
        ),
        AreaRoute(
            "GET",
            "/v1/dead",
            "afterword.pipeline.doors.http.routes.operator:list_dead",
            "owner observer",
        ),
        AreaRoute(
            "POST",
            "/v1/dead/redrive",
            "afterword.pipeline.doors.http.routes.operator:redrive",
            "owner",
        ),
        AreaRoute(
            "POST",
            "/v1/kinds/{kind}/pause",
            "afterword.pipeline.doors.http.routes.operator:pause",
            "owner",
        ),
        AreaRoute(
            "POST",
            "/v1/kinds/{kind}/resume",
            "afterword.pipeline.doors.http.routes.operator:resume",
            "owner",
        ),
    ),
    pages=(
        AreaPage(
            "/jobs", f"{_PAGES}.jobs:jobs", "Jobs", section="operator", order=210, shows="jobs"
        ),
        AreaPage(
            "/jobs/run",
            f"{_PAGES}.run_jobs:confirm",
            "Run jobs",
            section="",
            order=211,
            shows="jobs to run",
        ),
        AreaPage("/jobs/{job}", f"{_PAGES}.job:job", "Job", section="", order=212, shows="job"),
        AreaPage("/dead", f"{_PAGES}.dead:dead", "Dead jobs", section="operator", order=213),
        AreaPage(
            "/kinds/{kind}", f"{_PAGES}.kind:kind", "Kind", section="", order=214, shows="kind"
        ),
    ),
    actions=(
        AreaAction("/jobs/run", f"{_PAGES}.run_jobs:run_jobs"),
        AreaAction("/jobs/{job}/retry", f"{_PAGES}.job:retry"),
        AreaAction("/kinds/{kind}/pause", f"{_PAGES}.kind:pause"),
        AreaAction("/kinds/{kind}/resume", f"{_PAGES}.kind:resume"),
    ),
)
