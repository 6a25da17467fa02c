"""`afterword history record` and `outcome`: a trade by hand, once, with what it brought."""

import pytest

LINE = ("history", "record", "hyperliquid", "main", "buy", "2.5", "SOL", "150.1", "--tid", "9")


def test_a_trade_and_its_outcome_from_the_command_line(command):
    done = command(*LINE, "--key", "a")
    assert done.code == 0, done.err
    uid = done.out.split()[1]
    assert command(*LINE, "--key", "a").out == f"trade {uid} is recorded, as before\n"
    assert (
        command("history", "outcome", uid, "--", "-12.5").out == f"trade {uid} brought -12.5 USD\n"
    )
    page = command("page", "SOL").out
    assert "[trade] bought 2.5 SOL at 150.1 on hyperliquid, account main, brought -$12.50" in page
    closing = ("history", "record", "hyperliquid", "main", "sell", "1", "SOL", "151")
    refused = command(*closing, "--closes", uid)
    assert "has its outcome already" in refused.err


@pytest.mark.parametrize(
    "line",
    [
        ("history", "record", "hyperliquid", "main", "hold", "1", "SOL", "1"),
        (*LINE, "--fee-token", "BNB"),
        (*LINE, "--at", "soon"),
        ("history", "outcome", "x", "much"),
        ("history", "outcome", "x", "5"),
    ],
)
def test_what_is_wrong_is_refused_before_a_store_is_made(command, home, line):
    assert command(*line).code != 0
    assert not list(home.glob("groups/*.sqlite"))
