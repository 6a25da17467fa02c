-- Tamper evidence: a keyed chain over the rows that a prompt can show. A block holds the digests
-- that one transaction wrote; its link covers the block before it. The key is not in the file.
CREATE TABLE chain_blocks (
  id      INTEGER PRIMARY KEY,          -- without a gap, from 1; only grows
  at      INTEGER NOT NULL,             -- microseconds since 1970
  kind    TEXT    NOT NULL CHECK (kind IN ('begun', 'written', 'upgraded', 'accepted')),
  layout  TEXT,                         -- JSON: key id, tables and columns; only of a whole state
  entries BLOB    NOT NULL,             -- table, row, digest before, digest after
  link    BLOB    NOT NULL,             -- keyed digest of this block and the link before it
  CHECK ((layout IS NULL) = (kind = 'written'))
) STRICT;
CREATE INDEX chain_wholes ON chain_blocks (id) WHERE layout IS NOT NULL;
