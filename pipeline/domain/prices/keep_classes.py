"""Keep what somebody says of the class of a market: the owner's word counts before an export's."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.prices import class_rows
from afterword.pipeline.domain.prices.class_rows import ClassStatement
from afterword.pipeline.rules.market.classes import StatedClasses, asset_class
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.market.taxonomy import AssetClass


class ClassChange(NamedTuple):
    """A market whose class the owner changed.

    Args:
        before: as it was stated, or known, until now.
    """

    asset: str
    before: AssetClass
    now: AssetClass


def classes_of(conn: Connection, as_of: datetime | None = None) -> StatedClasses:
    """Return the classes that are stated; those of a moment if it is given."""
    return class_rows.classes_at(conn, None if as_of is None else to_micros(as_of))


def keep_class(
    store: Store, symbols: Iterable[str], stated_class: AssetClass, clock: Clock
) -> list[ClassChange]:
    """State the class of markets as their owner does; it counts from now on.

    What was measured before keeps the class of then.

    Args:
        symbols: markets in any written form.

    Returns:
        The markets that were of another class, by name.
    """
    stated = {normalise_symbol(symbol): ClassStatement(stated_class, "owner") for symbol in symbols}
    with writing(store) as conn:
        before = class_rows.classes_at(conn)
        class_rows.keep(conn, _new(conn, stated), to_micros(clock()))
    changes = [ClassChange(asset, before.of(asset), stated_class) for asset in sorted(stated)]
    changes = [change for change in changes if change.before != change.now]
    for change in changes:
        emit("prices.class_stated", asset=change.asset, before=change.before, now=change.now)
    return changes


def keep_exported_classes(store: Store, classes: Mapping[str, AssetClass], clock: Clock) -> None:
    """State what an export says of markets that nobody stated and the program does not know.

    Args:
        classes: by market in any written form.
    """
    named = {normalise_symbol(symbol): said for symbol, said in classes.items()}
    stated = {
        asset: ClassStatement(said, "export")
        for asset, said in named.items()
        if asset_class(asset) == "unknown"
    }
    with reading(store) as conn:
        is_known = stated.keys() <= class_rows.statements(conn).keys()
    if is_known:
        return
    with writing(store) as conn:
        known = class_rows.statements(conn)
        new = {asset: statement for asset, statement in stated.items() if asset not in known}
        class_rows.keep(conn, new, to_micros(clock()))


def _new(conn: Connection, stated: Mapping[str, ClassStatement]) -> dict[str, ClassStatement]:
    known = class_rows.statements(conn)
    return {
        asset: statement for asset, statement in stated.items() if known.get(asset) != statement
    }
