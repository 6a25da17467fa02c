"""The possible meanings of each name and symbol, and the context that each meaning needs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final, Literal, NamedTuple

from afterword.pipeline.rules.entities.chains import CHAIN_OF, USUALLY_CHAIN
from afterword.pipeline.rules.entities.lookalikes import IDIOMS, LOWER_SYMBOLS, WORD_SYMBOLS
from afterword.pipeline.rules.market.aliases import (
    CHINESE_NAMES,
    CHINESE_WORD_NAMES,
    NAMES,
    WORD_NAMES,
)
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF, CURRENCIES, ONE_KEY, PER_THOUSAND
from afterword.pipeline.rules.text.words import in_both_scripts, word_set

EntityKind = Literal["ticker", "chain", "address"]
Need = Literal["nothing", "capital", "cue"]

_USUAL_QUOTES: Final = ("USDT", "USDC", "USD", "PERP")

MARKET_NOUNS: Final = word_set("""
    stock stocks share shares earnings inc corp coin coins token tokens perp perps futures calls
    puts position positions 股票 股价 股份 代币 永续 合约 财报
""")
"""Words after a name that make it an asset in any case."""

MARKET_VERBS: Final = word_set("""
    s rallied rose fell dropped jumped surged soared gained lost slid tumbled bounced dipped dumped
    pumped broke beat missed reported guided printed trades traded closed opened hit looks long
    longs short shorts bought sold at
""")
"""Words after a capitalised name that make it an asset (`s` is the rest of `Apple's`)."""


class Entity(NamedTuple):
    """An asset, chain or address in a text.

    Args:
        kind: its kind.
        key: the symbol key of a ticker, the lower-case name of a chain, the canonical address.
    """

    # A named tuple, since each mention of each memory is hashed: a dataclass hashes in Python,
    # which made extraction a fifth slower.
    kind: EntityKind
    key: str


@dataclass(frozen=True, slots=True)
class Sense:
    """The possible meanings of a name.

    Args:
        asset: the ticker it can mean.
        chain: the chain it can mean.
        usually_chain: whether it means the chain without other evidence.
        needs: evidence it requires: none, a capital inside a sentence, or a cue beside it.
        longer: longer phrases that start with the name: their further words and their sense.
    """

    asset: Entity | None = None
    chain: Entity | None = None
    usually_chain: bool = False
    needs: Need = "nothing"
    longer: tuple[tuple[tuple[str, ...], "Sense"], ...] = ()

    @property
    def usual(self) -> Entity | None:
        """The meaning without other evidence."""
        return self.chain if self.usually_chain else self.asset


def ticker(symbol: str) -> Entity:
    """Return the entity of a market, given in any form."""
    return Entity("ticker", normalise_symbol(symbol))


def _sense(name: str, symbol: str | None, needs: Need = "nothing") -> Sense:
    chain_key = CHAIN_OF.get(name)
    return Sense(
        asset=ticker(symbol) if symbol else None,
        chain=Entity("chain", chain_key) if chain_key else None,
        usually_chain=symbol is None or name in USUALLY_CHAIN,
        needs=needs,
    )


def _phrases() -> dict[str, Sense]:
    """Return the sense of every name and phrase, in lower case."""
    return {
        **{name: _sense(name, None) for name in CHAIN_OF},
        "base": _sense("base", None, "capital"),
        **{name: _sense(name, symbol) for name, symbol in NAMES.items()},
        **{name: _sense(name, symbol, "capital") for name, symbol in WORD_NAMES.items()},
        **{name: _sense(name, symbol) for name, symbol in CHINESE_NAMES.items()},
        **{name: _sense(name, symbol, "cue") for name, symbol in CHINESE_WORD_NAMES.items()},
        **{symbol: _sense(symbol, symbol) for symbol in LOWER_SYMBOLS},
        **{
            pair.lower(): Sense(asset=entity)
            for pair, entity in _closed_up_pairs({s.upper(): ticker(s) for s in LOWER_SYMBOLS})
        },
        **{idiom: Sense() for idiom in IDIOMS},
    }


def _by_first_word(phrases: dict[str, Sense]) -> dict[str, Sense]:
    """Index every phrase by its first word, the longest phrase first."""
    senses = {name: sense for name, sense in phrases.items() if " " not in name}
    for phrase in sorted(phrases.keys() - senses.keys(), key=len):
        first, *rest = phrase.split()
        short = senses.get(first, Sense())
        senses[first] = replace(short, longer=((tuple(rest), phrases[phrase]), *short.longer))
    return senses


def _symbols() -> dict[str, Entity]:
    """Return the meaning of every symbol and every pair without separator, as written."""
    thousands = ("k" + symbol[1:] if symbol[0] == "K" else symbol for symbol in PER_THOUSAND)
    written = [*CLASS_OF, *ONE_KEY, *thousands, "cbBTC", "stETH", "wstETH"]
    symbols = {symbol: ticker(symbol) for symbol in written}
    return {**dict(_closed_up_pairs(symbols)), **symbols}


def _closed_up_pairs(symbols: dict[str, Entity]) -> Iterator[tuple[str, Entity]]:
    """Yield the forex pairs, and each symbol with a usual quote behind it."""
    for base, quote in permutations(CURRENCIES, 2):
        yield base + quote, Entity("ticker", base + quote)
    for symbol, entity in symbols.items():
        for quote in _USUAL_QUOTES if len(symbol) > 1 else ():
            yield symbol + quote, entity


def _as_written(symbol: str, entity: Entity) -> Sense | Entity:
    named = NAMED.get(symbol.lower())
    longer = named.longer if isinstance(named, Sense) else ()  # BNB, but BNB Chain
    needs: Need = "cue" if symbol in WORD_SYMBOLS else "nothing"
    return _plain(Sense(asset=entity, needs=needs, longer=longer))


def _plain(sense: Sense) -> Sense | Entity:
    """Return the entity itself if the name means it in every context."""
    certain = sense.needs == "nothing" and not sense.longer
    if certain and (sense.chain is None) != (sense.asset is None):
        return sense.asset or sense.chain or sense
    return sense


NAMED: Final[dict[str, Sense | Entity]] = in_both_scripts(
    {name: _plain(sense) for name, sense in _by_first_word(_phrases()).items()}
)
"""Names by their first word, in lower case; a plain entity needs no context."""

WRITTEN: Final[dict[str, Sense | Entity]] = {
    symbol: _as_written(symbol, entity) for symbol, entity in _symbols().items()
}
"""Symbols and pairs without separator, exactly as written."""
