"""Find the assets, chains and addresses of a text."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.entities.addresses import SHORTEST_ADDRESS, read_address
from afterword.pipeline.rules.entities.chains import means_chain
from afterword.pipeline.rules.entities.disambiguation import (
    MARKET_NOUNS,
    MARKET_VERBS,
    NAMED,
    WRITTEN,
    Entity,
    EntityKind,
    Sense,
    ticker,
)
from afterword.pipeline.rules.entities.lookalikes import LOWER_SYMBOLS
from afterword.pipeline.rules.entities.tokens import tokenise
from afterword.pipeline.rules.entities.verbs import SENTENCE_ENDS, VERBS
from afterword.pipeline.rules.market.symbols import is_forex_pair, parse_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF, CURRENCIES, DOLLAR_TOKENS
from afterword.pipeline.rules.text.words import is_number, word_at, word_set

__all__ = ["Entity", "EntityKind", "extract_entities", "find_entities"]

_NEVER: Final = CURRENCIES | word_set("PNL TP SL ROI APR APY TVL FEE")
_FILLERS: Final = word_set("a an the my our some more any all into of half 了 的 我 点")
_JOINT: Final = expression(r"[:/_&.'’-]")
_CASHTAG: Final = expression(r"\$([A-Za-z][A-Za-z0-9]{0,9})")
_COINS: Final = frozenset({"BTC", "ETH", "BNB", "SOL"})
_DIGITS: Final = "0123456789"


def extract_entities(text: str) -> tuple[Entity, ...]:
    """Return the entities of a text, each once, in order of first appearance.

    Tickers are known symbols in capitals, cashtags, pairs, builder-dex symbols and names. A name or
    symbol that is also a word counts with a capital inside a sentence, after a trading verb (`sold
    Apple`, `long PUMP`) or before a market word (`apple shares`). A lower-case symbol that is a
    word (`near`, `link`, `op`) never counts, nor do spot indices (`@107`) and outcome tokens
    (`#10`), which are a price and a number in prose.
    """
    tokens = tokenise(text)
    words = [token.lower() for token in tokens]
    return tuple(dict.fromkeys(entity for _, entity in find_entities(tokens, words)))


def find_entities(tokens: Sequence[str], words: Sequence[str]) -> list[tuple[int, Entity]]:
    """Return every mention with the index of its token.

    Args:
        tokens: the tokens of the text.
        words: the same tokens in lower case.
    """
    placed: list[tuple[int, Entity]] = []
    last_asset = last_chain = -1
    for index in _candidates(tokens, words):
        sense = WRITTEN.get(tokens[index]) or NAMED.get(words[index])
        entities: tuple[Entity, ...]
        if isinstance(sense, Sense):
            meant = _meaning(sense, tokens, words, index, last_asset, last_chain)
            entities = (meant,) if meant else ()
        else:
            entities = (sense,) if sense else _read_unlisted(tokens[index])
        for entity in entities:
            placed.append((index, entity))
            if entity.kind == "chain":
                last_chain = index
            else:
                last_asset = index
    return placed


def _candidates(tokens: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return the tokens to check: listed and long ones, compounds, unlisted pairs."""
    return [
        index
        for index, (token, word) in enumerate(zip(tokens, words, strict=True))
        if token in WRITTEN
        or word in NAMED
        or (len(token) > 1 and not token.isalnum())
        or (len(token) > 6 and (len(token) >= SHORTEST_ADDRESS or token.isupper()))
        or (token[0] in _DIGITS and token[-1].isupper())
    ]


def _meaning(
    sense: Sense,
    tokens: Sequence[str],
    words: Sequence[str],
    start: int,
    last_asset: int,
    last_chain: int,
) -> Entity | None:
    """Return the meaning of a name at its position; None if it is only a word there."""
    end = start + 1
    for rest, longer in sense.longer:
        if tuple(words[end : end + len(rest)]) == rest:
            sense, end = longer, end + len(rest)
            break
    if sense.chain and means_chain(words, start, end, last_asset, last_chain):
        return sense.chain
    is_lower = tokens[start].islower()
    if sense.asset and _has_cue(words, start, end, is_lower and sense.needs != "nothing"):
        return sense.asset
    if sense.needs == "cue" or (sense.needs == "capital" and (is_lower or _opens(tokens, start))):
        return None
    return sense.usual


def _has_cue(words: Sequence[str], start: int, end: int, is_lower: bool) -> bool:
    """Return whether words beside a name make it an asset; a lower-case word needs a noun."""
    after = word_at(words, end)
    if after in MARKET_NOUNS:
        return True
    return not is_lower and (after in MARKET_VERBS or _follows_verb(words, start))


def _follows_verb(words: Sequence[str], start: int) -> bool:
    for word in reversed(words[max(0, start - 3) : start]):
        if word in VERBS:
            return True
        if word not in _FILLERS and not is_number(word):
            return False
    return False


def _opens(tokens: Sequence[str], start: int) -> bool:
    return start == 0 or tokens[start - 1] in SENTENCE_ENDS


def _read_unlisted(token: str) -> tuple[Entity, ...]:
    """Read a token that is in no table: a pair, compound, cashtag, amount or address."""
    if _is_plain_number(token):
        return ()
    pair = _read_pair(token)
    if pair:
        return (pair,)
    is_path = "." in token or "_" in token  # a domain or an identifier: its words are not names
    parts = (_read_part(part, is_path) for part in _JOINT.split(token))
    return tuple(part for part in parts if part)


def _is_plain_number(token: str) -> bool:
    """Return whether a token is a number (`$3,200.5`, `65k`), not an amount of an asset (`0.5BTC`)
    or an address."""
    return is_number(token) and not token[-1].isupper() and len(token) < SHORTEST_ADDRESS


def _read_pair(token: str) -> Entity | None:
    """Read a token that names one market; a cross such as ETH/BTC names two and does not count."""
    symbol = parse_symbol(token)
    base = _JOINT.split(token, 1)[0]
    if symbol.dex:
        is_market = token.partition(":")[2][:1].isupper()
    elif symbol.key in CLASS_OF:
        is_priced = symbol.quote not in _COINS if symbol.quote else token.endswith("PERP")
        is_market = is_priced and (token.isupper() or base in WRITTEN or base in LOWER_SYMBOLS)
    elif is_forex_pair(symbol.key):
        is_market = True
    else:
        is_coin = symbol.quote in DOLLAR_TOKENS and symbol.key not in _NEVER
        is_market = is_coin and token.isupper()
    return Entity("ticker", symbol.key) if is_market else None


def _read_part(part: str, is_path: bool) -> Entity | None:
    if cashtag := _CASHTAG.fullmatch(part):
        return _read_cashtag(cashtag[1])
    sense = WRITTEN.get(part) or WRITTEN.get(part.lstrip(_DIGITS))
    if sense is None and not is_path:
        sense = NAMED.get(part.lower())
    if isinstance(sense, Sense):
        return sense.usual if sense.needs == "nothing" else None
    if sense:
        return sense
    address = read_address(part) if len(part) >= SHORTEST_ADDRESS else None
    return Entity("address", address) if address else None


def _read_cashtag(name: str) -> Entity | None:
    entity = ticker(name)
    is_symbol = len(name) > 1 or entity.key in CLASS_OF
    return entity if is_symbol and name.upper() not in _NEVER else None
