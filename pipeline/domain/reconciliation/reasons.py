"""What the data show of spans whose values do not add up."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import from_millis, to_micros
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.fills.model import EXACT, Fill
from afterword.pipeline.domain.reconciliation.flows import foreign_markets, held_at
from afterword.pipeline.domain.reconciliation.missing_funding import missing_hours
from afterword.pipeline.domain.reconciliation.model import AccountEvidence, Reason, RestSpan
from afterword.pipeline.domain.transfers.model import LedgerTransfer

_NOTHING: Final = Decimal(0)


def reasons_for(
    evidence: AccountEvidence, spans: Sequence[RestSpan], first_ms: int, last_ms: int
) -> tuple[Reason, ...]:
    """Return what may explain the rests of some spans.

    An update of unknown effect is told in any case: it may be undone by another one.

    Args:
        spans: those that do not add up.
        first_ms, last_ms: all that is looked at; UTC milliseconds.
    """
    unknown = _unknown_transfers(evidence, first_ms, last_ms)
    if not spans:
        return tuple(unknown)
    times = _Times(spans)
    return (
        *_missing_fills(evidence, times),
        *_other_positions(evidence, times),
        *_missing_funding(evidence, times),
        *unknown,
        *_missing_transfers(evidence, times),
        *_not_whole(evidence, times),
        *_other_tokens(evidence, times),
        *_liquidations(evidence, times),
        *_unified(evidence, times),
    )


class _Times:
    """The time of some spans, which follow each other; UTC milliseconds.

    A span is without its first moment, since its first value knows it.
    """

    def __init__(self, spans: Sequence[RestSpan]) -> None:
        self.starts = [_millis(span.first_at) for span in spans]
        self.ends = [_millis(span.last_at) for span in spans]

    def have(self, at_ms: int) -> bool:
        """Return whether a moment is in one of them."""
        return self.meet(at_ms, at_ms, is_closed=False)

    def meet(self, from_ms: int, to_ms: int, *, is_closed: bool = True) -> bool:
        """Return whether a length of time overlaps one of them.

        Args:
            is_closed: whether it may end with the first moment of one.
        """
        place = bisect_left(self.ends, from_ms)
        if place == len(self.ends):
            return False
        return self.starts[place] <= to_ms if is_closed else self.starts[place] < to_ms


def _missing_fills(evidence: AccountEvidence, times: _Times) -> Iterator[Reason]:
    for gap in evidence.gaps:
        if times.meet(gap.from_ms, gap.to_ms):
            yield Reason(
                "fills_missing",
                gap.symbol,
                since=from_millis(gap.from_ms),
                until=from_millis(gap.to_ms),
                expected=gap.expected,
                found=gap.found,
            )
    first_fills: dict[str, Fill] = {}
    for fill in evidence.fills:
        if fill.states_position:
            first_fills.setdefault(fill.symbol, fill)
    for symbol, fill in first_fills.items():
        if fill.start_position and times.have(fill.time_ms):
            yield Reason(
                "fills_missing",
                symbol,
                until=from_millis(fill.time_ms),
                expected=_NOTHING,
                found=fill.start_position,
            )


def _other_positions(evidence: AccountEvidence, times: _Times) -> Iterator[Reason]:
    told: set[str] = set()
    values = _last_values(evidence, times)
    for value, held in zip(values, held_at(evidence.fills, times.ends), strict=True):
        stated = {symbol: Decimal(units) for symbol, units in value.positions.items()}
        for symbol in sorted({*held, *stated} - told):
            ours, theirs = held.get(symbol, _NOTHING), stated.get(symbol, _NOTHING)
            if ours != theirs:
                told.add(symbol)
                at = from_millis(value.time_ms)
                yield Reason("position_differs", symbol, until=at, expected=theirs, found=ours)


def _missing_funding(evidence: AccountEvidence, times: _Times) -> Iterator[Reason]:
    ends = (times.starts[0], times.ends[-1])
    missing = missing_hours(evidence.fills, evidence.payments, *ends)
    for symbol, hours in missing.items():
        within = [hour for hour in hours if times.have(hour)]
        if within:
            since, until = from_millis(within[0]), from_millis(within[-1])
            yield Reason("funding_missing", symbol, len(within), since=since, until=until)


def _unknown_transfers(evidence: AccountEvidence, first_ms: int, last_ms: int) -> list[Reason]:
    kinds: dict[str, list[int]] = {}
    for transfer in evidence.transfers:
        if transfer.usdc is None and first_ms < transfer.time_ms <= last_ms:
            kinds.setdefault(transfer.kind, []).append(transfer.time_ms)
    return [
        Reason("transfer_unknown", kind, len(moments), since=from_millis(moments[0]))
        for kind, moments in sorted(kinds.items())
    ]


def _missing_transfers(evidence: AccountEvidence, times: _Times) -> Iterator[Reason]:
    """Yield transfers that another account of the owner has, and this one has not."""
    # One transaction may hold several updates, so its hash is not enough.
    known = Counter((ours.hash, _without_fee(ours)) for ours in evidence.transfers)
    for account, transfers in sorted(evidence.other_sides.items()):
        for transfer in transfers:
            sent = _without_fee(transfer)
            if not sent or not times.have(transfer.time_ms):
                continue
            side = (transfer.hash, -sent)
            if known[side] or known[transfer.hash, None]:  # what is not understood is told apart
                known[side] -= 1
                continue
            at = from_millis(transfer.time_ms)
            yield Reason("transfer_missing", account, since=at, amount=-sent)


def _without_fee(transfer: LedgerTransfer) -> Decimal | None:
    """Return the dollars that both sides tell of: the sender pays the fee beside them."""
    return None if transfer.usdc is None else EXACT.add(transfer.usdc, transfer.fee)


def _not_whole(evidence: AccountEvidence, times: _Times) -> Iterator[Reason]:
    if times.starts[0] < evidence.whole_since_ms:
        yield Reason("history_not_whole", until=from_millis(evidence.whole_since_ms))


def _other_tokens(evidence: AccountEvidence, times: _Times) -> Iterator[Reason]:
    foreign = foreign_markets(evidence.fills)
    counts = Counter(
        foreign[fill.symbol]
        for fill in evidence.fills
        if fill.symbol in foreign and times.have(fill.time_ms)
    )
    for token, count in sorted(counts.items()):
        yield Reason("other_token", token, count)


def _liquidations(evidence: AccountEvidence, times: _Times) -> Iterator[Reason]:
    for transfer in evidence.transfers:
        if transfer.kind == "liquidation" and times.have(transfer.time_ms):
            yield Reason("liquidated", since=from_millis(transfer.time_ms))


def _unified(evidence: AccountEvidence, times: _Times) -> Iterator[Reason]:
    if any(value.is_unified for value in _last_values(evidence, times)):
        yield Reason("unified_account")


def _last_values(evidence: AccountEvidence, times: _Times) -> list[AccountValue]:
    """Return the value at the end of each span."""
    by_time = {value.time_ms: value for value in evidence.values}
    return [by_time[end_ms] for end_ms in times.ends]


def _millis(moment: datetime) -> int:
    return to_micros(moment) // 1_000
