"""A statement of the user about themself, and why one is not taken as such."""

from typing import Final, Literal, NamedTuple

StatementKind = Literal["preference", "profile", "constraint", "goal", "fact"]
"""`profile` is who the user is; `fact` is what the user has: accounts, wallets, brokers, bots."""

STATEMENT_KINDS: Final = ("preference", "profile", "constraint", "goal", "fact")

WhyRefused = Literal[
    "machine",
    "question",
    "hypothetical",
    "hedged",
    "past",
    "momentary",
    "joke",
    "reported",
    "material",
]
"""Why words that look like a statement are none.

`machine`: no person typed the message. `reported`: somebody else's words. `material`: a text to
translate, rewrite or act out.
"""


class UserStatement(NamedTuple):
    """A durable statement of the user.

    Args:
        text: the sentence on one line, without what only opens it, such as `by the way`.
        kind: what it states.
        quote: the whole sentence as the user wrote it, on one line.
    """

    text: str
    kind: StatementKind
    quote: str


class StatementScan(NamedTuple):
    """What a message says of its user.

    Args:
        statements: in the order of the message, each text once.
        refused: a reason for each sentence that looks like a statement and is none.
    """

    statements: tuple[UserStatement, ...] = ()
    refused: tuple[WhyRefused, ...] = ()
