"""The twelve questions of a family with their records, and the decisions behind one of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.patterns.family import families_of, window_of
from afterword.pipeline.domain.patterns.model import Pattern, PatternKey, PatternMember
from afterword.pipeline.domain.patterns.read import history, members, stretches
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.operations.roles.figures import rounded
from afterword.pipeline.operations.roles.summary import (
    CellLine,
    key_of,
    line_of,
    market_of,
    stored_texts,
    text_of,
)
from afterword.pipeline.rules.evidence.market_rate import MarketRate, market_rate
from afterword.pipeline.rules.evidence.model import HitCount, PatternRecord, PatternState, Side
from afterword.pipeline.rules.evidence.stretch_records import StretchRecord
from afterword.pipeline.rules.setup import Direction, Trend


@dataclass(frozen=True, slots=True)
class AssetLine:
    """What one asset contributes to a question.

    Args:
        hits: its stretches that were right; count. `expected` is the same without skill.
        evidence: e-value of the asset alone.
        market: how often any such call about it was right; None where that is not known.
    """

    asset: str
    decisions: int
    stretches: int
    hits: float
    expected: float
    evidence: float
    market: MarketRate | None


@dataclass(frozen=True, slots=True)
class SinceLine:
    """What came after a pattern was confirmed: stretches, hits, and hits without skill."""

    stretches: int
    hits: float
    expected: float


@dataclass(frozen=True, slots=True)
class HypothesisLine:
    """One of the twelve questions: whether calls of a setup are right less, or more, than the base.

    Args:
        evidence: its e-value: how many times a bet on it would have multiplied.
        stretches_needed: further stretches until it is confirmed at its present rate; None if its
            rate does not point this way, or it is confirmed.
        expected_rate: share of hits to expect next, shrunk toward the base.
        is_class: whether it may be told of the whole class; else only of `assets`.
        confirmed_at: when it was confirmed; None unless it is.
        since: the record in its scope since then.
        reverse: how much what came since speaks against it; retired at 10.
        market: how often any such call was right, of all assets; None where that is not known.
        by_asset: what each asset contributes.
    """

    role: str
    asset_class: str
    direction: Direction
    trend: Trend
    side: Side
    state: PatternState
    numbers: CellLine
    evidence: float
    stretches_needed: int | None
    expected_rate: float
    is_class: bool
    assets: tuple[str, ...]
    text: str
    confirmed_at: datetime | None
    since: SinceLine | None
    reverse: float
    market: MarketRate | None
    by_asset: tuple[AssetLine, ...]


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A decision that a pattern counts.

    Args:
        stretch: number of its stretch, from the first one on.
        is_first: whether it votes for its stretch; a later one does not.
        move: from entry to exit price; a share, as are `band`, `residual` and `result`.
        outcome: right or wrong by the move over the window, noise inside the band.
    """

    id: int
    uid: str
    stretch: int
    is_first: bool
    decided_at: datetime
    asset: str
    move: float
    band: float
    base: float | None
    outcome: str
    residual: float | None
    result: float | None
    result_micro_usd: int | None


@dataclass(frozen=True, slots=True)
class StretchLine:
    """A stretch of decisions: those that are counted and voted are the effective n.

    Args:
        number: from the first stretch on.
        vote: share of its assets that were right; None if all stayed inside the noise band.
        is_counted: whether it votes for the whole class; else for its own assets alone.
    """

    number: int
    entry_at: datetime
    exit_at: datetime
    decisions: int
    vote: float | None
    is_counted: bool


@dataclass(frozen=True, slots=True)
class PastText:
    """One text that a pattern had, and from when to when.

    Args:
        worded_by: `template`, or the name of a model.
        refusal: why the words of a model were not taken; None if they were, or none was asked.
    """

    state: PatternState
    text: str
    worded_by: str
    known_at: datetime
    superseded_at: datetime | None
    refusal: str | None


@dataclass(frozen=True, slots=True)
class HypothesisStory:
    """One hypothesis with the texts it had and the decisions it counts.

    Args:
        past: every text, the oldest first.
        stretches: of the decisions shown, the latest first.
        decisions: by stretch, the latest first.
    """

    line: HypothesisLine
    past: tuple[PastText, ...]
    stretches: tuple[StretchLine, ...]
    decisions: tuple[DecisionLine, ...]


def list_hypotheses(
    store: Store, roles: Sequence[Role], level: float, as_of: datetime | None = None
) -> list[HypothesisLine]:
    """Return the twelve questions of every class that roles decided on, in a fixed order.

    Args:
        level: chance of any false pattern in a role without effects.
        as_of: as it was known at this moment.

    Raises:
        InvalidInputError: a moment that was purged.
    """
    with reading(store) as conn:
        read_moment(conn, as_of)
        return [line for role in roles for line in _lines(conn, role, level, as_of)]


