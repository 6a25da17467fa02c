"""Docstrings name only what exists: parameters, fields and errors."""

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [
    file
    for top in ("afterword", "pipeline", "workers", "schedules", "benchmarks")
    for file in sorted((ROOT / top).rglob("*.py"))
]
Documented = ast.FunctionDef | ast.ClassDef


def documented() -> Iterator[tuple[str, Documented, str]]:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, Documented) and (text := ast.get_docstring(node)):
                yield f"{file.relative_to(ROOT)}: {node.name}", node, text


def entries(text: str, section: str) -> list[str]:
    """Return the names before the colons of one section of a docstring."""
    found = re.search(rf"^{section}:\n((?:    .*\n?|\n)+)", text, re.MULTILINE)
    lines = found[1].splitlines() if found else []
    names = [match[1] for line in lines if (match := re.match(r"    (\w[\w, ]*):", line))]
    return [name for one in names for name in one.split(", ")]


def accepted(node: Documented) -> set[str]:
    """Return the parameters of a function, or all parameters, fields and attributes of a class."""
    parts = ast.walk(node) if isinstance(node, ast.ClassDef) else ast.walk(node.args)
    names: set[str] = set()
    for part in parts:
        if isinstance(part, ast.arg):
            names.add(part.arg)
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            names.add(part.target.id)
        elif isinstance(part, ast.Attribute) and ast.unparse(part.value) == "self":
            names.add(part.attr)
    return names


@pytest.mark.parametrize("section", ["Args", "Attributes"])
def test_a_docstring_describes_only_what_its_function_or_class_has(section: str):
    wrong = [
        f"{place}: {name}"
        for place, node, text in documented()
        for name in entries(text, section)
        if name not in accepted(node)
    ]
    assert wrong == []


def test_a_docstring_raises_only_errors_that_exist():
    exist = set(dir(builtins))
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef):
                exist.add(node.name)
            elif isinstance(node, ast.ImportFrom):
                exist.update(alias.name for alias in node.names)
            elif isinstance(node, ast.Attribute):
                exist.add(node.attr)  # such as `httpcore2.ConnectError`
    wrong = [
        f"{place}: {name}"
        for place, _, text in documented()
        for name in entries(text, "Raises")
        if name not in exist
    ]
    assert wrong == []
