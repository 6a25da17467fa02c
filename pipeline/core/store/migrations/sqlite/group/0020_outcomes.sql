-- What became of a subject over one window, measured once by one version of the rules. A row never
-- changes; a newer version of the rules adds rows of its own, and readers take the newest only.
-- Shares are parts per billion: 50000000 is 5 %. Moments are microseconds.
CREATE TABLE outcomes (
  id             INTEGER PRIMARY KEY,
  subject_kind   TEXT NOT NULL CHECK (subject_kind IN ('decision', 'trip', 'institution_run')),
  subject_id     INTEGER NOT NULL,
  window_hours   INTEGER NOT NULL CHECK (window_hours > 0),
  rule_version   INTEGER NOT NULL CHECK (rule_version > 0),
  known_at       INTEGER NOT NULL,

  asset_key      TEXT NOT NULL CHECK (asset_key <> ''),
  asset_class    TEXT NOT NULL CHECK (asset_class <> ''),
  direction      TEXT NOT NULL CHECK (direction IN ('long', 'short', 'neutral')),
  -- The verdict of the plan where the subject has one, else that of the window.
  verdict        TEXT NOT NULL CHECK (verdict IN ('right', 'wrong', 'noise')),
  window_verdict TEXT NOT NULL CHECK (window_verdict IN ('right', 'wrong', 'noise')),

  source         TEXT NOT NULL,
  symbol         TEXT NOT NULL,
  entry_at       INTEGER NOT NULL,
  entry_price    TEXT NOT NULL,
  exit_at        INTEGER NOT NULL CHECK (exit_at > entry_at),
  exit_price     TEXT NOT NULL,
  move_ppb       INTEGER NOT NULL,
  sigma_ppb      INTEGER NOT NULL CHECK (sigma_ppb >= 0),
  band_ppb       INTEGER NOT NULL CHECK (band_ppb >= 0),
  costs_ppb      INTEGER NOT NULL CHECK (costs_ppb >= 0),
  -- The move that decides a neutral call; of a long or a short, what a neutral one would have met.
  typical_ppb    INTEGER CHECK (typical_ppb >= 0),
  -- The chance of a subject without skill, as it was known at the entry.
  base_ppb       INTEGER CHECK (base_ppb BETWEEN 0 AND 1000000000),
  result_ppb     INTEGER,
  result_micro_usd INTEGER,

  trend_ppb      INTEGER,
  trend          TEXT CHECK (trend IN ('down', 'flat', 'up')),
  volatility     TEXT CHECK (volatility IN ('low', 'middle', 'high')),
  market_symbol  TEXT,
  market_ppb     INTEGER,
  beta_ppb       INTEGER,
  residual_ppb   INTEGER,

  -- Excursions against and with the direction: certain ones, and what the entry's and the exit's bar
  -- leave possible. Of a neutral subject: down and up.
  mae_sure_ppb     INTEGER,
  mae_possible_ppb INTEGER,
  mfe_sure_ppb     INTEGER,
  mfe_possible_ppb INTEGER,

  plan           TEXT CHECK (plan IN ('target_first', 'stop_first', 'neither', 'same_bar')),
  plan_at        INTEGER,
  plan_ppb       INTEGER,

  UNIQUE (subject_kind, subject_id, window_hours, rule_version),
  CHECK ((trend IS NULL) = (trend_ppb IS NULL)),
  CHECK ((residual_ppb IS NULL) = (market_ppb IS NULL) AND (beta_ppb IS NULL) = (market_ppb IS NULL)
    AND (market_symbol IS NULL) = (market_ppb IS NULL)),
  CHECK ((plan IS NULL) = (plan_ppb IS NULL)),
  CHECK ((plan_at IS NOT NULL) = (plan IS NOT NULL AND plan <> 'neither')),
  CHECK (plan IS NOT NULL OR verdict = window_verdict)
) STRICT;
CREATE TRIGGER outcomes_bu BEFORE UPDATE ON outcomes BEGIN
  SELECT RAISE(ABORT, 'an outcome never changes; a newer rule adds its own');
END;
CREATE TRIGGER outcomes_decision_ad AFTER DELETE ON role_memory BEGIN
  DELETE FROM outcomes WHERE subject_kind = 'decision' AND subject_id = old.id;
END;

-- How often a bar of a series was revised, or one before its last was added: a program that keeps a
-- series in memory reads it again then, and otherwise only what came after.
ALTER TABLE price_series ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
