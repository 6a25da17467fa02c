-- Each vector gets a number of its own that is never used again, so that a process which holds an
-- index of them asks for what came after the last one it knows.
CREATE TABLE memory_vectors_numbered (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  model_id  INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
  vector    BLOB NOT NULL CHECK (length(vector) > 0),
  UNIQUE (memory_id, model_id)
) STRICT;
INSERT INTO memory_vectors_numbered (memory_id, model_id, vector)
SELECT memory_id, model_id, vector FROM memory_vectors ORDER BY memory_id, model_id;
DROP TABLE memory_vectors;
ALTER TABLE memory_vectors_numbered RENAME TO memory_vectors;
