-- Methods of analysis, what decisions that cite them came to, and how the methods did.
--
-- A methodology: what it says never changes; a better wording is a new row. A forgotten one keeps
-- its row and its figures: the number of methodologies ever tried counts in every verdict. Times are
-- microseconds.
CREATE TABLE methodologies (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uid            TEXT NOT NULL UNIQUE CHECK (uid <> ''),
  record_key     TEXT UNIQUE CHECK (record_key <> ''),
  session_id     TEXT,
  origin         TEXT NOT NULL CHECK (origin IN
                   ('owner', 'agent', 'tool', 'web', 'import', 'system')),
  -- Where it comes from: written by somebody, seeded from cases or a confirmed pattern (their ids as
  -- JSON), imported, or made without skill to test the gate.
  source         TEXT NOT NULL CHECK (source IN
                   ('written', 'cases', 'pattern', 'import', 'placebo')),
  seeded_from    TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(seeded_from)),
  asset_class    TEXT NOT NULL CHECK (asset_class IN
                   ('major_crypto', 'layer_1', 'layer_2', 'defi_blue_chip', 'meme_coin',
                    'crypto_other', 'stablecoin', 'stock', 'etf', 'pre_ipo', 'index', 'commodity',
                    'forex')),
  name           TEXT NOT NULL CHECK (name <> ''),
  methodology    TEXT NOT NULL CHECK (methodology <> ''),
  evidence       TEXT NOT NULL DEFAULT '',
  phases         TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(phases)),
  direction      TEXT NOT NULL CHECK (direction IN ('bullish', 'bearish', 'neutral')),
  primary_signal TEXT NOT NULL CHECK (primary_signal IN
                   ('momentum', 'mean_reversion', 'technical', 'fundamental', 'on_chain',
                    'sentiment', 'macro', 'event')),
  timeframe      TEXT NOT NULL CHECK (timeframe IN ('intraday', 'short', 'medium', 'long')),
  indicators     TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(indicators)),
  structured_json TEXT AS (json_object('asset_class', asset_class, 'direction', direction,
                   'indicators', json(indicators), 'primary_signal', primary_signal,
                   'timeframe', timeframe)),
  dedup_key      TEXT NOT NULL CHECK (length(dedup_key) = 64),
  known_at       INTEGER NOT NULL,

  -- Payloads that the injection scan found, as JSON; an owner may clear them.
  injection      TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(injection)),
  injection_cleared_at INTEGER,
  -- How often it was written again; never a use.
  sightings      INTEGER NOT NULL DEFAULT 1 CHECK (sightings >= 1),
  last_sighted_at INTEGER NOT NULL,
  merged_into    INTEGER REFERENCES methodologies (id) CHECK (merged_into <> id),
  merged_at      INTEGER,
  deleted_at     INTEGER,

  -- Figures from outside this instance; shown, and never counted.
  imported_uses  INTEGER CHECK (imported_uses >= 0),
  imported_correct INTEGER CHECK (imported_correct BETWEEN 0 AND imported_uses),
  imported_confidence REAL CHECK (imported_confidence BETWEEN 0 AND 1),

  -- 1 until it is graduated by the gate in force; only then prompts may show it.
  quarantine     INTEGER NOT NULL DEFAULT 1 CHECK (quarantine IN (0, 1)),
  confidence     REAL NOT NULL DEFAULT 0.1 CHECK (confidence BETWEEN 0 AND 1),
  -- The judge's doubt: it hides a methodology from prompts and changes no count.
  flagged_at     INTEGER,
  flags_in_row   INTEGER NOT NULL DEFAULT 0 CHECK (flags_in_row >= 0),
  -- Its effective uses when the judge last looked at it: it looks again when there are more.
  reviewed_uses  INTEGER NOT NULL DEFAULT 0 CHECK (reviewed_uses >= 0),

  -- The literal gate: every window of every application is a use.
  times_used     INTEGER NOT NULL DEFAULT 0 CHECK (times_used >= 0),
  times_correct  INTEGER NOT NULL DEFAULT 0 CHECK (times_correct BETWEEN 0 AND times_used),
  literal_since  INTEGER,
  literal_from   INTEGER NOT NULL DEFAULT 0,

  -- The strict gate: one vote for each stretch of its own horizon. `strict_since`: graduated since;
  -- `strict_from`: evidence before this moment no longer counts, after a demotion.
  effective_uses INTEGER NOT NULL DEFAULT 0 CHECK (effective_uses >= 0),
  effective_correct REAL NOT NULL DEFAULT 0 CHECK (effective_correct >= 0),
  expected       REAL NOT NULL DEFAULT 0 CHECK (expected >= 0),
  spent          INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
  e_value        REAL NOT NULL DEFAULT 1 CHECK (e_value >= 0),
  reverse_bet    REAL NOT NULL DEFAULT 1 CHECK (reverse_bet >= 0),
  promising_since INTEGER,
  strict_since   INTEGER,
  strict_from    INTEGER NOT NULL DEFAULT 0,
  -- At the present rate: further stretches until a verdict, and when that would be; NULL if its rate
  -- points nowhere.
  uses_needed    INTEGER CHECK (uses_needed >= 0),
  verdict_at     INTEGER,
  scored_at      INTEGER,

  CHECK ((merged_into IS NULL) = (merged_at IS NULL)),
  CHECK (quarantine = 1 OR (merged_into IS NULL AND deleted_at IS NULL
    AND (injection = '[]' OR injection_cleared_at IS NOT NULL))),
  CHECK (source <> 'placebo' OR quarantine = 1)
) STRICT;
-- Two methodologies may share their structured fields where their texts contradict each other.
CREATE INDEX methodologies_dedup ON methodologies (dedup_key)
  WHERE deleted_at IS NULL AND source <> 'placebo';
