-- Blocks of the chain can be folded into one that holds the whole state, so that it stays short.
-- No release wrote the blocks of before, which have another form: the chain begins anew.
DROP TABLE chain_blocks;
CREATE TABLE chain_blocks (
  id      INTEGER PRIMARY KEY,          -- without a gap; from 1, or from a folded block
  at      INTEGER NOT NULL,             -- microseconds since 1970; of a folded one, when it began
  kind    TEXT    NOT NULL CHECK (kind IN ('begun', 'written', 'upgraded', 'accepted', 'folded')),
  layout  TEXT,                         -- JSON: key id, tables and columns; only of a whole state
  entries BLOB    NOT NULL,             -- tables, rows, and their digests before and after
  link    BLOB    NOT NULL,             -- keyed digest of this block and the link before it
  seal    BLOB,                         -- keyed digest of a folded block and its link
  CHECK ((layout IS NULL) = (kind = 'written')),
  CHECK ((seal IS NULL) = (kind <> 'folded'))
) STRICT;
CREATE INDEX chain_wholes ON chain_blocks (id) WHERE layout IS NOT NULL;