def hypothesis_story(
    store: Store,
    role: Role,
    key: PatternKey,
    level: float,
    limit: int,
    asset: str = "",
    as_of: datetime | None = None,
) -> HypothesisStory:
    """Return one question with its texts and decisions.

    Args:
        limit: most decisions.
        asset: key of the asset whose decisions are listed; empty for those of all.

    Raises:
        NotFoundError: the role has no measured decision in the class.
        InvalidInputError: a moment that was purged.
    """
    with reading(store) as conn:
        read_moment(conn, as_of)
        lines = {_key(line): line for line in _lines(conn, role, level, as_of)}
        if key not in lines:
            raise _nothing_measured(role, key, lines.values())
        past = [
            pattern for pattern in history(conn, key) if as_of is None or pattern.known_at <= as_of
        ]
        window_hours = window_of(role)
        measured = [] if window_hours is None else members(conn, key, window_hours, -1, as_of)
        by_number = dict(enumerate(stretches(conn, role, key, as_of), start=1))
    decisions = _decisions(measured, by_number, asset)
    shown = sorted(decisions, key=lambda line: -line.stretch)[:limit]
    return HypothesisStory(
        lines[key],
        tuple(map(_past, past)),
        tuple(
            _stretch(number, by_number[number])
            for number in dict.fromkeys(line.stretch for line in shown)
        ),
        tuple(shown),
    )


def _nothing_measured(
    role: Role, key: PatternKey, lines: Iterable[HypothesisLine]
) -> NotFoundError:
    classes = sorted({line.asset_class for line in lines})
    known = f"; it has some in {', '.join(classes)}" if classes else ""
    return NotFoundError(
        f"{role.id} has no long or short with an outcome in {key.asset_class!a:.40}{known}"
    )


def _decisions(
    measured: Iterable[PatternMember], by_number: Mapping[int, StretchRecord], asset: str
) -> list[DecisionLine]:
    """Return the decisions about an asset, or about all, that are in a stretch."""
    numbers = {
        decision: number
        for number, stretch in by_number.items()
        for decision in stretch.first | stretch.joined
    }
    return [
        _decision(member, number, member.decision_id in by_number[number].first)
        for member in measured
        if asset in ("", member.asset_key)
        for number in (numbers[member.decision_id],)
    ]


def _lines(
    conn: Connection, role: Role, level: float, as_of: datetime | None
) -> list[HypothesisLine]:
    window_hours = window_of(role)
    if window_hours is None:
        return []
    texts = stored_texts(conn, role, as_of)
    return [
        _line(
            key,
            record,
            text_of(key, record, window_hours, level, texts),
        )
        for asset_class, family in families_of(conn, role, level=level, as_of=as_of).items()
        for record in family.patterns()
        for key in (key_of(role.id, asset_class, record),)
    ]


def _line(key: PatternKey, record: PatternRecord, text: str) -> HypothesisLine:
    return HypothesisLine(
        role=key.role_id,
        asset_class=key.asset_class,
        direction=key.direction,
        trend=key.trend,
        side=key.side,
        state=record.state,
        numbers=line_of(record),
        evidence=_digits(record.evidence),
        stretches_needed=record.stretches_needed,
        expected_rate=rounded(record.shrunk_rate),
        is_class=record.scope.is_class,
        assets=record.scope.assets,
        text=text,
        confirmed_at=None if record.confirmed_at is None else from_micros(record.confirmed_at),
        since=None if record.since is None else _since(record.since),
        reverse=_digits(record.reverse),
        market=market_of(record),
        by_asset=tuple(
            AssetLine(
                *(asset, own.n, own.n_eff, rounded(own.hits), rounded(own.expected)),
                _digits(own.evidence),
                market_rate([own.market]),
            )
            for asset, own in record.asset_evidence.items()
        ),
    )


def _since(counts: HitCount) -> SinceLine:
    return SinceLine(counts.n_eff, rounded(counts.hits), rounded(counts.expected))


def _digits(evidence: float) -> float:
    return float(f"{evidence:.3g}")


def _key(line: HypothesisLine) -> PatternKey:
    return PatternKey(line.role, line.asset_class, line.direction, line.trend, line.side)


def _past(pattern: Pattern) -> PastText:
    return PastText(
        pattern.state,
        pattern.text,
        pattern.worded_by,
        pattern.known_at,
        pattern.superseded_at,
        pattern.refusal,
    )


def _stretch(number: int, stretch: StretchRecord) -> StretchLine:
    return StretchLine(
        number,
        from_micros(stretch.entry_at),
        from_micros(stretch.exit_at),
        len(stretch.first) + len(stretch.joined),
        None if stretch.vote is None else rounded(stretch.vote),
        stretch.is_counted,
    )


def _decision(member: PatternMember, stretch: int, is_first: bool) -> DecisionLine:
    return DecisionLine(
        id=member.decision_id,
        uid=member.uid,
        stretch=stretch,
        is_first=is_first,
        decided_at=member.decided_at,
        asset=member.asset_key,
        move=member.move,
        band=member.band,
        base=member.base,
        outcome=member.window_verdict,
        residual=member.residual,
        result=member.result,
        result_micro_usd=member.result_micro_usd,
    )
