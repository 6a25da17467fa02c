"""The tools of a role: record a decision, and recall what was learned from earlier ones."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from afterword.pipeline.domain.decisions.checks import (
    MAX_ASSET,
    MAX_DECISION,
    MAX_METHOD,
    MAX_METHODS,
)
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.memory.checks import MAX_NAME
from afterword.pipeline.doors.agent import lesson_model, role_write
from afterword.pipeline.doors.agent.arguments import RoleId, described
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.lesson_model import RoleLesson
from afterword.pipeline.doors.agent.role_model import RoleDecision
from afterword.pipeline.recall.lessons.fragment import FRAGMENT_LESSONS, MAX_LESSONS, render
from afterword.pipeline.recall.lessons.tell import tell_lessons
from afterword.pipeline.recall.prompts.prompt_lessons import LessonsOfRole
from afterword.pipeline.recall.search.model import MAX_QUERY
from afterword.pipeline.rules.market.outcome import Stance

Question = Annotated[
    str,
    described(
        "The decision at hand, with asset and direction, for what fits it first.",
        maxLength=MAX_QUERY,
    ),
]
SingleCases = Annotated[bool, described("Also hints and lessons of single cases, labelled so.")]
DecisionKey = Annotated[
    str | None,
    described("The key that the decision will be recorded under.", maxLength=MAX_NAME),
]
MostLessons = Annotated[int, described("How many at most.", minimum=1, maximum=MAX_LESSONS)]


def role_record(
    door: Door,
    role: RoleId,
    decision: Annotated[str, described("What you decided, and why.", maxLength=MAX_DECISION)],
    asset: Annotated[
        str | None, described("What it is about, such as SOL.", maxLength=MAX_ASSET)
    ] = None,
    direction: Annotated[Stance | None, described("What you expect of its price.")] = None,
    confidence: Annotated[float | None, described("How sure you are, 0 to 1.")] = None,
    inputs: Annotated[dict[str, Any] | None, described("What you decided on, by name.")] = None,
    context: Annotated[
        dict[str, Any] | None,
        described("All that was in front of you: prices, tool outputs, prompt."),
    ] = None,
    key: Annotated[
        str | None,
        described("Names this recording: sent again, it is recorded once.", maxLength=MAX_NAME),
    ] = None,
    stop_price: Annotated[float | None, described("Where you leave at a loss.")] = None,
    target_price: Annotated[float | None, described("Where you leave with a gain.")] = None,
    size_usd: Annotated[float | None, described("Its size in USD, leverage included.")] = None,
    leverage: Annotated[float | None, described("Its leverage, such as 3.")] = None,
    methods: Annotated[
        list[Annotated[str, described("Id of a method.", maxLength=MAX_METHOD)]] | None,
        described("The methods you followed.", maxItems=MAX_METHODS),
    ] = None,
    hint_hash: Annotated[
        str | None, described("Digest of the hint you were shown.", pattern="^[0-9a-f]{64}$")
    ] = None,
) -> RoleDecision:
    """Record a decision when it is made; what becomes of it is judged later.

    Its time and session are the present ones, whatever its text or context claims. No tool sets its
    outcome or takes it back.

    Args:
        role: in which it was made.
        decision: up to 20,000 characters.
        asset, direction: needed where a price judges the role.
        context: up to 400,000 characters of JSON; frozen with the decision.
        stop_price, target_price, size_usd, leverage: its own plan; without them the inputs of those
            names count.
        methods: up to 20.
        key: a second recording under the same key returns the first one, and counts no second time.

    Raises:
        NotFoundError: no skill declares the role.
        InvalidInputError: an argument is wrong, the key names another decision, or the session has
            ended.
        BudgetExceededError: the session has no more decisions.
    """
    new = NewDecision(
        role,
        decision,
        inputs or {},
        asset,
        direction,
        confidence,
        context=context or {},
        key=key,
        stop_price=stop_price,
        target_price=target_price,
        size_usd=size_usd,
        leverage=leverage,
        methods=methods or (),
        hint_hash=hint_hash,
    )
    return role_write.record_decision(door.writer, door.limits, door.roles, new)


def role_recall(
    door: Door,
    role: RoleId,
    question: Question = "",
    limit: MostLessons = 10,
    single_cases: SingleCases = False,
    key: DecisionKey = None,
    *,
    as_of: datetime | None = None,
) -> list[RoleLesson]:
    """Return what was learned from past decisions of a role and from trades, with why it came.

    Args:
        question: the decision at hand; what fits its asset, its direction and the move of its price
            before comes first. Without one: patterns, then notes, the latest first.
        single_cases: also hints, and lessons of one case, which prove nothing.
        key: the decision keeps what it was told: the one recorded under this key, or without a key
            the next one of the session.
        as_of: what could be told at this moment.

    Raises:
        NotFoundError: no skill declares the role.
        InvalidInputError: a limit out of 1..100.
    """
    from afterword.pipeline.recall.lessons.lessons import role_lessons  # numpy: loaded by a search

    lessons = role_lessons(
        *(door.store, door.roles, role, question, replace(door.search_options, limit=limit)),
        now=door.clock(),
        choice="all" if single_cases else door.lesson_choice,
        as_of=as_of,
        unplayed_days=door.unplayed_days,
    )
    (told,) = _told(door, [LessonsOfRole(role, lessons)], key, as_of)
    return [lesson_model.learned(lesson) for lesson in told.lessons]


def role_prompt(
    door: Door,
    skill: Annotated[str, described("Id of the skill that owns the roles.")],
    question: Question = "",
    limit: MostLessons = FRAGMENT_LESSONS,
    key: DecisionKey = None,
    *,
    as_of: datetime | None = None,
) -> str:
    """Return what the roles of a skill learned, as a part of its prompt; empty without any.

    Args:
        question: as for `role_recall`, like `key`.
        limit: lessons of each role.

    Raises:
        NotFoundError: there is no such skill.
        InvalidInputError: a limit out of 1..100.
    """
    from afterword.pipeline.recall.lessons.lessons import skill_lessons  # see `role_recall`

    lessons = skill_lessons(
        *(door.store, door.roles, skill, question, replace(door.search_options, limit=limit)),
        now=door.clock(),
        choice=door.lesson_choice,
        as_of=as_of,
        unplayed_days=door.unplayed_days,
    )
    return render(_told(door, lessons, key, as_of))


def _told(
    door: Door, chosen: list[LessonsOfRole], key: str | None, as_of: datetime | None
) -> list[LessonsOfRole]:
    """Return what is told of chosen lessons; of a moment of the past nothing is drawn or kept."""
    if as_of is not None:
        return chosen
    return tell_lessons(door.writer, chosen, key, door.lesson_holdout)
