-- What a decision was made on, as it was then: prices, tool outputs, prompt. It never changes, and
-- those that were made on the same share it. hash is the SHA-256 of body.
CREATE TABLE decision_contexts (
  id       INTEGER PRIMARY KEY,
  hash     TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  body     TEXT NOT NULL CHECK (json_valid(body)),
  known_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER decision_contexts_bu BEFORE UPDATE ON decision_contexts BEGIN
  SELECT RAISE(ABORT, 'a frozen context never changes');
END;

-- One row for each decision of a role, and beside it what became of it. The decision never changes;
-- a better account of it supersedes it. It is marked by a person at most once, judged once (outcome
-- to classified_at) and reflected on once (lesson to reflected_at), and the schema says which of
-- these leave a lesson.
CREATE TABLE role_memory (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  uid             TEXT NOT NULL UNIQUE,
  role_id         TEXT NOT NULL CHECK (role_id <> ''),
  skill_id        TEXT NOT NULL CHECK (skill_id <> ''),
  record_key      TEXT CHECK (record_key <> ''),
  session_id      TEXT,
  scenario_id     TEXT,
  origin          TEXT NOT NULL CHECK (origin IN
                    ('owner', 'agent', 'tool', 'web', 'import', 'system')),
  decision        TEXT NOT NULL CHECK (decision <> ''),
  inputs          TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(inputs)),
  asset           TEXT CHECK (asset <> ''),
  asset_key       TEXT CHECK ((asset_key IS NULL) = (asset IS NULL)),
  direction       TEXT NOT NULL CHECK (direction IN ('long', 'short', 'neutral')),
  confidence      REAL CHECK (confidence BETWEEN 0 AND 1),
  context_hash    TEXT REFERENCES decision_contexts (hash) ON DELETE SET NULL,
  decided_at      INTEGER NOT NULL,
  known_at        INTEGER NOT NULL,
  superseded_by   INTEGER REFERENCES role_memory (id) ON DELETE SET NULL,
  superseded_at   INTEGER,

  state           TEXT NOT NULL DEFAULT 'pending' CHECK (state IN
                    ('pending', 'parked', 'skipped', 'reflected')),
  reason          TEXT,
  why             TEXT,
  state_at        INTEGER NOT NULL,
  retry_at        INTEGER,
  tries           INTEGER NOT NULL DEFAULT 0,

  mark            TEXT CHECK (mark IN ('right', 'wrong', 'noise')),
  mark_note       TEXT,
  marked_at       INTEGER,

  outcome         TEXT CHECK (outcome IN ('right', 'wrong', 'noise')),
  measured        TEXT CHECK (json_valid(measured)),
  classification  TEXT CHECK (classification IN
                    ('logic_error', 'missing_data', 'exogenous', 'variance')),
  narrative       TEXT CHECK (narrative <> ''),
  classified_by   TEXT,
  classified_at   INTEGER,

  lesson          TEXT CHECK (lesson <> ''),
  lesson_by       TEXT,
  reflected_at    INTEGER,
  -- R2's slot: empty until the decision was reflected on.
  reflection      TEXT AS (CASE state WHEN 'reflected' THEN coalesce(lesson, narrative) END),

  embedding_state TEXT NOT NULL DEFAULT 'pending' CHECK (embedding_state IN
                    ('pending', 'embedded', 'failed', 'skipped')),
  embedding_error TEXT,

  UNIQUE (role_id, record_key),
  CHECK (superseded_by IS NULL OR (superseded_at IS NOT NULL AND superseded_by <> id)),
  CHECK ((reason IS NOT NULL) = (state IN ('parked', 'skipped'))),
  CHECK (why IS NULL OR reason IS NOT NULL),
  CHECK (retry_at IS NULL OR state IN ('pending', 'parked')),
  CHECK ((mark IS NULL) = (marked_at IS NULL) AND (mark IS NULL) = (mark_note IS NULL)),
  CHECK ((state = 'reflected') = (reflected_at IS NOT NULL)),
  CHECK ((outcome IS NULL) = (classified_at IS NULL) AND (measured IS NULL) = (outcome IS NULL)
    AND (narrative IS NULL) = (outcome IS NULL) AND (classified_by IS NULL) = (outcome IS NULL)),
  CHECK ((classification IS NOT NULL) = (outcome IS NOT NULL AND outcome <> 'right')),
  CHECK (reflected_at IS NULL OR outcome IS NOT NULL),
  CHECK ((lesson IS NOT NULL) = (reflected_at IS NOT NULL AND classification IS NOT NULL
    AND classification IN ('logic_error', 'missing_data'))),
  CHECK ((lesson_by IS NULL) = (lesson IS NULL)),
  CHECK ((embedding_state = 'failed') = (embedding_error IS NOT NULL))
) STRICT;
-- Oldest first; what was looked at before and waits for another look is found by when that is.
CREATE INDEX role_memory_ripening ON role_memory (role_id, decided_at, id)
  WHERE state = 'pending' AND retry_at IS NULL;
