"""Where the trades of a report are, and what its steps may use."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.domain.prices.keep import OnNewPrices
from afterword.pipeline.domain.prices.keep_classes import classes_of
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.learn.joint_prices import JointPrices
from afterword.pipeline.operations.learn.venue_history import VenueHistory
from afterword.pipeline.rules.tabular.moments import read_zone
from afterword.pipeline.settings import Settings


@dataclass(frozen=True, slots=True)
class LearnPlace:
    """Where the trades of a report are.

    Args:
        store: of the group, or of one look only.
        stores: the installation that `store` belongs to.
        beside: the group of a look, whose prices and mappings are read; None if there is none.
        arrived: called in each transaction that stores prices; None where nothing waits for them.
        is_kept: whether `store` is that of the group.
        fetches: whether missing prices may be asked for over the network.
        histories: what a venue handed out of an address, by the name of its file.
    """

    store: Store
    stores: Stores
    beside: Store | None
    settings: Settings
    clock: Clock
    ids: IdSource
    arrived: OnNewPrices | None
    is_kept: bool
    fetches: bool = False
    histories: Mapping[str, VenueHistory] = field(default_factory=dict)


@contextmanager
def prices_of(
    place: LearnPlace, known_by: datetime | None
) -> Iterator[tuple[Connection, PriceSource]]:
    """Lend one moment of the store, and its prices, before those of the group beside it.

    Args:
        known_by: reads what was stored then; None is now.
    """
    with ExitStack() as open_:
        conn = open_.enter_context(reading(place.store))
        if place.beside is None:
            yield conn, StoredPrices(conn, known_by)
            return
        beside = open_.enter_context(reading(place.beside))
        classes = classes_of(beside, known_by).before(classes_of(conn, known_by))
        sources = (StoredPrices(side, known_by, classes=classes) for side in (conn, beside))
        yield conn, JointPrices(*sources)


def reader_zone(settings: Settings, written: tzinfo | None = None) -> tzinfo:
    """Return the zone that a report tells dates in: the setting, else that of the files, else UTC.

    Args:
        written: zone of the times in the files, as `--zone` says it.
    """
    return read_zone(settings.timezone) or written or UTC
