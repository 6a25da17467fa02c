"""A mapping is kept for its header, so that the next file with that header needs no words."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.exports.kept import drop_mapping, keep_mapping, kept_mappings
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError, NotFoundError

NOW = datetime(2026, 1, 5, tzinfo=UTC)
HOUR = timedelta(hours=1)
TEXT = "When,What,N,At\n2024-03-05 10:00,BTC,1,60000\n"
MAPPING = ColumnMapping.parse("time=When,symbol=What,qty=N,price=At", zone="UTC+2", decimal=".")


def write(path: Path, text: str = TEXT, name: str = "a.csv") -> Path:
    (path / name).write_text(text)
    return path / name


def keep(store, file: Path, mapping=MAPPING, now=NOW, **options):
    with writing(store) as conn:
        return keep_mapping(conn, open_document(file), mapping, now, **options)


def kept(store, as_of=None):
    with reading(store) as conn:
        return kept_mappings(conn, as_of)


def test_the_next_file_with_the_same_header_needs_no_mapping(store, tmp_path):
    keep(store, write(tmp_path), name="mine")
    later = write(tmp_path, "a note\n\n" + TEXT, "b.csv")

    _, items = read_export(later, Origin("b.csv", "me"), kept=kept(store))

    (fill,) = items
    assert fill.time_ms == 1_709_632_800_000 - 2 * 3_600_000
    other = write(tmp_path, TEXT.replace("N", "Size"), "c.csv")
    with pytest.raises(InvalidInputError):
        read_export(other, Origin("c.csv", "me"), kept=kept(store))


def test_what_is_kept_is_what_was_said(store, tmp_path):
    mapping = ColumnMapping.parse(
        'time=When,symbol=What,qty=N,"price=At",skip:x|y', time_unit="ms", time_format="dmy"
    )

    made = keep(store, write(tmp_path), mapping, zone="UTC+8", symbol="BTC")

    (one,) = kept(store)
    assert one == made
    assert one.name.startswith("csv-")
    assert (one.header, one.symbol, one.mapping.zone) == (
        ("When", "What", "N", "At"),
        "BTC",
        "UTC+8",
    )


def test_a_newer_mapping_of_a_header_ends_the_older_one_which_stays_readable(store, tmp_path):
    file = write(tmp_path)
    keep(store, file, name="mine")
    keep(store, file, name="mine", now=NOW + HOUR)  # says nothing new
    newer = ColumnMapping.parse("time=When,symbol=What,qty=N,price=At", zone="UTC")
    keep(store, file, newer, NOW + 2 * HOUR, name="ours")

    assert [(one.name, one.known_at) for one in kept(store)] == [("ours", NOW + 2 * HOUR)]
    assert [(one.name, one.known_at) for one in kept(store, NOW + HOUR)] == [("mine", NOW)]


def test_a_dropped_mapping_is_not_used_any_more(store, tmp_path):
    keep(store, write(tmp_path), name="mine")
    with writing(store) as conn:
        drop_mapping(conn, "mine", NOW + HOUR)

    assert kept(store) == ()
    with writing(store) as conn, pytest.raises(NotFoundError, match="mine"):
        drop_mapping(conn, "mine", NOW + HOUR)


def test_columns_named_by_place_have_no_header_to_be_kept_for(store, tmp_path):
    mapping = ColumnMapping.parse("time=#1,symbol=#2,qty=#3,price=#4")

    assert keep(store, write(tmp_path), mapping) is None
    assert kept(store) == ()


def test_a_name_that_is_none_is_refused(store, tmp_path):
    with pytest.raises(InvalidInputError, match="mapping"):
        keep(store, write(tmp_path), name="a b")
