"""A method that is made at its first use: what a class, an instance and a subclass see of it."""

from inspect import signature
from typing import Any

from afterword.pipeline.doors.agent.later import LaterMethod, LaterModule

made: list[str] = []


def _make() -> Any:
    made.append("greet")

    def greet(self: object, name: str) -> str:
        return f"hello {name}"

    return greet


class Polite:
    greet = LaterMethod(_make)


class Loud(Polite):
    def greet(self, name: str) -> str:
        return str(super().greet(name)).upper()


def test_it_is_made_once_and_is_then_a_method_like_any_other():
    assert made == []
    assert Loud().greet("ann") == "HELLO ANN"
    assert Polite().greet("bob") == "hello bob"

    assert made == ["greet"]
    assert list(signature(Polite.greet).parameters) == ["self", "name"]
    assert vars(Polite)["greet"] is Polite.greet


def test_a_module_is_loaded_by_what_its_attribute_returns():
    load = LaterModule("instructions").instructions

    assert load().__name__ == "instructions"
