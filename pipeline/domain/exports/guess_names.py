"""What the names of columns mean in many programs, for a mapping to try."""

import re
from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.exports.status_words import STATUS_NAMES

_NAMES: Final = {
    "opened": "open time|opened|opened at|open date|entry time|entry date|date opened|opening time"
    "|open date time|entered at|enteredat|open datetime",
    "closed": "close time|closed|closed at|close date|exit time|exit date|date closed|closing time"
    "|close date time|exited at|exitedat|close datetime",
    "entry": "entry price|open price|avg entry price|average entry price|average open price|entry"
    "|entryprice",
    "exit": "exit price|close price|avg exit price|average exit price|average close price|exit"
    "|exitprice",
    "net": "net pnl|net pn l|net profit|net p l|net result|net",
    "time": "executed at|execution time|filled at|filled time|fill time|trade time|transaction time"
    "|exec time|time|datetime|date time|timestamp|date|date and time|created at|create time|created"
    "|utc time|trade date time|trade date|transaction date|execution date|run date|activity date"
    "|datum|zeit|fecha|data|heure|ts|when|trade created at|tradecreatedat|t d|date de transaction"
    "|ausführungszeit|handelstag|datum und zeit|date d opération|date opération|fecha de operación"
    "|fecha operación|data operazione|data e ora|дата|время|дата и время|дата сделки|成交时间"
    "|成交日期|交易时间|日期|时间|約定日時|約定日|日時|체결시간|체결일시|거래일시",
    "symbol": "symbol|pair|pairs|sym|ticker|ticker symbol|instrument symbol|instrument"
    "|instrument name|trading pair|currency pair|market|contract|futures|product|contract name"
    "|contractname|asset|coin|base currency|security|stock|paar|paare|symbole|simbolo|símbolo"
    "|värdepapper beskrivning|värdepapper|isin|identifier|code|asset name"
    "|wertpapier|titre|titolo|valor|тикер|инструмент|证券代码|代码|合约|交易对|币种|銘柄コード|銘柄"
    "|종목명|종목|마켓",
    "side": "side|buy sell|b s|direction|dir|action|way|order side|trade type|transaction type"
    "|trans code|transaction|type|order type|operation|art|seite|typ av transaktion"
    "|type de transaction|tipo|tipo operazione|vorgang|typ|type mutatie|transactietype|opération"
    "|operación|tipo de operación|операция|направление|вид сделки|тип|买卖方向|买卖|方向|操作"
    "|売買区分|売買|取引|매매구분|구분|종류",
    "qty": "filled qty|filled quantity|executed qty|exec qty|executed quantity|quantity filled"
    "|executed amount|filled amount|executed|filled|filledqty|qty|quantity|shares|no of shares"
    "|number of shares|units|contracts|asset quantity|size|trade size|sz|base amount"
    "|quantity transacted|menge|anzahl|antal|quantité|cantidad|quantità|quantita|lots|coins|amount"
    "|volume|vol|n|aantal|stück|stueck|nominale|títulos|titoli|количество|объем|объём|成交数量"
    "|成交量|数量|約定数量|체결수량|거래수량|수량",
    "price": "fill price|filled price|filledprice|avg filled price|avg fill price|exec price"
    "|execution price|executed price|avg price|avgprice|average price|trade price|price"
    "|price per unit|price share|share price|asset price|unit price|px|quote price|t price|rate"
    "|kurs|preis|precio|prezzo|prix|price per share|koers|ausführungskurs|cours|цена|成交价格"
    "|成交价|成交均价|价格|約定単価|約定値段|単価|체결가격|거래단가|단가|가격",
    "fee": "fee|fees|trading fee|trade fee|transaction fee|fee paid|fee amount|exec fee|comm fee"
    "|fees comm|commissions fees|total fee|total fees|gebühr|gebuehr"
    "|gebühren|costs|kosten|frais|comisión|comisiones|commissioni|комиссия|手续费|佣金|手数料|수수료",
    "commission": "commission|commissions|comm|commission paid|commission payée"
    "|brokerage|brokerage fee|broker fee|courtage"
    "|provision",
    "fee_token": "fee currency|fee coin|fee asset|fee token|commission asset|commission currency",
    "order": "order id|orderid|order no|order number|order",
    "id": "trade id|tradeid|fill id|exec id|execution id|transaction id|txid|deal|id|trade no",
    "quote": "quote currency|quote asset|quote|settle currency|currency|price currency"
    "|instrument currency|instrumentvaluta|asset currency|devise du prix",
    "pnl": "pnl|pn l|p l|profit|realized pnl|realised pnl|realized profit|realized p l|closed pnl"
    "|realized pn l|closed pn l|gross pn l|profit loss|gross pnl|result|gain|gewinn",
    "multiplier": "multiplier|contract size|point value",
    "account": "account|account id|sub account|account name|acct|account number|strategy"
    "|strategy name|bot",
    "status": "|".join(sorted(STATUS_NAMES)),
}
_KEY_OF: Final = {
    name: (key, rank) for key, names in _NAMES.items() for rank, name in enumerate(names.split("|"))
}
"""Key and rank by name: of several columns of a key, that of the lowest rank is meant."""

