"""The files: one SQLite file per group, and one per installation.

Reading order: `names`, `driver` and `filesystem` (what is allowed), `obstacle` and `failures`
(errors of the system and of SQLite, with remedies), `opening` (raw connections), `identity` (to
which group a file belongs), `gate` (one writer at a time), `file` (a file's handles),
`transaction` (`reading`, `writing`, `one_transaction`, `run_sql`, `insert_row`, `driver_cursor`),
`alone` (one process at a time, over many transactions), `codec` (a record in the columns of a
table), `migrate`, `blank` (what a new file begins as), `upgrade` (at the first use of an older
file, with a copy kept), `replays` (removed whole), `stores` (all files of one home), `chain`
(tamper evidence), `changes` (which of them were written to), `glance` (reads an idle one without
locks), `key` (the secret of an installation), `manifest`, `backup`, `restore`, `tombstone`,
`move`, `check`, `tidy`, `content_hash`, `append` (lines of a plain file), `area` and `tables`
(what the room declares).
"""

from typing import TYPE_CHECKING

from afterword.pipeline.exports import on_first_use

if TYPE_CHECKING:
    from afterword.pipeline.core.store.file import Store
    from afterword.pipeline.core.store.opening import StoreOptions, options_of
    from afterword.pipeline.core.store.stores import Stores
    from afterword.pipeline.core.store.transaction import (
        Finisher,
        driver_cursor,
        insert_row,
        one_transaction,
        read_value,
        reading,
        run_sql,
        state_of,
        writing,
    )
else:
    __getattr__ = on_first_use(
        __name__,
        file=("Store",),
        opening=("StoreOptions", "options_of"),
        stores=("Stores",),
        transaction=(
            *("Finisher", "driver_cursor", "insert_row", "one_transaction", "read_value"),
            *("reading", "run_sql", "state_of", "writing"),
        ),
    )

__all__ = [
    "Finisher",
    "Store",
    "StoreOptions",
    "Stores",
    "driver_cursor",
    "insert_row",
    "one_transaction",
    "options_of",
    "read_value",
    "reading",
    "run_sql",
    "state_of",
    "writing",
]
