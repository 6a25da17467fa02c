-- What a session was shown at its start; it stays the same bytes until the session is gone.
-- memory_ids names the rows it shows, so that what is forgotten can be found in here.
CREATE TABLE session_snapshots (
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  surface    TEXT NOT NULL CHECK (surface IN ('snapshot', 'brief')),
  body       TEXT NOT NULL,
  memory_ids TEXT NOT NULL CHECK (json_type(memory_ids) = 'array'),
  made_at    INTEGER NOT NULL,
  PRIMARY KEY (session_id, surface)
) STRICT;

-- The newest rows; a stale row is none of those that stand.
DROP INDEX memories_recent;
CREATE INDEX memories_recent ON memories (updated_at, id)
  WHERE deleted_at IS NULL AND superseded_at IS NULL AND stale_at IS NULL;

-- Typed entries in the order a brief takes them.
CREATE INDEX memories_brief ON memories ((origin = 'web'), behavioral, updated_at, id)
  WHERE type IS NOT NULL;
CREATE INDEX memories_typed ON memories (id)
  WHERE type IS NOT NULL AND deleted_at IS NULL AND superseded_at IS NULL AND stale_at IS NULL;

-- A page shows the latest rows about an asset by their category. Both columns are the source's:
-- its category, and when it happened, or became known where nobody said when.
ALTER TABLE memory_edges ADD COLUMN src_category TEXT;
ALTER TABLE memory_edges ADD COLUMN src_at INTEGER;
UPDATE memory_edges SET (src_category, src_at) = (
  SELECT category, coalesce(occurred_at, known_at) FROM memories WHERE id = src_id)
WHERE src_table = 'memories';
CREATE INDEX memory_edges_asset ON memory_edges (dst_entity_key, src_category, src_at, src_id)
  WHERE dst_entity_kind = 'ticker';
CREATE INDEX memory_edges_entity ON memory_edges (dst_entity_kind, dst_entity_key, edge_type, src_id);
CREATE INDEX round_trips_symbol ON round_trips (symbol, closed_at);
