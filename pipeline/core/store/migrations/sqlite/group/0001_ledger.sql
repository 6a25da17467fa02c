-- Which file this is. One row; a file copied over another one is noticed by it.
CREATE TABLE store_identity (
  only        INTEGER PRIMARY KEY CHECK (only = 1),
  kind        TEXT NOT NULL CHECK (kind IN ('group', 'instance')),
  group_name  TEXT NOT NULL,
  instance_id TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;

-- Work that must happen later. A finished job has no row here, one line in job_runs and a count
-- in job_stats. AUTOINCREMENT: a message may outlive its row, and must never meet another's.
CREATE TABLE jobs (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  kind           TEXT NOT NULL CHECK (kind <> ''),
  key            TEXT,
  payload        TEXT NOT NULL CHECK (json_valid(payload)),
  state          TEXT NOT NULL CHECK (state IN ('later', 'ready', 'sent', 'running', 'dead')),
  priority       INTEGER NOT NULL DEFAULT 0,
  solo           INTEGER NOT NULL DEFAULT 0 CHECK (solo IN (0, 1)),
  available_at   INTEGER NOT NULL,
  again_at       INTEGER,
  attempts       INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  deliveries     INTEGER NOT NULL DEFAULT 0 CHECK (deliveries >= 0),
  crashes        INTEGER NOT NULL DEFAULT 0 CHECK (crashes >= 0),
  epoch          INTEGER NOT NULL DEFAULT 0,
  sent_at        INTEGER,
  leased_at      INTEGER,
  lease_owner    TEXT,
  lease_until    INTEGER,
  waits_for      TEXT,
  last_error     TEXT,
  last_traceback TEXT,
  created_at     INTEGER NOT NULL,
  CHECK ((state = 'running') = (lease_owner IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX jobs_key ON jobs (kind, key) WHERE key IS NOT NULL AND state <> 'dead';
CREATE INDEX jobs_ready ON jobs (kind, priority, id) WHERE state = 'ready';
CREATE INDEX jobs_later ON jobs (available_at) WHERE state = 'later';
CREATE INDEX jobs_sent ON jobs (sent_at) WHERE state = 'sent';
CREATE INDEX jobs_running ON jobs (lease_owner) WHERE state = 'running';
CREATE INDEX jobs_dead ON jobs (kind, id) WHERE state = 'dead';

-- One line for every run of a job, the newest ones only; the history `jobs show` prints.
CREATE TABLE job_runs (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id     INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  outcome    TEXT NOT NULL CHECK (outcome IN
               ('done', 'retried', 'postponed', 'dead', 'crashed', 'hung', 'handed_back')),
  attempt    INTEGER NOT NULL,
  owner      TEXT,
  started_at INTEGER,
  ended_at   INTEGER NOT NULL,
  waited_us  INTEGER NOT NULL,
  ran_us     INTEGER NOT NULL,
  note       TEXT
) STRICT;

-- Totals since the file was made; they only grow.
CREATE TABLE job_stats (
  kind      TEXT NOT NULL,
  outcome   TEXT NOT NULL,
  jobs      INTEGER NOT NULL,
  waited_us INTEGER NOT NULL,
  ran_us    INTEGER NOT NULL,
  PRIMARY KEY (kind, outcome)
) STRICT, WITHOUT ROWID;

-- Kinds an operator has paused: nothing of them is sent until resumed.
CREATE TABLE paused_kinds (
  kind      TEXT PRIMARY KEY,
  paused_at INTEGER NOT NULL,
  note      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Since when an entry is known here as it reads now, and the newest slot that was decided on.
CREATE TABLE cron_entries (
  entry     TEXT PRIMARY KEY,
  spec      TEXT NOT NULL,
  since     INTEGER NOT NULL,
  last_slot INTEGER,
  missed    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- A tick is a row beside its job: a second dispatcher's insert changes nothing.
CREATE TABLE cron_ticks (
  entry    TEXT NOT NULL,
  slot     INTEGER NOT NULL,
  fired_at INTEGER NOT NULL,
  PRIMARY KEY (entry, slot)
) STRICT, WITHOUT ROWID;
