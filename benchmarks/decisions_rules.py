"""Decisions to be judged: by fixed rules on real hourly prices, and by real models.

Both come as the lines `afterword role record --file` reads; the same ones every time.
"""

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Final, NamedTuple

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.prices.csv_file import read_prices
from afterword.pipeline.rules.market.bars import Bar

MARKETS: Final = ("BTC", "ETH", "SOL", "AVAX", "LINK", "UNI", "AAVE", "DOGE", "PEPE", "SUI")

WEEK: Final = 168

FIRST: Final = WEEK + 1
"""The first bar a rule decides on: as many lie before it as the longest of them looks back."""

SEEN: Final = 48
"""Closes of the frozen context: what was on the screen."""

Decided = dict[str, Any]
"""A line of the file: a decision with its inputs and context."""


class Known(NamedTuple):
    """What a rule sees: the last of `FIRST` bars closed now.

    Args:
        closes, volumes: the oldest first.
    """

    closes: Sequence[float]
    volumes: Sequence[float]
    at: datetime


class Call(NamedTuple):
    """What a rule says.

    Args:
        inputs: the numbers it was said on.
    """

    direction: str
    text: str
    inputs: dict[str, float]


@dataclass(frozen=True, slots=True)
class Rule:
    """A maker of decisions.

    Args:
        role: whose decisions they are.
        share: of all decisions.
        says: what it says of the bars so far; None for nothing.
        is_told: whether it records what it decided on.
    """

    name: str
    role: str
    share: float
    says: Callable[[Known], Call | None]
    is_told: bool = True


