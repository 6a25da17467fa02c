"""A record that goes on vote by vote is the one that is counted anew."""

from hypothesis import given, settings
from hypothesis import strategies as st

from afterword.pipeline.rules.evidence.method_progress import MethodProgress
from afterword.pipeline.rules.evidence.method_record import (
    MethodVote,
    method_record,
    method_stretches,
)

HORIZON = 10

votes = st.builds(
    lambda now, back, ends, asset, hit, base: MethodVote(
        now - back, now - back + HORIZON + ends, asset, hit, base
    ),
    st.just(0),
    st.integers(0, 3) | st.integers(0, 60),
    st.integers(-2, 2),
    st.sampled_from(["BTC", "ETH", "SOL"]),
    st.sampled_from([True, False, None]),
    st.sampled_from([0.4, 0.5, 0.6]),
)
steps = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 12), votes, st.booleans(), st.booleans()),
    max_size=60,
)


class Ledger:
    """All votes, and a progress that is begun anew whenever it refuses one."""

    def __init__(self, evidence_from=0, graduated_at=None):
        self.begins = {"evidence_from": evidence_from, "graduated_at": graduated_at}
        self.votes, self.anew = {}, 0
        self.progress = MethodProgress(**self.begins)

    def put(self, key, vote, *, waits):
        is_known = key in self.votes
        self.votes[key] = vote, waits
        if (is_known and key not in self.progress) or not self.progress.put(key, vote, waits=waits):
            self.begin_anew()

    def drop(self, key):
        del self.votes[key]
        if key in self.progress:
            self.progress.drop(key)
        else:
            self.begin_anew()

    def begin_anew(self):
        self.anew += 1
        self.progress = MethodProgress(**self.begins)
        for key, (vote, waits) in self.votes.items():
            assert self.progress.put(key, vote, waits=waits)

    def check(self):
        every = [vote for vote, _ in self.votes.values()]
        record, has_voted = self.progress.settle()
        assert record == method_record(every, **self.begins)
        assert has_voted == any(one.voted for one in method_stretches(every))


@settings(max_examples=300)
@given(steps, st.sampled_from([0, 150]), st.sampled_from([None, 0, 180]))
def test_any_history_gives_the_same_record(history, evidence_from, graduated_at):
    ledger, now = Ledger(evidence_from, graduated_at), 100
    for number, (forward, key, vote, waits, is_checked) in enumerate(history):
        now += forward
        moved = vote._replace(entry_at=vote.entry_at + now, exit_at=vote.exit_at + now)
        known = [*ledger.votes][-12:]
        if key == 0 and known:
            ledger.drop(known[0])
        elif key < len(known) // 2:
            ledger.put(known[key], moved, waits=waits)
        else:
            ledger.put(number, moved, waits=waits)
        if is_checked:
            ledger.check()
    ledger.check()


def test_votes_in_turn_are_never_counted_anew_and_few_are_kept():
    """Each waits for its outcome, which moves its entry to the bar before."""
    ledger = Ledger()
    for now in range(1_000):
        waiting = MethodVote(now * 3 + 2, now * 3 + 2 + HORIZON, "BTC", None, 0.5)
        ledger.put(now, waiting, waits=True)
        if now >= 4:
            entry = (now - 4) * 3
            done = MethodVote(entry, entry + HORIZON, "BTC", now % 3 > 0, 0.5)
            ledger.put(now - 4, done, waits=False)
        ledger.progress.settle()
    ledger.check()

    assert ledger.anew == 0
    assert sum(key in ledger.progress for key in ledger.votes) < 20


def test_a_vote_that_would_enter_a_stretch_that_is_over_is_refused():
    progress = MethodProgress()
    for key in range(4):
        vote = MethodVote(key * HORIZON, (key + 1) * HORIZON, "BTC", True, 0.5)
        assert progress.put(key, vote, waits=False)
    progress.settle()

    assert 0 not in progress and 3 in progress
    assert not progress.put(9, MethodVote(5, 15, "ETH", True, 0.5), waits=False)
    assert progress.put(10, MethodVote(35, 45, "ETH", True, 0.5), waits=False)


def test_while_a_vote_waits_its_stretch_and_the_one_before_stay():
    progress = MethodProgress()
    for key in range(4):
        vote = MethodVote(key * HORIZON, (key + 1) * HORIZON, "BTC", True, 0.5)
        progress.put(key, vote, waits=key == 2)
    progress.settle()

    assert [key in progress for key in range(4)] == [False, True, True, True]