CREATE INDEX methodologies_suggested ON methodologies (asset_class, confidence DESC)
  WHERE quarantine = 0 AND flagged_at IS NULL;
CREATE INDEX methodologies_merged ON methodologies (merged_into) WHERE merged_into IS NOT NULL;
CREATE TRIGGER methodologies_said_bu BEFORE UPDATE OF id, uid, record_key, session_id, origin,
  source, seeded_from, asset_class, name, methodology, evidence, phases, direction, primary_signal,
  timeframe, indicators, dedup_key, known_at, injection, imported_uses, imported_correct,
  imported_confidence ON methodologies
WHEN new.methodology <> '(forgotten)'
BEGIN
  SELECT RAISE(ABORT, 'what a methodology says never changes; write a new one');
END;

-- The words of each methodology that a new one is compared with, as digests, each with its share of
-- the cosine. Only methodologies that may be the same are compared: of one class, direction and
-- timeframe. No word can be read from a digest; a deleted or forgotten methodology leaves none.
CREATE TABLE methodology_terms (
  asset_class    TEXT NOT NULL,
  direction      TEXT NOT NULL,
  timeframe      TEXT NOT NULL,
  term           INTEGER NOT NULL,
  methodology_id INTEGER NOT NULL REFERENCES methodologies (id) ON DELETE CASCADE,
  weight         REAL NOT NULL CHECK (weight > 0 AND weight <= 1.000001),
  PRIMARY KEY (asset_class, direction, timeframe, term, methodology_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX methodology_terms_of ON methodology_terms (methodology_id);
CREATE TRIGGER methodologies_compared_au AFTER UPDATE OF deleted_at, methodology ON methodologies
WHEN new.deleted_at IS NOT NULL OR new.methodology = '(forgotten)'
BEGIN
  DELETE FROM methodology_terms WHERE methodology_id = new.id;
END;

-- Each time a methodology was written again, and how it was recognised. `methodologies.sightings` is
-- one more than their number.
CREATE TABLE methodology_sightings (
  id             INTEGER PRIMARY KEY,
  methodology_id INTEGER NOT NULL REFERENCES methodologies (id) ON DELETE CASCADE,
  record_key     TEXT UNIQUE CHECK (record_key <> ''),
  digest         TEXT NOT NULL CHECK (length(digest) = 64),
  session_id     TEXT,
  origin         TEXT NOT NULL CHECK (origin IN
                   ('owner', 'agent', 'tool', 'web', 'import', 'system')),
  recognised_by  TEXT NOT NULL CHECK (recognised_by IN ('fields', 'tfidf', 'jaccard')),
  likeness       REAL CHECK (likeness BETWEEN 0 AND 1.000001),
  known_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX methodology_sightings_of ON methodology_sightings (methodology_id, known_at);
CREATE TRIGGER methodology_sightings_bu BEFORE UPDATE OF id, methodology_id, digest, session_id,
  origin, recognised_by, likeness, known_at ON methodology_sightings
BEGIN
  SELECT RAISE(ABORT, 'a sighting never changes');
END;

-- What happened to methodologies, each with the numbers that decided it. A stress freeze is about
-- none of them.
CREATE TABLE methodology_lifecycle_events (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  methodology_id INTEGER REFERENCES methodologies (id) ON DELETE CASCADE,
  kind           TEXT NOT NULL CHECK (kind IN
                   ('created', 'promising', 'not_promising', 'graduated', 'demoted',
                    'requantized_by_judge', 'reflection_adjusted', 'market_stress_freeze',
                    'synthesis_auto_demote', 'merged', 'deleted', 'injection_cleared')),
  -- The gate that decided, of the kinds that a gate decides.
  gate           TEXT CHECK (gate IN ('strict', 'literal')),
  reason_text    TEXT NOT NULL DEFAULT '',
  numbers        TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(numbers)),
  said_by        TEXT NOT NULL CHECK (said_by <> ''),
  known_at       INTEGER NOT NULL,
  CHECK ((methodology_id IS NULL) = (kind = 'market_stress_freeze')),
  CHECK ((gate IS NOT NULL) = (kind IN
    ('promising', 'not_promising', 'graduated', 'demoted')))
) STRICT;
CREATE INDEX methodology_lifecycle_events_of ON methodology_lifecycle_events
  (methodology_id, known_at);
CREATE INDEX methodology_lifecycle_events_at ON methodology_lifecycle_events (known_at, kind);
CREATE TRIGGER methodology_lifecycle_events_bu BEFORE UPDATE OF id, methodology_id, kind, gate,
  numbers, said_by, known_at ON methodology_lifecycle_events
BEGIN
  SELECT RAISE(ABORT, 'an event never changes');
END;
CREATE TRIGGER methodology_lifecycle_events_reason_bu BEFORE UPDATE OF reason_text
  ON methodology_lifecycle_events WHEN new.reason_text <> ''
BEGIN
  SELECT RAISE(ABORT, 'an event never changes; its text may only be forgotten');
END;

-- What an agent was shown before it decided: the block, the methodologies in it with their state,
-- and the prices then. The same content is one row, under its digest.
CREATE TABLE methodology_case_hints (
  id          INTEGER PRIMARY KEY,
  hash        TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  session_id  TEXT,
  asset_key   TEXT NOT NULL CHECK (asset_key <> ''),
  asset_class TEXT NOT NULL CHECK (asset_class <> ''),
  block       TEXT NOT NULL,
  snapshot    TEXT NOT NULL CHECK (json_valid(snapshot)),
  known_at    INTEGER NOT NULL
) STRICT;
CREATE TRIGGER methodology_case_hints_bu BEFORE UPDATE ON methodology_case_hints BEGIN
  SELECT RAISE(ABORT, 'a hint never changes');
END;

-- A decision that cites methodologies. `cited` and `attribution_model` are what held when it was
-- opened. It waits until every citation has its outcome, or none can be had any more.
CREATE TABLE methodology_cases (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  decision_id       INTEGER NOT NULL UNIQUE REFERENCES role_memory (id) ON DELETE CASCADE,
  session_id        TEXT,
  asset_key         TEXT NOT NULL CHECK (asset_key <> ''),
  asset_class       TEXT NOT NULL CHECK (asset_class <> ''),
  direction         TEXT NOT NULL CHECK (direction IN ('long', 'short', 'neutral')),
  decided_at        INTEGER NOT NULL,
  hint_hash         TEXT CHECK (length(hint_hash) = 64),
  cited             TEXT NOT NULL CHECK (json_valid(cited)),
  attribution_model TEXT NOT NULL CHECK (attribution_model <> ''),
  outcome_state     TEXT NOT NULL DEFAULT 'pending' CHECK (outcome_state IN
                      ('pending', 'resolved', 'unresolved')),
  due_at            INTEGER NOT NULL,
  closed_at         INTEGER,
  -- The result of the trades linked to the decision, and the part that no methodology has; the
  -- citations have the rest. NULL while no linked trade has a result.
  realised_micro_usd INTEGER,
  unattributed_micro_usd INTEGER,
  known_at          INTEGER NOT NULL,
  CHECK ((outcome_state = 'pending') = (closed_at IS NULL)),
  CHECK ((realised_micro_usd IS NULL) = (unattributed_micro_usd IS NULL))
) STRICT;
CREATE INDEX methodology_cases_pending ON methodology_cases (due_at)
  WHERE outcome_state = 'pending';
CREATE INDEX methodology_cases_closed ON methodology_cases (closed_at)
  WHERE closed_at IS NOT NULL;
CREATE INDEX methodology_cases_asset ON methodology_cases (asset_key, decided_at);
-- A round trip that was made into a decision afterwards cites nothing, and was shown no hint.
CREATE TRIGGER methodology_cases_bi BEFORE INSERT ON methodology_cases
WHEN NOT EXISTS (SELECT 1 FROM role_memory WHERE id = new.decision_id AND from_trip_uid IS NULL
  AND json_array_length(methods) > 0)
BEGIN
  SELECT RAISE(ABORT, 'only a decision that cites methods is a case; mirrored fills never are');
END;
CREATE TRIGGER methodology_cases_bu BEFORE UPDATE OF id, decision_id, session_id, asset_key,
  asset_class, direction, decided_at, hint_hash, cited, attribution_model, known_at
  ON methodology_cases
BEGIN
  SELECT RAISE(ABORT, 'a case cannot be edited');
END;
-- A case without outcome is resolved after all if its prices come late.
CREATE TRIGGER methodology_cases_closed_bu BEFORE UPDATE OF outcome_state, closed_at
  ON methodology_cases WHEN old.outcome_state = 'resolved' OR new.outcome_state = 'pending'
  OR (old.outcome_state = 'unresolved' AND new.closed_at <> old.closed_at)
BEGIN
  SELECT RAISE(ABORT, 'a case closes once');
END;

-- One methodology that a case cites. `standing` says whether it casts a vote, and if not, why: the
-- decision points another way (`direction`), is about another class (`class`), was recorded too late
-- (`late`), was made before the methodology was known (`before`), or was withdrawn in time
-- (`withdrawn`).
CREATE TABLE methodology_citations (
  case_id        INTEGER NOT NULL REFERENCES methodology_cases (id) ON DELETE CASCADE,
  methodology_id INTEGER NOT NULL REFERENCES methodologies (id) ON DELETE CASCADE,
  standing       TEXT NOT NULL CHECK (standing IN
                   ('counts', 'direction', 'class', 'late', 'before', 'withdrawn')),
  window_hours   INTEGER NOT NULL CHECK (window_hours > 0),
  due_at         INTEGER NOT NULL,
  outcome_state  TEXT NOT NULL DEFAULT 'pending' CHECK (outcome_state IN
                   ('pending', 'right', 'wrong', 'noise', 'unresolved')),
  attributed_micro_usd INTEGER,
  PRIMARY KEY (case_id, methodology_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX methodology_citations_of ON methodology_citations (methodology_id, case_id);
CREATE INDEX methodology_citations_open ON methodology_citations (due_at)
  WHERE outcome_state IN ('pending', 'unresolved');
-- Decisions that may become cases.
CREATE INDEX role_memory_citing ON role_memory (id) WHERE methods <> '[]';

-- One pass of the learning loop, whoever started it: its heartbeat, and what it did.
CREATE TABLE methodology_cron_runs (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  trigger     TEXT NOT NULL CHECK (trigger IN ('cron', 'command')),
  judge       TEXT NOT NULL CHECK (judge <> ''),
  is_frozen   INTEGER NOT NULL CHECK (is_frozen IN (0, 1)),
  numbers     TEXT NOT NULL CHECK (json_valid(numbers)),
  started_at  INTEGER NOT NULL,
  finished_at INTEGER NOT NULL CHECK (finished_at >= started_at)
) STRICT;
CREATE INDEX methodology_cron_runs_at ON methodology_cron_runs (finished_at);

-- One audit of the learning loop. It writes no other table.
CREATE TABLE methodology_audit_reports (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  uid         TEXT NOT NULL UNIQUE CHECK (uid <> ''),
  trigger     TEXT NOT NULL CHECK (trigger IN ('cron', 'command')),
  window_days INTEGER NOT NULL CHECK (window_days > 0),
  composite   REAL CHECK (composite BETWEEN 0 AND 100),
  band        TEXT CHECK (band IN ('healthy', 'watch', 'degraded', 'alarm')),
  dimension_scores TEXT NOT NULL CHECK (json_valid(dimension_scores)),
  dimension_weights_used TEXT NOT NULL CHECK (json_valid(dimension_weights_used)),
  findings    TEXT NOT NULL CHECK (json_valid(findings)),
  advisory_actions TEXT NOT NULL CHECK (json_valid(advisory_actions)),
  known_at    INTEGER NOT NULL,
  CHECK (composite IS NOT NULL OR band IS NULL)
) STRICT;
CREATE INDEX methodology_audit_reports_at ON methodology_audit_reports (known_at);
CREATE TRIGGER methodology_audit_reports_bu BEFORE UPDATE ON methodology_audit_reports BEGIN
  SELECT RAISE(ABORT, 'a report never changes');
END;
