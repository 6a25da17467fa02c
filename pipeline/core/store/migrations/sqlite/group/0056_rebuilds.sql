-- When each part of the profile was rebuilt, and when it may be again: state, and no history. What a
-- rebuild writes has its history in its own tables. runs: counts the runs that ended, and guards
-- each end against another run. next_update: the end of the pause after a success; retry_at: of
-- that after a failure. worded_by, refusal: the model whose words were taken, or why they were not.
CREATE TABLE rebuilds (
  name        TEXT PRIMARY KEY CHECK (name <> ''),
  runs        INTEGER NOT NULL CHECK (runs >= 0),
  tried_at    INTEGER NOT NULL,
  updated_at  INTEGER,
  next_update INTEGER CHECK ((next_update IS NULL) = (updated_at IS NULL)),
  failures    INTEGER NOT NULL CHECK (failures >= 0),
  retry_at    INTEGER,
  error       TEXT CHECK ((error IS NULL) = (retry_at IS NULL)),
  worded_by   TEXT,
  refusal     TEXT
) STRICT;

-- How far rebuilds have read, by source: the id of the last row. error: why the source could not be
-- read at the last run, so that its cursor stayed.
CREATE TABLE rebuild_cursors (
  name    TEXT PRIMARY KEY CHECK (name <> ''),
  rebuild TEXT NOT NULL CHECK (rebuild <> ''),
  seen    INTEGER NOT NULL CHECK (seen >= 0),
  error   TEXT
) STRICT;

-- The sentences of the trading summary as they were last computed: one that cannot be computed, as
-- its source cannot be read, keeps the words it had.
CREATE TABLE trading_summary_parts (
  part        TEXT PRIMARY KEY CHECK (part <> ''),
  text        TEXT NOT NULL,
  computed_at INTEGER NOT NULL
) STRICT;
