"""What the store declares: the file's identity, its upkeep, and how its files are watched."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaJob,
    AreaTable,
    CronLine,
    DoctorFix,
    Kind,
    counter,
    gauge,
    seconds,
)

TIDY_STORE: Final = Kind("tidy_store", deadline_s=300)

_STORE_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 10.0)

AREA: Final = Area(
    name="store",
    tables=(AreaTable("store_identity", quiet="kind group_name instance_id"),),
    jobs=(
        AreaJob(
            TIDY_STORE,
            "afterword.workers.actors.upkeep:tidy_store",
            queue="upkeep",
            serial="tidy {group}",
        ),
    ),
    cron=(CronLine("store.tidy", "15 * * * *", job="tidy_store", jitter_s=120),),
    fixes=(DoctorFix("fts", "afterword.pipeline.operations.doctor.fix:fix_fts", order=40),),
    commands=(
        AreaCommand(
            "store",
            "afterword.pipeline.doors.commands.store:app",
            "Back up, restore and check the files.",
            order=180,
        ),
    ),
    metrics=(
        seconds("store_wait", "How many seconds a write waited for its turn.", _STORE_S),
        seconds("store_write", "How many seconds a write transaction took.", _STORE_S),
        counter(
            "store_refused",
            "How many transactions SQLite refused, by what was in the way.",
            "reason",
        ),
        gauge(
            "store_bytes", "How many bytes a store's file has; the largest stores only.", "store"
        ),
        gauge("store_wal_bytes", "How many bytes its write-ahead log has.", "store"),
        gauge(
            "store_damaged",
            "How many damaged files a store has: 1; a sound store has no series.",
            "store",
        ),
        gauge("home_free_bytes", "How many bytes are free where the stores lie."),
        gauge("groups", "How many groups there are."),
        gauge("groups_unread", "How many groups nobody here had time to read since the start."),
        gauge("groups_unreadable", "How many groups could not be read when last looked at."),
    ),
    settings=("home", "group", "synchronous", "busy_timeout_s", "mmap_mb"),
)
