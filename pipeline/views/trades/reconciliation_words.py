"""What transfers and reasons are called."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.reconciliation.model import Reason, ReasonKind
from afterword.pipeline.domain.transfers.model import DOLLAR
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.numbers import count, money
from afterword.pipeline.views.words import moment

TRANSFER_WORDS: Final[Mapping[str, str]] = {
    "deposit": "deposits",
    "withdraw": "withdrawals",
    "accountClassTransfer": "between perpetuals and spot",
    "internalTransfer": "transfers between addresses",
    "subAccountTransfer": "transfers with sub-accounts",
    "spotTransfer": "spot transfers",
    "send": "sent and received",
    "vaultCreate": "vaults opened",
    "vaultDeposit": "paid into vaults",
    "vaultDistribution": "distributed by vaults",
    "vaultWithdraw": "taken out of vaults",
    "vaultLeaderCommission": "commission as leader of a vault",
    "liquidation": "liquidations",
    "rewardsClaim": "rewards",
}
"""Kinds of transfers as they are told; another kind is told by the venue's word."""


def reason_words(reason: Reason) -> str:
    """Return what the data show, as a sentence."""
    return _WORDS[reason.kind](reason)


def _fills_missing(reason: Reason) -> str:
    expected, found = _units(reason.expected), _units(reason.found)
    if reason.since is None:
        return (
            f"Fills of {reason.subject} before {_at(reason)} are missing: the first one that is "
            f"known starts from a position of {found}."
        )
    return (
        f"Fills of {reason.subject} are missing between {moment(reason.since)} and {_at(reason)}: "
        f"the position was {expected}, and then {found}."
    )


def _position_differs(reason: Reason) -> str:
    return (
        f"At {_at(reason)} the venue held {_units(reason.expected)} of {reason.subject}, and the "
        f"fills leave {_units(reason.found)}: fills are missing."
    )


def _history_not_whole(reason: Reason) -> str:
    return (
        f"The venue does not hand out all rows from before {_at(reason)}; the CSV that it exports "
        "brings them: `afterword history import`."
    )


def _funding_missing(reason: Reason) -> str:
    assert reason.since is not None, "hours have a first one"
    when = f"at {_at(reason)}"
    if reason.count > 1:
        when = f"at {reason.count:,} hours from {moment(reason.since)} to {_at(reason)}"
    return f"{reason.subject} was held {when}, and no funding of then is known."


def _transfer_unknown(reason: Reason) -> str:
    updates = count(reason.count, "update")
    effect = "its effect is" if reason.count == 1 else "their effects are"
    return (
        f"{updates} of the ledger of the type {reason.subject}: {effect} not known, and counted as "
        "nothing."
    )


def _transfer_missing(reason: Reason) -> str:
    at = "" if reason.since is None else f" at {moment(reason.since)}"
    return (
        f"The account {reason.subject} has the other side of a transfer{at} of "
        f"{money(reason.amount, DOLLAR)} that is missing here."
    )


def _other_token(reason: Reason) -> str:
    fills = count(reason.count, "fill")
    return f"{fills} of markets that pay in {reason.subject}, which is not counted as {DOLLAR}."


def _liquidated(reason: Reason) -> str:
    at = "" if reason.since is None else f" at {moment(reason.since)}"
    return (
        f"A liquidation{at}: what the venue's backstop takes beyond the fills is in no row that it "
        "hands out."
    )


def _unified(reason: Reason) -> str:  # noqa: ARG001
    return (
        "The account is unified: its value is that of the spot dollars, which are marked to the "
        "market, and interest on borrowed dollars is in no row."
    )


_WORDS: Final[Mapping[ReasonKind, Callable[[Reason], str]]] = {
    "fills_missing": _fills_missing,
    "position_differs": _position_differs,
    "history_not_whole": _history_not_whole,
    "funding_missing": _funding_missing,
    "transfer_unknown": _transfer_unknown,
    "transfer_missing": _transfer_missing,
    "other_token": _other_token,
    "liquidated": _liquidated,
    "unified_account": _unified,
}


def _units(units: Decimal | None) -> str:
    return plain(units or Decimal(0))


def _at(reason: Reason) -> str:
    assert reason.until is not None, "these reasons have an end"
    return moment(reason.until)
