-- What the owner wrote about a trade. A new text supersedes the old one; families: what an order to
-- the agent in it looks like. As a tag, it is found by market, direction and entry where a late page
-- gave the trade another name.
CREATE TABLE trip_notes (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  trip_uid       TEXT NOT NULL CHECK (trip_uid <> ''),
  sub_account_id TEXT NOT NULL CHECK (sub_account_id <> ''),
  symbol         TEXT NOT NULL CHECK (symbol <> ''),
  direction      TEXT NOT NULL CHECK (direction IN ('long', 'short')),
  opened_at      INTEGER,
  closed_at      INTEGER NOT NULL,
  note           TEXT NOT NULL CHECK (note <> ''),
  families       TEXT NOT NULL CHECK (json_type(families) = 'array'),
  known_at       INTEGER NOT NULL,
  superseded_at  INTEGER CHECK (superseded_at >= known_at)
) STRICT;
CREATE UNIQUE INDEX trip_notes_once ON trip_notes (trip_uid) WHERE superseded_at IS NULL;
CREATE INDEX trip_notes_entry
  ON trip_notes (sub_account_id, symbol, direction, coalesce(opened_at, closed_at))
  WHERE superseded_at IS NULL;
CREATE INDEX trip_tags_entry
  ON trip_tags (sub_account_id, symbol, direction, coalesce(opened_at, closed_at))
  WHERE removed_at IS NULL;
CREATE INDEX trip_tags_word ON trip_tags (tag) WHERE removed_at IS NULL;

CREATE INDEX role_memory_trip ON role_memory (from_trip_uid) WHERE from_trip_uid IS NOT NULL;

-- A trade is found by its name at every moment, and the days of all trades are summed up from these
-- indexes alone: rows of trades are wide. A day begins at midnight UTC; where only the day is known,
-- the moment is a midnight of some zone, and its noon lies in that day.
CREATE INDEX round_trips_name ON round_trips (trip_uid);
CREATE INDEX closed_trades_name ON closed_trades (trip_uid);
CREATE INDEX round_trips_days ON round_trips (
  (closed_at + 43200000000 * (instr(flags, '"days_only"') > 0)) / 86400000000, quote, symbol,
  direction, sub_account_id, closed_at, trip_uid, opened_at, flags,
  CAST(coalesce(net, net_micro_usd / 1e6) AS REAL), CAST(coalesce(fees, fee_micro_usd / 1e6) AS REAL)
) WHERE superseded_at IS NULL;
CREATE INDEX closed_trades_days ON closed_trades (
  (closed_at + 43200000000 * is_day) / 86400000000, quote, symbol, direction, sub_account_id,
  closed_at, trip_uid, opened_at, is_day, CAST(net AS REAL), CAST(fees AS REAL)
) WHERE covered_at IS NULL;
