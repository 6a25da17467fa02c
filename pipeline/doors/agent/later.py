"""The modules of an agent's tools, each loaded when one of its tools is first used."""

from collections.abc import Callable
from typing import Any

from afterword.pipeline.core.area import load
from afterword.pipeline.garbage import no_collections


class LaterModule:
    """Stands for a module of this package: its attributes load what they name.

    Args:
        name: of the module, such as `remember`.
    """

    def __init__(self, name: str) -> None:
        self._name = f"{__package__}.{name}"

    def __getattr__(self, name: str) -> Callable[[], Any]:
        def found() -> Any:
            with no_collections():
                return load(f"{self._name}:{name}")

        return found


class LaterMethod:
    """A method that is made when it is first used; it then takes this one's place in its class.

    Args:
        make: makes the method; of two threads that come at once, both make the same.
    """

    def __init__(self, make: Callable[[], Callable[..., Any]]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, instance: object, owner: type) -> Any:
        method = self._make()
        setattr(self._owner, self._name, method)
        return method.__get__(instance, owner)
