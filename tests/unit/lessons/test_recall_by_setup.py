"""Recall for the decision at hand: its asset and setup first, then its class, each with a why."""

from datetime import timedelta

import pytest

from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.recall.lessons.lessons import role_lessons
from afterword.pipeline.recall.lessons.question import read_question
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.testing.roles import HOUR, book, jagged
from tests.unit.patterns.record import REGISTRY, ROLE


@pytest.fixture
def ask(store, clock):
    """Ask what was learned, single cases too, as of now."""

    def one(question, **how):
        asked = {"now": clock(), "choice": "all"} | how
        return role_lessons(store, REGISTRY, ROLE.id, question, **asked)

    return one


@pytest.fixture
def moves(store, clock):
    """Store hourly prices of an asset that end now with some moves."""

    def one(asset, last):
        closes = jagged(400, last)
        opened = clock() - len(closes) * HOUR
        prices = book(f"{asset}USDT", opened, closes)
        (series,) = prices.series(asset)
        keep_bars(store, series, prices.bars(series, opened, clock(), clock()), clock)

    return one


def texts(found):
    return [one.text for one in found]


def test_pepe_is_told_of_itself_then_of_other_meme_coins_then_of_inj(ask, case):
    case("PEPE", "long", "up", "of itself")
    case("WIF", "long", "up", "of a meme coin")
    case("INJ", "long", "up", "of another coin")
    case("NVDA", "long", "up", "of a stock")
    case("INJ", "short", "up", "of a short")

    found = ask("Bid PEPE after the rally?")
    assert texts(found) == [
        "of itself",
        "of a meme coin",
        "of another coin",
        "of a stock",
        "of a short",
    ]
    assert [tuple(why for why in one.why if "words" not in why) for one in found[:4]] == [
        ("same asset: PEPE", "same direction", "same trend: up"),
        ("same class: meme coins", "same direction", "same trend: up"),
        ("same market: coins", "same direction", "same trend: up"),
        ("same direction", "same trend: up"),
    ]


@pytest.mark.parametrize(
    ("last", "trend"), [([0.08], "up"), ([-0.08], "down"), ([0.0, 0.0], "flat")]
)
def test_the_trend_is_that_of_the_price_as_of_now(ask, case, moves, last, trend):
    for before in ("up", "down", "flat"):
        case("SOL", "long", before, f"after {before}")
    moves("SOL", last)

    assert texts(ask("Go long SOL"))[0] == f"after {trend}"
    # A measured move says more than a word for it.
    assert texts(ask("Go long SOL after the rally"))[0] == f"after {trend}"


def test_a_price_from_after_the_moment_is_not_looked_at(ask, case, moves, clock):
    case("SOL", "long", "up", "after a rise")
    case("SOL", "long", "down", "after a fall")
    then = clock() + 2 * timedelta(days=1)
    clock.advance(days=2)
    moves("SOL", [0.08] + [0.0] * 3)
    clock.advance(days=1)
    moves("SOL", [0.08] + [0.0] * 23 + [-0.15])

    assert texts(ask("Go long SOL"))[0] == "after a fall"
    assert texts(ask("Go long SOL", as_of=then))[0] == "after a rise"


@pytest.fixture
def season(store, clock):
    """Store 90 days of hourly prices of an asset, of which the last ten are calm or wild."""

    def one(asset, now):
        last = 0.02 if now == "high" else 0.0005
        closes = [100.0]
        for hour in range(90 * 24):
            size = 0.004 + hour % 240 * 0.00002 if hour < 80 * 24 else last
            closes.append(closes[-1] * (1 + size if hour % 2 else 1 / (1 + size)))
        opened = clock() - len(closes) * HOUR
        prices = book(f"{asset}USDT", opened, closes)
        (series,) = prices.series(asset)
        keep_bars(store, series, prices.bars(series, opened, clock(), clock()), clock)

    return one


@pytest.mark.parametrize(("now", "other"), [("high", "low"), ("low", "high")])
def test_of_one_setup_the_volatility_of_now_comes_first(ask, case, season, now, other):
    case("SOL", "long", "flat", "like now", volatility=now)
    for number in range(40):  # more than are compared, and all of them younger
        case("SOL", "long", "flat", f"unlike now {number}", volatility=other)
    season("SOL", now)

    first, *others = ask("Long SOL?")
    assert first.text == "like now"
    assert f"same volatility: {now}" in first.why
    assert [one.text for one in others] == [f"unlike now {at}" for at in range(39, 30, -1)]
    assert not any("volatility" in why for one in others for why in one.why)


def test_volatility_never_comes_before_the_same_trend_or_asset(ask, case, season):
    case("SOL", "long", "flat", "the same setup", volatility="low")
    case("SOL", "long", "up", "another trend", volatility="high")
    case("ETH", "long", "flat", "another asset", volatility="high")
    season("SOL", "high")

    assert texts(ask("Long SOL?"))[0] == "the same setup"


def test_of_one_setup_and_volatility_words_decide(ask, case, season):
    case("SOL", "long", "flat", "the unlock calendar", volatility="high")
    case("SOL", "long", "flat", "something else", volatility="high")
    case("SOL", "long", "flat", "an unlock in calm times", volatility="low")
    season("SOL", "high")

    found = ask("Long SOL into the unlock")
    assert texts(found) == ["the unlock calendar", "something else", "an unlock in calm times"]
    assert found[0].why[-2:] == ("same volatility: high", "fits in words")


