"""Words of a column of statuses: which rows were executed, and which came to nothing."""

import re
from typing import Final

EXECUTED: Final = frozenset(
    re.split(
        r"\|",
        "filled|fill|executed|exec|complete|completed|done|closed|success|successful|succeeded|settled"
        "|fully filled|fully executed|filled fully|full|confirmed|traded|finished|ok|booked|matched"
        "|ausgeführt|exécuté|exécutée|ejecutada|ejecutado|eseguito|executada|uitgevoerd|avslutad"
        "|已成交|全部成交",
    )
)
VOID: Final = frozenset(
    re.split(
        r"\|",
        "cancelled|canceled|cancel|cancelled by user|canceled by user|user cancelled|rejected"
        "|reject|expired|failed|failure|unfilled|not filled|void|voided|busted|declined|returned"
        "|refused|aborted|deleted|withdrawn|storniert|abgelehnt|gestrichen|annulé|annulée|rejeté|expiré"
        "|cancelada|cancelado|rechazada|annullato|geannuleerd|已撤销|已取消",
    )
)
"""What came to nothing. Others, such as `partially filled` or `open`, are asked about."""

STATUS_NAMES: Final = frozenset(
    re.split(
        r"\|",
        "status|state|order status|orderstatus|order state|trade status|execution status"
        "|exec status|fill status|zustand|statut|estado|stato|ordstatus",
    )
)
"""Names of columns of statuses, in small letters."""

BLANK: Final = "blank"
"""How `done` and `skip` name an empty cell."""
