-- What was seen of the user's behaviour, once for each dimension, source and stretch of time (a day,
-- or the week that begins on it): however often something was done in it, it is one observation. A
-- stretch that looks otherwise after late fills is superseded. stretch: day, numbered from 1970.
-- evidence: a JSON array of [kind, name], as `memory why` follows them.
CREATE TABLE preference_observations (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  dimension     TEXT NOT NULL CHECK (dimension <> ''),
  value         TEXT NOT NULL CHECK (value <> ''),
  kind          TEXT NOT NULL CHECK (kind IN ('habit', 'soft_preference', 'hard_constraint')),
  seen_in       TEXT NOT NULL CHECK (seen_in IN ('trades', 'decisions', 'chat')),
  stretch       INTEGER NOT NULL,
  is_against    INTEGER NOT NULL CHECK (is_against IN (0, 1)),
  times         INTEGER NOT NULL CHECK (times > 0),
  evidence      TEXT NOT NULL CHECK (json_type(evidence) = 'array'),
  known_at      INTEGER NOT NULL,
  superseded_at INTEGER CHECK (superseded_at >= known_at)
) STRICT;
CREATE UNIQUE INDEX preference_observations_current
  ON preference_observations (dimension, seen_in, stretch, value, is_against)
  WHERE superseded_at IS NULL;

-- Preferences: one current row each, and every row before it. text_id: the row that first had the
-- statement, which a flag names. observed_for and observed_against: what the state was decided on.
CREATE TABLE learned_preferences (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  uid              TEXT NOT NULL CHECK (uid <> ''),
  dimension        TEXT NOT NULL CHECK (dimension <> ''),
  kind             TEXT NOT NULL CHECK (kind IN ('habit', 'soft_preference', 'hard_constraint')),
  value            TEXT NOT NULL CHECK (value <> ''),
  statement        TEXT NOT NULL CHECK (statement <> ''),
  state            TEXT NOT NULL CHECK (state IN ('proposed', 'active', 'rejected')),
  decided_by       TEXT NOT NULL CHECK (decided_by IN ('owner', 'agent', 'system')),
  observed_for     INTEGER NOT NULL CHECK (observed_for >= 0),
  observed_against INTEGER NOT NULL CHECK (observed_against >= 0),
  memory_id        INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  text_id          INTEGER NOT NULL,
  proposed_at      INTEGER NOT NULL,
  known_at         INTEGER NOT NULL,
  superseded_at    INTEGER CHECK (superseded_at >= known_at),
  CHECK (kind <> 'hard_constraint' OR state <> 'active' OR decided_by = 'owner')
) STRICT;
CREATE UNIQUE INDEX learned_preferences_current ON learned_preferences (uid)
  WHERE superseded_at IS NULL;
CREATE UNIQUE INDEX learned_preferences_once
  ON learned_preferences (dimension, value, kind = 'hard_constraint') WHERE superseded_at IS NULL;
CREATE INDEX learned_preferences_memory ON learned_preferences (memory_id)
  WHERE memory_id IS NOT NULL;
CREATE TRIGGER injection_flags_preferences_ad AFTER DELETE ON learned_preferences
WHEN old.id = old.text_id BEGIN
  DELETE FROM injection_flags WHERE object_table = 'learned_preferences' AND object_id = old.id;
END;

-- Each run that changed something, or in shadow mode would have. Two runs at once read the same last
-- row; the second to settle finds another one and reads again.
CREATE TABLE preference_minings (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  mode     TEXT NOT NULL CHECK (mode IN ('on', 'shadow')),
  observed INTEGER NOT NULL CHECK (observed >= 0),
  changes  TEXT NOT NULL CHECK (json_type(changes) = 'array'),
  mined_at INTEGER NOT NULL
) STRICT;

-- Decisions that the owner recorded: few beside those of agents and replays.
CREATE INDEX role_memory_by_owner ON role_memory (decided_at, id) WHERE recorded_by = 'owner';
