-- Where a session comes from: an agent's own, or a conversation that its owner imported. Of imported
-- sessions a label names one, so that the rows of later files join it.
ALTER TABLE sessions ADD COLUMN origin TEXT NOT NULL DEFAULT 'agent'
  CHECK (origin IN ('agent', 'import'));
CREATE UNIQUE INDEX sessions_imported ON sessions (label) WHERE origin = 'import';

-- The key that a file states for a memory: a second import of it adds nothing.
CREATE TABLE import_keys (
  memory_id  INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  record_key TEXT NOT NULL UNIQUE CHECK (record_key <> '')
) STRICT;
