"""What a pass of the synthesis needs."""

from dataclasses import dataclass
from typing import Literal

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.synthesis.judge import SynthesisJudge
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.reads import FRESH, PassReads
from afterword.pipeline.domain.synthesis.seed_writer import SeedWriter
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.ids import IdSource

SeedLook = Literal["new", "all", "none"]
"""Whether a pass looks for seeds: in cases if some were closed since the last pass (`new`), in any
case, or not at all; after passes that do not look, `all` finds what these left."""


@dataclass(frozen=True, slots=True)
class Synthesis:
    """What a pass needs.

    Args:
        clock: a pass has one moment, that of its start.
        writer: words seeds; None for the template.
        mode: of the switch `judge_synthesis`. In the shadow the judge is asked and nothing is
            changed by it.
        seed_mode: of the switch `extract_methodology`. Off, the template words seeds; in the shadow
            the model's words are kept beside those of the template.
        reads: gives what the pass decides on.
        seeds: whether it looks for seeds.
    """

    store: Store
    judge: SynthesisJudge
    rules: GateRules
    clock: Clock
    ids: IdSource
    writer: SeedWriter | None = None
    mode: Mode = Mode.ON
    seed_mode: Mode = Mode.ON
    reads: PassReads = FRESH
    seeds: SeedLook = "new"
