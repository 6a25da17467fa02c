-- What every call cost; append-only. `date` is the UTC day whose budget pays, fixed when the call
-- was reserved. Tokens are 0 where nobody measured them: the reservation was charged instead.
CREATE TABLE llm_usage (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  category        TEXT NOT NULL CHECK (category IN ('learning', 'agent', 'workflow', 'experiment')),
  group_name      TEXT NOT NULL CHECK (group_name <> ''),
  task            TEXT NOT NULL CHECK (task <> ''),
  model           TEXT NOT NULL CHECK (model <> ''),
  input_tokens    INTEGER NOT NULL CHECK (input_tokens >= 0),
  output_tokens   INTEGER NOT NULL CHECK (output_tokens >= 0),
  cost_micro_usd  INTEGER NOT NULL CHECK (cost_micro_usd BETWEEN 0 AND 1000000000000),
  date            TEXT NOT NULL CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  ts              INTEGER NOT NULL,
  reservation_uid TEXT,
  basis           TEXT NOT NULL CHECK (basis IN ('measured', 'reserved', 'expired', 'outside')),
  note            TEXT,
  UNIQUE (reservation_uid, basis)
) STRICT;
CREATE INDEX llm_usage_date ON llm_usage (date);

-- Money held while a call is on its way. What is reserved is the sum of the open rows.
CREATE TABLE budget_reservations (
  uid                TEXT PRIMARY KEY,
  category           TEXT NOT NULL
                     CHECK (category IN ('learning', 'agent', 'workflow', 'experiment')),
  group_name         TEXT NOT NULL CHECK (group_name <> ''),
  task               TEXT NOT NULL CHECK (task <> ''),
  model              TEXT NOT NULL CHECK (model <> ''),
  estimate_micro_usd INTEGER NOT NULL CHECK (estimate_micro_usd BETWEEN 0 AND 1000000000000),
  day_key            TEXT NOT NULL
                     CHECK (day_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  state              TEXT NOT NULL CHECK (state IN ('open', 'settled', 'expired', 'released')),
  outside            INTEGER NOT NULL CHECK (outside IN (0, 1)),
  created_at         INTEGER NOT NULL,
  expires_at         INTEGER NOT NULL
) STRICT;
CREATE INDEX budget_reservations_day ON budget_reservations (day_key);
CREATE INDEX budget_reservations_open ON budget_reservations
  (expires_at, category, group_name, day_key, estimate_micro_usd) WHERE state = 'open';

-- Sums over llm_usage, kept beside it: a category's day and month, a group's day.
CREATE TABLE budget_windows (
  scope           TEXT NOT NULL CHECK (scope IN ('category_day', 'category_month', 'group_day')),
  name            TEXT NOT NULL CHECK (name <> ''),
  window_key      TEXT NOT NULL CHECK (window_key <> ''),
  spent_micro_usd INTEGER NOT NULL CHECK (spent_micro_usd BETWEEN 0 AND 1000000000000000),
  warned_at       INTEGER,
  PRIMARY KEY (scope, name, window_key)
) STRICT, WITHOUT ROWID;

-- One row while all spending is stopped, and why.
CREATE TABLE budget_switch (
  only       INTEGER PRIMARY KEY CHECK (only = 1),
  stopped_at INTEGER NOT NULL,
  note       TEXT NOT NULL
) STRICT;

-- Every booked cost is counted, whoever books it.
CREATE TRIGGER llm_usage_counted AFTER INSERT ON llm_usage BEGIN
  INSERT INTO budget_windows (scope, name, window_key, spent_micro_usd) VALUES
    ('category_day', NEW.category, NEW.date, NEW.cost_micro_usd),
    ('category_month', NEW.category, substr(NEW.date, 1, 7), NEW.cost_micro_usd),
    ('group_day', NEW.group_name, NEW.date, NEW.cost_micro_usd)
  ON CONFLICT DO UPDATE SET spent_micro_usd = spent_micro_usd + excluded.spent_micro_usd;
END;

-- No statement, of ours or of a person with an SQL shell, can make a spent budget look unspent.
CREATE TRIGGER llm_usage_unchanged BEFORE UPDATE ON llm_usage BEGIN
  SELECT RAISE(ABORT, 'llm_usage is append-only');
END;
CREATE TRIGGER llm_usage_kept BEFORE DELETE ON llm_usage BEGIN
  SELECT RAISE(ABORT, 'llm_usage is append-only');
END;
CREATE TRIGGER budget_windows_grow BEFORE UPDATE ON budget_windows
WHEN (NEW.scope, NEW.name, NEW.window_key) IS NOT (OLD.scope, OLD.name, OLD.window_key)
  OR NEW.spent_micro_usd < OLD.spent_micro_usd BEGIN
  SELECT RAISE(ABORT, 'what a window has spent only grows');
END;
CREATE TRIGGER budget_windows_kept BEFORE DELETE ON budget_windows BEGIN
  SELECT RAISE(ABORT, 'what a window has spent only grows');
END;
CREATE TRIGGER budget_reservations_unchanged BEFORE UPDATE ON budget_reservations
WHEN NEW.state = 'open' OR (NEW.uid, NEW.category, NEW.group_name, NEW.day_key) IS NOT
     (OLD.uid, OLD.category, OLD.group_name, OLD.day_key)
  OR NEW.estimate_micro_usd <> OLD.estimate_micro_usd BEGIN
  SELECT RAISE(ABORT, 'a reservation keeps its amount and window until it is closed');
END;
CREATE TRIGGER budget_reservations_kept BEFORE DELETE ON budget_reservations
WHEN OLD.state = 'open' BEGIN
  SELECT RAISE(ABORT, 'an open reservation is closed, never deleted');
END;
