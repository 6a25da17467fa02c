"""What the doctor can repair, counted; and one repair, which is applied as it was counted."""

from typing import Final

from afterword.pipeline.core.store.alone import working_alone
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageForm, check_unchanged
from afterword.pipeline.errors import NotFoundError, UnavailableError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.operations.doctor.fix import ACTIONS, FixResult, fix_groups, fix_home
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.operator.doctor import fix_list, repair_done

REPAIR_WORK: Final = "repair"
"""What one person at a time does to a file; see `working_alone`."""


def repairs(by: PageCaller) -> PageContent:
    """Return what each repair would do, as `afterword doctor --fix` counts it."""
    asked = [name for name, one in ACTIONS.items() if one.may_ask]
    counted = [*_home(by, []), *_group(by, [])]
    return PageContent([fix_list(counted, is_applied=False, asked=asked)])


def repair(by: PageCaller, repair: str) -> PageContent:
    """Return what one repair would do, and the button that does it."""
    counted = _run(by, repair)
    form = PageForm(f"/doctor/repairs/{repair}", "Repair it", hidden={"shown": _rows(counted)})
    parts = [fix_list([counted], is_applied=False)]
    return PageContent([*parts, form] if counted.rows else parts, title=f"Repair {repair}")


def apply(by: PageCaller, repair: str, shown: str) -> ActionAnswer:
    """Repair what was counted; what became more or less since is counted anew."""
    stores = by.parts.stores
    store = stores.instance if _is_of_home(repair) else by.store()
    with working_alone(store, REPAIR_WORK, by.parts.clock):
        check_unchanged(shown, _rows(_run(by, repair)), f"what {repair} repairs")
        done = _run(by, repair, is_applied=True)
    by.parts.after_write(by.group)
    if done.failed:
        raise UnavailableError(done.says)
    return ActionAnswer(repair_done(done), f"/doctor/repairs/{repair}")


def _run(by: PageCaller, repair: str, *, is_applied: bool = False) -> FixResult:
    run = _home if _is_of_home(repair) else _group
    (result,) = run(by, [repair], is_applied=is_applied)
    return result


def _is_of_home(repair: str) -> bool:
    """Return whether a repair is about the home, and no group."""
    if repair not in ACTIONS:
        raise NotFoundError(f"the doctor has no such repair; those are {', '.join(ACTIONS)}")
    return ACTIONS[repair].scope == "installation"


def _home(by: PageCaller, only: list[str], *, is_applied: bool = False) -> list[FixResult]:
    return fix_home(by.settings.home, only=only, apply=is_applied)


def _group(by: PageCaller, only: list[str], *, is_applied: bool = False) -> list[FixResult]:
    stores, names, now = by.parts.stores, [by.group], by.now()
    return fix_groups(stores, names, _embedder(by), now, only=only, apply=is_applied)


def _embedder(by: PageCaller) -> Embedder | None:
    instance, clock = by.parts.stores.instance, by.parts.clock
    budget = Budget(instance, caps_of(by.settings), clock, by.parts.ids)
    return build_embedder(by.settings, instance, budget, clock)


def _rows(counted: FixResult) -> str:
    return count(counted.rows, "row or file", "rows or files")
