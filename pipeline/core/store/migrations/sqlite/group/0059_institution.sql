-- Runs of an institution: several roles report and one decides. The decision is one of role memory,
-- where it is measured once and votes once. Times are microseconds.
--
-- A run names its decision by uid, and not by row: a replay knows its runs before it records their
-- decisions. `digest` is of what was captured: the same run again must be equal. `next_at` is when
-- the first window ends that is not answered; NULL when all are.
CREATE TABLE institution_runs (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uid            TEXT NOT NULL UNIQUE CHECK (uid <> ''),
  digest         TEXT NOT NULL CHECK (length(digest) = 64),
  session_id     TEXT,
  asset          TEXT NOT NULL CHECK (asset <> ''),
  asset_key      TEXT NOT NULL CHECK (asset_key <> ''),
  direction      TEXT NOT NULL CHECK (direction IN ('long', 'short', 'neutral')),
  confidence     REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  horizon_hours  INTEGER NOT NULL CHECK (horizon_hours BETWEEN 24 AND 8760),
  trigger        TEXT NOT NULL CHECK (trigger <> ''),
  base_case      TEXT NOT NULL CHECK (base_case <> ''),
  thesis         TEXT NOT NULL CHECK (thesis <> ''),
  decision_uid   TEXT NOT NULL UNIQUE CHECK (decision_uid <> ''),
  -- Digest of what the run was told of earlier ones on the asset.
  retrospect     TEXT CHECK (length(retrospect) = 64),
  meta           TEXT NOT NULL CHECK (json_valid(meta)),
  cited          TEXT NOT NULL CHECK (json_valid(cited)),
  decided_at     INTEGER NOT NULL,
  known_at       INTEGER NOT NULL,
  next_at        INTEGER
) STRICT;
CREATE INDEX institution_runs_asset ON institution_runs (asset_key, decided_at);
CREATE INDEX institution_runs_next ON institution_runs (next_at) WHERE next_at IS NOT NULL;
CREATE TRIGGER institution_runs_bu BEFORE UPDATE OF id, uid, digest, session_id, asset, asset_key,
  direction, confidence, horizon_hours, trigger, base_case, thesis, decision_uid, retrospect, meta,
  cited, decided_at, known_at ON institution_runs
BEGIN
  SELECT RAISE(ABORT, 'a run never changes');
END;

-- What each role handed in: the input of the tool that its model was forced to call.
CREATE TABLE institution_role_outputs (
  id       INTEGER PRIMARY KEY,
  run_id   INTEGER NOT NULL REFERENCES institution_runs (id) ON DELETE CASCADE,
  place    INTEGER NOT NULL CHECK (place >= 0),
  role     TEXT NOT NULL CHECK (role <> ''),
  form     TEXT NOT NULL CHECK (form IN ('analyst_report', 'debate_argument', 'risk_assessment',
             'trader_proposal', 'portfolio_decision')),
  body     TEXT NOT NULL CHECK (json_valid(body)),
  cited    TEXT NOT NULL CHECK (json_valid(cited)),
  model    TEXT CHECK (model <> ''),
  known_at INTEGER NOT NULL,
  UNIQUE (run_id, place)
) STRICT;
CREATE TRIGGER institution_role_outputs_bu BEFORE UPDATE ON institution_role_outputs BEGIN
  SELECT RAISE(ABORT, 'an output never changes');
END;

-- `window`: the answer to the question of one window of the ladder, once. `lazy`: what the next run
-- on the asset was told. `manual`: what a person says. The last two feed nothing. An answer in the
-- shadow is shown to nobody, and stands beside a real one.
CREATE TABLE institution_reflections (
  id           INTEGER PRIMARY KEY,
  run_id       INTEGER NOT NULL REFERENCES institution_runs (id) ON DELETE CASCADE,
  kind         TEXT NOT NULL CHECK (kind IN ('window', 'lazy', 'manual')),
  window_hours INTEGER CHECK (window_hours IN (24, 168, 720, 2160, 4320, 8760)),
  answer       TEXT CHECK (answer IN ('yes', 'no', 'unclear')),
  is_shadow    INTEGER NOT NULL DEFAULT 0 CHECK (is_shadow IN (0, 1)),
  -- The windows that decided it, with their verdict and figures, as JSON.
  numbers      TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(numbers)),
  text         TEXT NOT NULL CHECK (text <> ''),
  -- Of a window: when it ended. Of a snapshot: the digest of what was told.
  exit_at      INTEGER,
  digest       TEXT CHECK (length(digest) = 64),
  known_at     INTEGER NOT NULL,
  CHECK ((kind = 'window') = (window_hours IS NOT NULL)),
  CHECK ((kind = 'window') = (answer IS NOT NULL)),
  CHECK ((kind = 'window') = (exit_at IS NOT NULL)),
  CHECK ((kind = 'window') = (digest IS NULL)),
  CHECK (kind = 'window' OR is_shadow = 0)
) STRICT;
CREATE UNIQUE INDEX institution_reflections_window
  ON institution_reflections (run_id, window_hours, is_shadow) WHERE kind = 'window';
CREATE UNIQUE INDEX institution_reflections_note
  ON institution_reflections (run_id, kind, digest) WHERE kind <> 'window';
CREATE INDEX institution_reflections_digest
  ON institution_reflections (digest) WHERE digest IS NOT NULL;
CREATE TRIGGER institution_reflections_bu BEFORE UPDATE ON institution_reflections BEGIN
  SELECT RAISE(ABORT, 'a reflection never changes');
END;

-- A decision recorded by a role and one captured with a run, of one asset and at one time, are one
-- use of a methodology: the citation that was opened later repeats the earlier one.
ALTER TABLE methodology_citations ADD COLUMN is_repeat INTEGER NOT NULL DEFAULT 0
  CHECK (is_repeat IN (0, 1));
