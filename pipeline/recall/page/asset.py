"""Find the asset that a name or symbol stands for, and its other ways of writing."""

from collections import defaultdict
from functools import cache
from typing import Final

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.page.model import PageAsset
from afterword.pipeline.rules.entities.entities import extract_entities
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.market.taxonomy import (
    BUILDER_MARKETS,
    ONE_KEY,
    PER_THOUSAND,
    SPOT_PAIRS,
)

_LONGEST: Final = 100
"""Characters that are read: a name or a symbol, not a text."""


def read_asset(written: str, classes: StatedClasses) -> PageAsset:
    """Return the asset that a name or symbol stands for.

    Args:
        written: a symbol in any form (`eth`, `ETH/USDT`, `$ETH`, `ETH-PERP`, `xyz:TSLA`,
            `EUR/USD`), or a name (`Bitcoin`).
        classes: as they are stated in its group.

    Raises:
        InvalidInputError: it is not of a known class.
    """
    name = written[:_LONGEST].strip().removeprefix("$")
    keys = {normalise_symbol(name)} if name else set()
    if not keys or classes.of(*keys) == "unknown":
        keys = {entity.key for entity in extract_entities(name) if entity.kind == "ticker"}
    if len(keys) != 1 or classes.of(*keys) == "unknown":
        problem = f"{written[:40]!a} is not an asset of a known class"
        raise InvalidInputError("asset", problem, "one such as BTC, ETH/USDT, xyz:TSLA or EUR/USD")
    (key,) = keys
    return PageAsset(key, *classes.names(key), _forms().get(key, ()))


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """Return the other listed ways to write each asset."""
    spellings: defaultdict[str, set[str]] = defaultdict(set)
    builders = (f"{dex}:{name}" for dex, names in BUILDER_MARKETS.items() for name in names)
    for written in (*ONE_KEY, *PER_THOUSAND, *SPOT_PAIRS, *builders):
        key = normalise_symbol(written)
        if written != key:
            spellings[key].add(written)
    return {key: tuple(sorted(forms)) for key, forms in spellings.items()}
