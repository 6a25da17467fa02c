-- What holding perpetual positions cost or brought, one row for each payment of the venue; exact
-- decimal text, a negative amount was paid.
CREATE TABLE funding_payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sub_account_id TEXT NOT NULL CHECK (sub_account_id <> ''),
  venue TEXT NOT NULL CHECK (venue <> ''),
  symbol TEXT NOT NULL CHECK (symbol <> ''),
  ts_ms INTEGER NOT NULL CHECK (ts_ms >= 0),
  amount TEXT NOT NULL CHECK (amount <> ''),
  position TEXT NOT NULL CHECK (position <> ''),
  rate TEXT NOT NULL CHECK (rate <> ''),
  known_at INTEGER NOT NULL,
  wallet_address TEXT CHECK (wallet_address <> '')
) STRICT;
CREATE UNIQUE INDEX funding_payments_moment
  ON funding_payments (sub_account_id, venue, symbol, ts_ms);

-- A trip adds up with its funding: empty where none is known, and 0 among the whole numbers. The
-- table is made anew, since a CHECK cannot be changed.
ALTER TABLE round_trips RENAME TO trips_before;
CREATE TABLE round_trips (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  trip_uid TEXT NOT NULL,
  digest TEXT NOT NULL,
  sub_account_id TEXT NOT NULL,
  symbol TEXT NOT NULL,
  direction TEXT NOT NULL CHECK (direction IN ('long', 'short')),
  first_fill_id INTEGER NOT NULL REFERENCES perps_fills (id) ON DELETE CASCADE,
  first_fill_uid TEXT NOT NULL,
  last_fill_id INTEGER NOT NULL REFERENCES perps_fills (id) ON DELETE CASCADE,
  fills INTEGER NOT NULL CHECK (fills > 0),
  opened_at INTEGER NOT NULL,
  closed_at INTEGER NOT NULL CHECK (closed_at >= opened_at),
  entry_px TEXT,
  exit_px TEXT NOT NULL,
  max_size TEXT NOT NULL,
  gross_micro_usd INTEGER NOT NULL,
  fee_micro_usd INTEGER NOT NULL,
  funding_micro_usd INTEGER NOT NULL DEFAULT 0,
  net_micro_usd INTEGER NOT NULL
    CHECK (net_micro_usd = gross_micro_usd - fee_micro_usd + funding_micro_usd),
  liquidated INTEGER NOT NULL CHECK (liquidated IN (0, 1)),
  flags TEXT NOT NULL CHECK (json_valid(flags)),
  memory_id INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  known_at INTEGER NOT NULL,
  superseded_at INTEGER,
  venue TEXT NOT NULL CHECK (venue <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('spot', 'perp', 'future', 'option', 'stock', 'forex', 'cfd')),
  quote TEXT NOT NULL CHECK (quote <> ''),
  multiplier TEXT NOT NULL,
  notional TEXT,
  gross TEXT,
  venue_gross TEXT,
  fees TEXT,
  other_fees TEXT NOT NULL CHECK (json_valid(other_fees)),
  net TEXT,
  losing_adds INTEGER NOT NULL CHECK (losing_adds >= 0),
  left_over TEXT NOT NULL,
  first_notional TEXT,
  funding TEXT
) STRICT;
INSERT INTO round_trips (id, trip_uid, digest, sub_account_id, symbol, direction, first_fill_id, first_fill_uid, last_fill_id,
  fills, opened_at, closed_at, entry_px, exit_px, max_size, gross_micro_usd, fee_micro_usd,
  net_micro_usd, liquidated, flags, memory_id, venue, kind, quote, multiplier, notional, gross,
  venue_gross, fees, other_fees, net, losing_adds, left_over, first_notional, known_at, superseded_at)
SELECT id, trip_uid, digest, sub_account_id, symbol, direction, first_fill_id, first_fill_uid, last_fill_id,
  fills, opened_at, closed_at, entry_px, exit_px, max_size, gross_micro_usd, fee_micro_usd,
  net_micro_usd, liquidated, flags, memory_id, venue, kind, quote, multiplier, notional, gross,
  venue_gross, fees, other_fees, net, losing_adds, left_over, first_notional, known_at, superseded_at
FROM trips_before;
DROP TABLE trips_before;
CREATE UNIQUE INDEX round_trips_uid ON round_trips (trip_uid) WHERE superseded_at IS NULL;
CREATE INDEX round_trips_market ON round_trips (sub_account_id, symbol, venue, kind, closed_at)
  WHERE superseded_at IS NULL;
CREATE INDEX round_trips_memory ON round_trips (memory_id);
CREATE INDEX round_trips_symbol ON round_trips (symbol, closed_at);
