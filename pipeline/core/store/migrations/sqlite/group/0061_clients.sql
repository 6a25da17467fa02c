-- What the clients of the network door did in this group: the sessions of each token, how much each
-- token wrote on a day, and the answers of writes by their Idempotency-Key.
CREATE TABLE client_sessions (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  token_id   INTEGER NOT NULL,
  day        TEXT,                -- of the session that a token has where it began none itself
  UNIQUE (token_id, day)
) STRICT;

CREATE TABLE client_days (
  token_id INTEGER NOT NULL,
  day      TEXT NOT NULL,
  writes   INTEGER NOT NULL CHECK (writes > 0),
  PRIMARY KEY (token_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE client_answers (
  id          INTEGER PRIMARY KEY,
  token_id    INTEGER NOT NULL,
  key         TEXT NOT NULL CHECK (key <> ''),
  request     TEXT NOT NULL CHECK (length(request) = 64),
  answer      TEXT NOT NULL CHECK (json_valid(answer)),
  answered_at INTEGER NOT NULL,
  UNIQUE (token_id, key)
) STRICT;
CREATE INDEX client_answers_by_age ON client_answers (answered_at);
