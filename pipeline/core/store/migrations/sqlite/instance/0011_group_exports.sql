-- One row for each export of a group: its serial is part of what is signed, so that files of two
-- exports cannot be mixed. Here, since a group that is restored from a backup would count again.
CREATE TABLE group_exports (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  group_name  TEXT NOT NULL CHECK (group_name <> ''),
  serial      INTEGER NOT NULL CHECK (serial > 0),
  is_signed   INTEGER NOT NULL CHECK (is_signed IN (0, 1)),
  begun_at    INTEGER NOT NULL,
  finished_at INTEGER CHECK (finished_at >= begun_at),
  UNIQUE (group_name, serial)
) STRICT;
