"""The numbers of a pattern: from its record, and to and from the text they are stored as.

Stored numbers are integers: counts, thousandths of counts, parts per billion of shares,
microseconds. So equal records give equal bytes.
"""

import json
from collections.abc import Mapping
from math import log10
from typing import Any, Final

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.patterns.counts import numbers_of_record, total
from afterword.pipeline.domain.patterns.model import AssetNumbers, PatternNumbers
from afterword.pipeline.rules.evidence.market_rate import MarketRate, market_rate
from afterword.pipeline.rules.evidence.model import AssetRecord, PatternRecord
from afterword.pipeline.rules.evidence.rates import shrunk_rate, wilson_interval
from afterword.pipeline.rules.market.exact import PPB

_THOUSAND: Final = 1_000


def numbers_of(record: PatternRecord, window_hours: int, level: float) -> str:
    """Return the numbers of a record as they are stored.

    Where a pattern may be told of named assets only, they are those of these assets.
    """
    named = _named(record)
    told = total(named) if named else numbers_of_record(record)
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
    if record.state == "confirmed":  # only beside these is it told
        market = market_rate(one.market for one in named or record.asset_evidence.values())
        if market is not None:
            numbers["market"] = _market(market)
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
        market=_read_market(found.get("market")),
    )


def _named(record: PatternRecord) -> list[AssetRecord]:
    """Return the assets whose counts a text tells; none where it tells those of the class."""
    if record.scope.is_class:
        return []
    return [
        record.asset_evidence[name] for name in record.scope.assets if name in record.asset_evidence
    ]


def _market(rate: MarketRate) -> dict[str, int]:
    return {
        "windows": rate.windows,
        "rate_ppb": _scaled(rate.rate, PPB),
        "low_ppb": _scaled(rate.low, PPB),
        "high_ppb": _scaled(rate.high, PPB),
        "base_ppb": _scaled(rate.base, PPB),
    }


def _read_market(stored: Mapping[str, int] | None) -> MarketRate | None:
    if stored is None:
        return None
    return MarketRate(
        rate=stored["rate_ppb"] / PPB,
        windows=stored["windows"],
        low=stored["low_ppb"] / PPB,
        high=stored["high_ppb"] / PPB,
        base=stored["base_ppb"] / PPB,
    )


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
