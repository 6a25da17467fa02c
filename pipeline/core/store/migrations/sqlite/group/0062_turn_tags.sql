-- Which tags of the user a turn was told of, where a model was asked: it is asked once for a turn.
CREATE TABLE turn_tags (
  turn_id    INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
  dimensions TEXT NOT NULL CHECK (json_type(dimensions) = 'array'),
  proposed   TEXT CHECK (json_type(proposed) = 'array'),
  chosen_at  INTEGER NOT NULL
) STRICT;

-- What was traded on the days of a month is counted from the index alone: rows of fills are wide.
DROP INDEX perps_fills_moment;
CREATE INDEX perps_fills_moment ON perps_fills (ts_ms, symbol, created_at, sub_account_id);
