"""What trades say beside what was declared: only what a rule can say, with its n."""

from dataclasses import replace

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.profile.observed import trades_of_month
from afterword.pipeline.domain.profile.onboarding import complete_onboarding
from afterword.pipeline.domain.profile.portrait import read_portrait
from afterword.pipeline.rules.user_tags.compared import TagComparison, compared
from afterword.pipeline.rules.user_tags.observed import TradesOfMonth, observed_tags
from tests.unit.profile.made_trades import import_trips

WALLET = "0x" + "ab" * 20
NOTHING = TradesOfMonth(
    days=0, traded_days=0, trades=0, by_market={}, leveraged=0, liquidated=0, added_to_loser=0
)
EACH_DAY = [day + 0.1 for day in range(29)]


def said(dimension: str, declared: str | None, **counted: object) -> TagComparison:
    month = replace(NOTHING, **counted)
    by_dimension = {tag.dimension: tag for tag in observed_tags(month)}
    return compared(by_dimension[dimension], declared)


@pytest.mark.parametrize(
    ("traded_days", "trades", "found"),
    [
        (0, 0, None),
        (1, 1, "passive"),
        (4, 40, "passive"),
        (5, 5, "weekly"),
        (21, 99, "weekly"),
        (22, 22, "daily"),
        (22, 65, "daily"),
        (22, 66, "active"),
    ],
)
def test_days_with_trades_say_how_often_somebody_trades(traded_days, trades, found):
    counted = {"days": 30, "traded_days": traded_days, "trades": trades}

    assert said("frequency", "weekly", **counted).observed == found


def test_two_weeks_are_needed_before_anything_is_said_of_the_frequency():
    early = said("frequency", "passive", days=13, traded_days=13, trades=80)
    late = said("frequency", "passive", days=14, traded_days=14, trades=80)

    assert (early.agreement, early.n) == ("undecided", 13)
    assert early.says == (
        "you said passive; too few: the trades that are kept cover 13 of the 14 days that are "
        "needed (n = 13)"
    )
    assert (late.agreement, late.observed) == ("differs", "active")


def test_losing_positions_that_are_raised_contradict_a_conservative_hand():
    found = said("risk", "conservative", leveraged=41, added_to_loser=20)

    assert (found.agreement, found.observed, found.n) == ("differs", "aggressive", 41)
    assert found.says == (
        "you said conservative; 41 trades say otherwise, aggressive (n = 41): "
        "20 raised a losing position, 0 were liquidated"
    )


@pytest.mark.parametrize(
    ("counted", "found"),
    [
        ({"leveraged": 19, "added_to_loser": 19, "liquidated": 1}, None),
        ({"leveraged": 41, "added_to_loser": 12}, None),
        ({"leveraged": 41, "added_to_loser": 0}, None),
        ({"leveraged": 20, "liquidated": 1}, "aggressive"),
    ],
)
def test_too_few_trades_or_signs_decide_nothing(counted, found):
    assert said("risk", "conservative", **counted).observed == found


def test_no_number_of_trades_shows_a_conservative_hand():
    found = said("risk", "aggressive", leveraged=10_000)

    assert found.agreement == "undecided"
    assert "leverage and the size of the account are in no fill" in found.says


def test_markets_beside_the_declared_ones_are_named_with_their_fills():
    fills = {"crypto_majors": 30, "memes": 11}
    more = said("markets", '["crypto_majors"]', by_market=fills)
    all_of_them = said("markets", '["crypto_majors", "memes", "stocks"]', by_market=fills)

    assert more.says == (
        "you said Crypto majors; 41 fills say otherwise, Crypto majors, Memes (n = 41): "
        "Crypto majors 30, Memes 11"
    )
    assert all_of_them.agreement == "agrees"


def test_where_nothing_was_declared_the_trades_are_told_all_the_same():
    assert said("markets", None, by_market={"memes": 1}).says == (
        "you said nothing; 1 fill says Memes (n = 1): Memes 1"
    )


def test_the_command_tells_what_was_declared_beside_the_trades(command, owner, clock):
    complete_onboarding(owner, {"risk": "conservative", "frequency": "weekly"})
    import_trips(owner.store, clock, owner.ids, EACH_DAY, adds=20)

    shown = command("profile", "show", "--json").json["observed"]

    assert {one["dimension"]: (one["agreement"], one["n"]) for one in shown} == {
        "frequency": ("differs", 30),
        "markets": ("undeclared", 78),
        "risk": ("differs", 29),
    }
    assert "29 trades say otherwise, aggressive (n = 29)" in command("profile", "show").out


def test_a_program_reads_markets_as_lists(command, owner, clock):
    complete_onboarding(owner, {"markets": ["stocks", "memes"]})
    import_trips(owner.store, clock, owner.ids, EACH_DAY)

    shown = command("profile", "show", "--json").json["observed"]

    markets = next(each for each in shown if each["dimension"] == "markets")
    assert (markets["declared"], markets["observed"]) == (["memes", "stocks"], ["crypto_alts"])
    assert next(each for each in shown if each["dimension"] == "risk")["declared"] is None


def test_a_wallet_that_is_only_compared_with_is_in_no_figure(store, owner, clock):
    import_trips(store, clock, owner.ids, [3, 2, 1], coin="SOL", account="main")
    before = _month(store, clock)
    for name, address in (("whale", "0x" + "cd" * 20), ("other", WALLET)):
        with writing(store) as conn:
            reference = Account(name, "hyperliquid", address, "reference", "user", None, clock())
            account_rows.insert(conn, reference)
    import_trips(store, clock, owner.ids, [200], coin="DOGE", account="whale")
    assert _month(store, clock) == before
    import_trips(store, clock, owner.ids, EACH_DAY, coin="DOGE", account="whale", adds=29)
    import_trips(store, clock, owner.ids, EACH_DAY, coin="TSLA", account="copied", wallet=WALLET)

    assert _month(store, clock) == before
    with writing(store) as conn:  # its trades stay, and stay somebody else's
        account_rows.remove(conn, "whale", to_micros(clock()))
    assert _month(store, clock) == before


def test_trades_that_became_known_later_are_not_in_a_read_of_the_past(store, owner, clock):
    import_trips(store, clock, owner.ids, EACH_DAY)
    clock.advance(minutes=1)
    moment = clock()
    before = read_portrait(store, moment, moment)
    clock.advance(days=1)
    import_trips(store, clock, owner.ids, EACH_DAY, coin="DOGE", adds=29)

    assert read_portrait(store, clock(), moment) == before


def _month(store, clock):
    with reading(store) as conn:
        return trades_of_month(conn, clock(), None)
