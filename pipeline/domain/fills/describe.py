"""A fill as names and texts."""

from afterword.pipeline.clock import from_millis, iso
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.rules.market.decimals import plain


def fill_values(fill: Fill) -> dict[str, str]:
    """Return a fill as names and texts, what it does not say left out."""
    values = {
        "uid": fill.fill_uid,
        "time": iso(from_millis(fill.time_ms)),
        "account": fill.account,
        "venue": fill.venue,
        "symbol": fill.symbol,
        "kind": fill.kind,
        "side": "buy" if fill.side == "B" else "sell",
        "size": plain(fill.sz),
        "price": plain(fill.px),
        "quote": fill.quote,
        "base": fill.base,
        "multiplier": plain(fill.multiplier),
        "fee": plain(fill.fee),
        "fee_token": fill.fee_token or fill.quote,
        "order": fill.oid,
        "execution": fill.tid,
        "effect": fill.effect,
        "position_side": fill.position_side or None,
        "position_before": None if fill.start_position is None else plain(fill.start_position),
        "closed_pnl": None if fill.closed_pnl is None else plain(fill.closed_pnl),
        "word": fill.dir or None,
    }
    return {name: value for name, value in values.items() if value is not None}
