"""A regular expression that is compiled at its first use, not when its module is loaded.

The rules have hundreds, of which a process uses few: to compile all takes longer than a command.
"""

import re
from typing import Any, AnyStr, Final, Generic, cast

_METHODS: Final = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


def expression(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what is used as `re.compile(source, flags)` is, and compiled at its first use.

    It is for the constants of modules. A wrong one is found by the tests, which read each.
    """
    return cast("re.Pattern[AnyStr]", LazyPattern(source, flags))


class LazyPattern(Generic[AnyStr]):
    """Stands for a `re.Pattern`: from its first use on, its methods are those of the pattern.

    Args:
        source: the expression.
        flags: as of `re.compile`.
    """

    def __init__(self, source: AnyStr, flags: int) -> None:
        self._source: AnyStr = source
        self._flags = flags

    def compiled(self) -> re.Pattern[AnyStr]:
        """Return the pattern itself."""
        return re.compile(self._source, self._flags)

    def __getattr__(self, name: str) -> Any:
        # Called for what the object does not have yet; of two threads that come here at once, both
        # compile the same.
        if name.startswith("_"):
            raise AttributeError(name)  # what `pickle` asks for while the object is still empty
        pattern = self.compiled()
        self.__dict__.update((method, getattr(pattern, method)) for method in _METHODS)
        return getattr(pattern, name)
