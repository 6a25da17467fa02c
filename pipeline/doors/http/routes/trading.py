"""What was traded, decided and learned: reads only. Cases are never written through a door (R3)."""

from typing import Annotated, Any, cast

from fastapi import Path, Query

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.cases.model import CaseSummary
from afterword.pipeline.domain.cases.read import case_story, list_cases
from afterword.pipeline.domain.decisions.model import Decision, DecisionState
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.methodologies.read import list_methodologies, methodology_story
from afterword.pipeline.domain.methodologies.read_rows import place_of as method_place
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.doors.http.routes.asked import AsOfMoment, MostShown, Thing, at, thing
from afterword.pipeline.doors.http.routes.listing import AfterPage, ListPage
from afterword.pipeline.operations.learn.kept_trades import TradesQuery, kept_trade, kept_trades

OnlyOneAsset = Annotated[str | None, Query(description="Only of this asset.", max_length=64)]


def list_trades(
    by: By,
    account: Annotated[str | None, Query(description="Only of this account.")] = None,
    asset: OnlyOneAsset = None,
    tag: Annotated[str | None, Query(description="Only with this tag.")] = None,
    limit: MostShown = 50,
    after: AfterPage = None,
    as_of: AsOfMoment = None,
) -> Any:
    """Return trades with what they came to, the newest first."""
    page = ListPage("trades", limit, after, by.group, account, asset, tag, as_of)
    query = TradesQuery(
        account=account,
        asset=None if asset is None else asset_of(asset),
        tag=tag,
        as_of=at(as_of),
        before=page.place(int, str),
    )
    with reading(by.store()) as conn:
        trades = kept_trades(conn, query, limit, by.now()).outcomes
    return page.answer(trades, _trade_place)


def _trade_place(outcome: TripOutcome) -> tuple[int, str]:
    return to_micros(outcome.trip.closed_at), outcome.trip.trip_uid


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
    after: AfterPage = None,
    as_of: AsOfMoment = None,
) -> Any:
    """Return decisions, the newest first."""
    page = ListPage("decisions", limit, after, by.group, role, state, as_of)
    if state is not None:
        check_word(state, ("pending", "parked", "skipped", "reflected"), "state")
    place = page.place(int, int)
    decisions = list_decisions(
        by.store(), role, cast("DecisionState | None", state), limit, as_of=at(as_of), after=place
    )
    return page.answer(decisions, _decided_at)


def _decided_at(made: Decision | CaseSummary) -> tuple[int, int]:
    return to_micros(made.decided_at), made.id


def get_decision(by: By, decision: Thing) -> Any:
    """Return one decision: what it was made on, how it turned out, what it left."""
    return show_decision(by.store(), thing(decision))


def list_methods(
    by: By,
    asset_class: Annotated[str | None, Query(description="Only of this class.")] = None,
    state: Annotated[str | None, Query(description="Such as graduated.")] = None,
    limit: MostShown = 50,
    after: AfterPage = None,
    as_of: AsOfMoment = None,
) -> Any:
    """Return methodologies with their state and record, the graduated ones first."""
    moment = at(as_of)
    page = ListPage("methodologies", limit, after, by.group, asset_class, state, as_of)
    place = page.place(int, float, int)
    with reading(by.store()) as conn:
        read_moment(conn, moment)
        methods = list_methodologies(
            conn, asset_class=asset_class, state=state, limit=limit, as_of=moment, after=place
        )
    return page.answer(methods, method_place)


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
    after: AfterPage = None,
) -> Any:
    """Return decisions that cite methodologies, the latest first; nobody can change one here."""
    page = ListPage("cases", limit, after, by.group, asset, methodology, state)
    place = page.place(int, int)
    if state is not None:
        check_word(state, ("pending", "resolved", "unresolved"), "state")
    with reading(by.store()) as conn:
        cases = list_cases(conn, asset, methodology, state, limit, after=place)
    return page.answer(cases, _decided_at)


def get_trading_case(
    by: By, case: Annotated[int, Path(description="Its number.", ge=1, le=2**63 - 1)]
) -> Any:
    """Return a case: the hint, the decision, its outcomes, and who has which part."""
    with reading(by.store()) as conn:
        return case_story(conn, case)
