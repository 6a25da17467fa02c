-- A replay is a file of its own kind, with the tables of a group: every verb runs on it unchanged.
ALTER TABLE store_identity RENAME TO store_identity_before;
CREATE TABLE store_identity (
  only        INTEGER PRIMARY KEY CHECK (only = 1),
  kind        TEXT NOT NULL CHECK (kind IN ('group', 'instance', 'replay')),
  group_name  TEXT NOT NULL,
  instance_id TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;
INSERT INTO store_identity (only, kind, group_name, instance_id, created_at)
  SELECT only, kind, group_name, instance_id, created_at FROM store_identity_before;
DROP TABLE store_identity_before;

-- What this replay does, and how far it is: everything up to `cursor` is done. Times are simulated.
-- `state_hash` is the chain of its newest link; `ids` counts the derived ids that were given out.
-- Empty in a group, as the two tables below.
CREATE TABLE replay_runs (
  only          INTEGER PRIMARY KEY CHECK (only = 1),
  settings      TEXT NOT NULL CHECK (json_valid(settings)),
  settings_hash TEXT NOT NULL CHECK (length(settings_hash) = 64),
  begins_at     INTEGER NOT NULL,
  ends_at       INTEGER NOT NULL CHECK (ends_at >= begins_at),
  cursor        INTEGER NOT NULL CHECK (cursor >= begins_at),
  state         TEXT NOT NULL CHECK (state IN ('preparing', 'running', 'done')),
  state_hash    TEXT NOT NULL DEFAULT '' CHECK (length(state_hash) IN (0, 64)),
  ids           INTEGER NOT NULL DEFAULT 0 CHECK (ids >= 0)
) STRICT;

-- The prepared input: one row a decision. `maker` says who decides: a file, a rule or a placebo.
CREATE TABLE replay_decisions (
  seq     INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  key     TEXT NOT NULL UNIQUE CHECK (key <> ''),
  maker   TEXT NOT NULL CHECK (maker <> ''),
  role_id TEXT NOT NULL CHECK (role_id <> ''),
  body    TEXT NOT NULL CHECK (json_valid(body))
) STRICT;
CREATE INDEX replay_decisions_at ON replay_decisions (at, seq);

-- What a fixed span of simulated time came to. `chain` is over the digest and the chain before it.
CREATE TABLE replay_links (
  number  INTEGER PRIMARY KEY,
  from_at INTEGER NOT NULL,
  to_at   INTEGER NOT NULL CHECK (to_at > from_at),
  events  INTEGER NOT NULL CHECK (events >= 0),
  digest  TEXT NOT NULL CHECK (length(digest) = 64),
  chain   TEXT NOT NULL CHECK (length(chain) = 64)
) STRICT;
