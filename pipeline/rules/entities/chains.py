"""Decide whether a name means a chain or the coin of that chain."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.rules.entities.verbs import COMMAS, SENTENCE_ENDS
from afterword.pipeline.rules.text.words import word_at, word_set

_ONE_WORD: Final = """
    ethereum bitcoin solana avalanche polygon tron aptos sui sei fantom sonic berachain arbitrum
    optimism base bsc linea scroll blast mantle hyperliquid hyperevm unichain zksync starknet
    monad"""

CHAIN_OF: Final[dict[str, str]] = {
    **{name: name for name in _ONE_WORD.split()},
    "bnb chain": "bsc",
    "bnb smart chain": "bsc",
    "binance smart chain": "bsc",
    "以太坊": "ethereum",
    "比特币": "bitcoin",
    "索拉纳": "solana",
    "波场": "tron",
    "币安链": "bsc",
    "币安智能链": "bsc",
}
"""Chains by their names, in lower case."""

USUALLY_CHAIN: Final = word_set("""
    arbitrum optimism base bsc linea scroll blast mantle hyperliquid hyperevm unichain zksync
    starknet
""")
"""Names that mean the chain unless a trade is mentioned; other names mean the coin."""

_CHAIN_NOUNS: Final = word_set("""
    chain chains network networks mainnet blockchain l1 l2 链 链上 主网 网络
""")
_ON: Final = word_set("on onto via across")
_TOWARDS: Final = word_set("to from into 到 从")
_VIEWS: Final = word_set("bullish bearish long short focus focused keen and or")
_MOVES: Final = word_set("""
    bridge bridges bridged bridging deposit deposited withdraw withdrew withdrawn transfer
    transferred send sent migrate migrated moved 跨链 转账 提现 充值
""")
_ON_CHAIN: Final = _MOVES | word_set("""
    swap swaps swapped swapping deploy deployed gas fee fees slippage lp pool pools mint minted
    token tokens contract contracts wallet wallets address dex transaction transactions tx
""")
_LIST_GLUE: Final = COMMAS | _CHAIN_NOUNS | word_set("and or & 和 或 及 与")
_LIST_GAP: Final = 4  # tokens: a name, chain, a comma, and
_CLAUSE: Final = 12  # tokens looked back; the limit keeps the time linear for hostile text

CHINESE_CHAIN_TERMS: Final = frozenset(
    word for word in (*CHAIN_OF, *_CHAIN_NOUNS, *_ON_CHAIN) if not word.isascii()
)
"""Terms that the tokeniser must keep whole for the rule below."""


def means_chain(
    words: Sequence[str], start: int, end: int, last_asset: int, last_chain: int
) -> bool:
    """Return whether the name at `words[start:end]` means the chain here.

    It does beside *chain* or *network*; next to another chain in a list; after *on* if the clause
    has an asset or an on-chain act before it (`bought PEPE on Ethereum`, but not `bullish on
    Ethereum`); after *to* or *from* if something is moved; in 在…上.

    Args:
        words: the text's tokens, lower-cased.
        start: index where the name begins.
        end: the index after the name.
        last_asset: index of the nearest ticker or address before, -1 if none.
        last_chain: index of the nearest chain before, -1 if none.
    """
    before, after = word_at(words, start - 1), word_at(words, end)
    if after in _CHAIN_NOUNS or before in _CHAIN_NOUNS or before.endswith("_chains"):
        return True
    is_near = last_chain >= 0 and start - last_chain <= _LIST_GAP
    if is_near and _LIST_GLUE.issuperset(words[last_chain + 1 : start]):
        return True
    if before == "在":
        return after == "上"
    since = _clause_start(words, start)
    clause = words[since : start - 1]
    if before in _ON:
        if " ".join(words[start:end]) in USUALLY_CHAIN:
            return True
        is_view = not clause or clause[-1] in _VIEWS
        return not is_view and (last_asset >= since or not _ON_CHAIN.isdisjoint(clause))
    return before in _TOWARDS and not _MOVES.isdisjoint(clause)


def _clause_start(words: Sequence[str], start: int) -> int:
    for index in range(start - 1, max(0, start - _CLAUSE), -1):
        if words[index] in COMMAS or words[index] in SENTENCE_ENDS:
            return index + 1
    return max(0, start - _CLAUSE)
