"""Names that a package offers from its modules, each imported when it is first used.

An `area.py` lies inside its package, so reading what areas declare imports the package: it must not
import the database with it, or `afterword --help` would wait for that.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from afterword.pipeline.garbage import no_collections


def on_first_use(package: str, **modules: tuple[str, ...]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package.

    Args:
        package: its `__name__`.
        modules: the names offered from each of its modules.
    """
    places = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with no_collections():
            found = getattr(import_module(f"{package}.{places[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return load
