"""Words of a column of sides: what buys, what sells, and what such a word says of the position."""

import re
from typing import Final, Literal, NamedTuple

BUYS: Final = re.split(
    r"\|",
    "buy|b|bid|bought|buys|purchase|open long|close short|bto|buy to open|buy to close"
    "|kauf|kaufen|achat|compra|comprar|acquisto|koop|kupno|kup|köp|купить|покупка|买入|买|買い|買付|買"
    "|매수",
)
SELLS: Final = re.split(
    r"\|",
    "sell|s|ask|a|sold|sells|sale|open short|close long|sto|stc|sell to open|sell to close"
    "|verkauf|verkaufen|vente|venta|vender|venda|vendita|verkoop|sprzedaż|sälj|продать|продажа"
    "|卖出|卖|売り|売付|売却|売|매도",
)
SHORT_SALES: Final = frozenset(
    re.split(
        r"\|",
        "ss|sshort|sell short|short sell|short sale|short sold|sold short|shrt|sell_short|sellshort"
        "|short_sell",
    )
)
"""Sales that open a short, as brokers of shares write them."""

COVERS: Final = frozenset(
    re.split(
        r"\|",
        "bc|bcov|bcover|btc|buy to cover|buy cover|buy_to_cover|buytocover|cover|cover short"
        "|covered|bought to cover|cvr",
    )
)
"""Purchases that close a short."""

NO_TRADES: Final = frozenset(
    re.split(
        r"\|",
        "deposit|deposits|withdrawal|withdrawals|withdraw|dividend|dividends|interest"
        "|einzahlung|auszahlung|dividende|zinsen|dépôt|retrait|dividendes|intérêts|depósito|retiro"
        "|dividendo|dividendos|intereses|deposito|prelievo|dividendi|storting|opname|onttrekking"
        "|rente|insättning|uttag|utdelning|ränta|пополнение|вывод|дивиденды|入金|出金|配当|充值|提现"
        "|입금|출금|배당금",
    )
)
"""Words that move money and no position, in every program that writes them."""

LONG_WORDS: Final = ("long", "l", "buy", "b")
SHORT_WORDS: Final = ("short", "s", "sell")
"""Directions of closed trades."""

WordSide = Literal["B", "A"]
WordEffect = Literal["open", "close"]


class SideWord(NamedTuple):
    """What one word says of a fill."""

    side: WordSide
    effect: WordEffect | None = None


_EFFECTS: Final = {
    "bto": SideWord("B", "open"),
    "buy to open": SideWord("B", "open"),
    "open long": SideWord("B", "open"),
    "stc": SideWord("A", "close"),
    "sell to close": SideWord("A", "close"),
    "close long": SideWord("A", "close"),
    "sto": SideWord("A", "open"),
    "sell to open": SideWord("A", "open"),
    "open short": SideWord("A", "open"),
    "buy to close": SideWord("B", "close"),
    "close short": SideWord("B", "close"),
}


def _known() -> dict[str, SideWord]:
    words = {word: SideWord("B") for word in BUYS} | {word: SideWord("A") for word in SELLS}
    words |= dict.fromkeys(SHORT_SALES, SideWord("A", "open"))
    words |= dict.fromkeys(COVERS, SideWord("B", "close"))
    return words | _EFFECTS


KNOWN_SIDES: Final = _known()
"""What a word says by itself, in small letters."""
