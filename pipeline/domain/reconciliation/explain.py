"""Add up what changed the value of an account, and find the spans that do not add up."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal, localcontext
from itertools import pairwise
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.reconciliation.flows import flows_of
from afterword.pipeline.domain.reconciliation.model import (
    AccountEvidence,
    Flow,
    FlowPart,
    RestSpan,
    TransferSum,
    ValueStatement,
)
from afterword.pipeline.domain.reconciliation.reasons import reasons_for

CENT: Final = Decimal("0.01")
"""A span adds up if less than a cent is left: the venue rounds each of its amounts."""

_NOTHING: Final = Decimal(0)


def explain(
    evidence: AccountEvidence, values: Sequence[AccountValue], *, from_beginning: bool
) -> ValueStatement:
    """Return how the value of an account changed from the first to the last of some values.

    Args:
        values: two or more, the oldest first.
        from_beginning: whether the first one is the beginning of the account.
    """
    first, last = values[0], values[-1]
    flows = [flow for flow in flows_of(evidence) if first.time_ms < flow.time_ms <= last.time_ms]
    with localcontext(EXACT):
        sums: dict[FlowPart, Decimal] = defaultdict(Decimal)
        for flow in flows:
            sums[flow.part] += flow.amount
        spans = _spans(values, flows)
        unrealised = last.unrealised - first.unrealised
        return ValueStatement(
            first=first,
            last=last,
            from_beginning=from_beginning,
            realised=sums["realised"],
            unrealised=unrealised,
            funding=sums["funding"],
            fees=-sums["fees"],
            spot=sums["spot"],
            transfers=_transfer_sums(flows),
            rest=last.dollars - first.dollars - unrealised - sum(sums.values(), _NOTHING),
            spans=spans,
            reasons=reasons_for(evidence, spans, first.time_ms, last.time_ms),
        )


def _spans(values: Sequence[AccountValue], flows: Sequence[Flow]) -> tuple[RestSpan, ...]:
    """Return the neighbouring values between which more than roundings is not explained.

    Args:
        flows: between the first and the last value, in the order of time.
    """
    spans, coming = [], 0
    for first, last in pairwise(values):
        rest = (last.dollars - last.unrealised) - (first.dollars - first.unrealised)
        while coming < len(flows) and flows[coming].time_ms <= last.time_ms:
            rest -= flows[coming].amount
            coming += 1
        if abs(rest) >= CENT:
            ends = (from_millis(first.time_ms), from_millis(last.time_ms))
            spans.append(RestSpan(*ends, rest))
    return tuple(spans)


def _transfer_sums(flows: Sequence[Flow]) -> tuple[TransferSum, ...]:
    kinds: dict[str, list[Flow]] = defaultdict(list)
    for flow in flows:
        if flow.part == "transfer":
            kinds[flow.kind].append(flow)
    return tuple(
        TransferSum(
            kind=kind,
            count=len(of),
            amount=sum((flow.amount for flow in of), _NOTHING),
            fees=sum((flow.fee for flow in of), _NOTHING),
        )
        for kind, of in sorted(kinds.items())
    )
