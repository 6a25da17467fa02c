-- Which memories a memory was derived from. When a parent is superseded or deleted, its
-- descendants are marked stale in the same transaction.
CREATE TABLE memory_parents (
  child_id  INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  parent_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  PRIMARY KEY (child_id, parent_id),
  CHECK (child_id <> parent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_parents_parent ON memory_parents (parent_id);

-- A chain of supersessions outlives any of its members: what pointed at a row that is removed for
-- good points at the row that took its place, or at none.
CREATE TRIGGER memories_chain_bd BEFORE DELETE ON memories BEGIN
  UPDATE memories SET superseded_by = old.superseded_by WHERE superseded_by = old.id;
END;

-- Rows waiting for their end, by how long.
CREATE INDEX memories_deleted ON memories (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX memories_superseded_at ON memories (superseded_at) WHERE superseded_at IS NOT NULL;

-- What was removed for good when its retention was over. A read as of a moment before the latest
-- horizon would miss rows, and is refused.
CREATE TABLE memory_purges (
  id         INTEGER PRIMARY KEY,
  at         INTEGER NOT NULL,
  deleted    INTEGER NOT NULL,
  superseded INTEGER NOT NULL,
  horizon    INTEGER NOT NULL
) STRICT;

-- Neighbouring characters of scripts written without spaces, as words of the index; empty for
-- other text. Rows of older files get theirs here: the ranges are those of pipeline/text/grams.py.
ALTER TABLE memories ADD COLUMN grams TEXT NOT NULL DEFAULT '';
CREATE INDEX memories_session ON memories (session_id, id) WHERE session_id IS NOT NULL;

DROP TRIGGER memories_ai;
DROP TRIGGER memories_ad;
DROP TRIGGER memories_au;
DROP TABLE memories_fts;

UPDATE memories SET grams = (
  WITH RECURSIVE
    place (at, this, next) AS (
      SELECT 1, unicode(substr(content, 1, 1)), unicode(substr(content, 2, 1))
      UNION ALL
      SELECT at + 1, next, unicode(substr(content, at + 2, 1)) FROM place WHERE next IS NOT NULL
    ),
    gram (at, word) AS (
      SELECT at, CASE
        WHEN next BETWEEN 0x0E00 AND 0x0FFF OR next BETWEEN 0x1000 AND 0x109F
          OR next BETWEEN 0x1780 AND 0x17FF OR next BETWEEN 0x3040 AND 0x30FF
          OR next BETWEEN 0x31F0 AND 0x31FF OR next BETWEEN 0x3400 AND 0x4DBF
          OR next BETWEEN 0x4E00 AND 0x9FFF OR next BETWEEN 0xAC00 AND 0xD7AF
          OR next BETWEEN 0xF900 AND 0xFAFF OR next BETWEEN 0x20000 AND 0x3FFFF
        THEN char(this, next) ELSE char(this) END
      FROM place
      WHERE this BETWEEN 0x0E00 AND 0x0FFF OR this BETWEEN 0x1000 AND 0x109F
        OR this BETWEEN 0x1780 AND 0x17FF OR this BETWEEN 0x3040 AND 0x30FF
        OR this BETWEEN 0x31F0 AND 0x31FF OR this BETWEEN 0x3400 AND 0x4DBF
        OR this BETWEEN 0x4E00 AND 0x9FFF OR this BETWEEN 0xAC00 AND 0xD7AF
        OR this BETWEEN 0xF900 AND 0xFAFF OR this BETWEEN 0x20000 AND 0x3FFFF
    )
  SELECT coalesce(group_concat(word, ' ' ORDER BY at), '') FROM gram
)
WHERE length(content) < length(CAST(content AS BLOB));

CREATE VIRTUAL TABLE memories_fts USING fts5 (
  content, category, tags, grams,
  content = 'memories', content_rowid = 'id', tokenize = 'porter unicode61'
);
INSERT INTO memories_fts (memories_fts) VALUES ('rebuild');
CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
  INSERT INTO memories_fts (rowid, content, category, tags, grams)
  VALUES (new.id, new.content, new.category, new.tags, new.grams);
END;
CREATE TRIGGER memories_ad AFTER DELETE ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, category, tags, grams)
  VALUES ('delete', old.id, old.content, old.category, old.tags, old.grams);
END;
-- OF: a changed embedding_state or deleted_at must not rewrite the index.
CREATE TRIGGER memories_au AFTER UPDATE OF content, category, tags, grams ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, category, tags, grams)
  VALUES ('delete', old.id, old.content, old.category, old.tags, old.grams);
  INSERT INTO memories_fts (rowid, content, category, tags, grams)
  VALUES (new.id, new.content, new.category, new.tags, new.grams);
END;
