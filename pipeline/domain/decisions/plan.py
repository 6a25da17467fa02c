"""The plan of a decision: its stop, target, size and leverage, as given or read from its inputs."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import plain, read_price
from afterword.pipeline.rules.market.outcome import Stance

WrittenNumber = Decimal | int | float | str
"""A number as callers write it; a float stands for its shortest decimal form."""

INPUT_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "stop_price": ("stop_price", "stop_loss", "stop", "sl"),
    "target_price": ("target_price", "profit_target", "take_profit", "target", "tp"),
    "size_usd": ("size_usd", "notional_usd", "position_size_usd"),
    "leverage": ("leverage",),
}
"""The inputs that a field of the plan is read from if it is not given; the first number counts."""

_READ_NAMES: Final = frozenset(name for names in INPUT_NAMES.values() for name in names)

SURE_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "stop_price": ("stop_price",),
    "target_price": ("target_price",),
    "size_usd": INPUT_NAMES["size_usd"],
    "leverage": INPUT_NAMES["leverage"],
}
"""Those of the usual names that can mean nothing else: `stop` and `target` may be percentages."""

MOST_PLANNED: Final[Mapping[str, Decimal]] = {
    "stop_price": Decimal(10**15),
    "target_price": Decimal(10**15),
    "size_usd": Decimal(10**12),
    "leverage": Decimal(1_000),
}
"""The largest value of each field: far above any market, so that a slip is refused."""

LEAST_PLANNED: Final = Decimal("1e-20")
"""The smallest value of a field; prices of small coins have a dozen zeros."""


class DecisionPlan(NamedTuple):
    """The fields of a plan; None where a decision has none of that name.

    Args:
        stop_price: leaves at a loss; in the currency of the prices.
        target_price: leaves with a gain.
        size_usd: what is bought or sold, leverage included; USD.
        leverage: the size over the capital that stands behind it.
    """

    stop_price: Decimal | None = None
    target_price: Decimal | None = None
    size_usd: Decimal | None = None
    leverage: Decimal | None = None


NO_PLAN: Final = DecisionPlan()

_PRICES: Final = ("stop_price", "target_price")


def read_plan(
    given: Mapping[str, object], inputs: Mapping[str, Any], direction: Stance, at: str = ""
) -> DecisionPlan:
    """Return the plan of a decision: what is given, and the rest from its inputs.

    An input that is not such a number is ignored, and so are prices among the inputs that
    contradict the rest of the plan: `stop` may be a percentage there.

    Args:
        given: the typed fields by name; None or missing where not given.
        at: its place in a list, such as `decisions[3].`; prefix of field names.

    Raises:
        InvalidInputError: a given field is wrong.
    """
    typed = {name: _checked(value, name, at) for name, value in given.items() if value is not None}
    if _contradicts(DecisionPlan(**typed), direction):
        side = "below" if direction == "long" else "above"
        stop, target = plain(typed["stop_price"]), plain(typed["target_price"])
        problem = f"{stop} is not {side} its target, {target}"
        raise InvalidInputError(f"{at}stop_price", problem, f"a price {side} the target")
    written = {
        name: number
        for name in INPUT_NAMES
        if name not in typed and (number := _from_inputs(inputs, name)) is not None
    }
    if _contradicts(DecisionPlan(**typed, **written), direction):
        written = {name: written[name] for name in written if name not in _PRICES}
    return DecisionPlan(**typed, **written)


def check_inputs(given: Mapping[str, object], inputs: Mapping[str, Any], at: str = "") -> None:
    """Check that no input has another number than the given field: one of the two is a mistake.

    Args:
        given: the typed fields by name, as `read_plan` accepts them.
        at: as in `read_plan`.

    Raises:
        InvalidInputError: an input contradicts a given field.
    """
    for field, names in SURE_NAMES.items():
        typed = _number(given.get(field), field)
        for name in names:
            number = _number(inputs.get(name), field)
            if typed is not None and number is not None and number != typed:
                problem = f"is {plain(number)}, but {field} is {plain(typed)}"
                accepted = "the same number in both, or only one of the two"
                raise InvalidInputError(f"{at}inputs.{name}", problem, accepted)


def stored_plan(
    texts: Sequence[str | None], inputs: Mapping[str, Any], direction: Stance
) -> DecisionPlan:
    """Return the plan of a stored decision; the inputs count for those recorded without one.

    Args:
        texts: its fields as they are stored, in their order.
    """
    if not any(texts) and _READ_NAMES.isdisjoint(inputs):
        return NO_PLAN
    return read_plan(dict(zip(DecisionPlan._fields, texts, strict=True)), inputs, direction)


def _checked(value: object, name: str, at: str) -> Decimal:
    number = _number(value, name)
    if number is None:
        accepted = f"a number above 0, up to {plain(MOST_PLANNED[name])}, with at most 20 decimals"
        raise InvalidInputError(f"{at}{name}", f"is {short_repr(value)}", accepted)
    return number


def _from_inputs(inputs: Mapping[str, Any], field: str) -> Decimal | None:
    numbers = (_number(inputs[name], field) for name in INPUT_NAMES[field] if name in inputs)
    return next((number for number in numbers if number is not None), None)


def _number(value: object, field: str) -> Decimal | None:
    """Return a written number if it lies in the bounds of its field."""
    if isinstance(value, bool) or not isinstance(value, Decimal | int | float | str):
        return None
    if isinstance(value, int) and value.bit_length() > 64:  # too long to be written out
        return None
    number = read_price(value.strip() if isinstance(value, str) else str(value))
    return number if number is not None and LEAST_PLANNED <= number <= MOST_PLANNED[field] else None


def _contradicts(plan: DecisionPlan, direction: Stance) -> bool:
    """Say whether the stop lies on the side of the gain."""
    stop, target = plan.stop_price, plan.target_price
    if stop is None or target is None or direction == "neutral":
        return False
    return stop >= target if direction == "long" else stop <= target
