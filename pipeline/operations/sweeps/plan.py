"""What a sweep tries: each combination of some alternatives, a replay of its own.

The order of the cells follows from the plan alone: that of the first alternatives changes last.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple, cast, get_args

from afterword.pipeline.core.store.names import replay_path
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.prices.intervals import read_interval
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.replay.methods import timeframe_of
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.rules.market.signals import RuleName, read_rule

MOST_SWEEP_CELLS: Final = 1_000
"""Cells of one sweep."""

MOST_STEPS: Final = 100
"""Steps of a walk-forward."""

_HOUR: Final = 3_600


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What a sweep is to try.

    Args:
        name: of the sweep; nothing is kept under it.
        base: what all cells share; its rules are those of no cell.
        rules: who decides, each with the alternatives of its parameters, as text:
            `momentum:lookback_hours=168|336`.
        grid: alternatives of settings, as text: `horizon=1d|7d`.
        walk_forward: how often a cell is chosen by one part of the span and judged by the next;
            0 for never.
        now: the present; a bar that is not closed by then is refused.
    """

    name: str
    base: ReplayPlan
    rules: tuple[str, ...]
    now: datetime
    grid: tuple[str, ...] = ()
    walk_forward: int = 0


@dataclass(frozen=True, slots=True)
class SweepCell:
    """One replay of a sweep. It can be sent to another process, and to another host.

    Args:
        number: from 1.
        settings: what varies within the sweep, by name, as it was given.
        plan: the replay; its files are named by whole paths.
        walk_forward, now: see `SweepPlan`.
    """

    number: int
    settings: tuple[tuple[str, str], ...]
    plan: ReplayPlan
    walk_forward: int
    now: datetime


def sweep_cells(plan: SweepPlan) -> tuple[SweepCell, ...]:
    """Return the cells of a sweep.

    Raises:
        InvalidInputError: an unknown name, an empty or repeated alternative, a rule that is named
            twice, no rule, a wrong value, or too many cells.
    """
    replay_path(Path(), plan.name)
    if not 0 <= plan.walk_forward <= MOST_STEPS:
        raise InvalidInputError(
            "walk_forward", f"is {plan.walk_forward}", f"0 to {MOST_STEPS} steps"
        )
    if not plan.base.prices:
        raise InvalidInputError("prices", "none are given", "--prices FILE, such as SOL_1h.csv")
    axes = [*_rule_axes(plan.rules), *_grid_axes(plan.grid)]
    count = prod(len(axis.values) for axis in axes)
    if count > MOST_SWEEP_CELLS:
        raise InvalidInputError("grid", f"has {count:,} cells", f"at most {MOST_SWEEP_CELLS:,}")
    base = _with_whole_paths(plan.base)
    names = [text.partition(":")[0] for text in plan.rules]
    cells: list[SweepCell] = []
    known: dict[object, int] = {}
    for number, chosen in enumerate(product(*(axis.values for axis in axes)), start=1):
        made = _applied(base, names, axes, chosen)
        first = known.setdefault(_identity(made), number)
        if first != number:
            problem = f"makes the cells {first} and {number} the same"
            raise InvalidInputError("grid", problem, "alternatives that all differ")
        varying = tuple(
            (axis.name, value.text)
            for axis, value in zip(axes, chosen, strict=True)
            if len(axis.values) > 1
        )
        cells.append(SweepCell(number, varying, made, plan.walk_forward, plan.now))
    return tuple(cells)


class _Alternative(NamedTuple):
    text: str
    value: Any


class _Axis(NamedTuple):
    """The alternatives of one setting.

    Args:
        rule: whose parameter it is; None of a setting of the replay.
        key: of the parameter, or the field of the plan.
    """

    name: str
    rule: str | None
    key: str
    values: tuple[_Alternative, ...]


def _rule_axes(rules: Sequence[str]) -> Iterator[_Axis]:
    if not rules:
        raise InvalidInputError("rule", "none is given", "--rule momentum:lookback_hours=168|336")
    seen: set[str] = set()
    for text in rules:
        name, _, rest = text.partition(":")
        if name in seen:
            accepted = f"each rule once, with its alternatives: {name}:lookback_hours=168|336"
            raise InvalidInputError("rule", f"{name!a:.40} is named twice", accepted)
        seen.add(name)
        read_rule(name)
        keys: set[str] = set()
        for part in rest.split(",") if rest else ():
            key, values = _read_pair("rule", part, f"{name}:KEY=A|B")
            if key in keys:
                raise InvalidInputError("rule", f"{name} has {key!a:.40} twice", "each key once")
            keys.add(key)
            yield _Axis(
                f"{name}.{key}",
                name,
                key,
                tuple(
                    _Alternative(value, int(value) if _is_whole(value) else value)
                    for value in values
                ),
            )


