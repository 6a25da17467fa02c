-- A session is one conversation of an agent. uid is its name, shown wherever it is spoken of.
-- handle is the key one writes with: issued by us and shown once, so one that is not in here was
-- forged. What an agent may write in a session is bounded, and counted here, in the transaction
-- of the write: no restart and no second process resets it.
CREATE TABLE sessions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        TEXT NOT NULL UNIQUE CHECK (uid <> ''),
  handle     TEXT NOT NULL UNIQUE CHECK (handle <> uid),
  label      TEXT,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER CHECK (ended_at >= started_at),
  stores     INTEGER NOT NULL DEFAULT 0 CHECK (stores >= 0),
  supersedes INTEGER NOT NULL DEFAULT 0 CHECK (supersedes >= 0),
  deletes    INTEGER NOT NULL DEFAULT 0 CHECK (deletes >= 0)
) STRICT;

-- What was asked in a session and how it went. While outcome is empty the agent is busy, until
-- busy_until: a turn that nobody finished by then is abandoned, without a write. Message, reply
-- and tool calls are masked.
CREATE TABLE turns (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  uid         TEXT NOT NULL UNIQUE,
  session_id  INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  message     TEXT NOT NULL,
  reply       TEXT,
  tool_calls  TEXT NOT NULL DEFAULT '[]' CHECK (json_type(tool_calls) = 'array'),
  outcome     TEXT CHECK (outcome IN ('succeeded', 'failed')),
  started_at  INTEGER NOT NULL,
  busy_until  INTEGER NOT NULL CHECK (busy_until >= started_at),
  finished_at INTEGER CHECK (finished_at >= started_at),
  CHECK ((outcome IS NULL) = (finished_at IS NULL))
) STRICT;
CREATE INDEX turns_session ON turns (session_id, id);
CREATE INDEX turns_busy ON turns (busy_until) WHERE outcome IS NULL;
