-- What is known of the user (a group is a user): one current row for each dimension and source. A
-- value is never overwritten, only superseded; the values of a dimension are checked by the program.
CREATE TABLE user_tags (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  dimension     TEXT NOT NULL CHECK (dimension IN ('finance_knowledge', 'frequency', 'markets',
    'risk', 'web3_knowledge_level', 'style', 'FOMO Index', 'FUD Immunity', 'Patience Level',
    'Greed Index')),
  value         TEXT NOT NULL CHECK (value <> ''),
  source        TEXT NOT NULL CHECK (source IN ('user', 'learned_preference', 'inferred')),
  since         INTEGER NOT NULL,
  superseded_at INTEGER CHECK (superseded_at >= since)
) STRICT;
CREATE UNIQUE INDEX user_tags_current ON user_tags (dimension, source)
  WHERE superseded_at IS NULL;

-- The profile of the user: one current row, and every row before it. reference_wallets_json: a JSON
-- array of addresses. prompt_id: the row that first had the custom prompt, which a flag names, so
-- that it holds on while other fields change. The cursors of the rebuilds are not here: they are
-- state and no history.
CREATE TABLE financial_profile (
  id                        INTEGER PRIMARY KEY AUTOINCREMENT,
  platform_wallet_summary   TEXT CHECK (platform_wallet_summary <> ''),
  reference_wallets_summary TEXT CHECK (reference_wallets_summary <> ''),
  reference_wallets_json    TEXT NOT NULL CHECK (json_type(reference_wallets_json) = 'array'),
  custom_prompt             TEXT CHECK (custom_prompt <> ''),
  include_memories          INTEGER NOT NULL CHECK (include_memories IN (0, 1)),
  include_trading_summary   INTEGER NOT NULL CHECK (include_trading_summary IN (0, 1)),
  include_tags              INTEGER NOT NULL CHECK (include_tags IN (0, 1)),
  trading_summary_updated_at INTEGER,
  onboarding_completed_at   INTEGER,
  created_at                INTEGER NOT NULL,
  updated_at                INTEGER NOT NULL,
  superseded_at             INTEGER CHECK (superseded_at >= updated_at),
  prompt_id                 INTEGER,
  CHECK ((prompt_id IS NULL) = (custom_prompt IS NULL))
) STRICT;
CREATE UNIQUE INDEX financial_profile_current ON financial_profile (superseded_at IS NULL)
  WHERE superseded_at IS NULL;

-- What the owner answered when the profile was set up, each with the memory that tells it.
CREATE TABLE onboarding_answers (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  question      TEXT NOT NULL
    CHECK (question IN ('finance_knowledge', 'frequency', 'risk', 'markets', 'capital')),
  answer        TEXT NOT NULL CHECK (answer <> ''),
  memory_id     INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  answered_at   INTEGER NOT NULL,
  superseded_at INTEGER CHECK (superseded_at >= answered_at)
) STRICT;
CREATE UNIQUE INDEX onboarding_answers_current ON onboarding_answers (question)
  WHERE superseded_at IS NULL;
CREATE INDEX onboarding_answers_memory ON onboarding_answers (memory_id);

-- The fills and trips of the last days, for what is observed of the user.
CREATE INDEX perps_fills_moment ON perps_fills (ts_ms);
CREATE INDEX round_trips_closed ON round_trips (closed_at);

-- A session may start with more texts than two: the program names them.
ALTER TABLE session_snapshots RENAME TO snapshots_before;
CREATE TABLE session_snapshots (
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  surface    TEXT NOT NULL CHECK (surface <> ''),
  body       TEXT NOT NULL,
  memory_ids TEXT NOT NULL CHECK (json_type(memory_ids) = 'array'),
  made_at    INTEGER NOT NULL,
  PRIMARY KEY (session_id, surface)
) STRICT;
INSERT INTO session_snapshots (session_id, surface, body, memory_ids, made_at)
SELECT session_id, surface, body, memory_ids, made_at FROM snapshots_before;
DROP TABLE snapshots_before;

-- More tables than three hold texts that are flagged: the program names them.
DROP TRIGGER injection_flags_memories_ad;
DROP TRIGGER injection_flags_roles_ad;
DROP TRIGGER injection_flags_profile_ad;
DROP TRIGGER injection_flags_ai;
DROP TRIGGER injection_flags_cleared_au;
DROP INDEX injection_flags_of;
DROP INDEX injection_flags_open;
ALTER TABLE injection_flags RENAME TO flags_before;
CREATE TABLE injection_flags (
  id           INTEGER PRIMARY KEY,
  object_table TEXT NOT NULL CHECK (object_table <> ''),
  object_id    INTEGER NOT NULL,
  families     TEXT NOT NULL CHECK (families <> ''),
  flagged_at   INTEGER NOT NULL,
  cleared_at   INTEGER CHECK (cleared_at >= flagged_at)
) STRICT;
CREATE INDEX injection_flags_of ON injection_flags (object_table, object_id);
CREATE UNIQUE INDEX injection_flags_open ON injection_flags (object_table, object_id)
  WHERE cleared_at IS NULL;
INSERT INTO injection_flags (id, object_table, object_id, families, flagged_at, cleared_at)
SELECT id, object_table, object_id, families, flagged_at, cleared_at FROM flags_before;
DROP TABLE flags_before;
CREATE TRIGGER injection_flags_memories_ad AFTER DELETE ON memories BEGIN
  DELETE FROM injection_flags WHERE object_table = 'memories' AND object_id = old.id;
END;
CREATE TRIGGER injection_flags_roles_ad AFTER DELETE ON role_memory BEGIN
  DELETE FROM injection_flags WHERE object_table = 'role_memory' AND object_id = old.id;
END;
CREATE TRIGGER injection_flags_profile_ad AFTER DELETE ON user_profile BEGIN
  DELETE FROM injection_flags WHERE object_table = 'user_profile' AND object_id = old.id;
END;
CREATE TRIGGER injection_flags_financial_ad AFTER DELETE ON financial_profile BEGIN
  DELETE FROM injection_flags WHERE object_table = 'financial_profile' AND object_id = old.id;
END;
CREATE TRIGGER injection_flags_prompt_au AFTER UPDATE OF custom_prompt ON financial_profile
WHEN new.custom_prompt IS NULL BEGIN
  DELETE FROM injection_flags WHERE object_table = 'financial_profile' AND object_id = new.id;
END;
-- A flagged text has no vector; once its flag is cleared it waits for one.
CREATE TRIGGER injection_flags_ai AFTER INSERT ON injection_flags BEGIN
  UPDATE memories SET embedding_state = 'skipped', embedding_error = NULL
  WHERE new.object_table = 'memories' AND id = new.object_id;
  DELETE FROM memory_vectors WHERE new.object_table = 'memories' AND memory_id = new.object_id;
  UPDATE role_memory SET embedding_state = 'skipped', embedding_error = NULL
  WHERE new.object_table = 'role_memory' AND id = new.object_id;
  DELETE FROM role_vectors
  WHERE new.object_table = 'role_memory' AND role_memory_id = new.object_id;
END;
CREATE TRIGGER injection_flags_cleared_au AFTER UPDATE OF cleared_at ON injection_flags
WHEN old.cleared_at IS NULL AND new.cleared_at IS NOT NULL BEGIN
  UPDATE memories SET embedding_state = 'pending'
  WHERE new.object_table = 'memories' AND id = new.object_id AND embedding_state = 'skipped';
  UPDATE role_memory SET embedding_state = 'pending'
  WHERE new.object_table = 'role_memory' AND id = new.object_id AND embedding_state = 'skipped';
END;
