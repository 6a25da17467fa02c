"""Checks of what is said of a strategy; each error names the field that is wrong."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from afterword.pipeline.domain.fills.money import to_micro_usd
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text
from afterword.pipeline.domain.recorded_trades.checks import MAX_TRADE_ASSET, signed_usd
from afterword.pipeline.domain.recorded_trades.model import GivenNumber
from afterword.pipeline.domain.strategies.model import NewStrategyRun, StrategyRun
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask

MAX_STRATEGY_NAME: Final = 100
"""Characters of a strategy's name."""

MOST_SYMBOLS: Final = 100
"""Markets of one strategy; count."""


def checked_run(new: NewStrategyRun, started_at: datetime) -> StrategyRun:
    """Return a run that begins, checked and its secrets masked.

    Raises:
        InvalidInputError: the first field found to be wrong.
    """
    strategy = strategy_name(new.strategy)
    if new.account is not None:
        check_text(new.account, MAX_NAME, "account")
    symbols = tuple(dict.fromkeys(map(_symbol, new.symbols)))
    if not 1 <= len(symbols) <= MOST_SYMBOLS:
        accepted = f"1 to {MOST_SYMBOLS} markets"
        raise InvalidInputError("symbols", f"has {len(symbols)} markets", accepted)
    capital = profit_micro_usd(new.allocated_capital_usd, "allocated_capital_usd")
    if capital <= 0:
        raise InvalidInputError("allocated_capital_usd", "must be above 0", "an amount of USD")
    return StrategyRun(
        strategy=strategy,
        symbols=symbols,
        account=None if new.account is None else mask(new.account),
        allocated_capital_micro_usd=capital,
        started_at=started_at,
    )


def strategy_name(given: str) -> str:
    """Return a strategy's name as it is stored.

    Raises:
        InvalidInputError: it is not one.
    """
    check_text(given, MAX_STRATEGY_NAME, "strategy")
    return mask(" ".join(given.split()))


def running_names(given: Iterable[str]) -> frozenset[str]:
    """Return the names of strategies that run upstream, as they are stored.

    Raises:
        InvalidInputError: one is not a name.
    """
    return frozenset(map(strategy_name, given))


def profit_micro_usd(given: GivenNumber, field: str) -> int:
    """Return an amount of USD as a column holds it; micro-USD, negative where it was lost.

    Raises:
        InvalidInputError: it is not an amount.
    """
    return to_micro_usd(signed_usd(given, field))


def _symbol(given: str) -> str:
    check_text(given, MAX_TRADE_ASSET, "symbols")
    return mask(given.strip())