def test_the_volatility_is_that_of_the_moment_that_is_asked_about(ask, case, season, clock):
    case("SOL", "long", "flat", "in calm times", volatility="low")
    case("SOL", "long", "flat", "in wild times", volatility="high")
    season("SOL", "low")
    then = clock()
    clock.advance(days=90)
    assert not any("volatility" in why for one in ask("Long SOL?") for why in one.why)
    season("SOL", "high")

    assert texts(ask("Long SOL?"))[0] == "in wild times"
    assert texts(ask("Long SOL?", as_of=then))[0] == "in calm times"


def test_a_bar_or_a_correction_that_comes_in_changes_the_setup(ask, case, store, clock):
    for trend in ("up", "down", "flat"):
        case("SOL", "long", trend, f"after {trend}")
    closes = jagged(400, [0.0, 0.0])
    opened = clock() - len(closes) * HOUR

    def keep(closes):
        prices = book("SOLUSDT", opened, closes)
        (series,) = prices.series("SOL")
        keep_bars(store, series, prices.bars(series, opened, clock(), clock()), clock)

    keep(closes)
    assert texts(ask("Long SOL?"))[0] == "after flat"
    keep([*closes[:-1], closes[-1] * 1.1])  # a correction of the last one
    assert texts(ask("Long SOL?"))[0] == "after up"
    clock.advance(hours=1)
    keep([*closes[:-1], closes[-1] * 1.1, closes[-1] * 0.8])  # the next one
    assert texts(ask("Long SOL?"))[0] == "after down"
    clock.advance(days=2)
    assert not any("trend" in why for one in ask("Long SOL?") for why in one.why)


def test_a_question_without_a_direction_is_answered_for_each_in_turn(ask, case):
    case("SOL", "neutral", "up", "rest 1")
    case("SOL", "short", "up", "short 1")
    for number in (3, 2, 1):
        case("SOL", "long", "up", f"long {number}")
    case("ETH", "short", "up", "of another coin")

    assert texts(ask("SOL after the rally, what do I know?")) == [
        *("long 1", "short 1", "rest 1", "long 2", "long 3"),
        "of another coin",
    ]
    assert texts(ask("Go long SOL after the rally"))[:3] == ["long 1", "long 2", "long 3"]


def test_no_direction_is_hidden_behind_many_of_another_volatility(ask, case, season):
    case("SOL", "short", "flat", "a short in calm times", volatility="low")
    for number in range(40):
        case("SOL", "long", "flat", f"long {number}", volatility="high")
    season("SOL", "high")

    found = ask("SOL: what do I know?", options=SearchOptions(3))
    assert texts(found)[:2] == ["long 39", "a short in calm times"]


def test_confirmed_patterns_come_before_single_cases_of_the_same_setup(ask, case, desk):
    desk.decide([True, False, False, False, False] * 12, assets=("SOL",), asset_class="crypto")
    desk.weigh()
    case("SOL", "long", "up", "Wait for the close")
    case("ETH", "long", "up", "Of another coin")

    assert [one.label for one in ask("Buy SOL after the rally")] == [
        "failing",
        "one case",
        "one case",
    ]
    assert [one.label for one in ask("Buy ETH after the rally")] == ["one case", "one case"]


def test_what_is_old_and_fits_is_found_behind_a_thousand_that_do_not(ask, case):
    case("PEPE", "short", "down", "old and right")
    for number in range(120):
        case("SOL", "long", "up", f"young and wrong {number}")

    (first, *_) = ask("Fade PEPE after the crash", options=SearchOptions(3))
    assert first.text == "old and right"


@pytest.mark.parametrize(
    ("question", "asset", "direction", "hours"),
    [
        ("Thinking of buying PEPE for the next day", "PEPE", "long", 24),
        ("Should I fade the pump in DOGE?", "DOGE", "short", None),
        ("is it time to bid SOL after this drop, over 3 days", "SOL", "long", 72),
        ("Going short on Bitcoin into next week", "BTC", "short", 168),
        ("LINK looks heavy, I expect it to roll over within 4h", "LINK", "short", 4),
        ("Does ETH go up from here?", "ETH", "long", None),
        ("I think AVAX heads lower over the coming week", "AVAX", "short", 168),
        ("AAPL: hold or do nothing?", "AAPL", "neutral", None),
        ("Sit out UNI, it goes nowhere", "UNI", "neutral", None),
        ("buy the dip in ETH", "ETH", "long", None),
        ("sell the rally in ETH, two weeks", "ETH", "short", 336),
        ("fade link here", "LINK", "short", None),
        ("做空 BTC", "BTC", "short", None),
        ("Is Arbitrum going up?", "ARB", "long", None),
        ("Can I get into SOL now?", "SOL", "long", None),
        ("We lift the offer in SOL", "SOL", "long", None),
        ("Hit the bid in SOL", "SOL", "short", None),
        ("Buy protection on SOL for a day", "SOL", "short", 24),
        ("My target for SOL is below the current price", "SOL", "short", None),
        ("Leave SOL alone until tomorrow", "SOL", "neutral", 24),
        ("I see no edge in SOL", "SOL", "neutral", None),
        ("long or short SOL?", "SOL", None, None),
        ("don't buy BTC", "BTC", None, None),
        ("SOL has run 20 % in the last 3 days", "SOL", None, None),
        ("Open interest doubled", None, None, None),
    ],
)
def test_asset_direction_and_horizon_are_read_from_free_words(question, asset, direction, hours):
    found = read_question(question)

    assert (found.asset_key, found.direction, found.horizon_hours) == (asset, direction, hours)
