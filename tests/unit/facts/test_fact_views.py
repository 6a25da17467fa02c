"""What is said of facts that no other story tells: a flagged one, and those of a past moment."""

from datetime import UTC, datetime

from afterword.pipeline.domain.facts.model import KnownFact
from afterword.pipeline.domain.memory.model import MemoryIds
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.views.memory.facts import fact_recorded, past_fact_list

AT = datetime(2026, 1, 5, tzinfo=UTC)


def test_a_flagged_fact_says_how_its_owner_clears_it():
    plain = text(fact_recorded(MemoryIds(8, "c0ffee"), ()), Screen())
    flagged = text(fact_recorded(MemoryIds(8, "c0ffee"), ("override", "transfer")), Screen())

    assert plain == "fact 8 (c0ffee) is pending\n"
    assert flagged.startswith(plain)
    assert "an order to the agent (override, transfer)" in flagged
    assert flagged.endswith("until `afterword memory unflag 8`\n")


def test_facts_of_a_moment_have_no_state():
    fact = KnownFact(8, "c0ffee", "the desk trades\nSOL", "agent", AT)

    assert text(past_fact_list([fact]), Screen()).splitlines() == [
        "id  known                 text",
        "8   2026-01-05 00:00:00Z  the desk trades SOL",
    ]
    assert text(past_fact_list([]), Screen()) == "no facts\n"
