"""The tokens of the network door, and a new one's text."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.gateway.access.model import AccessToken, IssuedToken
from afterword.pipeline.views.blocks import Fields, Paragraph, Table, View
from afterword.pipeline.views.words import ago

_COLUMNS: Final = ("id", "role", "group", "label", "issued", "revoked")

_MAY: Final = {
    "agent": "has the tools of this group and reads it",
    "owner": "may do everything in every group",
    "observer": "may read everything in every group",
}


def token_list(tokens: Sequence[AccessToken], now: datetime) -> View:
    """Return tokens below each other; none of their secrets is known here."""
    rows = [
        (
            token.id,
            token.role,
            token.group or "",
            token.label,
            ago(token.issued_at, now),
            "" if token.revoked_at is None else ago(token.revoked_at, now),
        )
        for token in tokens
    ]
    return View([Table(_COLUMNS, rows, "nobody has a token")])


def token_issued(issued: IssuedToken) -> View:
    """Return the text of a new token, what it may do, and that it is told once."""
    token = issued.token
    facts: dict[str, str | int] = {"id": token.id, "role": token.role}
    facts |= {} if token.group is None else {"group": token.group}
    return View(
        [
            Paragraph(issued.text),
            Fields(facts | {"may": _MAY[token.role]}),
            Paragraph("The token is shown now and never again: keep it where secrets are kept."),
        ]
    )


def token_revoked(token: AccessToken) -> View:
    """Return that a token opens nothing any more."""
    return View([Paragraph(f"token {token.id} ({token.role}) opens nothing from now on")])
