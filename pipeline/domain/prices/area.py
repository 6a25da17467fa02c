"""Declares prices: bars, their sources, and the job that fetches them."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaTable,
    CronLine,
    Kind,
)

FETCH_PRICES: Final = Kind("fetch_prices", batch=64, deadline_s=600.0)
"""Payload: `{}`, or `{"stretch": key}` where the job ends the rest of a stretch. Each run asks for
whatever is missing and does not rest; rests that end together are one run."""

AREA: Final = Area(
    name="prices",
    # Market prices hold no stored content.
    tables=(
        AreaTable("price_series", quiet="source symbol asset"),
        AreaTable("prices", quiet="open high low close volume"),
        AreaTable("price_splits", quiet="source symbol"),
        AreaTable("price_classes", quiet="asset asset_class told_by"),
    ),
    exports=(
        AreaExport(
            "price_series",
            "price_series",
            key="source symbol interval_us",
            order=400,
            leaves="id changes",
            trust="any",
            on_request=True,
        ),
        AreaExport(
            "prices",
            "prices",
            key="series_id t_open revision",
            order=410,
            links="series_id=price_series",
            amounts="open high low close volume",
            trust="any",
            on_request=True,
        ),
        # Trips that are held across a split are derived with it.
        AreaExport(
            "price_splits",
            "price_splits",
            key="source symbol effective_at known_at",
            learned_at="known_at superseded_at",
            order=420,
            trust="any",
        ),
        AreaExport(
            "price_classes", "price_classes", key="asset known_at", order=430, trust="known"
        ),
    ),
    jobs=(
        AreaJob(
            FETCH_PRICES,
            "afterword.workers.actors.prices:fetch",
            queue="sync",
            asks="prices",
            serial="prices",  # what a source bears is one sum for all groups
            has_work="afterword.pipeline.domain.decisions.has_work:prices_wanted",
        ),
    ),
    # Some minutes after bars close: sources publish them late at times.
    cron=(CronLine("prices.fetch", "4,19,34,49 * * * *", job="fetch_prices", jitter_s=60),),
    commands=(
        AreaCommand(
            "prices",
            "afterword.pipeline.doors.commands.prices:app",
            "Import, fetch and list prices.",
            order=130,
        ),
    ),
    settings=(
        "price_source",
        "price_interval",
    ),
)
