"""A dispatcher books the reservations that a crash left open."""

from afterword.pipeline.core.store import reading
from afterword.pipeline.gateway.budget import Purpose
from afterword.pipeline.settings import load
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.worker.app import build_context


def test_a_dispatcher_books_reservations_whose_time_is_over(home, clock):
    context = build_context(load(home=home, synchronous="NORMAL"), clock=clock)
    purpose = Purpose("learning", "main", "a_task", "a-model")
    context.gates.budget.reserve(purpose, 1_000, ttl_s=60)
    clock.advance(seconds=61)

    def bases():
        with reading(context.stores.instance) as conn:
            return list(conn.exec_driver_sql("SELECT basis FROM llm_usage").scalars())

    assert bases() == []
    with Up(context, table=()) as up:
        up.start()
        wait_until(lambda: bases() == ["expired"])
