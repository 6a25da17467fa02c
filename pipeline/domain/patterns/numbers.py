"""The numbers of a pattern: from its record, and to and from the text they are stored as.

Stored numbers are integers: counts, thousandths of counts, parts per billion of shares,
microseconds. So equal records give equal bytes.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from math import log10
from typing import Any, Final, TypeVar

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.patterns.counts import numbers_of_record, total
from afterword.pipeline.domain.patterns.model import AssetNumbers, PatternNumbers
from afterword.pipeline.rules.evidence.market_rate import MarketRate, market_rate
from afterword.pipeline.rules.evidence.model import AssetRecord, PatternRecord
from afterword.pipeline.rules.evidence.rates import shrunk_rate, wilson_interval
from afterword.pipeline.rules.market.exact import PPB

_Record = TypeVar("_Record")

_THOUSAND: Final = 1_000

SHARE_PPB: Final = Coding(lambda ppb: ppb / PPB, lambda share: round(share * PPB))
"""A share, in parts per billion."""

_COUNT: Final = Coding(lambda milli: milli / _THOUSAND, lambda count: round(count * _THOUSAND))
"""A count with fractions, or a logarithm, in thousandths."""


def _read(codec: Codec[_Record], stored: Mapping[str, Any]) -> _Record:
    return codec.read([stored.get(name) for name in codec.names])


def _written(codec: Codec[_Record], record: _Record) -> dict[str, Any]:
    return dict(zip(codec.names, codec.write(record), strict=True))


_MARKET_SHARES: Final = ("rate", "low", "high", "base")
_MARKET: Final = Codec(
    MarketRate,
    names={share: f"{share}_ppb" for share in _MARKET_SHARES},
    codings=dict.fromkeys(_MARKET_SHARES, SHARE_PPB),
)
_ASSET_COUNTS: Final = ("evidence_log10", "hits", "expected")
_ASSET: Final = Codec(
    AssetNumbers,
    names={count: f"{count}_milli" for count in _ASSET_COUNTS},
    codings=dict.fromkeys(_ASSET_COUNTS, _COUNT),
)
_SHARES: Final = ("level", "low", "high", "shrunk", "mean_residual")
_COUNTS: Final = (*_ASSET_COUNTS, "since_hits", "since_expected", "reverse")
_NUMBERS: Final = Codec(
    PatternNumbers,
    names={
        **{share: f"{share}_ppb" for share in _SHARES},
        **{count: f"{count}_milli" for count in _COUNTS},
        "mean_residual": "residual_ppb",
    },
    moments=("first_at", "last_at", "confirmed_at", "retired_at"),
    codings={
        **dict.fromkeys(_SHARES, SHARE_PPB),
        **dict.fromkeys(_COUNTS, _COUNT),
        "assets": Coding(
            lambda stored: tuple(_read(_ASSET, asset) for asset in stored),
            lambda assets: [_written(_ASSET, asset) for asset in assets],
        ),
        "market": Coding(partial(_read, _MARKET), partial(_written, _MARKET)),
    },
)


def numbers_of(record: PatternRecord, window_hours: int, level: float) -> str:
    """Return the numbers of a record as they are stored.

    Where a pattern may be told of named assets only, they are those of these assets.
    """
    named = _named(record)
    told = total(named) if named else numbers_of_record(record)
    low, high = wilson_interval(told.hits, told.n_eff)
    since = record.since
    market = None
    if record.state == "confirmed":  # only beside these is it told
        market = market_rate(asset.market for asset in named or record.asset_evidence.values())
    numbers = PatternNumbers(
        window_hours=window_hours,
        level=level,
        n=told.n,
        n_eff=told.n_eff,
        spent=told.spent,
        hits=told.hits,
        expected=told.expected,
        low=low,
        high=high,
        shrunk=shrunk_rate(told.hits, told.expected, told.n_eff),
        mean_residual=told.mean_residual,
        cost_micro_usd=told.cost_micro_usd,
        first_at=_moment(record.first_at),
        last_at=_moment(record.last_at),
        evidence_log10=_logarithm(record.evidence),
        confirmed_at=_moment(record.confirmed_at),
        retired_at=_moment(record.retired_at),
        since_n=None if since is None else since.n_eff,
        since_hits=None if since is None else since.hits,
        since_expected=None if since is None else since.expected,
        reverse=record.reverse,
        stretches_needed=record.stretches_needed,
        assets=tuple(
            AssetNumbers(name, _logarithm(asset.evidence), asset.n_eff, asset.hits, asset.expected)
            for name, asset in sorted(record.asset_evidence.items())
        ),
        market=market,
    )
    return stored_numbers(numbers)


def stored_numbers(numbers: PatternNumbers) -> str:
    """Return numbers as they are stored."""
    stored = _written(_NUMBERS, numbers)
    if numbers.market is None:
        del stored["market"]
    return json.dumps(stored, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def read_numbers(stored: str) -> PatternNumbers:
    """Return stored numbers with their types."""
    return _read(_NUMBERS, json.loads(stored))


def _named(record: PatternRecord) -> list[AssetRecord]:
    """Return the assets whose counts a text tells; none where it tells those of the class."""
    if record.scope.is_class:
        return []
    return [
        record.asset_evidence[name] for name in record.scope.assets if name in record.asset_evidence
    ]


def _logarithm(evidence: float) -> float:
    return log10(max(evidence, 1e-99))


def _moment(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)
