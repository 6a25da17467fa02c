"""What runs when, in UTC; only that."""

from typing import Final

from schedules.entry import Entry

TABLE: Final = (
    Entry("budget.expire", "* * * * *", job="expire_reservations", overlap="skip"),
    Entry(
        "embeddings.backfill",
        "*/10 * * * *",
        job="backfill_embeddings",
        overlap="skip",
        jitter_s=30,
    ),
    Entry("store.tidy", "15 * * * *", job="tidy_store", overlap="skip", jitter_s=120),
)
