"""The pages of traders: the heading of each, and what stands for the parts of its path."""

from afterword.pipeline.clock import system_clock
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.command import Command

TRADER_PAGES = {
    "/overview": "Overview",
    "/trades": "Trades",
    "/trades/{trade}": "xyz:IBM long, trade 276cb86a88b6",
    "/decisions": "Decisions",
    "/decisions/{decision}": "Decision 1",
    "/lessons": "Lessons",
    "/pattern": "Pattern",
    "/methods": "Methods",
    "/methods/{method}": "Buy AAPL when its chart turns up",
    "/cases": "Trading cases",
    "/cases/{case}": "Case 480",
    "/institution": "Institution",
    "/institution/{run}": "Run r1",
    "/accounts": "Accounts",
    "/memory": "Memory",
    "/memory/{memory}": "Memory 1",
    "/preferences": "Preferences",
    "/preferences/{preference}": "always: use no more than 3x leverage",
    "/profile": "Profile",
    "/profile/tags/{tag}": "Tag: risk",
    "/learnings": "Learnings",
    "/learnings/{learning}": "Learning 1",
    "/prompt": "Prompt",
}
"""The heading of each page, in the demo's home after `add_examples`."""

TRADER_EXAMPLES = {
    "trade": "276cb86a88b6",
    "decision": "1",
    "method": "1",
    "case": "480",
    "run": "r1",
    "memory": "1",
    "preference": "max_leverage",
    "learning": "1",
    "tag": "risk",
}

TRADER_ASKS = {
    "/pattern": "?role=analysis.valuation.target_price&asset_class=stock&direction=long&trend=up"
    "&side=works"
}

_RUN = (
    '{"run": "r1", "asset": "BTC", "outputs": [{"role": "manager", "form": "portfolio_decision",'
    ' "output": {"direction": "long", "confidence": 0.7, "horizon_days": 30,'
    ' "trigger": "A breakout", "base_case": "A range", "thesis": "It is scarce"}}]}'
)


def add_examples(home):
    """Add to the demo's home what it does not show: a preference and a run of an institution."""
    command = Command(home, system_clock, seeded_uids(7))
    env = {"AFTERWORD_INSTITUTION_LEARNING_ENABLED": "true"}
    for line, stdin in (
        (("preference", "propose", "max_leverage", "hard_constraint", "3"), None),
        (("institution", "run", "capture", "-"), _RUN),
    ):
        done = command(*line, stdin=stdin, env=env)
        assert done.code == 0, done.err
