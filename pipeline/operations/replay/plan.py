"""What a replay is to be made of, as its owner says it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from afterword.pipeline.domain.decisions.model import NewDecisionRow
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.prices.class_rows import ClassStatement
from afterword.pipeline.domain.prices.csv_file import PriceFile
from afterword.pipeline.operations.learn.files import ReadingOptions
from afterword.pipeline.operations.replay.from_group import GroupMethod, GroupRun
from afterword.pipeline.operations.replay.model import ReplayInput
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL
from afterword.pipeline.rules.evidence.graduation import FDR
from afterword.pipeline.rules.market.signals import RuleName

WEEK_HOURS: Final = 168
"""The default horizon; hours."""

AS_THEY_SAY: Final = ReadingOptions(Origin("", ""))
"""Exports that say themselves how they are to be read."""


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """What a replay is to be made of. It can be sent to another process.

    Args:
        prices: files of bars or prints; `factors`: files with the splits of a market.
        rules: who decides by a rule, with the parameters that differ from its defaults, as JSON.
        horizon_hours: after which decisions of rules are judged: 24, 168, 720 or 2160.
        every_hours: time between two decisions of a rule about one asset; None for the horizon.
        placebos: whether placebos of all kinds decide beside the rules.
        seed: of ids and of what placebos draw.
        decisions: recorded ones, checked, each with its moment and its uid.
        methods: methodologies that those cite, with the ids by which they do.
        runs: of an institution, which name some of those decisions.
        series: prices that were read already.
        classes: what is stated of the classes of markets, by key.
        trades: exports of trades; their round trips become decisions of `role`.
        reading: how those exports are read, where they do not say it.
        known: further inputs that were read already, for the settings.
        since, until: leave out what is decided outside.
        judge: `heuristic`, or the name of the model that judges.
        known_until: the last day that this model may know, such as `2025-03-31`; or empty.
    """

    prices: tuple[Path, ...] = ()
    factors: tuple[Path, ...] = ()
    rules: tuple[tuple[RuleName, str], ...] = ()
    horizon_hours: int = WEEK_HOURS
    every_hours: int | None = None
    placebos: bool = True
    seed: int = 1
    decisions: tuple[NewDecisionRow, ...] = ()
    methods: tuple[GroupMethod, ...] = ()
    runs: tuple[GroupRun, ...] = ()
    series: tuple[PriceFile, ...] = ()
    classes: tuple[tuple[str, ClassStatement], ...] = ()
    trades: tuple[Path, ...] = ()
    role: str = "replay.trades"
    reading: ReadingOptions = AS_THEY_SAY
    known: tuple[ReplayInput, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    gate: MethodGate = "strict"
    fdr: float = FDR
    pattern_error: float = CONFIRMED_LEVEL
    judge: str = "heuristic"
    known_until: str = ""
