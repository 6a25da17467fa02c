"""The replays of the installation, what came of one, and where two differ."""

from dataclasses import replace

from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent, PageField
from afterword.pipeline.operations.replay.run import list_replays, roles_for, status_of
from afterword.pipeline.operations.replay_report.coin_roles import coin_roles, usual_number
from afterword.pipeline.operations.replay_report.compare import compare_replays
from afterword.pipeline.operations.replay_report.report import replay_report
from afterword.pipeline.views.replay.compare import replay_comparison
from afterword.pipeline.views.replay.report import replay_findings
from afterword.pipeline.views.replay.run import replay_list


def replays(by: PageCaller, left: str | None = None, right: str | None = None) -> PageContent:
    """Return the replays; with two names, where they differ."""
    stores = by.parts.stores
    listed = list_replays(stores)
    parts = [replay_list(listed)]
    if left is not None and right is not None:
        first, second = stores.replay(left), stores.replay(right)
        before, after = status_of(first), status_of(second)
        with reading(first) as conn, reading(second) as beside:
            compared = compare_replays((conn, before), (beside, after))
        parts.append(replay_comparison(compared))
    names = [("", "none"), *((status.name, status.name) for status in listed)]
    filters = [
        PageField("left", "Compare", "select", left or "", names),
        PageField("right", "with", "select", right or "", names),
    ]
    return PageContent(parts, filters=filters if len(listed) > 1 else ())


def one_replay(by: PageCaller, replay: str) -> PageContent:
    """Return what came of a replay, as `afterword replay report` says it."""
    store = by.parts.stores.replay(replay)
    status = status_of(store)
    registry = roles_for(by.settings.home, status.settings.horizon_hours)
    with reading(store) as conn:
        coins = coin_roles(conn, registry, status, usual_number(status), _unseen)
        report = replace(replay_report(conn, status), coins=coins)
    view = replay_findings(report)
    return PageContent([view], title=view.title)


def _unseen(*_progress: object) -> None:
    """Show no progress: a page is shown when it is whole."""
