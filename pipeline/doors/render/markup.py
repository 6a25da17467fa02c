"""HTML elements with everything in them escaped."""

import re
from html import escape
from typing import Final

from afterword.pipeline.views.words import printable

_EMPTY: Final = frozenset({"meta", "br", "hr"})
"""Elements that have no end tag."""

_BLANKS: Final = re.compile(r"\s+")

Attribute = str | int | None
"""A value of an attribute; None leaves the attribute out."""


class Html(str):
    """Text that is HTML already; every other text is escaped before it is printed."""

    __slots__ = ()


def element(name: str, /, *children: str, **attributes: Attribute) -> Html:
    """Return an element around its children.

    Args:
        children: text, which is escaped, or HTML.
        attributes: in the order in which they are written; `class_` stands for `class`, and every
            other underscore for a hyphen.
    """
    opened = f"<{name}{''.join(map(_attribute, attributes.items()))}>"
    if name in _EMPTY:
        return Html(opened)
    return Html(f"{opened}{join(*children)}</{name}>")


def join(*children: str) -> Html:
    """Return children one after the other: text escaped, HTML as it is."""
    return Html("".join(map(_child, children)))


def _child(child: str) -> str:
    return child if isinstance(child, Html) else _escaped(child)


def _attribute(named: tuple[str, Attribute]) -> str:
    name, value = named
    if value is None:
        return ""
    written = name.rstrip("_").replace("_", "-")
    return f' {written}="{_escaped(str(value))}"'


def _escaped(text: str) -> str:
    # One line, and no invisible characters: remembered text must not change how the page reads.
    return escape(printable(_BLANKS.sub(" ", text)))
