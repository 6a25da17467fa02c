"""The part of a page's compiled truth with the hard constraints about the asset (R1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.preferences.model import Preference
from afterword.pipeline.domain.preferences.read import active_preferences
from afterword.pipeline.recall.page.model import PageAsset, PageLine
from afterword.pipeline.rules.entities.entities import extract_entities


@dataclass(frozen=True, slots=True)
class HardConstraintSection:
    """The active hard constraints that name the asset; pages without hard constraints have none.

    All of them, also those that name no asset, are in every portrait.

    Args:
        most: lines at most.
    """

    most: int
    title: str = "Compiled truth"
    has_hard_constraints: bool = True

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, the newest first."""
        hard = [
            PageLine("hard constraint", one.statement, one.known_at)
            for one in active_preferences(conn, as_of)
            if one.is_hard and _names(one, asset.key)
        ]
        newest = sorted(hard, key=attrgetter("at"), reverse=True)
        return newest[: self.most]


def _names(preference: Preference, asset_key: str) -> bool:
    return any(
        entity.kind == "ticker" and entity.key == asset_key
        for entity in extract_entities(preference.statement)
    ) or (preference.dimension == "avoided_asset" and preference.value == asset_key)


HARD_CONSTRAINTS: Final = HardConstraintSection(20)
