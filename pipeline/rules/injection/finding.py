"""What an injection scan reports."""

from typing import Final, NamedTuple

INJECTION_FAMILIES: Final = (
    "override",  # drop, replace or outrank the instructions in force
    "role",  # become somebody without rules
    "reveal",  # give away the prompt or a secret
    "secrecy",  # keep something from the user
    "tools",  # run a command at once
    "markers",  # imitate a system message or a turn of the chat
    "limits",  # ignore, lift or exceed a risk limit; maximum leverage; all in
    "transfer",  # send funds, or trust an address
    "approval",  # act without asking
    "promotion",  # always name one product first
    "concealment",  # hide or falsify a result, a risk or a fee
    "standing",  # raise the standing of a method
    "obfuscated",  # any of these in a disguise, or characters that only hide text
    "learned",  # `LEARNED`: no rule knows the words; the learned arm takes a sentence for one of these
)
"""Families of injections; a finding names one of them."""


LEARNED: Final = "learned"
"""The family of what only the learned arm saw."""


class InjectionFinding(NamedTuple):
    """One reason why a text was flagged.

    Args:
        family: one of `INJECTION_FAMILIES`.
        phrase: the words that matched, folded; at most `MAX_PHRASE` characters.
    """

    family: str
    phrase: str

    @property
    def arm(self) -> str:
        """Which arm of the scan saw it: `rules` or `learned`."""
        return LEARNED if self.family == LEARNED else "rules"


MAX_PHRASE: Final = 120
