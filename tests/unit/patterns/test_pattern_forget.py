"""Erasing what a pattern names erases its text; what is left is weighed again."""

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.patterns.verify import doubts
from afterword.pipeline.operations.forget.forget import forget
from afterword.pipeline.operations.forget.model import ForgetRequest

FLAW = [True, False, False, False, False] * 12


def test_an_erased_asset_leaves_no_text_and_no_vote(desk, stores, clock):
    desk.decide(FLAW, assets=("QUIBBLE",))
    desk.weigh()
    (before,) = desk.patterns()
    assert "QUIBBLE" in before.text

    forget(stores, "main", ForgetRequest(subject="QUIBBLE"), clock)

    with reading(desk.store) as conn:
        query = "SELECT count(*) FROM role_patterns"
        assert conn.exec_driver_sql(query).scalar_one() == 0
    desk.weigh()
    assert desk.patterns() == []
    with reading(desk.store) as conn:
        assert list(doubts(conn)) == []
