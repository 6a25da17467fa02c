"""The owner's commands to see what memories are about, and to have some forgotten."""

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.testing.clock import ManualClock


def remember(command, store: Store, clock: ManualClock, text: str) -> int:
    written = command("memory", "write", "lesson", text, "--json").json
    clock.advance(minutes=1)
    with writing(store) as conn:
        edge_rows.keep(conn, [(written["id"], extract_edges(text, None))], to_micros(clock()))
    return int(written["id"])


def test_edges_are_shown_of_an_entity_of_a_memory_and_of_all(store, clock, command):
    first = remember(command, store, clock, "watching BTC and ETH")
    remember(command, store, clock, "long BTC")
    then = "2026-01-05T00:00:30Z"

    of = command("edges", "of", "bitcoin", "--json").json
    assert [about["edge_types"] for about in of["memories"]] == [["holds"], ["watched"]]
    assert of["beside"] == [{"kind": "ticker", "key": "ETH", "edges": 1}]
    past = command("edges", "of", "bitcoin", "--as-of", then, "--json").json
    assert [about["memory"]["id"] for about in past["memories"]] == [first]
    assert "named together with ETH (1)" in command("edges", "of", "BTC").out
    assert command("edges", "top").out.splitlines()[1].split() == ["ticker", "BTC", "2"]
    assert "watched" in command("edges", "of-memory", str(first)).out
    assert command("edges", "of", "DOGE").out == "nothing is known of ticker DOGE\n"
    assert command("edges", "of", "BTC", "--kind", "coin").code == 2
    assert command("edges", "of", "BTC", "--as-of", "yesterday").code == 2


def test_memories_that_wait_for_their_edges_are_told_of(store, command):
    command("memory", "write", "lesson", "long BTC")
    said = command("edges", "of", "BTC").out.splitlines()

    assert said == [
        "nothing is known of ticker BTC",
        "1 memory waits for its edges; run `afterword up`",
    ]
    assert command("edges", "of", "BTC", "--json").json["waiting"] == 1


def test_forgetting_looks_first_then_erases_and_says_what_it_proved(store, clock, command):
    memory = str(remember(command, store, clock, "the quibbleworth account pays the rent"))
    dry = command("forget", "--memory", memory)
    unasked = command("forget", "--memory", memory, "--apply")
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM memories").scalar_one() == 1
    done = command("forget", "--memory", memory, "--apply", "--yes")
    again = command("forget", "--memory", memory, "--apply", "--yes")

    assert dry.out.splitlines()[1].split() == ["memories", "erased", "1", memory]
    assert "nothing was changed; --apply erases these 2 rows for good" in dry.out
    assert (unasked.code, "no terminal to ask" in unasked.err) == (2, True)
    assert "proved: 0 of 3 found in" in done.out
    assert "not changed: other groups; backups, exports and pages in other places" in done.out
    assert again.out.splitlines()[0] == "no row matches"
    assert f"memory {memory} was erased at 2026-01-05" in again.out
    assert again.out.endswith("there was nothing to erase\n")


def test_what_was_never_there_cannot_be_forgotten(store, command):
    assert command("forget", "--memory", "4711").code == 1
    assert command("forget").code == 2
    assert command("forget", "--memory", "1", "--subject", "x").code == 2
