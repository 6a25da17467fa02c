"""What is forgotten leaves what a judge saw of it, too, and no other decision's evidence."""

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.operations.forget.forget import forget
from afterword.pipeline.operations.forget.model import ForgetRequest
from tests.unit.reflection.passes import ROLE


def bodies(store):
    with reading(store) as conn:
        query = "SELECT body FROM judge_evidence ORDER BY id"
        return list(conn.exec_driver_sql(query).scalars())


def test_forgetting_a_subject_forgets_what_the_judge_saw_of_it(
    stores, store, clock, record, reflector
):
    record(decision="Buy SOL, Quibbleworth says so")
    record(decision="Buy SOL on strength")
    reflect_role(reflector(HeuristicJudge()), ROLE)
    assert len(bodies(store)) == 2

    done = forget(stores, store.name, ForgetRequest(subject="Quibbleworth"), clock)

    (left,) = bodies(store)
    assert "Buy SOL on strength" in left
    assert done.proof is not None


def test_the_evidence_goes_with_its_decision(store, record, reflector):
    one = record()
    reflect_role(reflector(HeuristicJudge()), ROLE)
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM role_memory WHERE id = ?", (one,))

    assert bodies(store) == []
