"""Whatever an account does, it adds up; and a row that is lost is what is left."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.balances.ask import ask_value
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.reconciliation.explain import CENT, explain
from afterword.pipeline.domain.reconciliation.flows import flows_of
from afterword.pipeline.domain.reconciliation.model import AccountEvidence, ValueStatement
from afterword.pipeline.domain.transfers.read import transfers_in
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.venue_server import VenueAccount
from tests.unit.reconciliation.made_account import HOUR_MS, MadeAccount

MINE, OTHER = "0x" + "ab" * 20, "0x" + "cd" * 20
BEGIN_MS = 480_000 * HOUR_MS
PARTS = ("realised", "fees", "funding", "spot", "transfer")

ACTS = (
    lambda main, _other, coin, size, price: main.trade(coin, size, price),
    lambda main, _other, coin, size, price: main.trade(coin, f"-{size}", price, fee="-0.01"),
    lambda main, _other, _coin, _size, price: main.deposit(price),
    lambda main, _other, _coin, size, _price: main.withdraw(size),
    lambda main, _other, _coin, size, _price: main.to_spot(size),
    lambda main, other, _coin, size, _price: main.send(other, size),
    lambda main, _other, _coin, size, price: main.buy_token(size, price, "0.001"),
    lambda main, _other, _coin, size, price: main.buy_token(f"-{size}", price, "0.02"),
    lambda main, _other, _coin, _size, _price: main.wait(50),
)
STORY = st.lists(
    st.tuples(
        st.sampled_from(ACTS),
        st.sampled_from(("BTC", "ETH")),
        st.sampled_from(("0.3", "1.7", "2.0")),
        st.sampled_from(("99.1", "100.0", "103.37")),
    ),
    min_size=1,
    max_size=30,
)


class _Said:
    """The venue, asked without a wire: what it says of the value of one account."""

    def __init__(self, account: VenueAccount) -> None:
        self.account = account

    def ask(self, request: InfoRequest, read: object = None) -> Any:  # noqa: ARG002
        replies = {
            "userAbstraction": self.account.abstraction,
            "perpDexs": [None],
            "spotClearinghouseState": self.account.spot,
            "clearinghouseState": self.account.states.get(""),
        }
        return replies[request.type]

    def close(self) -> None:
        """Close nothing."""


def value_of(account: VenueAccount) -> AccountValue:
    said: VenueInfo = _Said(account)
    return ask_value(said, MINE, ManualClock()())


def evidence_of(account: VenueAccount, values: list[AccountValue]) -> AccountEvidence:
    payments = payments_in(account.funding)
    return AccountEvidence(
        values=tuple(values),
        whole_since_ms=0,
        fills=parse_fills(list(account.fills), "main", "fills"),
        payments=[(paid.time_ms, paid.symbol, paid.amount) for paid in payments],
        transfers=transfers_in(account.ledger, MINE),
        gaps=(),
        other_sides={},
    )


def lived(story: list[Any]) -> tuple[VenueAccount, list[AccountValue], list[Decimal]]:
    """Return an account after a story, and its value after each third act, as said and in truth."""
    venue = VenueAccount()
    main = MadeAccount(venue, MINE, BEGIN_MS)
    other = MadeAccount(VenueAccount(), OTHER, BEGIN_MS, first_tid=9_000)
    truth = [main.publish()]
    values = [value_of(venue)]
    for place, (act, coin, size, price) in enumerate(story):
        act(main, other, coin, size, price)
        if place % 3 == 2 or place == len(story) - 1:
            truth.append(main.publish(BTC="101.3", ETH="98.7"))
            values.append(value_of(venue))
    return venue, values, truth


def stated(venue: VenueAccount, values: list[AccountValue]) -> ValueStatement:
    return explain(evidence_of(venue, values), values, from_beginning=False)


@settings(max_examples=60, deadline=None)
@given(story=STORY)
def test_whatever_an_account_does_it_adds_up(story: list[Any]) -> None:
    venue, values, truth = lived(story)
    statement = stated(venue, values)
    assert statement.spans == statement.reasons == ()
    assert abs(statement.rest) < CENT
    change = statement.last.dollars - statement.first.dollars
    assert abs(change - (truth[-1] - truth[0])) < CENT


@settings(max_examples=60, deadline=None)
@given(story=STORY, chance=st.randoms(use_true_random=False))
def test_a_row_that_is_lost_is_what_is_left(story: list[Any], chance: Any) -> None:
    venue, values, _ = lived(story)
    rows = [(of, row) for of in (venue.fills, venue.funding, venue.ledger) for row in of]
    if not rows:
        return
    whole = {part: sum_of(venue, values, part) for part in PARTS}
    of, lost = chance.choice(rows)
    of.remove(lost)
    missing = sum(whole[part] - sum_of(venue, values, part) for part in PARTS)
    statement = stated(venue, values)
    assert abs(statement.rest - missing) < CENT
    if abs(missing) >= 2 * CENT:
        (span,) = statement.spans
        assert span.first_at < EPOCH + timedelta(milliseconds=lost["time"]) <= span.last_at


def sum_of(venue: VenueAccount, values: list[AccountValue], part: str) -> Decimal:
    flows = flows_of(evidence_of(venue, values))
    return sum((flow.amount for flow in flows if flow.part == part), Decimal(0))