_MORE_FEES: Final = frozenset(
    re.split(
        r"\|",
        "sec|sec fee|taf|taf fee|nscc|finra|finra fee|orf|cat|cat fee|exchange fee|exchange fees"
        "|clearing fee|clearing fees|regulatory fee|regulatory fees|reg fee|reg fees"
        "|nfa fee|nfa fees|ecn fee|ecn fees|ecn remove|ecn add|nasdaq|stamp duty|stamp tax"
        "|transaction tax|platform fee|routing fee",
    )
)
"""Fees beside the commission; each is a part of what a trade cost."""

_BRACKETS: Final = re.compile(r"[(\[][^()\[\]]*[)\]]")
_CURRENCY: Final = re.compile(r"[\s,][A-Z]{3,4}$")
_SPLIT: Final = re.compile(r"[^\w]+|_+|(?<=[a-z])(?=[A-Z])")


def places_by_names(cells: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of columns by key; a date and its time make one, fees are added up."""
    every = every_place(cells)
    places = {key: at[:1] for key, at in every.items()}
    names = [plain_words(cell) for cell in cells]
    for date, time in (
        *(
            ("date", "time"),
            ("date", "trade time"),
            ("datum", "zeit"),
            ("datum", "tijd"),
            ("date", "heure"),
            ("дата", "время"),
            ("成交日期", "成交时间"),
            ("日期", "时间"),
            ("約定日", "約定時間"),
            ("fecha", "hora"),
        ),
        *(("t d", "exec time"), ("trade date", "trade time"), ("date", "exec time")),
    ):
        if date in names and time in names and names[places.get("time", [0])[0]] in (date, time):
            places["time"] = [names.index(date), names.index(time)]
    fees = [*places.pop("commission", []), *places.get("fee", [])]
    if not (places.get("fee") and "total" in names[places["fee"][0]]):
        first = {names.index(name) for name in names if name in _MORE_FEES}
        fees += sorted(first if fees else ())
    else:
        fees = places["fee"]
    return places | ({"fee": sorted(fees)} if fees else {})


def every_place(cells: Sequence[str]) -> dict[str, list[int]]:
    """Return all places that the names of columns allow by key, the likeliest first."""
    ranked: dict[str, list[tuple[int, int]]] = {}
    for place, cell in enumerate(cells):
        if (known := _key_of(cell)) is not None:
            ranked.setdefault(known[0], []).append((known[1], place))
    return {key: [place for _, place in sorted(at)] for key, at in ranked.items()}


def is_named(cell: str, *names: str) -> bool:
    """Tell a column that has one of these names."""
    return plain_words(cell) in names


def plain_words(cell: str) -> str:
    """Return the words of a name in small letters, without marks and what brackets hold."""
    words = _SPLIT.split(_BRACKETS.sub("", cell))
    return " ".join(word for word in words if word).lower().removesuffix(" utc")


def _key_of(cell: str) -> tuple[str, int] | None:
    plain = plain_words(cell)
    words = plain.split(" ")
    if len(words) > 1 and _CURRENCY.search(cell):  # `Price USDT`
        plain = " ".join(words[:-1])
    known = _KEY_OF.get(plain) or (_KEY_OF.get(" ".join(words[:2])) if len(words) > 2 else None)
    _, dot, leaf = cell.rpartition(".")  # of a record of JSON: `fill.qty`
    return known or (_key_of(leaf) if dot and leaf and " " not in cell else None)
