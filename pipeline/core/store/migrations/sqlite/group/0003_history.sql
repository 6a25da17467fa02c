-- What accounts executed on a venue, row by row as it says so. A mirror of trades made elsewhere:
-- nothing here ever becomes a methodology case.
-- The key is (account, fill_uid): a tid is shared by the two accounts of one match. Prices, sizes
-- and amounts are exact decimal text; closed_pnl is before fees. The micro-USD columns are for
-- sums: a fee paid in another token than USDC counts 0 there.
-- Order of execution: ts_ms, then order_in_ms. That is empty until the fill has its place, so a
-- row without it is work left to do.
CREATE TABLE perps_fills (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  sub_account_id  TEXT NOT NULL CHECK (sub_account_id <> ''),
  wallet_address  TEXT,
  oid             TEXT NOT NULL,
  tid             INTEGER,
  ts_ms           INTEGER NOT NULL CHECK (ts_ms >= 0),
  order_in_ms     INTEGER CHECK (order_in_ms >= 0),
  symbol          TEXT NOT NULL CHECK (symbol <> ''),
  side            TEXT NOT NULL CHECK (side IN ('B', 'A')),
  dir             TEXT NOT NULL,
  size            TEXT NOT NULL,
  price           TEXT NOT NULL,
  start_position  TEXT NOT NULL,
  closed_pnl      TEXT NOT NULL,
  fee             TEXT NOT NULL,
  fee_token       TEXT,
  gross_micro_usd INTEGER NOT NULL,
  fee_micro_usd   INTEGER NOT NULL,
  net_micro_usd   INTEGER NOT NULL CHECK (net_micro_usd = gross_micro_usd - fee_micro_usd),
  raw_json        TEXT NOT NULL CHECK (json_valid(raw_json)),
  fill_uid        TEXT NOT NULL CHECK (fill_uid <> ''),
  created_at      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uniq_perps_fills_dedup ON perps_fills (sub_account_id, fill_uid);
CREATE INDEX perps_fills_order ON perps_fills (sub_account_id, symbol, ts_ms, order_in_ms);
CREATE INDEX perps_fills_unplaced ON perps_fills (sub_account_id, symbol, ts_ms)
  WHERE order_in_ms IS NULL;

-- Neighbouring fills whose positions do not meet: a page between them is missing. A late page
-- that closes the gap sets filled_at.
CREATE TABLE fill_gaps (
  id                INTEGER PRIMARY KEY,
  sub_account_id    TEXT NOT NULL,
  symbol            TEXT NOT NULL,
  earlier_fill_id   INTEGER NOT NULL REFERENCES perps_fills (id) ON DELETE CASCADE,
  later_fill_id     INTEGER NOT NULL REFERENCES perps_fills (id) ON DELETE CASCADE,
  from_ms           INTEGER NOT NULL,
  to_ms             INTEGER NOT NULL CHECK (to_ms >= from_ms),
  expected_position TEXT NOT NULL,
  found_position    TEXT NOT NULL CHECK (found_position <> expected_position),
  known_at          INTEGER NOT NULL,
  filled_at         INTEGER
) STRICT;
CREATE UNIQUE INDEX fill_gaps_open ON fill_gaps (later_fill_id) WHERE filled_at IS NULL;
CREATE INDEX fill_gaps_market ON fill_gaps (sub_account_id, symbol, to_ms)
  WHERE filled_at IS NULL;

-- One position from flat to flat, as it was derived at known_at. A late page supersedes the row
-- by another of the same trip_uid, or leaves none. memory_id is empty where the memory was
-- purged or forgotten.
CREATE TABLE round_trips (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  trip_uid        TEXT NOT NULL,
  digest          TEXT NOT NULL,
  sub_account_id  TEXT NOT NULL,
  symbol          TEXT NOT NULL,
  direction       TEXT NOT NULL CHECK (direction IN ('long', 'short')),
  first_fill_id   INTEGER NOT NULL REFERENCES perps_fills (id) ON DELETE CASCADE,
  first_fill_uid  TEXT NOT NULL,
  last_fill_id    INTEGER NOT NULL REFERENCES perps_fills (id) ON DELETE CASCADE,
  fills           INTEGER NOT NULL CHECK (fills > 0),
  opened_at       INTEGER NOT NULL,
  closed_at       INTEGER NOT NULL CHECK (closed_at >= opened_at),
  entry_px        TEXT,
  exit_px         TEXT NOT NULL,
  max_size        TEXT NOT NULL,
  gross_micro_usd INTEGER NOT NULL,
  fee_micro_usd   INTEGER NOT NULL,
  net_micro_usd   INTEGER NOT NULL CHECK (net_micro_usd = gross_micro_usd - fee_micro_usd),
  liquidated      INTEGER NOT NULL CHECK (liquidated IN (0, 1)),
  flags           TEXT NOT NULL CHECK (json_valid(flags)),
  memory_id       INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  known_at        INTEGER NOT NULL,
  superseded_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX round_trips_uid ON round_trips (trip_uid) WHERE superseded_at IS NULL;
CREATE INDEX round_trips_market ON round_trips (sub_account_id, symbol, closed_at)
  WHERE superseded_at IS NULL;
CREATE INDEX round_trips_memory ON round_trips (memory_id);