def rule_decisions(folder: Path, number: int, markets: Sequence[str] = MARKETS) -> list[Decided]:
    """Return so many decisions on the hourly prices of 2024, spread over rules, markets and months.

    Args:
        folder: holds a file of prices for each market.
    """
    bars = {market: _bars(folder, market) for market in markets}
    chosen: list[Decided] = []
    for rule in RULES:
        said = sorted(_said(rule, bars), key=lambda one: (one["decided_at"], one["asset"]))
        wanted = min(round(number * rule.share), len(said))
        chosen += [said[at * len(said) // wanted] for at in range(wanted)]
    return sorted(chosen, key=lambda one: (one["decided_at"], one["key"]))


def price_file(folder: Path, market: str) -> Path:
    """Return where the hourly prices of a market in 2024 lie."""
    return folder / f"{market}USDT_2024_1h.csv.gz"


def model_decisions(path: Path, role: str) -> list[Decided]:
    """Return what models decided about each position they held or took.

    A position held is a decision that its price will go on; its side is that of its target.

    Args:
        path: JSON lines in gzip, one for each answer of a model.
    """
    with gzip.open(path, "rt", encoding="utf-8") as file:
        answers = [json.loads(line) for line in file]
    return [one for answer in answers for one in _of_answer(answer, role)]


def _of_answer(answer: dict[str, Any], role: str) -> Iterator[Decided]:
    context = {"prompt": answer["user_prompt"], "summary": answer["cot_trace_summary"]}
    decided_at = iso(datetime.fromtimestamp(answer["timestamp"], UTC))
    for coin, said in sorted(answer["llm_response"].items()):
        # One answer is prose, and a position that is closed says nothing of the price.
        if not isinstance(said, dict) or said["signal"] not in ("hold", "buy_to_enter"):
            continue
        is_long = said["profit_target"] > said["stop_loss"]
        yield {
            "role": role,
            "decision": (
                f"{answer['model_id']}: {said['signal']} {coin}; "
                f"{said['invalidation_condition'] or 'no invalidation'}"
            ),
            "asset": coin,
            "direction": "long" if is_long else "short",
            "confidence": said["confidence"],
            "decided_at": decided_at,
            "inputs": {
                name: said[name]
                for name in ("quantity", "leverage", "stop_loss", "profit_target", "risk_usd")
            },
            "context": context,
            "key": f"{answer['id']} {coin}",
        }


def _bars(folder: Path, market: str) -> Sequence[Bar]:
    (found,) = read_prices(price_file(folder, market), "file", known_by=datetime.now(UTC))
    return found.bars


def _said(rule: Rule, bars: dict[str, Sequence[Bar]]) -> Iterator[Decided]:
    for market, each in bars.items():
        closes, volumes = [float(bar.close) for bar in each], [float(bar.volume) for bar in each]
        for end in range(FIRST, len(each) + 1):
            start = end - FIRST  # the bars after the last one are not there for a rule
            known = Known(closes[start:end], volumes[start:end], each[end - 1].closed_at)
            call = rule.says(known)
            if call is not None:
                yield _line(rule, market, each[start:end], call)


def _line(rule: Rule, market: str, known: Sequence[Bar], call: Call) -> Decided:
    decided_at = iso(known[-1].closed_at)
    line: Decided = {
        "role": rule.role,
        "decision": f"{market}: {call.text}",
        "asset": market,
        "direction": call.direction,
        "decided_at": decided_at,
        "key": f"{rule.name} {market} {decided_at}",
    }
    if rule.is_told:
        line["inputs"] = {"rule": rule.name} | call.inputs
        line["context"] = {"closes": [str(bar.close) for bar in known[-SEEN:]]}
    return line


def _breakout(known: Known) -> Call | None:
    """Follow the first close beyond all closes of two days."""
    *before, last, now = known.closes[-50:]
    high, low = max(before), min(before)
    mean = fmean(known.volumes[-25:-1])
    ratio = round(known.volumes[-1] / mean, 2) if mean else 0.0
    inputs = {"high_48h": high, "low_48h": low, "volume_to_mean": ratio}
    if now > high >= last:
        return Call("long", f"first close above the highest of 48 h, {high:g}; follow it", inputs)
    if now < low <= last:
        return Call("short", f"first close below the lowest of 48 h, {low:g}; follow it", inputs)
    return None


def _reversion(known: Known) -> Call | None:
    """Fade a close two deviations away from the mean of a day."""
    *day, now = known.closes[-25:]
    mean, deviation = fmean(day), pstdev(day)
    score = (now - mean) / deviation if deviation else 0.0
    if abs(score) < 2:
        return None
    side = "above" if score > 0 else "below"
    text = f"{abs(score):.1f} deviations {side} the mean of 24 h; it will come back"
    inputs = {"score": round(score, 2), "mean_24h": round(mean, 8)}
    return Call("short" if score > 0 else "long", text, inputs)


def _trend(known: Known) -> Call | None:
    """Go with the day's mean as it crosses that of the week."""
    closes = known.closes
    day, week = fmean(closes[-24:]), fmean(closes[-WEEK:])
    day_before, week_before = fmean(closes[-25:-1]), fmean(closes[-WEEK - 1 : -1])
    if (day > week) == (day_before > week_before):
        return None
    direction, word = ("long", "above") if day > week else ("short", "below")
    inputs = {"mean_24h": round(day, 8), "mean_168h": round(week, 8)}
    return Call(direction, f"the day's mean crossed {word} the week's; go with it", inputs)


def _quiet(known: Known) -> Call | None:
    """Expect rest after half a day within one percent."""
    if known.at.hour % 12:
        return None
    half = known.closes[-13:]
    width = max(half) / min(half) - 1
    if width > 0.01:
        return None
    return Call("neutral", "within 1 % for 12 h; it will rest", {"width_12h": round(width, 5)})


def _coin(known: Known) -> Call | None:
    """Guess, once in a while, and say nothing of why: what no rule at all comes to."""
    hours = int(known.at.timestamp()) // 3600
    if hours % 37:
        return None
    return Call("long" if hours // 37 % 2 else "short", "a feeling", {})


RULES: Final = (
    Rule("breakout", "market.spot.momentum", 0.3, _breakout),
    Rule("reversion", "market.perps.intraday", 0.3, _reversion),
    Rule("trend", "market.perps.swing", 0.15, _trend),
    Rule("quiet", "market.spot.momentum", 0.1, _quiet),
    Rule("coin", "analysis.valuation.target_price", 0.15, _coin, is_told=False),
)
