"""Every room of the program with its purpose, and every table with the file it is in."""

import ast
from pathlib import Path
from tempfile import TemporaryDirectory

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.ids import random_uid
from reference.markdown import code, codes, page, sentence, table

ROOT = Path(__file__).parents[1]
PLACES = ((ROOT / "pipeline", "*/*"), (ROOT, "workers/*"), (ROOT, "schedules/*"))

INTRODUCTION = """The folders of the program; each opens with its reading order. \
[Architecture](../architecture.md#where-things-are) says which may import which."""

TABLES = """Each table is written by one area. A group is one file, `groups/NAME.sqlite`; a replay \
has the same tables in a file of its own, and those that begin with `replay_` are empty in a \
group. `instance.sqlite` is the file of the installation."""


def rooms_page() -> str:
    """Return the page: a table of rooms, and one of tables."""
    return page(
        "Rooms and tables",
        INTRODUCTION,
        table(("room", "purpose"), [(code(room), purpose) for room, purpose in rooms().items()]),
        "## Tables",
        TABLES,
        table(("area", "tables of a group", "tables of the installation"), _tables()),
    )


def rooms() -> dict[str, str]:
    """Return the first sentence of each folder's docstring, by the folder as pages call it."""
    heads = {
        head.parent.relative_to(top).as_posix(): head
        for top, pattern in PLACES
        for head in sorted(top.glob(f"{pattern}/__init__.py"))
    }
    return {
        room: sentence(ast.get_docstring(ast.parse(head.read_text())))
        for room, head in heads.items()
    }


def _tables() -> list[tuple[str, str, str]]:
    with TemporaryDirectory() as home:
        stores = Stores(Path(home), StoreOptions(), system_clock, random_uid)
        of_group = names(stores.group("main", create=True))
        of_instance = names(stores.instance)
        stores.close()
    rows = []
    for area in all_areas():
        declared = [part.name for part in area.tables]
        if declared:
            own = [name for name in declared if name in of_group]
            shared = [name for name in declared if name in of_instance]
            rows.append((area.name, codes(own), codes(shared)))
    return rows


def names(store: Store) -> set[str]:
    """Return the names of the tables of a file."""
    with reading(store) as conn:
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        return set(conn.exec_driver_sql(query).scalars())
