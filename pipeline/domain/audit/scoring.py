"""The six dimensions of the audit: pure functions over plain lists (R5).

None of them sees a store. A score is None where there is not enough data to score honestly; what
is worth telling is told all the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, get_args

from afterword.pipeline.domain.audit.model import (
    AuditedCases,
    AuditFinding,
    AuditWindow,
    DimensionScore,
    ScoredEvent,
    ScoredMethod,
    Severity,
)
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.rules.evidence.rates import wilson_interval
from afterword.pipeline.rules.market.taxonomy import AssetGroup
from afterword.pipeline.rules.market.windows import DAY_US, HOUR_US

FEWEST_ADJUSTMENTS: Final = 3
"""Flags and recoveries below which their order says nothing."""

FOLLOW_UP: Final = 30 * DAY_US
"""How long a graduation is observed (R5)."""

FEWEST_GRADUATIONS: Final = 5
"""Observed graduations below which a rate says nothing."""

BACKLOG_AFTER: Final = 14 * DAY_US
"""A case waits too long from this time after its outcome was due (R5)."""

_GROUPS: Final = get_args(AssetGroup)
_WANTED: Final = 3
"""Active methodologies that a group of assets should have (R5)."""

ACTIVE_USES: Final = 10
"""Uses of an active methodology (R5)."""

VERDICT_USES: Final = 20
"""Effective uses before which no methodology can graduate: without them a group is not scored."""

CHURN: Final = 3
"""Changes of state of one methodology in the window that are too many (R5)."""

EXPECTED_LAG: Final = 12 * HOUR_US
"""Twice the time between two passes of the synthesis."""

DEAD_AFTER: Final = 7 * DAY_US
"""The lag at which the loop appears dead (R5)."""

BACKLOG_PENALTY: Final = 0.3
"""Share of the score of the cron that a backlog takes if everything waits."""

_REVERSALS: Final = frozenset({"demoted", "requantized_by_judge", "synthesis_auto_demote"})
_STATE_CHANGES: Final = _REVERSALS | {"graduated", "merged", "deleted"}


def synthesis_quality(events: Iterable[ScoredEvent]) -> DimensionScore:
    """Score how steady the judge is: flags and recoveries in turn cost, one way is full marks.

    100 * (1 - changes of direction / possible ones), over all methodologies together.

    Args:
        events: of the window, by time.
    """
    verdicts: dict[str, list[str]] = defaultdict(list)
    findings = []
    for event in events:
        if event.kind == "reflection_adjusted":
            verdicts[event.uid].append(event.reason_text.partition(":")[0])
        elif event.kind == "market_stress_freeze":
            text = f"the synthesis stood still: {event.reason_text}"
            findings.append(AuditFinding("synthesis_quality", "low", text))
        elif event.kind == "synthesis_auto_demote":
            text = "demoted by repeated flags"
            findings.append(AuditFinding("synthesis_quality", "medium", text, (event.uid,)))
    total = sum(map(len, verdicts.values()))
    turns = {uid: sum(a != b for a, b in pairwise(own)) for uid, own in verdicts.items()}
    for uid, number in sorted(turns.items()):
        if number >= 2:
            text = f"flagged and recovered in turn, {number} changes of mind"
            findings.append(AuditFinding("synthesis_quality", "high", text, (uid,)))
    possible = sum(len(own) - 1 for own in verdicts.values())
    score = None
    if total >= FEWEST_ADJUSTMENTS:
        score = 100.0 if not possible else 100 * (1 - sum(turns.values()) / possible)
    actions = (
        ("Read `methodology show` of those that are flagged and recovered in turn.",)
        if any(number >= 2 for number in turns.values())
        else ()
    )
    return DimensionScore(score, tuple(findings), actions)


def graduation_fp_rate(
    events: Sequence[ScoredEvent], window: AuditWindow, gate: MethodGate = "strict"
) -> DimensionScore:
    """Score how many graduations were taken back within 30 days.

    100 * (1 - the upper end of the interval of the false share): the lower end would flatter a
    small sample. A graduation that is younger and was not taken back counts in neither. So those of
    the 30 days before the window count too: a window of 30 days would else see the false ones only.

    Args:
        events: by time; from 30 days before the window on.
        gate: the one in force.
    """
    observed = false = 0
    reversed_ones = []
    reversals: dict[str, list[int]] = defaultdict(list)
    for event in events:
        if event.kind in _REVERSALS:
            reversals[event.uid].append(event.at)
    for event in events:
        if event.kind != "graduated" or event.at < window.start - FOLLOW_UP:
            continue
        is_false = any(0 <= at - event.at <= FOLLOW_UP for at in reversals[event.uid])
        if not is_false and window.now - event.at < FOLLOW_UP:
            continue
        observed += 1
        false += is_false
        if is_false:
            reversed_ones.append(event.uid)
    if not observed:
        return DimensionScore(None)
    low, high = wilson_interval(false, observed)
    text = (
        f"{false} of {observed} graduations were taken back within 30 days; the true share lies "
        f"between {low:.0%} and {high:.0%}"
    )
    severity: Severity = "high" if low > 0.2 else "medium" if false else "low"
    finding = AuditFinding("graduation_fp_rate", severity, text, tuple(sorted(set(reversed_ones))))
    actions = (_STRICTER[gate],) if low > 0.2 else ()
    score = None if observed < FEWEST_GRADUATIONS else 100 * (1 - high)
    return DimensionScore(score, (finding,), actions)


def attribution_integrity(cases: AuditedCases) -> DimensionScore:
    """Score how many cases end with an outcome, and how few wait too long.

    (0.7 * resolved / closed + 0.3 * (1 - waiting too long / (closed + waiting too long))) * 100.
    A case waits from the moment its outcome is due: a long horizon is no backlog.
    """
    closed, resolved, _, backlog = cases
    if not closed and not backlog:
        return DimensionScore(None)
    findings, actions = [], []
    if backlog:
        text = f"{backlog} cases wait for an outcome that was due more than 14 days ago"
        findings.append(AuditFinding("attribution_integrity", "high", text))
        actions.append("Bring their prices: `afterword prices fetch` or `prices import`.")
    if closed > resolved:
        text = f"{closed - resolved} of {closed} closed cases never got an outcome"
        findings.append(AuditFinding("attribution_integrity", "medium", text))
    rate = resolved / closed if closed else 0.0
    share = backlog / (closed + backlog)
    return DimensionScore(100 * (0.7 * rate + 0.3 * (1 - share)), tuple(findings), tuple(actions))


def coverage_health(
    methods: Iterable[ScoredMethod], traded: Iterable[AssetGroup]
) -> DimensionScore:
    """Score whether each group of assets that is traded has enough active methodologies.

    The mean over groups of min(active, 3) / 3, times 100. A group that the desk never traded is
    left out, and one where too few methodologies had the uses that a verdict takes: an honest gate
    needs years, and 0 would only say that they have not passed.
    """
    active: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for method in methods:
        judged[method.group] += method.effective_uses >= VERDICT_USES
        active[method.group] += method.is_graduated and method.uses >= ACTIVE_USES
    groups = sorted(set(traded))
    findings = []
    shares = []
    for group in groups:
        if judged[group] < _WANTED and active[group] < _WANTED:
            text = (
                f"{group} is not scored yet: {judged[group]} methodologies have the "
                f"{VERDICT_USES} uses that a verdict takes, of {_WANTED}"
            )
            findings.append(AuditFinding("coverage_health", "low", text))
            continue
        shares.append(min(active[group], _WANTED) / _WANTED)
        if active[group] < _WANTED:
            text = f"{group} has {active[group]} active methodologies of {_WANTED}"
            findings.append(AuditFinding("coverage_health", "medium", text))
    left_out = [group for group in _GROUPS if group not in groups]
    if groups and left_out:
        text = f"never traded, so not scored: {', '.join(left_out)}"
        findings.append(AuditFinding("coverage_health", "low", text))
    score = 100 * sum(shares) / len(shares) if shares else None
    return DimensionScore(score, tuple(findings))


def quarantine_churn(events: Iterable[ScoredEvent]) -> DimensionScore:
    """Score how few methodologies go in and out of quarantine.

    100 * (1 - those with three changes of state or more / those with any). Adjustments by the judge
    are left out: four a day are usual.
    """
    changes = Counter(event.uid for event in events if event.kind in _STATE_CHANGES)
    if not changes:
        return DimensionScore(None)
    churned = sorted(uid for uid, number in changes.items() if number >= CHURN)
    if not churned:
        return DimensionScore(100.0)
    text = f"changed state {CHURN} times or more within the window"
    finding = AuditFinding("quarantine_churn", "medium", text, tuple(churned))
    actions = ("Read their events in `methodology show`.",)
    return DimensionScore(100 * (1 - len(churned) / len(changes)), (finding,), actions)


def cron_health(
    last_pass: int | None, cases: AuditedCases, window: AuditWindow, unopened: int = 0
) -> DimensionScore:
    """Score whether the synthesis runs: full marks up to 12 hours, none after 7 days.

    In between it falls evenly. A backlog takes up to 30 % of it; without any pass, a backlog means
    0, and nothing is scored without one.

    Args:
        last_pass: when the last one ended; microseconds.
        unopened: decisions that cite a methodology and wait for a first pass to become cases, for
            longer than `EXPECTED_LAG`; count.
    """
    if last_pass is None:
        backlog = cases.waiting + unopened
        if not backlog:
            return DimensionScore(None)
        text = f"no synthesis ever ran, and decisions that cite methods wait for one: {backlog}"
        return DimensionScore(0.0, (AuditFinding("cron_health", "high", text),), (_RUN_IT,))
    lag = window.now - last_pass
    if lag > DEAD_AFTER:
        text = f"the last synthesis ended {lag / DAY_US:.0f} days ago: the loop appears dead"
        return DimensionScore(0.0, (AuditFinding("cron_health", "high", text),), (_RUN_IT,))
    share = min(1.0, max(0.0, (DEAD_AFTER - lag) / (DEAD_AFTER - EXPECTED_LAG)))
    findings = []
    if lag > EXPECTED_LAG:
        text = f"the last synthesis ended {lag / HOUR_US:.0f} hours ago; one every 6 is expected"
        findings.append(AuditFinding("cron_health", "medium", text))
    penalty = BACKLOG_PENALTY * cases.backlog / cases.waiting if cases.waiting else 0.0
    actions = (_RUN_IT,) if findings else ()
    return DimensionScore(100 * share * (1 - penalty), tuple(findings), actions)


_STRICTER: Final[Mapping[MethodGate, str]] = {
    "strict": "Lower AFTERWORD_GRADUATION_FDR.",
    "literal": "Set AFTERWORD_GRADUATION_GATE=strict.",
}
_RUN_IT: Final = "Start a dispatcher and a worker, or run `afterword methodology synthesize`."
