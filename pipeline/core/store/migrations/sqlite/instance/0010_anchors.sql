-- How long the chain of each group was, and how it ended: an older copy of its file is shorter.
CREATE TABLE chain_anchors (
  id         INTEGER PRIMARY KEY,       -- without a gap, from 1; only grows
  group_name TEXT    NOT NULL,
  at         INTEGER NOT NULL,          -- microseconds since 1970
  cause      TEXT    NOT NULL
             CHECK (cause IN ('scheduled', 'backup', 'export', 'restored', 'accepted', 'moved')),
  blocks     INTEGER NOT NULL CHECK (blocks >= 0),
  head       BLOB    NOT NULL,          -- the link of the block with that number; empty without one
  link       BLOB    NOT NULL           -- keyed digest of this anchor and the link before it
) STRICT;
CREATE INDEX chain_anchors_of ON chain_anchors (group_name, id);
CREATE TRIGGER chain_anchors_bu BEFORE UPDATE ON chain_anchors BEGIN
  SELECT RAISE(ABORT, 'anchors only grow');
END;
CREATE TRIGGER chain_anchors_bd BEFORE DELETE ON chain_anchors BEGIN
  SELECT RAISE(ABORT, 'anchors only grow');
END;
