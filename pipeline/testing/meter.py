"""A scripted model with its own meter, and caps for tests of the budget."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from afterword.pipeline.core.store.append import append_line
from afterword.pipeline.gateway.budget.caps import Caps
from afterword.pipeline.gateway.budget.meter import Reply
from afterword.pipeline.gateway.budget.model import SPENDING_CATEGORIES
from afterword.pipeline.gateway.budget.prices import Price

_AS_BILLED = object()


def level_caps(
    daily_micro_usd: int, monthly_micro_usd: int, groups: Mapping[str, int] | None = None
) -> Caps:
    """Return caps that are equal for every category; amounts in micro-USD."""
    return Caps(
        daily=dict.fromkeys(SPENDING_CATEGORIES, daily_micro_usd),
        monthly=dict.fromkeys(SPENDING_CATEGORIES, monthly_micro_usd),
        groups=groups or {},
    )


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """The behaviour of the model for one request: it bills, then answers or fails.

    Args:
        input_tokens: tokens billed as read; count.
        output_tokens: tokens billed as written; count.
        claims: input tokens that the reply reports instead, such as None, -1 or "7".
        error: raised after billing, as a lost connection or a time-out would be.
        pause_s: duration of the request; seconds.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    claims: object = _AS_BILLED
    error: BaseException | None = None
    pause_s: float = 0.0


class FakeModel:
    """A metered model without a network; threads may share it.

    Args:
        turns: its behaviour, one per request; may be endless.
        price: the price that it bills.
        meter: file that gets a line of micro-USD per billed request, before the answer; it survives
            a killed process, and several processes may share it.
    """

    def __init__(self, turns: Iterable[ModelTurn], price: Price, meter: Path | None = None) -> None:
        self._turns: Iterator[ModelTurn] = iter(turns)
        self._price, self._meter = price, meter
        self._lock = threading.Lock()
        self.calls = 0
        self.billed_micro_usd = 0

    def __call__(self) -> Reply[str]:
        """Serve one request."""
        turn = self._bill()
        if turn.pause_s:
            threading.Event().wait(turn.pause_s)
        if turn.error is not None:
            raise turn.error
        named = turn.input_tokens if turn.claims is _AS_BILLED else turn.claims
        return Reply("answer", named, turn.output_tokens)

    def _bill(self) -> ModelTurn:
        with self._lock:
            turn = next(self._turns)
            cost = self._price.cost_micro_usd(turn.input_tokens, turn.output_tokens)
            self.calls += 1
            self.billed_micro_usd += cost
            if self._meter is not None:
                append_line(self._meter, str(cost))
        return turn


def read_meter(meter: Path) -> int:
    """Return the total that the models of a meter file have billed, in micro-USD."""
    return sum(int(line) for line in meter.read_text().split())
