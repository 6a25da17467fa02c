"""When the schedule next has work, as a worker notes it that ends: the slot of the first entry."""

from datetime import timedelta

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.autostart import SCHEDULE_REST, needed_at, write_needed
from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.builtin import BUILTIN
from afterword.pipeline.settings import load
from afterword.schedules.entry import CronEntry
from afterword.schedules.needed import next_need
from afterword.schedules.table import whole_table
from afterword.workers.worker.app import build_context

REGISTRY = RoleRegistry(BUILTIN)
VALUED = CronEntry(
    "roles.valuation",
    "0 6 * * *",
    job="reflect_entries",
    payload={"role": "analysis.valuation.target_price"},
)


def test_a_home_without_work_needs_nobody(stores: Stores, store: Store, clock: Clock):
    context = build_context(load(home=stores.home), clock=clock)

    assert next_need(context, whole_table(context.decisions.roles), clock()) is None


def test_a_decision_needs_the_first_slot_after_it_is_ripe(
    stores: Stores, store: Store, writer: Writer, clock: Clock
):
    new = NewDecision("analysis.valuation.target_price", "Buy", asset="SOL", direction="long")
    record_decision(store, REGISTRY, new, clock, writer.ids)  # at midnight; ripe in a week
    context = build_context(load(home=stores.home), clock=clock)

    assert next_need(context, [VALUED], clock()) == clock() + timedelta(days=7, hours=6)


def test_what_has_work_every_minute_needs_nobody_before_a_rest(
    stores: Stores, store: Store, clock: Clock
):
    context = build_context(load(home=stores.home), clock=clock)
    always = CronEntry("test.tick", "* * * * *", job="of_no_rule")

    assert next_need(context, [always], clock()) == clock() + SCHEDULE_REST


def test_a_note_is_read_as_it_was_written_and_one_that_is_missing_asks_for_a_look(
    stores: Stores, clock: Clock
):
    (stores.home / "owners").mkdir()
    assert needed_at(stores.home) < clock()
    write_needed(stores.home, clock())
    assert needed_at(stores.home) == clock()
    write_needed(stores.home, None)
    assert needed_at(stores.home) is None
