"""The text of a layout file: its sections and keys, and the line of what is wrong in it."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown

_LINE: Final = re.compile(r"\(at line ([0-9]{1,6}),")
_LONGEST: Final = 200
"""Characters of a name or a word."""


class LayoutText(NamedTuple):
    """A layout file as it is written.

    Args:
        name: of the file, for messages.
        values: what the text says.
    """

    name: str
    text: str
    values: Mapping[str, Any]

    @classmethod
    def parse(cls, name: str, text: str) -> "LayoutText":
        """Return the text of a file as values.

        Raises:
            InvalidInputError: it is not TOML, with its line.
        """
        try:
            return cls(name, text, tomllib.loads(text))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            line = _LINE.search(str(error))
            place = f"{name}: line {line[1]}" if line else name
            accepted = 'key = "value" lines below [section]; see `afterword layout show`'
            raise InvalidInputError(place, "is not TOML", accepted) from None

    def check_names(self, section: str, known: Mapping[str, str] | tuple[str, ...]) -> None:
        """Refuse a name that the section does not know.

        Raises:
            InvalidInputError: there is one.
        """
        for name in self.section(section):
            if name not in known:
                raise self.refusal(section, name, "is unknown", ", ".join(known))

    def section(self, name: str) -> Mapping[str, Any]:
        """Return the keys of a section; of the top of the file for an empty name.

        Raises:
            InvalidInputError: it is no section.
        """
        section = self.values if not name else self.values.get(name, {})
        if not isinstance(section, dict):
            raise self.refusal("", name, "is a value", f"the section [{name}]")
        return section

    def word(self, section: str, key: str) -> str | None:
        """Return a text; None if the key is not there.

        Raises:
            InvalidInputError: it is no text, too long, or holds a secret.
        """
        value = self.section(section).get(key)
        return None if value is None else self._checked(section, key, value)

    def words(self, section: str, key: str) -> tuple[str, ...]:
        """Return one or more texts; none if the key is not there.

        Raises:
            InvalidInputError: one is no text, too long, or holds a secret.
        """
        value = self.section(section).get(key, [])
        texts = value if isinstance(value, list) else [value]
        return tuple(self._checked(section, key, text) for text in texts)

    def refusal(self, section: str, key: str, problem: str, accepted: str) -> InvalidInputError:
        """Return the error that refuses a key, with its line."""
        place = f"{self.name}: line {self._line(section, key)}"
        named = f"{section}.{key}" if section and key else key or section
        return InvalidInputError(place, f"{mask(named)[:80]} {problem}", accepted)

    def _checked(self, section: str, key: str, value: Any) -> str:
        if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST:
            accepted = f"text of 1 to {_LONGEST} characters in quotes"
            raise self.refusal(section, key, f"is {shown(str(value), 60)}", accepted)
        if mask(value) != value:
            raise self.refusal(section, key, "holds a secret", "words of the file's columns")
        return value.strip()

    def _line(self, section: str, key: str) -> int:
        """Return the line of a key; that of its section, else the first one, if it has none."""
        here, line_of_section = "", 1
        for number, line in enumerate(self.text.splitlines(), start=1):
            written = line.strip()
            if written.startswith("["):
                here = written.strip("[]").strip()
                if not section and here == key:
                    return number
                line_of_section = number if here == section else line_of_section
            elif key and here == section and _key_of(written) == key:
                return number
        return line_of_section


def _key_of(line: str) -> str:
    return line.partition("=")[0].strip().strip("\"'")
