-- What is known about an entity, by what is said of it, newest first: one walk for a living read
-- and for one as of a moment, and every count of edges without a look at the rows themselves.
DROP INDEX memory_edges_entity;
CREATE INDEX memory_edges_entity
  ON memory_edges (dst_entity_kind, dst_entity_key, edge_type, known_at, src_id, src_table);

-- Beside the deleted and the superseded: the rows a reader leaves out, found without the others.
CREATE INDEX memories_stale ON memories (stale_at) WHERE stale_at IS NOT NULL;
