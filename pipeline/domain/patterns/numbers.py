"""The numbers of a pattern: from its record, and to and from the text they are stored as.

Stored numbers are integers: counts, thousandths of counts, parts per billion of shares,
microseconds. So equal records give equal bytes.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, log10
from typing import Any, Final, NamedTuple

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.patterns.model import AssetNumbers, PatternNumbers
from afterword.pipeline.rules.evidence.model import AssetRecord, PatternRecord
from afterword.pipeline.rules.evidence.rates import shrunk_rate, wilson_interval
from afterword.pipeline.rules.market.exact import PPB

_THOUSAND: Final = 1_000


class _ToldCounts(NamedTuple):
    """The counts that a text tells: of the class, or of the assets it names."""

    n: int
    n_eff: int
    spent: int
    hits: float
    expected: float
    mean_residual: float | None
    cost_micro_usd: int | None


def numbers_of(record: PatternRecord, window_hours: int, level: float) -> str:
    """Return the numbers of a record as they are stored.

    Where a pattern may be told of named assets only, they are those of these assets.
    """
    told = _told(record)
    low, high = wilson_interval(told.hits, told.n_eff)
    since = record.since
    numbers: dict[str, Any] = {
        "window_hours": window_hours,
        "level_ppb": _scaled(level, PPB),
        "n": told.n,
        "n_eff": told.n_eff,
        "spent": told.spent,
        "hits_milli": _scaled(told.hits),
        "expected_milli": _scaled(told.expected),
        "low_ppb": _scaled(low, PPB),
        "high_ppb": _scaled(high, PPB),
        "shrunk_ppb": _scaled(shrunk_rate(told.hits, told.expected, told.n_eff), PPB),
        "residual_ppb": _scaled(told.mean_residual, PPB),
        "cost_micro_usd": told.cost_micro_usd,
        "first_at": record.first_at,
        "last_at": record.last_at,
        "evidence_log10_milli": _scaled(_logarithm(record.evidence)),
        "confirmed_at": record.confirmed_at,
        "retired_at": record.retired_at,
        "since_n": None if since is None else since.n_eff,
        "since_hits_milli": None if since is None else _scaled(since.hits),
        "since_expected_milli": None if since is None else _scaled(since.expected),
        "reverse_milli": _scaled(record.reverse),
        "stretches_needed": record.stretches_needed,
        "assets": [_asset(name, own) for name, own in sorted(record.asset_evidence.items())],
    }
    return json.dumps(numbers, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def read_numbers(stored: str) -> PatternNumbers:
    """Return stored numbers with their types."""
    found: Mapping[str, Any] = json.loads(stored)
    return PatternNumbers(
        window_hours=found["window_hours"],
        level=found["level_ppb"] / PPB,
        n=found["n"],
        n_eff=found["n_eff"],
        spent=found["spent"],
        hits=found["hits_milli"] / _THOUSAND,
        expected=found["expected_milli"] / _THOUSAND,
        low=found["low_ppb"] / PPB,
        high=found["high_ppb"] / PPB,
        shrunk=found["shrunk_ppb"] / PPB,
        mean_residual=_share(found["residual_ppb"], PPB),
        cost_micro_usd=found["cost_micro_usd"],
        first_at=_moment(found["first_at"]),
        last_at=_moment(found["last_at"]),
        evidence_log10=found["evidence_log10_milli"] / _THOUSAND,
        confirmed_at=_moment(found["confirmed_at"]),
        retired_at=_moment(found["retired_at"]),
        since_n=found["since_n"],
        since_hits=_share(found["since_hits_milli"], _THOUSAND),
        since_expected=_share(found["since_expected_milli"], _THOUSAND),
        reverse=found["reverse_milli"] / _THOUSAND,
        stretches_needed=found["stretches_needed"],
        assets=tuple(
            AssetNumbers(
                own["asset"],
                own["evidence_log10_milli"] / _THOUSAND,
                own["n_eff"],
                own["hits_milli"] / _THOUSAND,
                own["expected_milli"] / _THOUSAND,
            )
            for own in found["assets"]
        ),
    )


def _told(record: PatternRecord) -> _ToldCounts:
    scope = record.scope
    named = [record.asset_evidence[name] for name in scope.assets if name in record.asset_evidence]
    if scope.is_class or not named:
        return _ToldCounts(
            record.n,
            record.n_eff,
            record.spent,
            record.hits,
            record.expected,
            record.mean_residual,
            record.cost_micro_usd,
        )
    costs = [one.cost_micro_usd for one in named if one.cost_micro_usd is not None]
    return _ToldCounts(
        sum(one.n for one in named),
        sum(one.n_eff for one in named),
        sum(one.spent for one in named),
        fsum(one.hits for one in named),
        fsum(one.expected for one in named),
        mean_by_votes((one.mean_residual, one.n_eff) for one in named),
        sum(costs) if costs else None,
    )


def mean_by_votes(means: Iterable[tuple[float | None, int]]) -> float | None:
    """Return the mean of means, each weighted by its votes; None if none is known."""
    known: Sequence[tuple[float, int]] = [
        (mean, votes) for mean, votes in means if mean is not None and votes
    ]
    votes = sum(votes for _, votes in known)
    return fsum(mean * votes for mean, votes in known) / votes if votes else None


def _asset(name: str, own: AssetRecord) -> dict[str, Any]:
    return {
        "asset": name,
        "evidence_log10_milli": _scaled(_logarithm(own.evidence)),
        "n_eff": own.n_eff,
        "hits_milli": _scaled(own.hits),
        "expected_milli": _scaled(own.expected),
    }


def _logarithm(evidence: float) -> float:
    return log10(max(evidence, 1e-99))


def _scaled(value: float | None, by: int = _THOUSAND) -> Any:
    return None if value is None else round(value * by)


def _share(stored: int | None, by: int) -> float | None:
    return None if stored is None else stored / by


def _moment(micros: int | None) -> Any:
    return None if micros is None else from_micros(micros)
