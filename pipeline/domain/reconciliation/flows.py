"""What fills, payments and transfers did to the dollars of an account."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from afterword.pipeline.domain.fills.model import EXACT, OWNED, Fill
from afterword.pipeline.domain.reconciliation.model import AccountEvidence, Flow
from afterword.pipeline.domain.transfers.model import DOLLAR


def flows_of(evidence: AccountEvidence) -> list[Flow]:
    """Return every change of the dollars of an account, the oldest first."""
    foreign = foreign_markets(evidence.fills)
    flows = [flow for fill in evidence.fills for flow in _of_fill(fill, foreign)]
    flows += (
        Flow(at_ms, "funding", amount)
        for at_ms, symbol, amount in evidence.payments
        if symbol not in foreign
    )
    flows += (
        Flow(transfer.time_ms, "transfer", transfer.usdc, transfer.kind, transfer.fee)
        for transfer in evidence.transfers
        if transfer.usdc is not None
    )
    return sorted(flows, key=lambda flow: flow.time_ms)


def foreign_markets(fills: Iterable[Fill]) -> dict[str, str]:
    """Return the markets that are paid in another token than the dollar, with that token.

    A fee is paid in what a market pays in, but for a purchase of a token, whose fee is a part of
    it.
    """
    return {
        fill.symbol: fill.fee_token
        for fill in fills
        if fill.fee_token not in (None, DOLLAR) and not _pays_in_coin(fill)
    }


def _pays_in_coin(fill: Fill) -> bool:
    return fill.kind in OWNED and fill.side == "B"


def _of_fill(fill: Fill, foreign: dict[str, str]) -> Iterator[Flow]:
    """Yield what a fill did.

    The fee of Hyperliquid contains what a builder got of it, so that is not taken off again.
    """
    if fill.symbol in foreign:
        return
    if fill.kind in OWNED:
        paid = EXACT.multiply(fill.px, fill.sz)
        yield Flow(fill.time_ms, "spot", -paid if fill.side == "B" else paid)
    elif fill.closed_pnl:
        yield Flow(fill.time_ms, "realised", fill.closed_pnl)
    if fill.fee and fill.fee_token in (None, DOLLAR):
        yield Flow(fill.time_ms, "fees", -fill.fee)


def first_ms(evidence: AccountEvidence) -> int | None:
    """Return when the first row of an account is; UTC milliseconds, None without a row."""
    moments = [transfer.time_ms for transfer in evidence.transfers[:1]]
    moments += [fill.time_ms for fill in evidence.fills[:1]]
    moments += [at_ms for at_ms, _, _ in evidence.payments[:1]]
    return min(moments, default=None)


def held_at(fills: Sequence[Fill], moments: Iterable[int]) -> Iterator[dict[str, Decimal]]:
    """Yield the positions that fills leave at each moment, in markets that state them.

    Args:
        fills: in the order in which they executed.
        moments: in order; UTC milliseconds. Fills of the moment itself count.
    """
    held: dict[str, Decimal] = {}
    coming = 0
    for at_ms in moments:
        while coming < len(fills) and fills[coming].time_ms <= at_ms:
            fill, coming = fills[coming], coming + 1
            if fill.states_position and fill.end_position is not None:
                held[fill.symbol] = fill.end_position
        yield held
