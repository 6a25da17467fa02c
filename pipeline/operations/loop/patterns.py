"""The steps that weigh the patterns of roles, and have a model word them."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.area import MEASURE_OUTCOMES, REFLECT_ENTRIES
from afterword.pipeline.domain.patterns.area import WEIGH_PATTERNS, WORD_PATTERNS
from afterword.pipeline.domain.patterns.triggers import word_later
from afterword.pipeline.domain.patterns.weigh import WeighTally, weigh_patterns
from afterword.pipeline.domain.patterns.word import MOST_WORDED, word_patterns
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.errors import PostponedError, UnavailableError
from afterword.pipeline.operations.loop.model import Learner, LoopStep


def _weigh(of: Learner, roles: Sequence[Role]) -> WeighTally:
    """Weigh the patterns of roles; as a job, have those worded later that are confirmed by it."""
    tally = weigh_patterns(of.store, roles, of.clock(), level=of.level, news=of.news)
    if of.leases is not None:
        is_worded = of.wording is not None and of.wording().mode.is_enabled
        with writing(of.store, finishing=of.leases) as conn:
            for role in roles if is_worded else ():
                word_later(conn, role.id, of.clock())
    return tally


WEIGH_STEP: Final = LoopStep(
    name=WEIGH_PATTERNS.name,
    run=_weigh,
    changes=lambda done: sum(done.written.values()),
    follows=(MEASURE_OUTCOMES.name, REFLECT_ENTRIES.name),
)


def _word(of: Learner, roles: Sequence[Role]) -> int | None:
    """Have a model word the confirmed patterns of roles; return how many it was asked about."""
    if of.wording is None:
        return None
    writer, mode = of.wording()
    names, total = sorted(role.id for role in roles), 0
    while True:
        asked = word_patterns(of.store, writer, names, mode, of.clock)
        total += asked
        if of.leases is not None:
            with writing(of.store, finishing=of.leases):
                return total
        if asked < MOST_WORDED:
            return total


WORD_STEP: Final = LoopStep(
    name=WORD_PATTERNS.name,
    run=_word,
    follows=(WEIGH_PATTERNS.name,),
    # Without an answer the patterns keep the words of a template.
    stops_alone=(PostponedError, UnavailableError),
)
