-- What was asked of a trading venue in the last minute: its limit counts by address, so all groups
-- and processes of an installation share one meter.
CREATE TABLE venue_requests (
  id INTEGER PRIMARY KEY,
  venue TEXT NOT NULL,
  weight INTEGER NOT NULL CHECK (weight >= 0),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  lost_at INTEGER NOT NULL CHECK (lost_at >= started_at)
);
CREATE INDEX venue_requests_by_time ON venue_requests (venue, started_at);
