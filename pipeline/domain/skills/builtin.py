"""Three skills to copy: a valuation, a spot call and a perps trade, each with roles of its own."""

from typing import Final

from afterword.pipeline.domain.outcomes.evidence import RefetchSource
from afterword.pipeline.domain.outcomes.probes import PeerRelative, PriceDelta
from afterword.pipeline.domain.skills.model import ReflectionPolicy, Role, Skill

_ASK: Final = """\
You decided about {asset}: {decision}
Window: {window}. Outcome: {pnl}.
Evidence, what was known first and what came later: {evidence}
It was classified as {type}.
Write one lesson of at most two sentences that would have changed this decision, from what was
known when it was made. Name a condition to check and what to do then; no general advice."""

_HOUR, _DAY, _WEEK, _MONTH = 1, 24, 168, 720

VALUATION: Final = Skill(
    id="analysis.valuation",
    memory_roles=(
        Role(
            id="analysis.valuation.target_price",
            label="Target price call",
            failure_modes=(
                "anchored to the recent price",
                "ignored the market's direction",
                "comparables biased toward winners",
            ),
            reflection_prompt=_ASK,
            reflection_policy=ReflectionPolicy(
                outcome_probe=PriceDelta(window_hours=_WEEK),
                min_age_hours=_WEEK,
                max_age_hours=_MONTH,
                triggers=("cron", "on_price_fetch"),
                cron_expr="0 6 * * *",
                post_hoc_probes=(RefetchSource("get_price"),),
            ),
        ),
        Role(
            id="analysis.valuation.peer_comp",
            label="Peer comparison",
            failure_modes=(
                "peers of another size or sector",
                "a single multiple decided it",
                "the peers' own bad news was missed",
            ),
            reflection_prompt=_ASK,
            reflection_policy=ReflectionPolicy(
                outcome_probe=PeerRelative(window_hours=_MONTH, peers_field="peers"),
                min_age_hours=_MONTH,
                max_age_hours=4 * _MONTH,
                triggers=("cron", "on_price_fetch"),
                cron_expr="30 6 * * *",
            ),
        ),
    ),
)

SPOT: Final = Skill(
    id="market.spot",
    memory_roles=(
        Role(
            id="market.spot.momentum",
            label="Momentum call",
            failure_modes=(
                "chased a move that was over",
                "volume did not confirm the move",
                "traded against the longer trend",
            ),
            reflection_prompt=_ASK,
            reflection_policy=ReflectionPolicy(
                outcome_probe=PriceDelta(window_hours=_DAY),
                min_age_hours=_DAY,
                max_age_hours=_WEEK,
                triggers=("cron", "on_new_write", "on_price_fetch"),
                cron_expr="15 * * * *",
            ),
        ),
    ),
)

PERPS: Final = Skill(
    id="market.perps",
    memory_roles=(
        Role(
            id="market.perps.swing",
            label="Perps swing trade",
            failure_modes=(
                "stood against the trend of days",
                "funding and crowding were not looked at",
                "the invalidation was too far away",
            ),
            reflection_prompt=_ASK,
            reflection_policy=ReflectionPolicy(
                outcome_probe=PriceDelta(window_hours=3 * _DAY),
                min_age_hours=3 * _DAY,
                max_age_hours=_MONTH,
                triggers=("cron", "on_price_fetch"),
                cron_expr="45 */4 * * *",
            ),
        ),
        Role(
            id="market.perps.intraday",
            label="Perps intraday trade",
            failure_modes=(
                "entered after the move",
                "held through a turn of momentum",
                "faded a trend without a sign of its end",
            ),
            reflection_prompt=_ASK,
            reflection_policy=ReflectionPolicy(
                outcome_probe=PriceDelta(window_hours=4 * _HOUR),
                min_age_hours=4 * _HOUR,
                max_age_hours=2 * _DAY,
                triggers=("cron", "on_new_write", "on_price_fetch"),
                cron_expr="*/30 * * * *",
            ),
        ),
    ),
)

BUILTIN: Final = (VALUATION, SPOT, PERPS)
