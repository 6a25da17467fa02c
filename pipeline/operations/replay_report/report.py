"""The report of a replay, computed from its file alone, as of its cursor.

round trips → what they came to · settled decisions → equity, folds, calibration · methodologies and
their events → records, what was tried · patterns · audits and passes → how the loop ran
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.audit import rows as audit_rows
from afterword.pipeline.domain.audit.model import AuditReport
from afterword.pipeline.domain.patterns.model import STORED_STATES
from afterword.pipeline.domain.patterns.read import current
from afterword.pipeline.operations.replay import rows as run_rows
from afterword.pipeline.operations.replay.fill_prices import FILLS_SOURCE
from afterword.pipeline.operations.replay.judge import HEURISTIC
from afterword.pipeline.operations.replay.model import ReplayStatus
from afterword.pipeline.operations.replay.run import Throughput
from afterword.pipeline.operations.replay_report import rows
from afterword.pipeline.operations.replay_report.equity import (
    MOST_CURVE_POINTS,
    PLACEBO_ROLE,
    RoleDecisions,
    decisions_by_role,
    equity_part,
)
from afterword.pipeline.operations.replay_report.folds import folds_part
from afterword.pipeline.operations.replay_report.methods import methods_part
from afterword.pipeline.operations.replay_report.model import (
    AuditPoint,
    LoopFinding,
    LoopPart,
    ReplayPattern,
    ReplayReport,
    ReportHead,
    StatedPart,
)
from afterword.pipeline.operations.replay_report.trips import trips_part
from afterword.pipeline.operations.roles.figures import calibration_lines, maybe
from afterword.pipeline.rules.evidence.calibration import calibration
from afterword.pipeline.rules.evidence.joining import stretches_of
from afterword.pipeline.rules.market.windows import DAY_US


def replay_report(
    conn: Connection, status: ReplayStatus, throughput: Throughput | None = None
) -> ReplayReport:
    """Return what came of a replay until its cursor.

    Args:
        conn: on the replay's file.
        throughput: how fast it just ran; None if it is read later.
    """
    settings, cursor = status.settings, status.cursor
    roles = decisions_by_role(conn, settings.horizon_hours)
    events = rows.events(conn)
    methods, tried = methods_part(conn, events, settings.gate, cursor)
    span = settings.begins_at, max(cursor, settings.begins_at)
    return ReplayReport(
        head=_head(conn, status, roles),
        trips=trips_part(conn, settings, cursor),
        equity=equity_part(conn, roles, cursor),
        tried=tried,
        methods=methods,
        patterns=tuple(_patterns(conn)),
        folds=folds_part(conn, span, roles, methods, events, settings.gate),
        stated=stated_part(roles),
        loop=_loop(conn),
        throughput=throughput,
    )


def stated_part(roles: Iterable[RoleDecisions]) -> StatedPart:
    """Return stated confidence beside what came true, of all decisions that are no placebo's."""
    stated: list[tuple[float, bool]] = []
    spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for role in roles:
        for decision in () if role.is_placebo else role.decisions:
            if decision.confidence is not None and decision.verdict != "noise":
                stated.append((decision.confidence, decision.verdict == "right"))
                spans.setdefault((role.role, decision.direction), []).append(
                    (decision.entry_at, decision.exit_at)
                )
    record = calibration(stated)
    stretches = sum(
        len([*stretches_of(sorted(own), lambda span: span, ends="first")]) for own in spans.values()
    )
    share = stretches / record.n if record.n else 1.0
    return StatedPart(
        decisions=record.n,
        stretches=stretches,
        bins=calibration_lines(record.bins, share),
        brier=maybe(record.brier),
        reference=maybe(record.reference),
    )


def _head(conn: Connection, status: ReplayStatus, roles: Sequence[RoleDecisions]) -> ReportHead:
    settings = status.settings
    settled = sum(len(role.decisions) for role in roles)
    known = 0
    if settings.judge != HEURISTIC and settings.known_until:
        known = rows.count_made_before(conn, _end_of(settings.known_until))
    return ReportHead(
        name=status.name,
        state=status.state,
        begins_at=from_micros(settings.begins_at),
        reached_at=from_micros(status.cursor),
        ends_at=from_micros(settings.ends_at),
        days=max(0, status.cursor - settings.begins_at + DAY_US // 2) // DAY_US,
        inputs=settings.inputs,
        rules=settings.rules,
        horizon_hours=settings.horizon_hours,
        every_hours=settings.every_hours,
        placebos=settings.placebos,
        seed=settings.seed,
        gate=settings.gate,
        fdr=settings.fdr,
        pattern_error=settings.pattern_error,
        judge=settings.judge,
        known_until="" if settings.judge == HEURISTIC else settings.known_until,
        known_decisions=known,
        state_hash=status.state_hash,
        settings_hash=settings.digest,
        decisions=status.decisions,
        recorded=status.recorded,
        settled=settled,
        waiting=max(0, status.recorded - settled),
        unpriced=rows.count_unpriced(conn),
        priced_by_fills=tuple(rows.symbols_of(conn, FILLS_SOURCE)),
        outcomes=rows.count_outcomes(conn),
        events=sum(link.events for link in run_rows.links(conn)),
    )


def _end_of(day: str) -> int:
    """Return the end of a day such as `2025-03-31`; microseconds."""
    began = datetime.combine(date.fromisoformat(day), time(), UTC)
    return to_micros(began) + DAY_US


def _patterns(conn: Connection) -> Iterable[ReplayPattern]:
    patterns = [pattern for state in STORED_STATES for pattern in current(conn, None, (state,))]
    for pattern in sorted(patterns, key=lambda pattern: pattern.role_id == PLACEBO_ROLE):
        yield ReplayPattern(
            *(pattern.role_id, pattern.role_id == PLACEBO_ROLE, pattern.state, pattern.asset_class),
            *(pattern.direction, pattern.trend, pattern.side, pattern.text),
        )


def _loop(conn: Connection) -> LoopPart:
    audits = audit_rows.since(conn, 0)
    findings = audits[-1].findings if audits else ()
    return LoopPart(
        passes=len(rows.passes(conn)),
        frozen=rows.count_frozen(conn),
        frozen_markets=rows.frozen_markets(conn),
        audits=len(audits),
        trend=tuple(
            AuditPoint(audit.known_at, audit.composite, audit.band) for audit in _some(audits)
        ),
        findings=tuple(LoopFinding(finding.severity, finding.text) for finding in findings),
    )


def _some(audits: Sequence[AuditReport]) -> Sequence[AuditReport]:
    """Return at most `MOST_CURVE_POINTS` audits: the last one of each part."""
    if len(audits) <= MOST_CURVE_POINTS:
        return audits
    return [
        audits[part * len(audits) // MOST_CURVE_POINTS - 1]
        for part in range(1, MOST_CURVE_POINTS + 1)
    ]
