-- What an agent learned to do: the tools that did a task, in order, and notes beside them. A row
-- that waits for its turn is shown to nobody; one of a turn that failed is removed. The counts are
-- sums over learning_turns, kept here for the reads of the present.
CREATE TABLE learnings (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uid           TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  trigger       TEXT NOT NULL CHECK (trigger <> ''),
  tool_sequence TEXT NOT NULL CHECK (json_type(tool_sequence) = 'array'),
  guidance      TEXT NOT NULL,
  source        TEXT NOT NULL CHECK (source IN ('review', 'agent')),
  session_id    TEXT,
  turn_id       INTEGER REFERENCES turns (id) ON DELETE SET NULL,
  created_at    INTEGER NOT NULL,
  active_at     INTEGER CHECK (active_at >= created_at),
  success_count INTEGER NOT NULL DEFAULT 0 CHECK (success_count >= 0),
  failure_count INTEGER NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
  shown_count   INTEGER NOT NULL DEFAULT 0 CHECK (shown_count >= 0),
  ignored       INTEGER NOT NULL DEFAULT 0 CHECK (ignored >= 0),
  last_used_at  INTEGER,
  deleted_at    INTEGER CHECK (deleted_at >= created_at),
  CHECK (tool_sequence <> '[]' OR guidance <> '')
) STRICT;
CREATE INDEX learnings_waiting ON learnings (turn_id) WHERE active_at IS NULL;

-- The weights of the words of a learning: those of its trigger, to which a message is compared, and
-- those of trigger and tools together, by which a procedure is recognised. A term is a digest.
CREATE TABLE learning_terms (
  part        TEXT NOT NULL CHECK (part IN ('trigger', 'procedure')),
  term        INTEGER NOT NULL,
  learning_id INTEGER NOT NULL REFERENCES learnings (id) ON DELETE CASCADE,
  weight      REAL NOT NULL,
  PRIMARY KEY (part, term, learning_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX learning_terms_of ON learning_terms (learning_id);

-- What a learning had to do with a turn, once for each turn: it was shown in it, a draw left it
-- out, the turn was before the learning was known, or the turn taught it. result says what came of
-- it, once the turn is finished.
CREATE TABLE learning_turns (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  turn_id     INTEGER REFERENCES turns (id) ON DELETE SET NULL,
  learning_id INTEGER NOT NULL REFERENCES learnings (id) ON DELETE CASCADE,
  arm         TEXT NOT NULL CHECK (arm IN ('shown', 'left_out', 'before', 'taught')),
  place       INTEGER,
  similarity  REAL,
  share_ppm   INTEGER NOT NULL DEFAULT 0 CHECK (share_ppm BETWEEN 0 AND 1000000),
  known_at    INTEGER NOT NULL,
  result      TEXT CHECK (result IN ('succeeded', 'failed', 'ignored', 'noted')),
  outcome     TEXT CHECK (outcome IN ('succeeded', 'failed')),
  settled_at  INTEGER CHECK (settled_at >= known_at),
  UNIQUE (turn_id, learning_id),
  CHECK ((result IS NULL) = (settled_at IS NULL) AND (result IS NULL) = (outcome IS NULL))
) STRICT;
CREATE INDEX learning_turns_of ON learning_turns (learning_id, known_at);

-- The one review of a turn. learning_id is what it taught, or repeated; shadow is what a model says
-- whose switch is in shadow mode.
CREATE TABLE learning_reviews (
  turn_id                 INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
  reviewer                TEXT NOT NULL,
  score                   INTEGER NOT NULL CHECK (score BETWEEN 0 AND 10),
  summary                 TEXT NOT NULL,
  suggested_trigger       TEXT NOT NULL,
  suggested_tool_sequence TEXT NOT NULL CHECK (json_type(suggested_tool_sequence) = 'array'),
  guidance                TEXT NOT NULL,
  verdict                 TEXT NOT NULL CHECK (verdict IN ('learned', 'repeated', 'below', 'refused')),
  reason                  TEXT NOT NULL,
  learning_id             INTEGER REFERENCES learnings (id) ON DELETE SET NULL,
  shadow                  TEXT CHECK (json_type(shadow) = 'object'),
  reviewed_at             INTEGER NOT NULL
) STRICT;
CREATE INDEX learning_reviews_at ON learning_reviews (reviewed_at);
CREATE INDEX learning_reviews_of ON learning_reviews (learning_id) WHERE learning_id IS NOT NULL;

-- A review looks at what was asked before.
CREATE INDEX turns_finished ON turns (finished_at) WHERE outcome IS NOT NULL;
