"""Every folder of the program opens with a reading order that names its modules, and no others."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEADS = [
    file
    for top in ("pipeline", "workers", "schedules", "benchmarks", "reference")
    for file in sorted((ROOT / top).rglob("__init__.py"))
]
FOLDERS = {head.parent.name for head in HEADS}
FLAT = ("pipeline/doors/commands", "pipeline/testing", "benchmarks", "reference")
"""Folders of files that can be read in any order."""


def modules(folder: Path) -> set[str]:
    files = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    return files | {head.parent.name for head in folder.glob("*/__init__.py")}


def ordered(head: Path) -> set[str]:
    """Return the names that the paragraph with the order of the folder has in backticks."""
    text = ast.get_docstring(ast.parse(head.read_text())) or ""
    orders = [part for part in text.split("\n\n") if re.search(r"\b[Oo]rder\b", part)]
    return set(re.findall(r"`([a-z][a-z0-9_]*)`", " ".join(orders)))


def own_names(head: Path) -> set[str]:
    """Return the functions that the folder itself offers, such as `reading` of the store."""
    offered: set[str] = set()
    for node in ast.walk(ast.parse(head.read_text())):
        if isinstance(node, ast.FunctionDef):
            offered.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            offered.update(alias.name for alias in node.names)
    return offered


@pytest.mark.parametrize("head", HEADS, ids=lambda head: str(head.parent.relative_to(ROOT)))
def test_the_reading_order_of_a_folder_names_its_modules_and_no_others(head: Path):
    named, there = ordered(head), modules(head.parent)
    if str(head.parent.relative_to(ROOT)) not in FLAT:
        assert there - named == set()
    assert named - there - own_names(head) - FOLDERS == set()
