"""The words that say what was done with an asset, in English and Chinese."""

from dataclasses import dataclass
from typing import Final, Literal

from afterword.pipeline.rules.text.words import in_both_scripts, word_set

Relation = Literal["holds", "exited", "traded", "watched"]


@dataclass(frozen=True, slots=True)
class Verb:
    """The meaning of a verb, and the conditions under which it has this meaning.

    Args:
        relation: the relation to the asset.
        needs_object: the asset must follow; `ETH holds 3000` is about the price.
        is_position: can also name a position: `closed my long`.
        is_exchange: applies to the assets on both sides: `ETH swapped for SOL`.
        only_before: required next words; empty for any.
        not_before: next words that make a different expression.
        not_before_number: before a number it names a price level: a stop, not a sale.
    """

    relation: Relation
    needs_object: bool = False
    is_position: bool = False
    is_exchange: bool = False
    only_before: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()
    not_before_number: bool = False


_PRICE_MOVES: Final = word_set("""
    above below over under near green red higher lower up down flat strong weak around between
    sideways price bell candle
""")
_MARKET_NOUNS: Final = word_set("""
    pressure wall walls side signal signals zone zones volume volumes interest liquidity plan plans
    idea ideas setup setups strategy
""")
_NOT_A_POSITION: Final = word_set("""
    term run time way enough ago list squeeze squeezes liquidation liquidations ratio interest wick
    wicks bias notice
""")

_BUY: Final = Verb("holds", not_before=_MARKET_NOUNS)
_ENTER: Final = Verb("holds", not_before=_PRICE_MOVES)
_ADD: Final = Verb("holds", only_before=word_set("to more"))
_HOLD: Final = Verb("holds", needs_object=True, not_before=word_set("off"))
_LONG: Final = Verb("holds", is_position=True, not_before=_NOT_A_POSITION)
_SELL: Final = Verb("exited", not_before=_MARKET_NOUNS | word_set("off"))
_CLOSED: Final = Verb("exited", not_before=_PRICE_MOVES)
_CLOSE: Final = Verb("exited", needs_object=True, not_before=_PRICE_MOVES | word_set("to on of at"))
_DUMP: Final = Verb("exited", needs_object=True)
_STOP: Final = Verb("exited", only_before=word_set("out"))
_TAKE: Final = Verb("exited", only_before=word_set("profit profits"))
_LEVEL: Final = Verb("exited", not_before=word_set("在 设 位 线 价 单 点"), not_before_number=True)
_TRADE: Final = Verb("traded", not_before=_PRICE_MOVES | _MARKET_NOUNS | word_set("at in within"))
_SHORT: Final = Verb("traded", is_position=True, not_before=_NOT_A_POSITION)  # owed, not held
_EXCHANGE: Final = Verb("traded", is_exchange=True)
_WATCH: Final = Verb("watched")
_EYE: Final = Verb("watched", only_before=word_set("on"))

_ENGLISH: Final = (
    (_BUY, "buy buys buying bought accumulate accumulates accumulated accumulating acquired"),
    (_BUY, "own owns owned owning longed longing dca dcaing aped"),
    (_ENTER, "enter entered entering open opened opening"),
    (_ADD, "add added adding"),
    (_HOLD, "hold holds holding held hodl hodling"),
    (_LONG, "long longs"),
    (_SELL, "sell sells selling sold exit exits exited exiting covered liquidated unwound"),
    (_CLOSED, "closed closing"),
    (_CLOSE, "close"),
    (_DUMP, "dumped dumping offloaded"),
    (_STOP, "stopped"),
    (_TAKE, "took taking"),
    (_TRADE, "trade trades traded trading trimmed trimming scalped scalping shorted shorting"),
    (_SHORT, "short shorts"),
    (_EXCHANGE, "swap swaps swapped swapping convert converted converting exchanged"),
    (_EXCHANGE, "rotated rotating"),
    (_WATCH, "watch watches watched watching watchlist monitor monitors monitored monitoring"),
    (_WATCH, "track tracks tracked tracking observe observes observed observing eyeing"),
    (_EYE, "eye eyes"),
)

_CHINESE: Final = (
    (_BUY, "做多 买入 买进 买了 购买 购入 买 加仓 持有 持仓 建仓 开多 开仓 抄底 增持 定投 囤 入手"),
    (_LONG, "多单"),
    (_SELL, "卖出 卖掉 卖了 卖 清仓 平仓 平掉 平多 平空 出场 离场 抛售 抛出 爆仓 割肉 了结"),
    (_LEVEL, "止损 止盈"),
    (_TRADE, "交易 做空 开空 沽空 卖空 减仓 减持"),
    (_SHORT, "空单"),
    (_EXCHANGE, "兑换 换成 互换"),
    (_WATCH, "关注 观察 观望 监控 监测 盯着 盯 留意 跟踪 追踪 自选"),
)


def _by_word(table: tuple[tuple[Verb, str], ...]) -> dict[str, Verb]:
    return {word: verb for verb, words in table for word in words.split()}


CHINESE_VERBS: Final = in_both_scripts(_by_word(_CHINESE))
VERBS: Final[dict[str, Verb]] = _by_word(_ENGLISH) | CHINESE_VERBS
"""Every verb by its written form, in lower case."""

_UNREAL: Final = """
    not never no without avoid avoids avoided avoiding refuse refused failed forgot cannot
    dont didnt wont cant can't won't don't doesn't didn't haven't hasn't hadn't isn't wasn't aren't
    weren't wouldn't shouldn't couldn't
    will would should could might plan plans planning planned want wants wanted intend intends
    consider considering hope hoping waiting i'll we'll i'd"""
_CHINESE_UNREAL: Final = """
    没有 没 未 并未 从未 从不 尚未 不要 不想 不会 不再 不能 别 勿 拒绝 避免 放弃
    打算 计划 准备 想要 考虑 应该"""

REACH_OF_UNREAL: Final[dict[str, int]] = {
    **dict.fromkeys([*_UNREAL.split(), *_UNREAL.replace("'", "’").split()], 3),
    **in_both_scripts(dict.fromkeys(_CHINESE_UNREAL.split(), 6)),
    "不": 1,
}
"""How many tokens after a denial or an intention a verb still belongs to it: three words, in
Chinese twice as many pieces; 不 denies only the token after it."""

CONDITIONS: Final = word_set("if unless whether 如果 若 假如 一旦 要是")
"""Words that make the rest of the sentence a supposition."""

CONJUNCTIONS: Final = word_set("""
    but then while whereas however although though after before because until when since so
    meanwhile despite 但是 但 不过 然而 然后 随后 接着 同时 之后 而后
""")
"""Words that begin a new clause."""

COMMAS: Final = frozenset(",，、")
SENTENCE_ENDS: Final = frozenset(".;!?\n。；！？")
