"""The files: one SQLite file per group, one per installation.

Reading order: `names` and `driver` (what is allowed), `failures` (what is refused, in words),
`file` (a file's pragmas and handles), `gate` (one writer at a time), `transaction` (`reading`,
`writing`), `migrate`, `shelf` (all files of one home), `key` (its secret), `manifest`,
`backup`, `restore`, `check`, `tidy`, `content_hash`.
"""

from pipeline.store.file import Store, StoreOptions, options_of
from pipeline.store.shelf import Shelf
from pipeline.store.transaction import Finisher, reading, writing

__all__ = ["Finisher", "Shelf", "Store", "StoreOptions", "options_of", "reading", "writing"]
