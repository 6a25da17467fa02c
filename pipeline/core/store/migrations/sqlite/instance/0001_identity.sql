-- Which file this is. One row; a file copied over another one is noticed by it.
CREATE TABLE store_identity (
  only        INTEGER PRIMARY KEY CHECK (only = 1),
  kind        TEXT NOT NULL CHECK (kind IN ('group', 'instance')),
  group_name  TEXT NOT NULL,
  instance_id TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;
