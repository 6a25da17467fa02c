"""Words that look like a market, and symbols that look like a word."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

LOWER_SYMBOLS: Final = word_set("""
    btc eth sol bnb xrp ada avax doge shib pepe ltc usdt usdc tsla nvda aapl msft wbtc weth
""")
"""Symbols that people type in lower case and that are not words."""

WORD_SYMBOLS: Final = word_set("""
    MOVE INIT GAS MON COMP BAL MEME GOAT ANIME VINE PUMP TURBO BLAST SKY COST LITE BIRD ARM MA MS
    GS BA GM CRM PEP SHOP SNOW DIS LEO LI JD AR V F S OIL ROBOT INFOTECH NUCLEAR DEFENSE BIOTECH
    ENERGY SEMIS DRAM CL URANIUM FLOW RENDER RAY TRUMP
""")
"""Symbols that are words or abbreviations even in capitals: alone they need a cue."""

IDIOMS: Final = (
    "gold standard",
    "gold rush",
    "gold medal",
    "gold plan",
    "gold tier",
    "gold card",
    "silver lining",
    "silver linings",
    "silver bullet",
    "base case",
    "base rate",
    "base rates",
    "base layer",
    "base metal",
    "base metals",
    "base currency",
    "base fee",
    "base price",
    "apple pie",
    "apple juice",
    "blast radius",
)
"""Phrases that start with a name and do not mean it."""

CHINESE_IDIOMS: Final = word_set("""
    黄金交叉 黄金分割 黄金周 黄金时间 黄金坑 以太网 未来 特别 类别 区别 级别 分别 别的 上涨 上升
    上行 交易所 交易量 交易额 交易对 交易员 交易者 买家 买盘 买方 买点 买单 卖家 卖盘 卖压 卖方 卖点
    卖单 持仓量 未平仓 关注度 不断 不得不 不久 不少 不仅 不但 不错 移动止损 设止损
    设置止损 止损设 止损位 止损线 止损价 止损单 止损点 设止盈 设置止盈 止盈设 止盈位 止盈线 止盈价
    止盈单 止盈点
""")
"""Chinese words that contain a name, a verb or a denial and do not mean it."""
