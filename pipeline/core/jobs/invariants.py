"""Rules that every ledger must keep; `store check` and the doctor check a whole file."""

from typing import Final

from sqlalchemy import Connection, text

_BROKEN: Final = {
    "run without a lease": "state = 'running' AND (lease_until IS NULL OR leased_at IS NULL)",
    "hold a lease without running": "state <> 'running' AND lease_until IS NOT NULL",
    "were sent without a time": "state = 'sent' AND sent_at IS NULL",
    "are dead without a reason": "state = 'dead' AND last_error IS NULL",
    "have an id that will be given to another job": (
        "id > (SELECT seq FROM sqlite_sequence WHERE name = 'jobs')"
    ),
}


def violations(conn: Connection) -> list[str]:
    """Return one sentence for each rule that rows of the ledger break, with their number."""
    found = []
    for words, condition in _BROKEN.items():
        count = conn.execute(text(f"SELECT count(*) FROM jobs WHERE {condition}")).scalar_one()
        if count:
            found.append(f"{count} jobs {words}")
    return found
