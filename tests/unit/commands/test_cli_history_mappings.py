"""`afterword history mappings`: what was kept for the next file, listed and dropped."""

from datetime import UTC, datetime

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.exports.kept import keep_mapping
from afterword.pipeline.domain.exports.mapping import ColumnMapping

NOW = datetime(2026, 1, 5, tzinfo=UTC)


def test_kept_mappings_are_listed_and_dropped(command, tmp_path, store):
    (tmp_path / "a.csv").write_text("When,N,At\n2024-03-05,1,5\n")
    mapping = ColumnMapping.parse("time=When,qty=N,price=At,symbol:BTC", zone="UTC+2")
    with writing(store) as conn:
        keep_mapping(conn, open_document(tmp_path / "a.csv"), mapping, NOW, name="mine")

    (listed,) = command("history", "mappings", "ls", "--json").json
    assert (listed["name"], listed["zone"]) == ("mine", "UTC+2")
    assert listed["columns"] == "time=When,qty=N,price=At,symbol:BTC"
    assert listed["header"] == ["When", "N", "At"]
    assert "mine" in command("history", "mappings", "ls").out
    assert command("history", "mappings", "drop", "mine").out == "mine is dropped\n"
    assert command("history", "mappings", "ls").out == "no mappings yet\n"
    assert command("history", "mappings", "drop", "mine").code != 0
