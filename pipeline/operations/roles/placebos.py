"""What coin flips at the same moments would have been told, beside the record of a role."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.patterns.placebos import placebo_counts
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.operations.roles.summary import RoleSummary


def with_placebos(
    store: Store,
    summaries: Sequence[RoleSummary],
    roles: Sequence[Role],
    number: int,
    now: datetime,
    level: float,
    as_of: datetime | None,
    on_progress: Callable[[str, int, int], None],
) -> list[RoleSummary]:
    """Return summaries with what coin flips at the same moments would have been told.

    Args:
        roles: those of the summaries, in the same order.
        number: coin-flip roles of each; count.
        level: chance of any false pattern in a role without effects.
        as_of: as it was known at this moment.
        on_progress: told a step, how far it is, and how far it goes.
    """
    told = []
    with reading(store) as conn:
        prices = StoredPrices(conn, as_of)
        for summary, role in zip(summaries, roles, strict=True):
            counts = placebo_counts(
                conn,
                role,
                prices,
                number,
                store.name,
                now,
                level=level,
                as_of=as_of,
                on_step=partial(on_progress, f"placebos of {role.id}"),
            )
            told.append(replace(summary, placebos=tuple(counts)))
    return told
