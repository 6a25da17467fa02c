"""What a pass of the synthesis found and did."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from afterword.pipeline.domain.methodologies.lifecycle import StateChange
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.methodologies.scores import MethodFigures, MethodStanding
from afterword.pipeline.rules.evidence.graduation import FDR
from afterword.pipeline.rules.evidence.method_record import MethodRecord

PassTrigger = Literal["cron", "command"]


@dataclass(frozen=True, slots=True)
class GateRules:
    """The settings of both gates.

    Args:
        in_force: the gate that decides what prompts may show.
        fdr: share of the graduated that may be luck; 1 switches the choice among many off.
    """

    in_force: MethodGate = "strict"
    fdr: float = FDR


@dataclass(frozen=True, slots=True)
class WeighedMethod:
    """A methodology with its record as it is now.

    Args:
        record: since its evidence began.
        has_voted: whether it ever cast a vote, also before.
        used: windows that were right or wrong; `correct` of these.
    """

    standing: MethodStanding
    record: MethodRecord
    has_voted: bool
    used: int
    correct: int


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What both gates decided.

    Args:
        figures: of every methodology, as they are after the changes; by row id.
        tried: methodologies that ever cast a vote; no placebos.
        bar: the e-value that graduates one more.
        selected: methodologies that e-BH selects, also those that are deleted or not shown.
    """

    changes: tuple[StateChange, ...]
    figures: Mapping[int, MethodFigures]
    tried: int
    bar: float
    selected: int


@dataclass(frozen=True, slots=True)
class SynthesisReport:
    """What one pass did.

    Args:
        run_id: row of its heartbeat.
        gate: the one in force.
        numbers: what the heartbeat keeps: cases opened, closed and settled; methodologies tried,
            promising and graduated by both gates; how many of them are expected to be luck, at
            most; the groups of assets that were frozen, and why; changes by name. Counts.
    """

    run_id: int
    judge: str
    gate: MethodGate
    numbers: Mapping[str, Any]
