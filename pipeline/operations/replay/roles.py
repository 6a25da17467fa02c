"""The roles of a replay: one for each rule, and one for all placebos."""

from typing import Final

from afterword.pipeline.domain.skills import PriceDelta, ReflectionPolicy, Role, Skill

SKILL_ID: Final = "replay"

LONGEST_WAIT: Final = 720
"""Hours that a decision waits for prices beyond its window: as long as a citation does."""

_ASK: Final = """\
A fixed rule decided about {asset}: {decision}
Window: {window}. Outcome: {pnl}.
Evidence, what was known first and what came later: {evidence}
It was classified as {type}.
Write one lesson of at most two sentences: in which condition, known at that time, the rule should
not be followed. Name the condition and what to do then; no general advice."""

_FAILURES: Final = {
    "momentum": (
        "Momentum rule",
        ("the move was over", "the move was one jump", "stood against the longer trend"),
    ),
    "mean_reversion": (
        "Mean reversion rule",
        ("stood against a trend that went on", "news moved the mean itself"),
    ),
    "breakout": (
        "Breakout rule",
        ("the range was entered again", "the range was too narrow to mean anything"),
    ),
    "placebo": ("Placebo", ("it has no reason",)),
    "trades": ("Round trip", ("it was held too long", "it was closed too early")),
}


def replay_skill(window_hours: int) -> Skill:
    """Return the skill whose roles decide in a replay.

    Args:
        window_hours: the horizon: each decision is judged by the price after it.
    """
    policy = ReflectionPolicy(
        outcome_probe=PriceDelta(window_hours=window_hours),
        min_age_hours=window_hours,
        max_age_hours=window_hours + LONGEST_WAIT,
        triggers=("cron",),
        cron_expr="30 */6 * * *",  # the passes of a replay
    )
    roles = tuple(
        Role(f"{SKILL_ID}.{name}", label, failures, _ASK, policy)
        for name, (label, failures) in _FAILURES.items()
    )
    return Skill(SKILL_ID, roles)


def role_of(maker: str) -> str:
    """Return the id of the role that a maker decides in; all placebos share one."""
    is_rule = maker in _FAILURES
    return f"{SKILL_ID}.{maker if is_rule else 'placebo'}"
