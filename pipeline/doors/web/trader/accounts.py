"""Accounts at venues, their mirrors, and the capital that they hold together."""

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.accounts.model import VENUE
from afterword.pipeline.domain.accounts.read import list_accounts
from afterword.pipeline.domain.capital.nudge import ask_for_capital_now
from afterword.pipeline.domain.capital.read import (
    missing_capital,
    read_capital,
    uncounted_accounts,
)
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageForm
from afterword.pipeline.views.operator.jobs import job_asked
from afterword.pipeline.views.trades.accounts import account_list
from afterword.pipeline.views.trades.capital import capital_view


def accounts(by: PageCaller) -> PageContent:
    """Return the accounts, and what they hold."""
    with reading(by.store()) as conn:
        capital = read_capital(conn, None)
        missing, uncounted = missing_capital(conn), uncounted_accounts(conn, None)
    listed = list_accounts(by.store())
    parts = [account_list(listed), capital_view(capital, missing, uncounted)]
    asked = [account for account in listed if account.kind == "own" and account.venue == VENUE]
    return PageContent([*parts, _REFRESH] if asked else parts)


def refresh(by: PageCaller) -> ActionAnswer:
    """Have a worker ask the venue what the accounts hold now, whatever the pause."""

    def run() -> int:
        with writing(by.store()) as conn:
            return ask_for_capital_now(conn, by.now())

    return ActionAnswer(job_asked(by.write(run), "asks the venue"), "/accounts")


_REFRESH = PageForm("/accounts/capital", "Ask the venue what they hold")
