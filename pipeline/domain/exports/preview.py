"""What would come of a file by the mapping that is proposed for it, before its owner says yes."""

from collections import Counter
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import EARLIEST, from_millis
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.exports.guess import Guess
from afterword.pipeline.domain.exports.mapped import mapped_layout
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.fills.model import EXACT, Fill
from afterword.pipeline.domain.layouts.layout import LeftOut, Origin
from afterword.pipeline.domain.spot.model import SpotActivity
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.tabular.moments import read_zone

_MOST: Final = 4
"""Markets that are named."""


def preview(document: Document, guess: Guess) -> str:
    """Return what the whole file comes to by a proposal, or why it does not go through.

    Returns:
        `by the line below it holds 2 fills of BTC …`; empty where a column is not known yet.
    """
    if guess.lacks:
        return ""
    options = dict(guess.options)
    zone, symbol = options.get("--zone"), options.get("--symbol")
    try:
        mapping = ColumnMapping.parse(guess.columns, zone=zone)
        origin = Origin(document.name, "", read_zone(zone) if zone else None, symbol)
        return f"by the line below it holds {_contents(document, mapping, origin)}"
    except InvalidInputError as error:
        asked = f"{error.field} {error.problem} ({error.accepted})"
        return f"read by the line below, it still asks: {asked}"


def _contents(document: Document, mapping: ColumnMapping, origin: Origin) -> str:
    count, left_out = 0, Counter[str]()
    first = last = EARLIEST
    markets: Counter[str] = Counter()
    held: dict[tuple[str, str], Decimal] = {}
    fees_unknown = 0
    for item in mapped_layout(mapping).read(document, origin):
        if isinstance(item, LeftOut):
            left_out[item.reason] += 1
            continue
        if isinstance(item, SpotActivity):
            continue
        at = from_millis(item.time_ms) if isinstance(item, Fill) else item.closed_at
        first, last = (at, at) if not count else (min(first, at), max(last, at))
        count += 1
        markets[item.symbol] += 1
        if isinstance(item, Fill):
            key = (item.account, item.symbol)
            move = EXACT.subtract(item.move, item.coin_fee)
            held[key] = EXACT.add(held.get(key, Decimal(0)), move)
            fees_unknown += not item.fee_is_known
        else:
            fees_unknown += item.fees is None
    what = "closed trade" if mapping.is_closed else "fill"
    if not count:
        return f"no {what}"
    words = [f"{count} {what}{'s' * (count > 1)} of {_named(list(markets))}"]
    words.append(f"from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC")
    if not mapping.is_closed:
        words.append(_open(held))
    if fees_unknown:
        words.append(f"fees of {fees_unknown} not known")
    if left_out:
        parts = (f"{mask(reason)} {rows}" for reason, rows in left_out.most_common(_MOST))
        words.append(f"left out: {', '.join(parts)}")
    return ", ".join(words)


def _open(held: dict[tuple[str, str], Decimal]) -> str:
    rest = [f"{plain(units)} {mask(symbol)[:40]}" for (_, symbol), units in held.items() if units]
    return f"open at the end: {_named(rest)}" if rest else "nothing open at the end"


def _named(names: list[str]) -> str:
    listed = ", ".join(mask(name)[:40] for name in names[:_MOST])
    more = len(names) - _MOST
    return listed + (f" and {more} more" if more > 0 else "")
