"""The asset class and group of a market: as it is stated, else as the taxonomy knows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, get_args

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.expression import expression
from afterword.pipeline.rules.market.symbols import is_forex_pair, normalise_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF, GROUP_OF, AssetClass, AssetGroup

CLASSES: Final[tuple[AssetClass, ...]] = get_args(AssetClass)

_OUTCOME_TOKEN: Final = expression(r"#[0-9]+")  # Hyperliquid HIP-4, priced 0..1

_LEADERS: Final[dict[AssetGroup, str]] = {"crypto": "BTC", "stock": "SPY"}


def asset_class(symbol: str) -> AssetClass:
    """Return the class of a market, given in any form; `unknown` rather than a guess."""
    key = normalise_symbol(symbol)
    if key in CLASS_OF:
        return CLASS_OF[key]
    if is_forex_pair(key):
        return "forex"
    if CLASS_OF.get(key[:-2]) == "stock" and key[-2] == ".":  # a share class of a known company
        return "stock"
    return "crypto_other" if _OUTCOME_TOKEN.fullmatch(key) else "unknown"


@lru_cache(maxsize=1_024)  # measuring one decision asks for the same market four times
def asset_group(symbol: str) -> AssetGroup | None:
    """Return the group of a market, one of five; None if it is unknown."""
    return GROUP_OF.get(asset_class(symbol))


@dataclass(frozen=True, slots=True)
class StatedClasses:
    """The classes of markets where somebody stated some: a statement counts before the taxonomy.

    Args:
        stated: by key of the market, as `normalise_symbol` returns it.
    """

    stated: Mapping[str, AssetClass] = field(default_factory=dict)

    def of(self, symbol: str) -> AssetClass:
        """Return the class of a market, given in any form."""
        told = self.stated.get(normalise_symbol(symbol)) if self.stated else None
        return asset_class(symbol) if told is None else told

    def group(self, symbol: str) -> AssetGroup | None:
        """Return the group of a market, one of five; None if it is unknown."""
        told = self.stated.get(normalise_symbol(symbol)) if self.stated else None
        return asset_group(symbol) if told is None else GROUP_OF.get(told)

    def before(self, other: "StatedClasses") -> "StatedClasses":
        """Return these statements, and those of another one about other markets."""
        return StatedClasses({**other.stated, **self.stated})

    def names(self, symbol: str) -> tuple[AssetClass, AssetGroup | None]:
        """Return the class and the group, by either of which a lesson may name a market."""
        return self.of(symbol), self.group(symbol)


NOTHING_STATED: Final = StatedClasses()
"""What the taxonomy knows, and no more."""


def read_class(written: str) -> AssetClass:
    """Return a class by its name.

    Raises:
        InvalidInputError: no class has it.
    """
    for known in CLASSES:
        if written == known:
            return known
    raise InvalidInputError("class", f"is {written!a:.40}", f"one of {', '.join(CLASSES)}")


def class_leader(group: AssetGroup | None) -> str | None:
    """Return the market whose move is taken as the move of a whole group; None if it has none.

    What an asset did beyond its leader is its own move. Currencies and commodities have no common
    market, an index is one itself. The leader of a group has nothing beyond itself: compare its key
    before asking for a residual.

    Args:
        group: as `asset_group` returns it.
    """
    return None if group is None else _LEADERS.get(group)
