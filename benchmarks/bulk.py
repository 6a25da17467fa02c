"""The speed of a bulk write of memories, beside a bare `executemany` of the same rows."""

from functools import partial

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from benchmarks import bare, texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import seconds


def ask(memories: int, rounds: int) -> Answer:
    """Write the same memories by the verb and by bare SQL, in turn, each in one transaction."""
    news = texts.memories(memories)
    ours = bares = 0.0
    with a_host(fleet=False) as host:
        conn = connect(host.stores.group("bare", create=True).path, host.options)
        for place in range(rounds):
            rows = bare.rows(news, random_uid, system_clock(), first_id=place * memories + 1)
            writer = Writer(host.store, system_clock, random_uid)
            ours += seconds(partial(write_memories, writer, news))
            bares += seconds(partial(bare.write_many, conn, rows))
            note(f"bulk: {bares / ours:.0%} of executemany")
        conn.close()
    written = memories * rounds
    measured = {"share_of_executemany": bares / ours, "memories_per_s": written / ours}
    return Answer(
        "bulk",
        measured,
        targets={"share_of_executemany": Target(at_least=0.8)},
        floor={"memories_per_s": written / bares},
        sizes={"memories": memories, "rounds": rounds},
    )


if __name__ == "__main__":
    answers(
        ask,
        memories=(int, 20_000, "memories of one write"),
        rounds=(int, 3, "rounds, ours and bare in turn"),
    )
