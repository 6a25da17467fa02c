-- What the judge of a wrong decision saw, stored once under its digest. It never changes.
CREATE TABLE judge_evidence (
  id       INTEGER PRIMARY KEY,
  hash     TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  body     TEXT NOT NULL CHECK (json_valid(body)),
  known_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER judge_evidence_bu BEFORE UPDATE ON judge_evidence BEGIN
  SELECT RAISE(ABORT, 'evidence never changes');
END;

-- The decision's own plan; decimal numbers as text. The methods it cites, and the hint it was shown.
ALTER TABLE role_memory ADD COLUMN stop_price TEXT CHECK (stop_price <> '');
ALTER TABLE role_memory ADD COLUMN target_price TEXT CHECK (target_price <> '');
ALTER TABLE role_memory ADD COLUMN size_usd TEXT CHECK (size_usd <> '');
ALTER TABLE role_memory ADD COLUMN leverage TEXT CHECK (leverage <> '');
ALTER TABLE role_memory ADD COLUMN methods TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(methods));
ALTER TABLE role_memory ADD COLUMN hint_hash TEXT CHECK (length(hint_hash) = 64);
-- When an outcome of it is to be measured next; empty once the last window was.
ALTER TABLE role_memory ADD COLUMN measure_at INTEGER;
-- Windows that passed without an outcome, for lack of prices; new prices make it due at once.
ALTER TABLE role_memory ADD COLUMN windows_missing INTEGER NOT NULL DEFAULT 0
  CHECK (windows_missing >= 0);
-- The class by rule, beside the judge's own.
ALTER TABLE role_memory ADD COLUMN rule_class TEXT CHECK (rule_class IN
  ('logic_error', 'missing_data', 'exogenous', 'variance'));
ALTER TABLE role_memory ADD COLUMN evidence_hash TEXT
  REFERENCES judge_evidence (hash) ON DELETE SET NULL;
-- When the record of its setup stopped supporting its lesson; no prompt shows it from then on.
ALTER TABLE role_memory ADD COLUMN lesson_superseded_at INTEGER
  CHECK (lesson_superseded_at IS NULL OR lesson IS NOT NULL);

CREATE INDEX role_memory_to_measure ON role_memory (measure_at, id) WHERE measure_at IS NOT NULL;
CREATE INDEX role_memory_unmeasured ON role_memory (asset_key) WHERE windows_missing > 0;
CREATE INDEX role_memory_evidence ON role_memory (evidence_hash) WHERE evidence_hash IS NOT NULL;

-- Outcomes ever measured, by window: a metric reads it at no cost that grows with their number.
CREATE TABLE outcome_stats (
  window_hours INTEGER PRIMARY KEY,
  ever         INTEGER NOT NULL DEFAULT 0 CHECK (ever >= 0)
) STRICT;
CREATE TRIGGER outcome_stats_ai AFTER INSERT ON outcomes BEGIN
  INSERT INTO outcome_stats (window_hours, ever) VALUES (new.window_hours, 1)
  ON CONFLICT (window_hours) DO UPDATE SET ever = ever + 1;
END;

-- Decisions recorded before are measured as well: the first window of the ladder is a day.
UPDATE role_memory SET measure_at = decided_at + 86400000000 WHERE asset_key IS NOT NULL;

-- The key of its asset follows the rules that read symbols; the asset as written does not change.
DROP TRIGGER role_memory_decision_bu;
CREATE TRIGGER role_memory_decision_bu BEFORE UPDATE OF id, uid, role_id, skill_id, record_key,
  session_id, scenario_id, origin, decision, inputs, asset, direction, confidence,
  decided_at, known_at, stop_price, target_price, size_usd, leverage, methods, hint_hash
  ON role_memory
BEGIN
  SELECT RAISE(ABORT, 'a decision never changes; supersede it');
END;
DROP TRIGGER role_memory_judged_bu;
CREATE TRIGGER role_memory_judged_bu BEFORE UPDATE OF outcome, measured, classification, narrative,
  classified_by, classified_at, rule_class ON role_memory WHEN old.classified_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a decision is judged once');
END;
CREATE TRIGGER role_memory_evidence_bu BEFORE UPDATE OF evidence_hash ON role_memory
WHEN new.evidence_hash IS NOT NULL AND old.classified_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a decision is judged once');
END;
CREATE TRIGGER role_memory_lesson_superseded_bu BEFORE UPDATE OF lesson_superseded_at
  ON role_memory WHEN old.lesson_superseded_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a lesson is superseded once');
END;
CREATE TRIGGER role_memory_evidence_ad AFTER DELETE ON role_memory
WHEN old.evidence_hash IS NOT NULL
BEGIN
  DELETE FROM judge_evidence WHERE hash = old.evidence_hash
    AND NOT EXISTS (SELECT 1 FROM role_memory WHERE evidence_hash = old.evidence_hash);
END;
