"""What an update of Hyperliquid's ledger does to the account that it is asked for.

Source of the types and fields: Hyperliquid docs, "Retrieve a user's funding history or non-funding
ledger updates", and the types of WebSocket user events. An amount that is sent does not contain its
fee: both leave the account.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.transfers.model import DOLLAR, LedgerEffect
from afterword.pipeline.rules.market.decimals import read_amount

_Delta = Mapping[str, Any]
_NOTHING: Final = Decimal(0)


def effect_of(delta: _Delta, address: str) -> LedgerEffect | None:
    """Return what an update does to an account.

    Args:
        delta: of a row of `userNonFundingLedgerUpdates`.
        address: of the account, in small letters.

    Returns:
        None for a type that is not known, or that says what is not understood: never a guess.
    """
    read = _READERS.get(str(delta.get("type")))
    try:
        return None if read is None else read(delta, address)
    except _UnreadError:
        return None


class _UnreadError(Exception):
    """An update without a part that its effect follows from."""


def _deposit(delta: _Delta, address: str) -> LedgerEffect:  # noqa: ARG001
    return LedgerEffect(_amount(delta, "usdc"))


def _withdraw(delta: _Delta, address: str) -> LedgerEffect:  # noqa: ARG001
    return _paid(_amount(delta, "usdc"), _amount(delta, "fee"))


def _class_transfer(delta: _Delta, address: str) -> LedgerEffect:  # noqa: ARG001
    if not isinstance(delta.get("toPerp"), bool):
        raise _UnreadError
    _amount(delta, "usdc")
    return LedgerEffect(_NOTHING)


def _transfer(delta: _Delta, address: str) -> LedgerEffect:
    """Read USDC that goes from one address to another."""
    fee = _amount(delta, "fee") if "fee" in delta else _NOTHING
    return _sent(delta, address, DOLLAR, _amount(delta, "usdc"), fee)


def _token_transfer(delta: _Delta, address: str) -> LedgerEffect:
    """Read any token that goes from one address to another, or inside an account."""
    fee = _amount(delta, "fee") if "fee" in delta else _NOTHING
    if fee and delta.get("feeToken", "") not in ("", DOLLAR):
        # Paid in a token that is not accounted for here; dollars only are.
        fee = _NOTHING
    return _sent(delta, address, _text(delta, "token"), _amount(delta, "amount"), fee)


def _vault_create(delta: _Delta, address: str) -> LedgerEffect:
    return _paid(_amount(delta, "usdc"), _amount(delta, "fee"), _vault(delta, address))


def _vault_deposit(delta: _Delta, address: str) -> LedgerEffect:
    return _paid(_amount(delta, "usdc"), other_party=_vault(delta, address))


def _vault_distribution(delta: _Delta, address: str) -> LedgerEffect:
    return LedgerEffect(_amount(delta, "usdc"), other_party=_vault(delta, address))


def _vault_withdraw(delta: _Delta, address: str) -> LedgerEffect:
    vault = _vault(delta, address)
    if _text(delta, "user").lower() != address:
        raise _UnreadError
    # Commission and closing cost are taken off already: they never were in the account.
    return LedgerEffect(_amount(delta, "netWithdrawnUsd"), other_party=vault)


def _commission(delta: _Delta, address: str) -> LedgerEffect:
    if _text(delta, "user").lower() != address:
        raise _UnreadError
    return LedgerEffect(_amount(delta, "usdc"))


def _liquidation(delta: _Delta, address: str) -> LedgerEffect:  # noqa: ARG001
    """Read the notice of a liquidation: its fills hold what it cost."""
    return LedgerEffect(_NOTHING)


def _reward(delta: _Delta, address: str) -> LedgerEffect:  # noqa: ARG001
    # Rows of 2024 name no token and mean USDC.
    token = _text(delta, "token") if "token" in delta else DOLLAR
    return _moved(token, _amount(delta, "amount" if "amount" in delta else "usdc"))


def _received(delta: _Delta, address: str) -> LedgerEffect:  # noqa: ARG001
    return _moved(_text(delta, "token"), _amount(delta, "amount"))


def _spent(delta: _Delta, address: str) -> LedgerEffect:  # noqa: ARG001
    return _moved(_text(delta, "token"), -_amount(delta, "amount"))


def _staked(delta: _Delta, address: str) -> LedgerEffect:
    if not isinstance(delta.get("isDeposit"), bool):
        raise _UnreadError
    return (_spent if delta["isDeposit"] else _received)(delta, address)


_READERS: Final[Mapping[str, Callable[[_Delta, str], LedgerEffect]]] = {
    "deposit": _deposit,
    "withdraw": _withdraw,
    "accountClassTransfer": _class_transfer,
    "internalTransfer": _transfer,
    "subAccountTransfer": _transfer,
    "spotTransfer": _token_transfer,
    "send": _token_transfer,
    "vaultCreate": _vault_create,
    "vaultDeposit": _vault_deposit,
    "vaultDistribution": _vault_distribution,
    "vaultWithdraw": _vault_withdraw,
    "vaultLeaderCommission": _commission,
    "liquidation": _liquidation,
    "rewardsClaim": _reward,
    "spotGenesis": _received,
    "cStakingTransfer": _staked,
    "deployGasAuction": _spent,
    "accountActivationGas": _spent,
}


def _sent(delta: _Delta, address: str, token: str, amount: Decimal, fee: Decimal) -> LedgerEffect:
    """Return the effect of an amount that goes from `user` to `destination`.

    The sender pays the fee. What an account sends itself moves inside it: from perpetuals to spot,
    or from one dex to another.
    """
    sender, receiver = (_text(delta, name).lower() for name in ("user", "destination"))
    if address not in (sender, receiver):
        raise _UnreadError
    if sender == receiver:
        return _paid(_NOTHING, fee)
    if address == receiver:
        return _moved(token, amount, sender)
    if token == DOLLAR:
        return _paid(amount, fee, receiver)
    return _moved(token, -amount, receiver)._replace(usdc=-fee, fee=fee)


def _paid(amount: Decimal, fee: Decimal = _NOTHING, other_party: str | None = None) -> LedgerEffect:
    return LedgerEffect(-EXACT.add(amount, fee), fee, other_party=other_party)


def _moved(token: str, amount: Decimal, other_party: str | None = None) -> LedgerEffect:
    if token == DOLLAR:
        return LedgerEffect(amount, other_party=other_party)
    return LedgerEffect(_NOTHING, token=token, amount=amount, other_party=other_party)


def _vault(delta: _Delta, address: str) -> str:
    vault = _text(delta, "vault").lower()
    if vault == address:  # the account is the vault itself, whose ledger is another story
        raise _UnreadError
    return vault


def _amount(delta: _Delta, name: str) -> Decimal:
    amount = read_amount(delta.get(name))
    if amount is None:
        raise _UnreadError
    return amount


def _text(delta: _Delta, name: str) -> str:
    text = delta.get(name)
    if not isinstance(text, str) or not 0 < len(text) <= 64 or not text.isprintable():
        raise _UnreadError
    return text
