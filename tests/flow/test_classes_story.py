"""An owner says of which class a market is: what is measured from then on is of that class."""

from datetime import timedelta

import pytest

from afterword.pipeline.testing.command import Command

HOUR = timedelta(hours=1)
QUIET = 9 * 24
"""Hours of prices before the call."""

ROLE = "market.spot.momentum"


@pytest.fixture
def desk(tmp_path, clock, ids):
    """A desk that has calls on two markets that the program does not know."""
    return Command(tmp_path / "home", clock, ids)


@pytest.fixture
def prices(tmp_path, clock):
    """Return a file of hours of a market around the present."""
    began = clock() - QUIET * HOUR

    def written(market, hours=40):
        lines = ["t_open_ms,open,high,low,close,volume"]
        for hour in range(QUIET + hours):
            close = (100.0 if hour % 2 else 100.2) + (5 if hour > QUIET + 2 else 0)
            at = int((began + hour * HOUR).timestamp() * 1000)
            lines.append(f"{at},{close},{close},{close},{close},1")
        path = tmp_path / f"{market}_1h.csv"
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    return written


def decided(desk, *markets):
    for market in markets:
        done = desk("role", "record", ROLE, "Buy", "--asset", market, "--direction", "long")
        assert done.code == 0, done.err


def families(desk):
    """Return how many decisions the record of the role has, by class."""
    (summary,) = desk("role", "summary", ROLE, "--json").json
    return {one["asset_class"]: one["calls"]["decisions"] for one in summary["classes"]}


@pytest.mark.parametrize(
    ("said", "found"), [((), {"AIG": 1, "EEM": 1}), (("--class", "etf"), {"stock": 2})]
)
def test_two_unknown_assets_are_one_family_when_their_owner_says_so(
    desk, prices, clock, said, found
):
    decided(desk, "AIG", "EEM")
    clock.advance(hours=40)

    done = desk("prices", "import", prices("AIG"), prices("EEM"), *said)
    assert done.code == 0, done.err
    assert desk("role", "reflect").code == 0

    assert families(desk) == found


def test_the_later_statement_counts_for_what_is_measured_later(desk, prices, clock):
    decided(desk, "AIG")
    clock.advance(hours=30)
    desk("prices", "import", prices("AIG", 30), "--class", "stock")
    desk("role", "reflect")
    decided(desk, "AIG")
    clock.advance(hours=30)
    again = prices("AIG", 60), "--class", "index"

    assert "AIG is of class index from now on, stock before" in desk("prices", "import", *again).err
    assert desk("prices", "import", *again).err == ""
    assert desk("role", "reflect").code == 0
    assert families(desk) == {"stock": 1, "index": 1}


def test_a_class_that_nobody_knows_is_refused_before_anything_is_stored(desk, prices):
    done = desk("prices", "import", prices("AIG"), "--class", "shares")

    assert done.code == 2
    assert "class: is 'shares'; accepted: " in done.err and "stock, etf" in done.err
    assert not desk.home.exists()


def test_a_replay_of_the_group_takes_its_classes_and_repeats_to_the_byte(desk, prices, clock):
    desk("prices", "import", prices("AIG", 0), "--class", "stock")
    decided(desk, "AIG")
    clock.advance(hours=40)
    desk("prices", "import", prices("AIG"))

    for name in ("once", "again"):
        done = desk("replay", "run", name, "--from-group", "main")
        assert done.code == 0, done.err
    once, again = (desk("replay", "report", one, "--json").json for one in ("once", "again"))

    assert once["head"]["state_hash"] == again["head"]["state_hash"]
    assert [one["asset_class"] for one in once["equity"]["costs"]] == ["stock"]
