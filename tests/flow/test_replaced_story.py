"""A trader replaces each call that stands wrong at half time: the record still has the losers."""

from datetime import timedelta

from afterword.pipeline.testing.command import Command

HOUR = timedelta(hours=1)
QUIET = 9 * 24
"""Hours of prices before the first call."""

CALLS = (-0.04, 0.04, -0.04, 0.04)
"""What the price does within six hours of each call to buy; one every two days."""


def prices(folder, began, hours):
    """Write the closes of hours: small steps up and down, and the moves after the calls."""
    close, lines = 100.0, ["t_open_ms,open,high,low,close,volume"]
    for hour in range(hours):
        before, close = close, close * (1.002 if hour % 2 else 1 / 1.002)
        call, after = divmod(hour - QUIET, 48)
        if after == 6 and 0 <= call < len(CALLS):
            close *= 1 + CALLS[call]
        at = int((began + hour * HOUR).timestamp() * 1000)
        low, high = sorted((before, close))
        lines.append(f"{at},{before:.4f},{high:.4f},{low:.4f},{close:.4f},1")
    path = folder / "SOLUSDT_1h.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_losers_that_were_replaced_at_half_time_are_in_the_record(tmp_path, clock, ids):
    command, began = Command(tmp_path / "home", clock, ids), clock() - QUIET * HOUR
    lost, role = [], "market.spot.momentum"

    def recorded(*words):
        done = command("role", "record", role, *words, "--asset", "SOL", "--json")
        assert done.code == 0, done.err
        return done.json["uid"]

    for move in CALLS:
        uid = recorded("Buy", "--direction", "long")
        clock.advance(hours=12)
        if move < 0:
            recorded("Out of it", "--direction", "neutral", "--supersedes", uid)
            lost.append(uid)
        clock.advance(hours=36)
    clock.advance(hours=24)
    hours = QUIET + 48 * len(CALLS) + 24
    assert command("prices", "import", prices(tmp_path, began, hours)).code == 0
    assert command("role", "reflect").code == 0

    (summary,) = command("role", "summary", role, "--json").json
    (coins,) = summary["classes"]
    assert (coins["calls"]["decisions"], coins["calls"]["hits"]) == (4, 2)
    for uid in lost:
        assert "counts: it was replaced after its entry" in command("role", "show", uid).out
