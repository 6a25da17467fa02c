"""Erasing what a pattern names erases its text; what is left is weighed again."""

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.patterns.verify import doubts
from afterword.pipeline.operations.forget.forget import forget
from afterword.pipeline.operations.forget.model import ForgetRequest
from afterword.pipeline.operations.roles.summary import summarise_roles
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL
from afterword.pipeline.views.roles.words import role_words
from tests.unit.patterns.record import ROLE

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


def test_the_summary_says_how_many_decisions_were_forgotten(desk, stores, clock):
    """Who forgets the losers has a fine record, and whoever reads it is told."""
    desk.decide([True] * 3)
    desk.decide([False] * 2, assets=("QUIBBLE",))
    before = summarise_roles(desk.store, [(ROLE, {})], CONFIRMED_LEVEL)[0]
    forget(stores, "main", ForgetRequest(subject="QUIBBLE"), clock)
    after = summarise_roles(desk.store, [(ROLE, {})], CONFIRMED_LEVEL)[0]

    assert (before.erased, after.erased) == (0, 2)
    assert "2 forgotten, which count nowhere" in role_words(after)
