"""The few marks that the pages of the reference are made of."""

from collections.abc import Iterable, Sequence


def page(title: str, *parts: str) -> str:
    """Return a page: its title, then its parts with a blank line between them."""
    return "\n\n".join((f"# {title}", *parts)) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a bar inside a cell must be written as `\\|`."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("|" + "".join(map(_cell, cells)) for cells in lines)


def code(value: object) -> str:
    """Return a value as code, or nothing for an empty one."""
    return "" if value in ("", None) else f"`{value}`"


def codes(values: Iterable[object]) -> str:
    """Return several values as code, with commas."""
    return ", ".join(map(code, values))


def sentence(docstring: str | None) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join((docstring or "").partition("\n\n")[0].split())


def _cell(text: str) -> str:
    return f" {text} |" if text else " |"
