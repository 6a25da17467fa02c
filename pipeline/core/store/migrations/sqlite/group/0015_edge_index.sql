-- One index of edges instead of two: what is said of an entity, by when it was. Each of the two
-- had a page of its own for every entity and sort of edge, or category, and a batch of extracted
-- edges wrote all of them, 290 of its 330 pages, while every other writer waited.
DROP INDEX memory_edges_entity;
DROP INDEX memory_edges_asset;
CREATE INDEX memory_edges_about ON memory_edges (dst_entity_kind, dst_entity_key, src_at, src_id,
  src_table, edge_type, src_category, known_at);