def _grid_axes(grid: Sequence[str]) -> Iterator[_Axis]:
    seen: set[str] = set()
    for text in grid:
        key, values = _read_pair("grid", text, "horizon=1d|7d")
        if key not in _READERS:
            raise InvalidInputError("grid", f"unknown key {key!a:.40}", ", ".join(_READERS))
        if key in seen:
            raise InvalidInputError("grid", f"{key} is named twice", f"{key}=A|B")
        seen.add(key)
        field, read = _READERS[key]
        yield _Axis(key, None, field, tuple(_Alternative(value, read(value)) for value in values))


def _read_pair(field: str, text: str, accepted: str) -> tuple[str, list[str]]:
    """Return a key and its alternatives, from `key=a|b`."""
    key, equals, rest = (part.strip() for part in text.partition("="))
    if not key or not equals:
        problem = f"must be a key with alternatives, got {text!a:.60}"
        raise InvalidInputError(field, problem, accepted)
    values = [value.strip() for value in rest.split("|")]
    if not all(values):
        raise InvalidInputError(field, f"{text!a:.60} has an empty alternative", accepted)
    return key, values


def _read_hours(field: str) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            length = read_interval(text)
        except InvalidInputError as error:
            raise InvalidInputError(field, error.problem, "a number and h or d: 7d") from None
        hours = int(length.total_seconds()) // _HOUR
        if hours < 1 or length.total_seconds() % _HOUR:
            raise InvalidInputError(field, f"is {text}", "whole hours or days: 12h, 7d")
        return hours

    return read


def _read_horizon(text: str) -> int:
    hours = _read_hours("horizon")(text)
    timeframe_of(hours)
    return hours


def _read_gate(text: str) -> MethodGate:
    if text not in get_args(MethodGate):
        raise InvalidInputError("gate", f"is {text!a:.40}", ", ".join(get_args(MethodGate)))
    return cast(MethodGate, text)


def _read_fdr(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 1:
        raise InvalidInputError("fdr", f"is {text!a:.40}", "a share above 0, up to 1: 0.2")
    return number


def _read_seed(text: str) -> int:
    if not _is_whole(text):
        raise InvalidInputError("seed", f"is {text!a:.40}", "a whole number")
    return int(text)


def _read_placebos(text: str) -> bool:
    if text not in ("yes", "no"):
        raise InvalidInputError("placebos", f"is {text!a:.40}", "yes, no")
    return text == "yes"


_READERS: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    "horizon": ("horizon_hours", _read_horizon),
    "every": ("every_hours", _read_hours("every")),
    "gate": ("gate", _read_gate),
    "fdr": ("fdr", _read_fdr),
    "seed": ("seed", _read_seed),
    "placebos": ("placebos", _read_placebos),
}
"""The settings that may vary: the field of the plan, and how a value is read."""


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def _with_whole_paths(base: ReplayPlan) -> ReplayPlan:
    """Return the plan with paths that mean the same in another working folder."""
    prices = tuple(path.absolute() for path in base.prices)
    return replace(base, prices=prices, factors=tuple(path.absolute() for path in base.factors))


def _applied(
    base: ReplayPlan, names: Sequence[str], axes: Sequence[_Axis], chosen: Sequence[_Alternative]
) -> ReplayPlan:
    parameters: dict[str, dict[str, Any]] = {name: {} for name in names}
    fields: dict[str, Any] = {}
    for axis, alternative in zip(axes, chosen, strict=True):
        into = fields if axis.rule is None else parameters[axis.rule]
        into[axis.key] = alternative.value
    rules = tuple((cast(RuleName, name), json.dumps(parameters[name])) for name in names)
    return replace(base, rules=rules, **fields)


def _identity(plan: ReplayPlan) -> object:
    """Return what two cells differ in, however it was written: `2.0` and `2` are one number."""
    variants = tuple((name, read_rule(name, text).variant) for name, text in plan.rules)
    every = plan.every_hours or plan.horizon_hours
    return variants, plan.horizon_hours, every, plan.gate, plan.fdr, plan.seed, plan.placebos
