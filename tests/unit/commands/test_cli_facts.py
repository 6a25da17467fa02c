"""The owner's view of facts, and the way back from a decision."""

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.facts.read import standing_facts
from afterword.pipeline.doors.cli.moments import read_moment


def test_a_fact_is_recorded_consolidated_shown_and_brought_back(store, command, clock):
    for words in ("prefers weekly charts", "holds SOL", "Prefers weekly charts."):
        command("fact", "record", words, "--tag", "charts")
    then = iso(clock())
    clock.advance(hours=1)

    assert command("fact", "consolidate").out == "2 facts settled, 1 retired\n"
    assert "retired" in command("fact", "ls").out
    assert [fact["id"] for fact in command("fact", "ls", "--state", "settled", "--json").json] == [
        *(2, 1)
    ]
    assert len(command("fact", "ls", "--as-of", then, "--json").json) == 3
    (event,) = command("fact", "events", "--kind", "retired", "--json").json
    assert (event["memory_id"], event["other_id"]) == (3, 1)
    shown = command("fact", "show", "3").out
    assert "retired by  1" in shown and "same_normal_form" in shown

    assert command("fact", "undo", str(event["id"])).out == "fact 3 stands again (event 4)\n"
    assert len(standing_facts(store)) == 3
    again = command("fact", "undo", str(event["id"]))
    assert (again.code, "undone already" in again.err) == (1, True)


def test_bad_input_is_one_line(store, command):
    for line, said in (
        (("record", " "), "content"),
        (("ls", "--state", "lost"), "pending, settled, retired"),
        (("ls", "--as-of", "yesterday"), "date, time and zone"),
        (("ls", "--as-of", "2026-01-01T00:00:00Z", "--state", "settled"), "one of the two"),
        (("events", "--kind", "lost"), "undone"),
        (("ls", "--limit", "0"), "1 to 1000"),
    ):
        answer = command("fact", *line)
        assert (answer.code, said in answer.err) == (2, True), answer.err
    command("entry", "store", "fact", "has a dog")
    assert "not a fact of `afterword fact ls`" in command("fact", "show", "1").err
    assert command("fact", "show", "9").code == command("fact", "undo", "9").code == 1
    assert read_moment(None, "as_of") is None
