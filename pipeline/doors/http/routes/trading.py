"""What was traded, decided and learned: reads only. Cases are never written through a door (R3)."""

from typing import Annotated, Any

from fastapi import Path, Query

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.cases.read import case_story, list_cases
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.methodologies.read import list_methodologies, methodology_story
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.doors.http.routes.asked import AsOfMoment, MostShown, Thing, at, thing
from afterword.pipeline.operations.learn.kept_trades import TradesQuery, kept_trade, kept_trades

OnlyOneAsset = Annotated[str | None, Query(description="Only of this asset.", max_length=64)]


def list_trades(
    by: By,
    account: Annotated[str | None, Query(description="Only of this account.")] = None,
    asset: OnlyOneAsset = None,
    tag: Annotated[str | None, Query(description="Only with this tag.")] = None,
    limit: MostShown = 50,
    as_of: AsOfMoment = None,
) -> Any:
    """Return trades with what they came to, the newest first."""
    query = TradesQuery(
        account=account,
        asset=None if asset is None else asset_of(asset),
        tag=tag,
        as_of=at(as_of),
    )
    with reading(by.store()) as conn:
        return kept_trades(conn, query, limit, by.now()).outcomes


def get_trade(by: By, trade: Thing, as_of: AsOfMoment = None) -> Any:
    """Return one trade with its fills, its outcome and its tags."""
    with reading(by.store()) as conn:
        details = kept_trade(conn, trade, at(as_of), by.now())
    return {
        "outcome": details.outcome,
        "tags": details.tags,
        "fills": [fill._asdict() for fill in details.fills],
    }


def list_made_decisions(
    by: By,
    role: Annotated[str | None, Query(description="Only of this role.")] = None,
    state: Annotated[str | None, Query(description="pending, parked, skipped, reflected")] = None,
    limit: MostShown = 20,
    as_of: AsOfMoment = None,
) -> Any:
    """Return decisions, the newest first."""
    if state is not None:
        check_word(state, ("pending", "parked", "skipped", "reflected"), "state")
    return list_decisions(by.store(), role, state, limit, as_of=at(as_of))  # type: ignore[arg-type]


def get_decision(by: By, decision: Thing) -> Any:
    """Return one decision: what it was made on, how it turned out, what it left."""
    return show_decision(by.store(), thing(decision))


def list_methods(
    by: By,
    asset_class: Annotated[str | None, Query(description="Only of this class.")] = None,
    state: Annotated[str | None, Query(description="Such as graduated.")] = None,
    limit: MostShown = 50,
    as_of: AsOfMoment = None,
) -> Any:
    """Return methodologies with their state and record."""
    moment = at(as_of)
    with reading(by.store()) as conn:
        read_moment(conn, moment)
        return list_methodologies(
            conn, asset_class=asset_class, state=state, limit=limit, as_of=moment
        )


def get_method(by: By, methodology: Thing, as_of: AsOfMoment = None) -> Any:
    """Return one methodology as a plan, with its record and what happened to it."""
    moment = at(as_of)
    with reading(by.store()) as conn:
        read_moment(conn, moment)
        return methodology_story(conn, methodology, moment)


def list_trading_cases(
    by: By,
    asset: OnlyOneAsset = None,
    methodology: Annotated[str | None, Query(description="Only that cite this one.")] = None,
    state: Annotated[str | None, Query(description="pending, resolved or unresolved")] = None,
    limit: MostShown = 20,
) -> Any:
    """Return decisions that cite methodologies, the latest first; nobody can change one here."""
    if state is not None:
        check_word(state, ("pending", "resolved", "unresolved"), "state")
    with reading(by.store()) as conn:
        return list_cases(conn, asset, methodology, state, limit)


def get_trading_case(
    by: By, case: Annotated[int, Path(description="Its number.", ge=1, le=2**63 - 1)]
) -> Any:
    """Return a case: the hint, the decision, its outcomes, and who has which part."""
    with reading(by.store()) as conn:
        return case_story(conn, case)
