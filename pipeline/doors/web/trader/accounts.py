"""Accounts at venues, their mirrors, and the capital that they hold together."""

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.accounts.read import list_accounts
from afterword.pipeline.domain.capital.read import (
    missing_capital,
    read_capital,
    uncounted_accounts,
)
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.views.trades.accounts import account_list
from afterword.pipeline.views.trades.capital import capital_view


def accounts(by: PageCaller) -> PageContent:
    """Return the accounts, and what they hold."""
    with reading(by.store()) as conn:
        capital = read_capital(conn, None)
        missing, uncounted = missing_capital(conn), uncounted_accounts(conn, None)
    listed = list_accounts(by.store())
    return PageContent([account_list(listed), capital_view(capital, missing, uncounted)])
