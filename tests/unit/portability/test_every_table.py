"""Each table of a group comes along, is made again or stays for a reason; none is forgotten."""

from collections import Counter

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import in_order
from afterword.pipeline.core.store import writing
from afterword.pipeline.operations.portability.not_carried import DERIVED, NOT_CARRIED
from tests.unit.portability.full_rows import fill
from tests.unit.portability.lived import Lived, texts

TABLES = """
SELECT name FROM sqlite_master
WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'memories_fts_%'
"""


def test_each_table_is_in_exactly_one_list(lived: Lived):
    exports = in_order(all_areas(), lambda area: area.exports)
    apart = " ".join((*DERIVED.values(), *NOT_CARRIED.values())).split()
    listed = Counter([*{export.table for export in exports}, *apart])

    assert {name for name, times in listed.items() if times > 1} == set()
    assert set(listed) == {name for (name,) in lived.sql(TABLES)}


def test_rows_of_every_carried_table_come_back_byte_for_byte(lived: Lived):
    backup = lived.back_up()
    with writing(lived.by.store) as conn:
        fill(conn)
    first = lived.export("first", "--sign", "--prices")
    empty = [name for name in (first / "data").iterdir() if name.read_text().count("\n") < 2]
    lived.restore(backup)

    files = lived.take(first, "--apply")

    assert empty == []
    assert {path: file["problems"] for path, file in files.items() if file["problems"]} == {}
    assert texts(lived.export("third", "--sign", "--prices")) == texts(first)
