-- Words that the owner or an agent gave trips. A trip keeps its tags when a late page changes what
-- it is made of: market, direction and the moment of its entry find the trip that holds it now.
CREATE TABLE trip_tags (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  trip_uid       TEXT NOT NULL CHECK (trip_uid <> ''),
  sub_account_id TEXT NOT NULL CHECK (sub_account_id <> ''),
  symbol         TEXT NOT NULL CHECK (symbol <> ''),
  direction      TEXT NOT NULL CHECK (direction IN ('long', 'short')),
  opened_at      INTEGER,
  closed_at      INTEGER NOT NULL,
  tag            TEXT NOT NULL CHECK (tag <> ''),
  origin         TEXT NOT NULL CHECK (origin IN ('owner', 'agent')),
  known_at       INTEGER NOT NULL,
  removed_at     INTEGER CHECK (removed_at >= known_at)
) STRICT;
CREATE UNIQUE INDEX trip_tags_once ON trip_tags (trip_uid, tag) WHERE removed_at IS NULL;

-- What the trades of an account (empty: of all accounts) showed when they were judged. The newest
-- row stands until the trades have grown by half; it is never changed.
CREATE TABLE trade_verdicts (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  sub_account_id TEXT NOT NULL,
  known_at       INTEGER NOT NULL,
  trips          INTEGER NOT NULL CHECK (trips >= 0),
  stretches      INTEGER NOT NULL CHECK (stretches >= 0 AND stretches <= trips),
  level_ppb      INTEGER NOT NULL CHECK (level_ppb BETWEEN 1 AND 1000000000),
  tried          INTEGER NOT NULL CHECK (tried >= 0),
  book           TEXT CHECK (json_valid(book)),
  named          TEXT NOT NULL CHECK (json_valid(named)),
  rule_version   INTEGER NOT NULL
) STRICT;
CREATE INDEX trade_verdicts_newest ON trade_verdicts (sub_account_id, known_at, id);
