-- What is remembered. One table for both vocabularies: a typed entry's category is its type.
-- A row is alive while deleted_at and superseded_at are empty. known_at is when we learned it,
-- occurred_at when it happened, where somebody said so.
CREATE TABLE memories (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  uid             TEXT NOT NULL UNIQUE,
  category        TEXT NOT NULL CHECK (category IN
                    ('preference', 'observation', 'trade_outcome', 'lesson', 'personalization',
                     'alert', 'reference', 'fact', 'instruction', 'context', 'correction')),
  content         TEXT NOT NULL CHECK (content <> ''),
  metadata        TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  source          TEXT CHECK (source IN
                    ('user_manual', 'user_explicit', 'learned_preference', 'inferred',
                     'chat_extracted', 'agent_recorded')),
  origin          TEXT NOT NULL CHECK (origin IN
                    ('owner', 'agent', 'tool', 'web', 'import', 'system')),
  type            TEXT CHECK (type IN
                    ('preference', 'fact', 'instruction', 'context', 'correction')),
  behavioral      INTEGER NOT NULL
                    CHECK (behavioral = (category IN ('preference', 'instruction', 'correction'))),
  tags            TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  session_id      TEXT,
  scenario_id     TEXT,
  occurred_at     INTEGER,
  known_at        INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  deleted_at      INTEGER,
  superseded_by   INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  superseded_at   INTEGER,
  stale_at        INTEGER,
  embedding_state TEXT NOT NULL DEFAULT 'pending' CHECK (embedding_state IN
                    ('pending', 'embedded', 'failed', 'skipped')),
  embedding_error TEXT,
  CHECK (type IS NULL OR type = category),
  CHECK (superseded_by IS NULL OR (superseded_at IS NOT NULL AND superseded_by <> id)),
  CHECK ((embedding_state = 'failed') = (embedding_error IS NOT NULL))
) STRICT;
CREATE INDEX memories_recent ON memories (updated_at, id)
  WHERE deleted_at IS NULL AND superseded_at IS NULL;
CREATE INDEX memories_category ON memories (category, updated_at, id)
  WHERE deleted_at IS NULL AND superseded_at IS NULL;
CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by IS NOT NULL;

-- When a memory was away: a deletion opens an interval, a restore closes it.
CREATE TABLE memory_absences (
  id        INTEGER PRIMARY KEY,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  gone_at   INTEGER NOT NULL,
  back_at   INTEGER CHECK (back_at >= gone_at)
) STRICT;
CREATE INDEX memory_absences_memory ON memory_absences (memory_id);
CREATE UNIQUE INDEX memory_absences_open ON memory_absences (memory_id) WHERE back_at IS NULL;

-- The words of memories; the text itself stays there. A row put back after a deletion was never
-- taken out of here, so restoring costs nothing.
CREATE VIRTUAL TABLE memories_fts USING fts5 (
  content, category, tags,
  content = 'memories', content_rowid = 'id', tokenize = 'porter unicode61'
);
CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
  INSERT INTO memories_fts (rowid, content, category, tags)
  VALUES (new.id, new.content, new.category, new.tags);
END;
CREATE TRIGGER memories_ad AFTER DELETE ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, category, tags)
  VALUES ('delete', old.id, old.content, old.category, old.tags);
END;
-- OF: a changed embedding_state or deleted_at must not rewrite the index.
CREATE TRIGGER memories_au AFTER UPDATE OF content, category, tags ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, category, tags)
  VALUES ('delete', old.id, old.content, old.category, old.tags);
  INSERT INTO memories_fts (rowid, content, category, tags)
  VALUES (new.id, new.content, new.category, new.tags);
END;

-- What a memory is about. known_at is the memory's own; src_table is R1's, for role_memory too.
CREATE TABLE memory_edges (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  src_table       TEXT NOT NULL CHECK (src_table IN ('memories', 'role_memory')),
  src_id          INTEGER NOT NULL,
  dst_entity_kind TEXT NOT NULL CHECK (dst_entity_kind <> ''),
  dst_entity_key  TEXT NOT NULL CHECK (dst_entity_key <> ''),
  edge_type       TEXT NOT NULL CHECK (edge_type IN
                    ('holds', 'exited', 'traded', 'watched', 'mentions', 'co_occurs_with',
                     'belongs_to_scenario')),
  weight          REAL NOT NULL DEFAULT 1.0,
  known_at        INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  UNIQUE (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type)
) STRICT;
CREATE TRIGGER memories_edges_ad AFTER DELETE ON memories BEGIN
  DELETE FROM memory_edges WHERE src_table = 'memories' AND src_id = old.id;
END;

-- Which models made vectors here. Vectors of different models are never compared.
CREATE TABLE embedding_models (
  id         INTEGER PRIMARY KEY,
  provider   TEXT NOT NULL,
  model      TEXT NOT NULL,
  dimensions INTEGER NOT NULL CHECK (dimensions > 0),
  created_at INTEGER NOT NULL,
  UNIQUE (provider, model, dimensions)
) STRICT;

-- Little-endian float32. A cache: every vector can be asked for again from its memory's text.
CREATE TABLE memory_vectors (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  model_id  INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
  vector    BLOB NOT NULL CHECK (length(vector) > 0),
  PRIMARY KEY (memory_id, model_id)
) STRICT;

-- Stable facts looked up by name. A new value supersedes the old one: a read of the past still
-- finds what was known then.
CREATE TABLE user_profile (
  id            INTEGER PRIMARY KEY,
  key           TEXT NOT NULL CHECK (key <> ''),
  value         TEXT NOT NULL,
  updated_at    INTEGER NOT NULL,
  superseded_at INTEGER
) STRICT;
CREATE UNIQUE INDEX user_profile_now ON user_profile (key) WHERE superseded_at IS NULL;

-- Who did what to which row. It only grows, and holds ids and sizes, never remembered text.
CREATE TABLE audit_log (
  id           INTEGER PRIMARY KEY,
  at           INTEGER NOT NULL,
  actor        TEXT NOT NULL CHECK (actor IN ('owner', 'agent', 'system')),
  tool_call    TEXT NOT NULL CHECK (tool_call <> ''),
  object_table TEXT NOT NULL CHECK (object_table <> ''),
  object_id    INTEGER NOT NULL,
  session_id   TEXT,
  detail       TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
CREATE TRIGGER audit_log_bu BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'audit_log only grows');
END;
CREATE TRIGGER audit_log_bd BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'audit_log only grows');
END;
