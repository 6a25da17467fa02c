"""Run all rebuilds that are due, for somebody who asks."""

from afterword.pipeline.domain.rebuilds.kinds import REBUILDS
from afterword.pipeline.domain.rebuilds.model import RebuildReport
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.rebuild import run_rebuild


def refresh_profile(parts: RebuildParts, *, all_of_them: bool = False) -> list[RebuildReport]:
    """Rebuild the trading summary, whatever its pause, and what else is due; return what each did.

    Args:
        all_of_them: no pause counts for the others, either.
    """
    return [
        run_rebuild(parts, rebuild, is_forced=all_of_them or rebuild.is_forced_by_refresh)
        for rebuild in REBUILDS
    ]
