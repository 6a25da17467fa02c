"""What roles learned for a decision at hand: what fits its asset and setup first, and why."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import log2
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.patterns.ageing import UNPLAYED_DAYS, Ageing
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role, RoleRegistry
from afterword.pipeline.domain.vectors.rows import find_model
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.recall.lessons import rows as lesson_rows
from afterword.pipeline.recall.lessons.fragment import (
    FRAGMENT_LESSONS,
    MAX_LESSONS,
    recent_lessons,
    recent_of_skill,
)
from afterword.pipeline.recall.lessons.present import PresentSetup, present_setup
from afterword.pipeline.recall.lessons.question import AskedDecision, read_question
from afterword.pipeline.recall.lessons.ranking import AskedSetup, LessonSet, ranked
from afterword.pipeline.recall.prompts.prompt_habits import before, habits
from afterword.pipeline.recall.prompts.prompt_lesson_rows import LessonCell
from afterword.pipeline.recall.prompts.prompt_lessons import (
    LessonChoice,
    LessonsOfRole,
    PromptLesson,
    prompt_lessons,
)
from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import readable
from afterword.pipeline.recall.search.query_embedding import embed_query
from afterword.pipeline.recall.search.vector_extension import load_extension
from afterword.pipeline.rules.market.volatility import Costs

_COMPARED: Final = 20
"""Notes, and cases, that are compared with a question that names an asset; or twice the limit, if
that is more. They are the nearest ones."""

COMPARED_BY_WORDS: Final = 300
"""The latest that are compared with a question that names none."""

_HOUR: Final = timedelta(hours=1)


def role_lessons(
    store: Store,
    registry: RoleRegistry,
    role_id: str,
    question: str = "",
    options: SearchOptions = SearchOptions(limit=10),  # noqa: B008  # frozen
    *,
    now: datetime,
    choice: LessonChoice = "confirmed",
    as_of: datetime | None = None,
    unplayed_days: int = UNPLAYED_DAYS,
) -> list[PromptLesson]:
    """Return what a role learned, the best fit for a question first, each with why it came.

    First comes what is about the same asset, direction and trend, then the same class of assets in
    the same setup, then the rest of the role. The trend is that of the asset's price at the moment,
    or what the question says of it where no price tells. Of what fits alike, the same volatility
    comes first, then what fits in words and meaning, then the latest. A pattern never comes for an
    asset outside its scope.
    What the user's trades show of such a trade comes before all.

    Args:
        question: the decision at hand, in any words; its first 500 characters are read. Empty: the
            same as `recent_lessons`.
        options: how many, up to `MAX_LESSONS`, and how words and meaning are compared.
        now: the prices are read as of this moment, or as of the next one.
        choice: whether hints and single cases come too.
        as_of: what could be told at this moment, ranked by what was known then.
        unplayed_days: see `Ageing`.

    Raises:
        NotFoundError: no skill declares the role.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    question, ageing = readable(question), Ageing(as_of or now, unplayed_days)
    if not question:
        limit = options.limit
        return recent_lessons(
            store, registry, role_id, limit, choice=choice, as_of=as_of, ageing=ageing
        )
    check_limit(options.limit, MAX_LESSONS)
    role = registry.role(role_id)
    vector = embed_query(question, store.name, options)
    with reading(store) as conn:
        asking = _Asking(conn, store, question, vector, options, choice, ageing, as_of)
        return asking.lessons(role)


