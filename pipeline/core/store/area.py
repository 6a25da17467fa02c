"""Declares the store: the identity of a file, its upkeep, and the metrics of files."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaJob,
    AreaTable,
    CronLine,
    DoctorCheck,
    DoctorFix,
    Kind,
    MetricEvent,
    counter,
    gauge,
    seconds,
)

CHECK_CHAIN: Final = Kind("check_chain", deadline_s=300)
TIDY_STORE: Final = Kind("tidy_store", deadline_s=300)

_STORE_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 10.0)

AREA: Final = Area(
    name="store",
    tables=(
        AreaTable("store_identity", quiet="kind group_name instance_id"),
        AreaTable("chain_blocks", quiet="kind layout entries link seal"),
        AreaTable("chain_anchors", quiet="group_name cause head link"),
    ),
    jobs=(
        AreaJob(
            TIDY_STORE,
            "afterword.workers.actors.upkeep:tidy_store",
            queue="upkeep",
            serial="tidy {group}",
            has_work="afterword.pipeline.domain.memory.has_work:used_since",
        ),
        AreaJob(
            CHECK_CHAIN,
            "afterword.workers.actors.upkeep:check_edits",
            queue="upkeep",
            serial="check {group}",
            has_work="afterword.pipeline.domain.memory.has_work:used_since",
        ),
    ),
    cron=(
        CronLine("store.tidy", "15 * * * *", job="tidy_store", jitter_s=120),
        CronLine("store.check_chain", "40 3 * * *", job="check_chain", jitter_s=900),
    ),
    checks=(
        DoctorCheck("group", "afterword.pipeline.operations.doctor.tamper:check_edits", order=15),
    ),
    fixes=(
        DoctorFix(
            "access",
            "afterword.pipeline.operations.doctor.access:fix_access",
            order=5,
            scope="installation",
        ),
        DoctorFix("fts", "afterword.pipeline.operations.doctor.fix:fix_fts", order=40),
    ),
    commands=(
        AreaCommand(
            "store",
            "afterword.pipeline.doors.commands.store:app",
            "Back up, restore, check and move the files.",
            order=180,
        ),
    ),
    metrics=(
        seconds(
            "store_wait",
            "Time that a write waited for the store's writer, in seconds.",
            _STORE_S,
            events=(MetricEvent("store.waited", "seconds"),),
        ),
        seconds(
            "store_write",
            "Time that a write transaction took, in seconds.",
            _STORE_S,
            events=(MetricEvent("store.wrote", "seconds"),),
        ),
        counter(
            "store_refused",
            "Transactions that SQLite refused, by reason.",
            "reason",
            events=(MetricEvent("store.refused"),),
        ),
        gauge(
            "store_bytes",
            "Size of a store's file, in bytes; only the largest stores are shown.",
            "store",
        ),
        gauge("store_wal_bytes", "Size of a store's write-ahead log, in bytes.", "store"),
        gauge(
            "store_damaged",
            "1 if the file of a store is damaged; a sound store has no series.",
            "store",
        ),
        counter(
            "chain_edits",
            "Edits by other programs that the daily checks of groups found; each day counts those "
            "that stay again.",
            events=(MetricEvent("chain.checked", "edits"),),
        ),
        gauge("home_free_bytes", "Free space on the disk of the stores, in bytes."),
        gauge("groups", "Groups of this home."),
        gauge("groups_unread", "Groups that this process has not read yet since its start."),
        gauge("groups_unreadable", "Groups that could not be read at the last attempt."),
    ),
    settings=("home", "group", "synchronous", "busy_timeout_s", "mmap_mb", "replica"),
)
