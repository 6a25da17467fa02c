-- What the record of a role shows in one class of assets: one row for each text a pattern ever had.
-- The current one has no superseded_at; a row never changes but for that. `numbers` holds every
-- number its text may name, as JSON. A model is asked for its words once: what it said, and why that
-- was refused, stay beside the template.
CREATE TABLE role_patterns (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  role_id       TEXT NOT NULL CHECK (role_id <> ''),
  asset_class   TEXT NOT NULL CHECK (asset_class <> ''),
  direction     TEXT NOT NULL CHECK (direction IN ('long', 'short')),
  trend         TEXT NOT NULL CHECK (trend IN ('down', 'flat', 'up')),
  side          TEXT NOT NULL CHECK (side IN ('failing', 'works')),
  state         TEXT NOT NULL CHECK (state IN ('single', 'emerging', 'confirmed', 'retired')),
  -- Whether it may be told of the whole class, and the assets it may be told of in any case.
  is_class      INTEGER NOT NULL CHECK (is_class IN (0, 1)),
  assets        TEXT NOT NULL CHECK (json_valid(assets)),
  numbers       TEXT NOT NULL CHECK (json_valid(numbers)),
  text          TEXT NOT NULL CHECK (text <> ''),
  worded_by     TEXT NOT NULL CHECK (worded_by <> ''),
  rule_version  INTEGER NOT NULL CHECK (rule_version > 0),
  known_at      INTEGER NOT NULL,
  superseded_at INTEGER,
  asked_by      TEXT CHECK (asked_by <> ''),
  asked_at      INTEGER,
  said          TEXT CHECK (said <> ''),
  refusal       TEXT CHECK (refusal <> ''),
  CHECK ((asked_by IS NULL) = (asked_at IS NULL)),
  CHECK (asked_at IS NOT NULL OR (said IS NULL AND refusal IS NULL))
) STRICT;
CREATE UNIQUE INDEX role_patterns_current ON role_patterns
  (role_id, asset_class, direction, trend, side) WHERE superseded_at IS NULL;
CREATE INDEX role_patterns_history ON role_patterns (role_id, known_at);
CREATE INDEX role_patterns_forms ON role_patterns
  (role_id, asset_class, direction, trend, side, id);
CREATE INDEX role_patterns_superseded ON role_patterns (superseded_at)
  WHERE superseded_at IS NOT NULL;
CREATE TRIGGER role_patterns_bu BEFORE UPDATE OF id, role_id, asset_class, direction, trend, side,
  state, is_class, assets, numbers, text, worded_by, rule_version, known_at ON role_patterns
BEGIN
  SELECT RAISE(ABORT, 'a pattern gets a new row; only its end is written');
END;
CREATE TRIGGER role_patterns_superseded_bu BEFORE UPDATE OF superseded_at ON role_patterns
WHEN old.superseded_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a pattern ends once');
END;
CREATE TRIGGER role_patterns_asked_bu BEFORE UPDATE OF asked_by, asked_at, said, refusal
  ON role_patterns WHEN old.asked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a model words a pattern once');
END;
-- What the patterns of a role were last weighed from, so that nothing is done twice: counts and the
-- newest ids, as JSON.
CREATE TABLE role_weighings (
  role_id    TEXT PRIMARY KEY CHECK (role_id <> ''),
  seen       TEXT NOT NULL CHECK (json_valid(seen)),
  weighed_at INTEGER NOT NULL
) STRICT;
