"""A pass graduates what is told apart from luck, by both gates, and demotes what is no more."""

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash

ALWAYS = [True] * 30
TURNS = [True, False] * 20


def test_a_method_that_is_always_right_is_promising_then_graduated_and_told_why(desk):
    desk.method("dip")
    desk.decide(["dip"], ALWAYS)

    desk.synthesize()

    one = desk.standing("dip")
    assert (one.figures.effective_uses, one.figures.effective_correct) == (30, 30)
    assert not one.quarantine
    assert [event[:2] for event in desk.events("promising", "graduated")] == [
        ("promising", "strict"),
        ("graduated", "strict"),
        ("graduated", "literal"),
    ]
    assert "right 30.0 of 30 stretches, base 15.0" in desk.events("graduated")[0][2]


def test_a_coin_flip_stays_in_quarantine(desk):
    desk.method("coin")
    desk.decide(["coin"], TURNS)

    desk.synthesize()

    one = desk.standing("coin")
    assert one.quarantine and one.promising_since is None
    assert one.figures.uses_needed is None


def test_until_the_first_vote_the_confidence_is_the_initial_one(desk):
    desk.method("new")

    desk.synthesize()

    assert desk.standing("new").figures.confidence == 0.1


def test_the_gate_in_force_decides_what_leaves_quarantine_and_both_are_stored(desk):
    desk.method("often", timeframe="intraday")
    # Chance is right three times in four here, as in a market that rises.
    desk.decide(["often"], [True, True, True, False] * 12, base=0.75)

    desk.synthesize()
    strict = desk.standing("often")
    desk.synthesize(in_force="literal")
    literal = desk.standing("often")

    assert strict.quarantine and strict.strict_since is None
    assert strict.literal_since is not None
    assert not literal.quarantine


def test_a_second_pass_without_news_writes_its_heartbeat_alone(desk, store):
    desk.method("dip")
    desk.decide(["dip"], ALWAYS)
    desk.synthesize()
    tables = (
        *("methodologies", "methodology_lifecycle_events", "methodology_cases"),
        *("methodology_citations", "audit_log"),
    )
    with reading(store) as conn:
        before = {table: content_hash(conn, table) for table in tables}

    desk.synthesize()

    with reading(store) as conn:
        assert {table: content_hash(conn, table) for table in tables} == before
        runs = conn.exec_driver_sql("SELECT count(*) FROM methodology_cron_runs").scalar()
    assert runs == 2


def test_what_lost_its_edge_is_demoted_and_its_evidence_begins_anew(desk):
    desk.method("dip")
    desk.decide(["dip"], ALWAYS)
    desk.synthesize()

    for _ in range(30):
        desk.decide(["dip"], [False])
        desk.synthesize()
        if desk.standing("dip").quarantine:
            break

    one = desk.standing("dip")
    assert one.quarantine and one.strict_since is None and one.strict_from > 0
    assert one.figures.effective_uses == 0
    kinds = {event[0] for event in desk.events()}
    assert kinds & {"demoted", "synthesis_auto_demote"}


def test_a_doubtful_graduate_is_flagged_before_it_is_demoted_and_flags_change_no_count(desk):
    desk.method("dip")
    desk.decide(["dip"], ALWAYS)
    desk.synthesize()
    for _ in range(11):
        desk.decide(["dip"], [False])
        desk.synthesize()

    one = desk.standing("dip")

    assert one.flagged_at is not None
    assert one.figures.effective_uses == 41
    (first, *_) = desk.events("reflection_adjusted")
    assert first[2].startswith("flag: since graduation right 0.0 of 11")


def test_two_hundred_methods_without_skill_let_none_through_where_each_alone_would(desk):
    """One of them is right 16 times of 20: alone a find, among 200 what luck brings."""
    for number in range(200):
        desk.method(f"m{number}")
    names = [f"m{number}" for number in range(200)]
    luck = [True] * 16 + [False] * 4
    for start in range(0, 200, 20):
        desk.decide(names[start : start + 20], luck if start == 0 else TURNS[:20])
    alone = desk.standing("m0")

    desk.synthesize()

    assert alone.quarantine
    assert all(desk.standing(name).strict_since is None for name in names)


def test_a_deleted_failure_still_counts_among_those_tried(desk, store):
    for number in range(30):
        desk.method(f"m{number}")
    desk.decide([f"m{number}" for number in range(1, 20)], TURNS[:2])
    report = desk.synthesize()
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE methodologies SET deleted_at = known_at WHERE uid = 'm3'")

    again = desk.synthesize()

    assert report.numbers["tried"] == again.numbers["tried"] == 19


def test_a_placebo_is_scored_and_never_shown(desk):
    desk.method("sham", source="placebo")
    desk.decide(["sham"], ALWAYS)

    report = desk.synthesize()

    one = desk.standing("sham")
    assert one.figures.effective_uses == 30
    assert one.promising_since is not None and one.quarantine
    assert report.numbers["tried"] == 0
