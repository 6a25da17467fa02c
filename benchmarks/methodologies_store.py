"""How long a suggestion takes among many methodologies, with and without a new hint to keep."""

import random

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import insert_methodology
from afterword.pipeline.domain.methodologies.read import list_methodologies
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.methods.suggest import suggest_methods
from benchmarks.answer import Answer, Target, answers
from benchmarks.host import a_host
from benchmarks.methodology_dedup import narrow_method
from benchmarks.timing import percentile, seconds

GRADUATED = 0.02
"""Share of the stored methodologies that are graduated."""

TIMES = 300


def ask(methods: int) -> Answer:
    """Store methodologies, graduate some, and suggest."""
    chance = random.Random(14)
    with a_host(fleet=False) as host:
        by = Writer(host.store, system_clock, random_uid, "owner")
        for _ in range(0, methods, 500):
            with writing(host.store) as conn:
                for _ in range(min(500, methods)):
                    insert_methodology(conn, by, narrow_method(chance), system_clock(), as_new=True)
        with writing(host.store) as conn:
            conn.exec_driver_sql(
                "UPDATE methodologies SET quarantine = 0, confidence = (id % 97) / 100.0,"
                f" effective_uses = 30, effective_correct = 21 WHERE id % {int(1 / GRADUATED)} = 0"
            )
        suggest_methods(by, "BTC")  # the first one loads the rules
        again = [seconds(lambda: suggest_methods(by, "BTC")) for _ in range(TIMES)]
        fresh = []
        for turn in range(TIMES):
            with writing(host.store) as conn:
                conn.exec_driver_sql(
                    f"UPDATE methodologies SET spent = {turn}, effective_uses = 31 + {turn}"
                    " WHERE quarantine = 0"
                )
            fresh.append(seconds(lambda: suggest_methods(by, "ETH")))
        with reading(host.store) as conn:
            listed = [seconds(lambda: list_methodologies(conn, limit=50)) for _ in range(20)]
            bare = "SELECT * FROM methodologies WHERE quarantine = 0 LIMIT 3"
            floor = [seconds(lambda: conn.exec_driver_sql(bare).all()) for _ in range(TIMES)]
    measured = {
        "suggest_p50_ms": 1000 * percentile(again, 0.5),
        "suggest_p99_ms": 1000 * percentile(again, 0.99),
        "suggest_with_a_new_hint_p50_ms": 1000 * percentile(fresh, 0.5),
        "list_50_p50_ms": 1000 * percentile(listed, 0.5),
    }
    targets = {name: Target(at_most=5) for name in list(measured)[:1]}
    bare_ms = {"three_rows_ms": 1000 * percentile(floor, 0.5)}
    return Answer("methodologies_store", measured, targets, bare_ms, sizes={"methods": methods})


if __name__ == "__main__":
    answers(ask, methods=(int, 10_000, "stored methodologies"))
