-- What was forgotten, from the transaction that erased it until its absence from the bytes of the
-- files is proved. Until then sealed says what to look for, readable with the key in keys/ only.
CREATE TABLE erasures (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  at        INTEGER NOT NULL,
  sealed    BLOB,
  proved_at INTEGER,
  CHECK ((sealed IS NULL) = (proved_at IS NOT NULL))
) STRICT;
CREATE INDEX erasures_open ON erasures (id) WHERE proved_at IS NULL;