def skill_lessons(
    store: Store,
    registry: RoleRegistry,
    skill_id: str,
    question: str = "",
    options: SearchOptions = SearchOptions(limit=FRAGMENT_LESSONS),  # noqa: B008  # frozen
    *,
    now: datetime,
    choice: LessonChoice = "confirmed",
    as_of: datetime | None = None,
    unplayed_days: int = UNPLAYED_DAYS,
) -> list[LessonsOfRole]:
    """Return what each role of a skill learned; `render` makes it a part of the skill's prompt.

    Args:
        question: the decision at hand, as in `role_lessons`. Empty: the same as `recent_of_skill`.
        options: how many of each role, and how they are compared.
        now: as in `role_lessons`, like `choice`, `as_of` and `unplayed_days`.

    Raises:
        NotFoundError: there is no such skill.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    question, ageing = readable(question), Ageing(as_of or now, unplayed_days)
    if not question:
        limit = options.limit
        return recent_of_skill(
            store, registry, skill_id, limit, choice=choice, as_of=as_of, ageing=ageing
        )
    check_limit(options.limit, MAX_LESSONS)
    skill = registry.skill(skill_id)
    vector = embed_query(question, store.name, options)
    with reading(store) as conn:
        asking = _Asking(conn, store, question, vector, options, choice, ageing, as_of)
        roles = asking.in_order(skill.memory_roles)
        return [LessonsOfRole(role.id, asking.lessons(role)) for role in roles]


class _Asking:
    """One question in one read of the store, asked of one role after another."""

    def __init__(
        self,
        conn: Connection,
        store: Store,
        question: str,
        vector: bytes | None,
        options: SearchOptions,
        choice: LessonChoice,
        ageing: Ageing,
        as_of: datetime | None,
    ) -> None:
        self._conn, self._question, self._vector = conn, question, vector
        self._options, self._choice, self._ageing = options, choice, ageing
        self._as_of = read_moment(conn, as_of)
        self._asked: AskedDecision = read_question(question)
        self._prices = StoredPrices(conn, as_of)
        self._present_of = store if as_of is None else None

    def in_order(self, roles: Sequence[Role]) -> list[Role]:
        """Return roles, those first that are judged at about the horizon of the question."""
        return sorted(roles, key=lambda role: self._apart(role) if self._asked.horizon_hours else 0)

    def lessons(self, role: Role) -> list[PromptLesson]:
        """Return what a role learned, the best fit first."""
        asked, limit = self._asked, self._options.limit
        setup = self._setup(role)
        hours = _hours(role)
        cell = LessonCell(
            role.id, asked.asset_key, asked.direction, setup.trend, setup.volatility, hours
        )
        most = COMPARED_BY_WORDS if asked.asset_key is None else max(_COMPARED, 2 * limit)
        lessons = prompt_lessons(
            self._conn, [role.id], self._choice, most, self._as_of, cell, ageing=self._ageing
        )
        if asked.asset_key is not None:
            lessons = [
                lesson
                for lesson in lessons
                if lesson.is_told_of(asked.asset_key, self._prices.classes)
            ]
        among = LessonSet(lessons, self._similar(lessons))
        best = ranked(self._question, setup, among, self._options.fusion, limit)
        shown = habits(
            self._conn, self._as_of, asset_key=asked.asset_key, direction=asked.direction
        )
        return before(best, shown, limit)

    def _setup(self, role: Role) -> AskedSetup:
        """Return the setup of the price now, else the move before that the question tells."""
        asked, present = self._asked, PresentSetup()
        if asked.asset_key is not None:
            policy = role.reflection_policy
            probe = policy.outcome_probe
            costs = probe.costs if isinstance(probe, PriceDelta | PeerRelative) else Costs()
            present = present_setup(
                *(self._prices, asked.asset_key, policy.window, costs),
                *(self._ageing.at, self._present_of),
            )
        trend = present.trend or asked.trend
        return AskedSetup(
            asked.asset_key, asked.direction, trend, present.volatility, self._prices.classes
        )

    def _apart(self, role: Role) -> float:
        """Return how far the horizon of the question is from the window of a role, in octaves."""
        return abs(log2((self._asked.horizon_hours or _hours(role)) / _hours(role)))

    def _similar(self, lessons: Sequence[PromptLesson]) -> ArmScores | None:
        """Return how near decisions are in meaning; None where there is nothing to compare."""
        conn, options = self._conn, self._options
        if options.embedder is None or self._vector is None:
            return None
        model_id = find_model(conn, options.embedder)
        if model_id is None:
            return None
        ids = [-1 if lesson.kind == "pattern" else lesson.id for lesson in lessons]
        try:
            load_extension(conn)
            return lesson_rows.similarity(conn, model_id, self._vector, ids)
        except (UnavailableError, DBAPIError) as error:  # no extension, or a damaged table
            emit("recall.failed", reason=str(error), error=type(error).__name__)
            return None


def _hours(role: Role) -> int:
    """Return the window of a role; hours, at least one."""
    return max(1, role.reflection_policy.window // _HOUR)
