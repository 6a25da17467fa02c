"""How far the mirrors of the owner's accounts are; pause them, and go on."""

from afterword.pipeline.domain.accounts.pause import pause_accounts
from afterword.pipeline.domain.accounts.read import list_accounts
from afterword.pipeline.domain.sync.status import sync_status
from afterword.pipeline.domain.sync.turn import pauses_of
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageField, PageForm
from afterword.pipeline.views.trades.sync import mirrors_paused, sync_status_table


def sync(by: PageCaller) -> PageContent:
    """Return how far each mirror is, when it runs again, and the buttons that pause one."""
    accounts = list_accounts(by.store())
    paused = [account.name for account in accounts if account.paused_at]
    mirrored = [account.name for account in accounts if not account.paused_at]
    status = sync_status_table(sync_status(by.store()), pauses_of(by.settings), paused, by.now())
    forms = [
        _form("/sync/pause", "Pause", mirrored),
        _form("/sync/resume", "Mirror again", paused),
    ]
    return PageContent([status, *(form for form in forms if form is not None)])


def pause(by: PageCaller, name: str) -> ActionAnswer:
    """Ask no venue for an account until it is resumed."""
    return _set(by, name, pauses=True)


def resume(by: PageCaller, name: str) -> ActionAnswer:
    """End the pause of an account."""
    return _set(by, name, pauses=False)


def _set(by: PageCaller, name: str, *, pauses: bool) -> ActionAnswer:
    count = by.write(lambda: pause_accounts(by.store(), name, by.parts.clock, pauses=pauses))
    return ActionAnswer(mirrors_paused(count, pauses=pauses), "/sync")


def _form(action: str, button: str, names: list[str]) -> PageForm | None:
    choices = [(name, name) for name in names]
    account = PageField("name", "Account", "select", choices=choices)
    return PageForm(action, button, [account]) if names else None
