"""Declares vectors: the embeddings of memories, and the job that adds missing ones."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaJob,
    AreaTable,
    CronLine,
    DoctorCheck,
    DoctorFix,
    Kind,
)

BACKFILL_EMBEDDINGS: Final = Kind("backfill_embeddings")

AREA: Final = Area(
    name="vectors",
    tables=(
        AreaTable("embedding_models", quiet="provider model"),
        AreaTable("memory_vectors", quiet="vector"),  # they go with their memory
    ),
    jobs=(
        AreaJob(
            BACKFILL_EMBEDDINGS,
            "afterword.workers.actors.upkeep:backfill",
            queue="upkeep",
            has_work="afterword.pipeline.domain.vectors.has_work:vectors_missing",
        ),
    ),
    cron=(CronLine("embeddings.backfill", "*/10 * * * *", job="backfill_embeddings", jitter_s=30),),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.memory:check_embeddings", order=30
        ),
        DoctorCheck("group", "afterword.pipeline.operations.doctor.memory:check_vectors", order=50),
    ),
    fixes=(
        DoctorFix("vectors", "afterword.pipeline.operations.doctor.fix:fix_vectors", order=10),
        # After the vectors: what those lost is asked for again.
        DoctorFix(
            "embeddings", "afterword.pipeline.operations.doctor.fix:fix_embeddings", order=20
        ),
    ),
)
