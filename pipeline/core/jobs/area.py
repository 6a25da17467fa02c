"""What the ledger of jobs declares: its rows, and what they say of the work."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaTable,
    DoctorCheck,
    ForgetPlace,
    counter,
    gauge,
)

_THESE: Final = "rowid IN (SELECT value FROM json_each(:ids))"

AREA: Final = Area(
    name="jobs",
    tables=(
        # Names of kinds and states, uids of workers; keys are ids or an account's name.
        AreaTable("jobs", quiet="kind key state lease_owner gate"),
        AreaTable("job_runs", quiet="kind outcome owner"),
        AreaTable("job_stats", quiet="kind outcome"),
        AreaTable("paused_kinds", quiet="kind note"),
    ),
    # What a job's row says is gone with it before its errors are looked at.
    places=(
        ForgetPlace(
            "jobs",
            (),
            ("payload",),
            f"DELETE FROM jobs WHERE {_THESE}",
            order=100,
            names="payload ->> 'memory_id' IN (SELECT value FROM json_each(:memories))",
        ),
        ForgetPlace(
            "jobs",
            ("last_error", "last_traceback", "waits_for"),
            (),
            "UPDATE jobs SET last_error = NULL, last_traceback = NULL, waits_for = NULL"
            f" WHERE {_THESE}",
            order=110,
            does="blanked",
            quotes=True,
        ),
        ForgetPlace(
            "job_runs",
            ("note",),
            (),
            f"UPDATE job_runs SET note = NULL WHERE {_THESE}",
            order=120,
            does="blanked",
            quotes=True,
        ),
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
        gauge("jobs", "How many jobs of a kind are in a state.", "kind", "state"),
        gauge(
            "jobs_oldest_ready_age_seconds",
            "How many seconds the oldest due and unstarted job has waited.",
            "kind",
        ),
        gauge("jobs_paused_groups", "How many groups an operator paused this kind in.", "kind"),
        counter(
            "jobs_ended",
            "How many runs ended in a way, since the files were made.",
            "kind",
            "outcome",
        ),
        gauge(
            "leases",
            "How many leases are held, how many of them past their end, and how many for more than "
            "two minutes (`long`).",
            "state",
        ),
        gauge(
            "store_open_jobs",
            "How many jobs of a group are not finished; the groups with the most only.",
            "store",
        ),
    ),
    settings=("jobs_max_ready",),
)
