"""A public constant or alias means one thing in the whole program."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
EACH_HAS_ONE = {"AREA", "LAYOUTS", "app"}
"""What every area, every reader of a venue and every group of commands declares."""


def test_no_two_files_declare_the_same_public_name() -> None:
    files = defaultdict(list)
    for package in ("pipeline", "workers", "schedules"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for name in public_names(ast.parse(path.read_text(encoding="utf-8"))):
                files[name].append(path.relative_to(ROOT).as_posix())
    assert {name: paths for name, paths in files.items() if len(paths) > 1} == {}


def public_names(module: ast.Module) -> Iterator[str]:
    """Yield the constants and aliases that a module declares."""
    for statement in module.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if not name.startswith("_") and name not in EACH_HAS_ONE:
                    yield name