CREATE INDEX role_memory_retry ON role_memory (role_id, retry_at, id) WHERE retry_at IS NOT NULL;
CREATE INDEX role_memory_overdue ON role_memory (role_id, known_at)
  WHERE state IN ('pending', 'parked');
CREATE INDEX role_memory_asset_waiting ON role_memory (asset_key, role_id)
  WHERE state IN ('pending', 'parked');
CREATE INDEX role_memory_lessons ON role_memory (role_id, reflected_at, id)
  WHERE lesson IS NOT NULL;
CREATE INDEX role_memory_reflected ON role_memory (asset_key, reflected_at, id)
  WHERE reflected_at IS NOT NULL;
CREATE INDEX role_memory_context ON role_memory (context_hash) WHERE context_hash IS NOT NULL;
CREATE INDEX role_memory_superseded ON role_memory (superseded_by)
  WHERE superseded_by IS NOT NULL;

CREATE TRIGGER role_memory_decision_bu BEFORE UPDATE OF id, uid, role_id, skill_id, record_key,
  session_id, scenario_id, origin, decision, inputs, asset, asset_key, direction, confidence,
  decided_at, known_at ON role_memory
BEGIN
  SELECT RAISE(ABORT, 'a decision never changes; supersede it');
END;
CREATE TRIGGER role_memory_context_bu BEFORE UPDATE OF context_hash ON role_memory
WHEN new.context_hash IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a frozen context never changes');
END;
CREATE TRIGGER role_memory_marked_bu BEFORE UPDATE OF mark, mark_note, marked_at ON role_memory
WHEN old.mark IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a decision is marked once');
END;
CREATE TRIGGER role_memory_judged_bu BEFORE UPDATE OF outcome, measured, classification, narrative,
  classified_by, classified_at ON role_memory WHEN old.classified_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a decision is judged once');
END;
CREATE TRIGGER role_memory_reflected_bu BEFORE UPDATE OF lesson, lesson_by, reflected_at, state
  ON role_memory WHEN old.state IN ('reflected', 'skipped')
BEGIN
  SELECT RAISE(ABORT, 'a decision is reflected on once');
END;

-- What goes with a decision: its edges, and a context that was its alone.
CREATE TRIGGER role_memory_edges_ad AFTER DELETE ON role_memory BEGIN
  DELETE FROM memory_edges WHERE src_table = 'role_memory' AND src_id = old.id;
END;
CREATE TRIGGER role_memory_context_ad AFTER DELETE ON role_memory
WHEN old.context_hash IS NOT NULL
BEGIN
  DELETE FROM decision_contexts WHERE hash = old.context_hash
    AND NOT EXISTS (SELECT 1 FROM role_memory WHERE context_hash = old.context_hash);
END;

-- Little-endian float32, as in memory_vectors: a cache.
CREATE TABLE role_vectors (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  role_memory_id INTEGER NOT NULL REFERENCES role_memory (id) ON DELETE CASCADE,
  model_id       INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
  vector         BLOB NOT NULL CHECK (length(vector) > 0),
  UNIQUE (role_memory_id, model_id)
) STRICT;

-- What a task in the shadow would have said; nothing reads it but people.
CREATE TABLE role_shadows (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  role_memory_id INTEGER NOT NULL REFERENCES role_memory (id) ON DELETE CASCADE,
  task           TEXT NOT NULL CHECK (task IN ('classify_entry', 'draft_lesson')),
  at             INTEGER NOT NULL,
  said_by        TEXT NOT NULL,
  classification TEXT,
  said           TEXT NOT NULL,
  UNIQUE (role_memory_id, task)
) STRICT;
