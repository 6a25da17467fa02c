"""A replay weighs pass after pass: what it keeps between them changes no pattern and no lesson."""

from random import Random

import pytest

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.patterns import kept
from afterword.pipeline.domain.patterns.kept import KeptNews
from afterword.pipeline.domain.patterns.weigh import news_of, settle_weighing
from afterword.pipeline.testing.roles import learned
from tests.unit.patterns.record import REGISTRY, ROLE

WAY = ROLE.id, 24, 0.05
TREND = {"long": "up", "short": "down", "neutral": "flat"}


@pytest.fixture
def late(store):
    """Outcomes that were measured, and are taken away to come one after the other."""
    return Late(store)


class Late:
    def __init__(self, store):
        self.store, self.waiting = store, []

    def take_away(self):
        with writing(self.store) as conn:
            found = conn.exec_driver_sql("SELECT * FROM outcomes ORDER BY id").all()
            conn.exec_driver_sql("DELETE FROM outcomes")
        self.waiting = [tuple(row)[1:] for row in found]

    def bring(self, outcomes):
        with writing(self.store) as conn:
            for row in outcomes:
                places = ", ".join("?" * len(row))
                conn.exec_driver_sql(f"INSERT INTO outcomes VALUES (NULL, {places})", row)


def made_history(desk, chance, days):
    """Record a flaw, a skill, luck, neutral calls and unknown trends, at random."""
    ids = []
    for _ in range(days):
        direction = chance.choice(("long", "long", "short", "neutral"))
        assets = tuple(chance.sample(("SOL", "ETH", "AVAX"), chance.randint(1, 3)))
        rate = {"long": 0.15, "short": 0.85, "neutral": 0.5}[direction]
        hit = None if chance.random() < 0.1 else chance.random() < rate
        trend = None if chance.random() < 0.05 else TREND[direction]
        market = None
        if trend is not None and direction != "neutral":
            windows = chance.randint(50, 400)
            market = round(windows * chance.random()), windows
        way = {"direction": direction, "trend": trend, "market": market}
        ids += desk.decide([hit], assets=assets, size_usd=100, **way)
    return ids


def supersede(desk, decision_id):
    with reading(desk.store) as conn:
        query = "SELECT uid FROM role_memory WHERE id = ? AND superseded_at IS NULL"
        uid = conn.exec_driver_sql(query, (decision_id,)).scalar()
    if uid is not None:
        new = NewDecision(ROLE.id, "Instead.", asset="SOL", direction="long", supersedes=uid)
        record_decision(desk.store, REGISTRY, new, desk.clock, desk.ids)


def is_waiting(store, decision_id):
    with reading(store) as conn:
        query = "SELECT state FROM role_memory WHERE id = ?"
        return conn.exec_driver_sql(query, (decision_id,)).scalar() == "pending"


def open_lessons(store):
    with reading(store) as conn:
        query = "SELECT id FROM role_memory WHERE lesson IS NOT NULL AND mark IS NULL"
        query += " AND lesson_superseded_at IS NULL"
        return set(conn.exec_driver_sql(query).scalars())


@pytest.mark.parametrize("seed", range(5))
def test_what_is_kept_shows_what_all_outcomes_show(desk, store, clock, late, seed, monkeypatch):
    monkeypatch.setattr(kept, "KEPT_ROWS", 20)
    chance, news, states, ended = Random(seed), KeptNews(), set(), 0
    ids = made_history(desk, chance, 200)
    late.take_away()
    while late.waiting:
        step = chance.randint(0, 12)
        now, late.waiting = late.waiting[:step], late.waiting[step:]
        if now and chance.random() < 0.3:  # one comes later, by some places or by many
            behind = min(chance.choice((3, 30, 200)), len(late.waiting))
            late.waiting.insert(behind, now.pop())
        late.bring(now)
        clock.advance(minutes=chance.randint(0, 1))
        if chance.random() < 0.1:
            supersede(desk, chance.choice(ids))
        for row_id in chance.sample(ids, 2):
            if chance.random() < 0.5 and is_waiting(store, row_id):
                learned(store, row_id, f"Wait {row_id}.", clock())

        with reading(store) as conn:
            plain, quick = news_of(conn, *WAY), news(conn, *WAY)
        assert (plain is None) == (quick is None)
        if plain is None or quick is None:
            continue
        assert quick.drafts == plain.drafts
        assert (quick.seen, quick.weighed) == (plain.seen, plain.weighed)
        assert quick.contradicted == plain.contradicted & open_lessons(store)
        states |= {one.state for one in plain.drafts}
        with writing(store) as conn:
            tally = settle_weighing(conn, quick, clock())
        assert tally is not None
        ended += tally.lessons

    assert states >= {"confirmed", "emerging"}
    assert ended > 0


def test_nothing_new_is_no_news(desk, store, clock):
    desk.decide([True, False] * 5)
    news = KeptNews()
    with reading(store) as conn:
        first = news(conn, *WAY)
    assert first is not None
    with writing(store) as conn:
        settle_weighing(conn, first, clock())

    with reading(store) as conn:
        assert news(conn, *WAY) is None
