"""Check what a skill file registers: objects that can be called as reflection will call them."""

from collections.abc import Callable, Mapping
from inspect import iscoroutinefunction, signature
from typing import Any, Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError


class _Mapping(NamedTuple):
    """How the objects of one mapping are called.

    Args:
        noun: what one of them is.
        method: the method that is called; empty if the object itself is.
        names: the names of its arguments.
    """

    noun: str
    method: str
    names: tuple[str, ...]


REGISTERS: Final[Mapping[str, _Mapping]] = {
    "PROBES": _Mapping("an OutcomeProbe", "outcome", ("claim", "due", "known_by")),
    "TOOLS": _Mapping("a Tool", "", ("params", "prices", "known_by")),
    "SNAPSHOTS": _Mapping("Snapshots", "about", ("asset", "start", "end", "known_by")),
}
"""The mappings a file may have at its top level."""

_KINDS: Final = ("news", "onchain")


def check_registered(register: str, declared: object, at: str) -> Mapping[str, Any]:
    """Return a mapping of a file, once every object in it can be called.

    Args:
        register: its name, one of `REGISTERS`.
        at: the file or package it is in.

    Raises:
        InvalidInputError: names the file, the mapping and the object, and says what to write.
    """
    at = f"{at}: {register}"
    if not isinstance(declared, Mapping):
        raise InvalidInputError(at, f"is a {type(declared).__name__}", "a mapping by name")
    for name, value in declared.items():
        if not isinstance(name, str) or not name.strip():
            raise InvalidInputError(at, f"has the name {name!a:.60}", "names as text")
        if register == "SNAPSHOTS" and name not in _KINDS:
            raise InvalidInputError(at, f"has the name {name!a:.60}", " or ".join(_KINDS))
        _check_callable(REGISTERS[register], name, value, at)
    return declared


def _check_callable(wanted: _Mapping, name: str, value: object, at: str) -> None:
    written = f"{wanted.method or name}({', '.join(wanted.names)})"
    if isinstance(value, type):
        made = f"an object of it, {{{name!r}: {value.__name__}()}}"
        accepted = made if wanted.method else f"a function {written}, or {made}"
        raise InvalidInputError(at, f"{name!a:.60} is the class {value.__name__}", accepted)
    called = getattr(value, wanted.method, None) if wanted.method else value
    if not callable(called):
        problem = f"{name!a:.60} is of type {type(value).__name__}, which is not {wanted.noun}"
        does = f"an object with the method {written}" if wanted.method else f"a function {written}"
        raise InvalidInputError(at, problem, does)
    if iscoroutinefunction(called):
        raise InvalidInputError(at, f"{name!a:.60} is asynchronous", f"def {written}, not async")
    if not _takes(called, len(wanted.names)):
        problem = f"{name!a:.60} takes other arguments: {_signature(called)}"
        raise InvalidInputError(at, problem, written)


def _takes(called: Callable[..., Any], count: int) -> bool:
    try:
        signature(called).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True


def _signature(called: Callable[..., Any]) -> str:
    return f"({', '.join(signature(called).parameters)})"
