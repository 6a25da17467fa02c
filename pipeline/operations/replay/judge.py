"""Who judges in a replay: the rule, or a model whose answers a cassette keeps."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final, TypeVar

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.model import Decision, DecisionVerdict
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.reflection.case import Case
from afterword.pipeline.domain.reflection.effects import RealEffects, Settling
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.judge import DecisionJudge, JudgeOpinion
from afterword.pipeline.domain.reflection.llm_judge import LlmDecisionJudge
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm import DeclinedError, Llm, UnusableAnswerError
from afterword.pipeline.gateway.llm.build import build_llm, price_of_model
from afterword.pipeline.gateway.llm.cassette import read_cassette
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings

HEURISTIC: Final = "heuristic"
"""The judge that knows nothing of the world."""

_MOST_TRIES: Final = 3
"""How often one question is asked where the answers cannot be used."""

Said = TypeVar("Said")


class ReplayEffects(RealEffects):
    """Real effects; a judge that does not answer stops the slice, which then leaves nothing behind.

    Live, the decision would wait some minutes. Here a fault of a service would change what the
    replay ends in. What was answered is in the cassette, and is not paid for again.
    """

    def fail(self, settling: Settling, decision: Decision, error: Exception, by: str) -> Tally:
        """Park a decision that the model declines to explain; raise every other error."""
        if not isinstance(error, DeclinedError):
            raise error
        return super().fail(settling, decision, error, by)


class PatientJudge:
    """Asks a judge again at once where its answer cannot be used.

    Asked at a later pass, as it would be live, the verdict would be known later than from a
    cassette, which has usable answers only.
    """

    def __init__(self, judge: DecisionJudge) -> None:
        self.name, self.at_once = judge.name, judge.at_once
        self._judge = judge

    def classify(self, case: Case, group: str) -> JudgeOpinion:
        """See `DecisionJudge`."""
        return _asked(lambda: self._judge.classify(case, group))

    def draft(self, case: Case, verdict: DecisionVerdict, group: str) -> str:
        """See `DecisionJudge`."""
        return _asked(lambda: self._judge.draft(case, verdict, group))


def _asked(ask: Callable[[], Said]) -> Said:
    for _ in range(_MOST_TRIES - 1):
        with suppress(UnusableAnswerError):
            return ask()
    return ask()


def check_model(settings: Settings) -> None:
    """Refuse settings by which no model can judge a replay; it writes nothing and asks nobody.

    Raises:
        InvalidInputError: no model is configured or it has no price, or its answers would not be
            recorded.
        NotFoundError: the cassette that is to answer does not exist.
        CorruptStoreError: it is no cassette.
    """
    if settings.llm_cassette is None:
        accepted = "a file in which the answers are kept, so that a second run is equal"
        raise InvalidInputError("AFTERWORD_LLM_CASSETTE", "is not set", accepted)
    if settings.llm_provider == "disabled":
        accepted = "anthropic, or cassette for recorded answers"
        raise InvalidInputError("AFTERWORD_LLM_PROVIDER", "is disabled", accepted)
    cassette = settings.llm_cassette.expanduser()
    if settings.llm_provider == "cassette" or cassette.exists():
        read_cassette(cassette)
    if settings.llm_provider != "cassette":
        price_of_model(settings)


def build_replay_llm(settings: Settings, instance: Store, clock: Clock, ids: IdSource) -> Llm:
    """Return the model that judges a replay, paid from the category `experiment`.

    Answers are recorded before they are used, and what is recorded is not asked again: from its
    cassette a replay ends in the same state.

    Args:
        clock: the real present: a real service is asked, and a real budget pays.

    Raises:
        PipelineError: see `check_model`.
    """
    check_model(settings)
    budget = Budget(instance, caps_of(settings), clock, ids)
    llm = build_llm(settings, instance, budget, clock, "experiment", resumes=True)
    assert llm is not None  # a disabled provider is refused above
    return llm


def judge_of(llm: Llm | None) -> DecisionJudge:
    """Return the judge of a replay: the rule, or the model."""
    return HeuristicJudge() if llm is None else PatientJudge(LlmDecisionJudge(llm, at_once=1))


@contextmanager
def judging(
    name: str, settings: Settings, instance: Store, clock: Clock, ids: IdSource
) -> Iterator[DecisionJudge]:
    """Build the judge of a replay, and close what it asks at the end of the block.

    Args:
        name: `heuristic`, or the name of the model that judges.
        clock: the real present.

    Raises:
        InvalidInputError: the settings of this process name another model, or none.
        NotFoundError: the cassette does not exist.
    """
    if name == HEURISTIC:
        yield judge_of(None)
        return
    if settings.llm_model != name:
        problem = f"is {settings.llm_model!r} where a replay runs that {name!r} judges"
        raise InvalidInputError("AFTERWORD_LLM_MODEL", problem, name)
    with closing(build_replay_llm(settings, instance, clock, ids)) as llm:
        yield judge_of(llm)
