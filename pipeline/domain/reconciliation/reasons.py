"""What the data show of spans whose values do not add up."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import from_millis, to_micros
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.fills.model import EXACT
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
    return (
        *_missing_fills(evidence, spans),
        *_other_positions(evidence, spans),
        *_missing_funding(evidence, spans),
        *unknown,
        *_missing_transfers(evidence, spans),
        *_not_whole(evidence, spans),
        *_other_tokens(evidence, spans),
        *_liquidations(evidence, spans),
        *_unified(evidence, spans),
    )


def _missing_fills(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> Iterator[Reason]:
    for gap in evidence.gaps:
        if _meets(spans, gap.from_ms, gap.to_ms):
            yield Reason(
                "fills_missing",
                gap.symbol,
                since=from_millis(gap.from_ms),
                until=from_millis(gap.to_ms),
                expected=gap.expected,
                found=gap.found,
            )
    seen: set[str] = set()
    for fill in evidence.fills:
        if fill.symbol in seen or not fill.states_position:
            continue
        seen.add(fill.symbol)
        if fill.start_position and _is_in(spans, fill.time_ms):
            yield Reason(
                "fills_missing",
                fill.symbol,
                until=from_millis(fill.time_ms),
                expected=_NOTHING,
                found=fill.start_position,
            )


def _other_positions(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> Iterator[Reason]:
    told: set[str] = set()
    for value in _ends_of(evidence, spans):
        held = held_at(evidence.fills, value.time_ms)
        stated = {symbol: Decimal(units) for symbol, units in value.positions.items()}
        for symbol in sorted({*held, *stated} - told):
            ours, theirs = held.get(symbol, _NOTHING), stated.get(symbol, _NOTHING)
            if ours != theirs:
                told.add(symbol)
                at = from_millis(value.time_ms)
                yield Reason("position_differs", symbol, until=at, expected=theirs, found=ours)


def _missing_funding(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> Iterator[Reason]:
    hours: dict[str, list[int]] = {}
    for span in spans:
        ends = (_millis(span.first_at), _millis(span.last_at))
        missing = missing_hours(evidence.fills, evidence.payments, *ends)
        for symbol, moments in missing.items():
            hours.setdefault(symbol, []).extend(moments)
    for symbol, moments in sorted(hours.items()):
        ends_at = (from_millis(moments[0]), from_millis(moments[-1]))
        yield Reason("funding_missing", symbol, len(moments), since=ends_at[0], until=ends_at[1])


def _unknown_transfers(evidence: AccountEvidence, first_ms: int, last_ms: int) -> list[Reason]:
    unknown = [
        transfer
        for transfer in evidence.transfers
        if transfer.usdc is None and first_ms < transfer.time_ms <= last_ms
    ]
    return [
        Reason("transfer_unknown", kind, count, since=_first(unknown, kind))
        for kind, count in sorted(Counter(transfer.kind for transfer in unknown).items())
    ]


def _missing_transfers(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> Iterator[Reason]:
    """Yield transfers that another account of the owner has, and this one has not."""
    known = {transfer.hash for transfer in evidence.transfers}
    for account, transfers in sorted(evidence.other_sides.items()):
        for transfer in transfers:
            if transfer.hash in known or not transfer.usdc or not _is_in(spans, transfer.time_ms):
                continue
            # The sender paid the fee; what arrived is without it.
            amount = EXACT.subtract(-transfer.usdc, transfer.fee)
            at = from_millis(transfer.time_ms)
            yield Reason("transfer_missing", account, since=at, amount=amount)


def _not_whole(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> Iterator[Reason]:
    since = from_millis(evidence.whole_since_ms)
    if any(span.first_at < since for span in spans) and evidence.whole_since_ms:
        yield Reason("history_not_whole", until=since)


def _other_tokens(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> Iterator[Reason]:
    foreign = foreign_markets(evidence.fills)
    counts = Counter(
        foreign[fill.symbol]
        for fill in evidence.fills
        if fill.symbol in foreign and _is_in(spans, fill.time_ms)
    )
    for token, count in sorted(counts.items()):
        yield Reason("other_token", token, count)


def _liquidations(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> Iterator[Reason]:
    for transfer in evidence.transfers:
        if transfer.kind == "liquidation" and _is_in(spans, transfer.time_ms):
            yield Reason("liquidated", since=from_millis(transfer.time_ms))


def _unified(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> Iterator[Reason]:
    if any(value.is_unified for value in _ends_of(evidence, spans)):
        yield Reason("unified_account")


def _ends_of(evidence: AccountEvidence, spans: Sequence[RestSpan]) -> list[AccountValue]:
    ends = {_millis(span.last_at) for span in spans}
    return [value for value in evidence.values if value.time_ms in ends]


def _first(transfers: Sequence[LedgerTransfer], kind: str) -> datetime:
    return from_millis(min(transfer.time_ms for transfer in transfers if transfer.kind == kind))


def _is_in(spans: Sequence[RestSpan], at_ms: int) -> bool:
    at = from_millis(at_ms)
    return any(span.first_at < at <= span.last_at for span in spans)


def _meets(spans: Sequence[RestSpan], from_ms: int, to_ms: int) -> bool:
    first, last = from_millis(from_ms), from_millis(to_ms)
    return any(first <= span.last_at and span.first_at <= last for span in spans)


def _millis(moment: datetime) -> int:
    return to_micros(moment) // 1_000
