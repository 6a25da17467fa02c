"""How far the mirrors of the owner's accounts are; mirror one now, pause it, and go on."""

from collections.abc import Sequence

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.accounts.nudge import ask_for_sync_now
from afterword.pipeline.domain.accounts.pause import pause_accounts
from afterword.pipeline.domain.accounts.read import list_accounts
from afterword.pipeline.domain.sync.plan import check_mirrored
from afterword.pipeline.domain.sync.status import sync_status
from afterword.pipeline.domain.sync.turn import pauses_of
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageField, PageForm
from afterword.pipeline.errors import ConflictError
from afterword.pipeline.views.operator.jobs import job_asked
from afterword.pipeline.views.trades.sync import mirrors_paused, sync_status_table


def sync(by: PageCaller) -> PageContent:
    """Return how far each mirror is, when it runs again, and the buttons that change that."""
    accounts = [account for account in list_accounts(by.store()) if account.kind == "own"]
    paused = [account.name for account in accounts if account.paused_at]
    mirrored = [account.name for account in accounts if not account.paused_at]
    status = sync_status_table(sync_status(by.store()), pauses_of(by.settings), paused, by.now())
    forms = [
        *_form("/sync/now", "Mirror it now", mirrored),
        *_form("/sync/pause", "Pause it", mirrored),
        *_form("/sync/resume", "End its pause", paused),
    ]
    return PageContent([status, *forms])


def now(by: PageCaller, name: str) -> ActionAnswer:
    """Have a worker mirror an account now, whatever its pauses."""
    check_mirrored(by.store(), name)

    def run() -> int:
        with writing(by.store()) as conn:
            return ask_for_sync_now(conn, by.now(), name)

    return ActionAnswer(job_asked(by.write(run), f"mirrors {name}"), "/sync")


def pause(by: PageCaller, name: str) -> ActionAnswer:
    """Ask no venue for an account until it is resumed."""
    return _set(by, name, pauses=True)


def resume(by: PageCaller, name: str) -> ActionAnswer:
    """End the pause of an account."""
    return _set(by, name, pauses=False)


def _set(by: PageCaller, name: str, *, pauses: bool) -> ActionAnswer:
    count = by.write(lambda: pause_accounts(by.store(), name, by.parts.clock, pauses=pauses))
    if not count:
        words = "was paused before" if pauses else "is not paused any more"
        raise ConflictError(f"{name} {words}; nothing was done")
    return ActionAnswer(mirrors_paused(count, pauses=pauses), "/sync")


def _form(action: str, button: str, names: Sequence[str]) -> list[PageForm]:
    """Return the form that does something with one of some accounts; none without an account."""
    choices = [(name, name) for name in names]
    account = PageField("name", "Account", "select", choices=choices)
    return [PageForm(action, button, [account])] if names else []
