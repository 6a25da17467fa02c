"""What an operator sees of the schedule, beside the same asked slot by slot."""

from datetime import UTC, datetime

from afterword.schedules.due import next_slot
from afterword.schedules.entry import CronEntry
from afterword.schedules.listed import coming_slots

NOW = datetime(2026, 3, 28, 12, tzinfo=UTC)
TABLE = (
    CronEntry("roles.late", "30 2 * * *", job="reflect_entries", timezone="Europe/Berlin"),
    CronEntry("memory.purge", "30 */2 * * *", job="purge_expired"),
    CronEntry("facts.consolidate", "*/10 * * * *", job="consolidate_facts"),
)


def test_an_entry_that_somebody_ran_has_fired(command, store):
    def fired() -> dict[str, object]:
        return {
            entry["entry"]: entry["last_fired"] for entry in command("cron", "ls", "--json").json
        }

    assert set(fired().values()) == {None}
    command("cron", "run", "facts.consolidate")
    assert [entry for entry, at in fired().items() if at] == ["facts.consolidate"]


def test_the_next_slots_of_all_entries_are_in_order_also_where_clocks_are_set():
    slots = []
    for entry in TABLE:
        moment = NOW
        for _ in range(400):
            moment = next_slot(entry, moment)
            slots.append((moment, entry.name))
    expected = sorted(slots)[:400]

    found = [(one.slot, one.entry) for one in coming_slots(TABLE, NOW, 400)]

    assert found == expected
    assert {name for _, name in found} == {entry.name for entry in TABLE}
