-- perps_fills keeps its name and holds the fills of every venue. Where a venue does not state the
-- position before a fill or its closed profit, the text is empty. tid becomes text: ids of
-- venues have letters, or pass 2^63. The micro-USD columns count 0 where no dollars are paid.
-- Equal fills without an id are told apart by their count inside a file, which ends fill_uid.
-- Order of execution where no positions are stated: ts_ms, then the place that the fill has
-- among the fills of that moment in a file (rank_in_ms, the largest of all files), then its name.
ALTER TABLE perps_fills RENAME COLUMN tid TO tid_number;
ALTER TABLE perps_fills ADD COLUMN tid TEXT;
UPDATE perps_fills SET tid = CAST(tid_number AS TEXT) WHERE tid_number <> 0;
ALTER TABLE perps_fills DROP COLUMN tid_number;
ALTER TABLE perps_fills ADD COLUMN venue TEXT NOT NULL DEFAULT 'hyperliquid' CHECK (venue <> '');
ALTER TABLE perps_fills ADD COLUMN kind TEXT NOT NULL DEFAULT 'perp'
  CHECK (kind IN ('spot', 'perp', 'future', 'option', 'stock', 'forex', 'cfd'));
ALTER TABLE perps_fills ADD COLUMN base TEXT;
ALTER TABLE perps_fills ADD COLUMN quote TEXT NOT NULL DEFAULT 'USDC' CHECK (quote <> '');
ALTER TABLE perps_fills ADD COLUMN multiplier TEXT NOT NULL DEFAULT '1';
ALTER TABLE perps_fills ADD COLUMN effect TEXT CHECK (effect IN ('open', 'close'));
ALTER TABLE perps_fills ADD COLUMN cloid TEXT;
ALTER TABLE perps_fills ADD COLUMN liquidation TEXT CHECK (json_valid(liquidation));
ALTER TABLE perps_fills ADD COLUMN rank_in_ms INTEGER NOT NULL DEFAULT 0 CHECK (rank_in_ms >= 0);
UPDATE perps_fills SET
  kind = iif(symbol GLOB '[@#]*' OR symbol GLOB '*/*', 'spot', 'perp'),
  cloid = raw_json ->> 'cloid',
  rank_in_ms = coalesce(order_in_ms, 0),
  liquidation = iif(json_type(raw_json, '$.liquidation') = 'object', json_array(
    raw_json ->> '$.liquidation.liquidatedUser', raw_json ->> '$.liquidation.method'), NULL);
DROP INDEX perps_fills_order;
DROP INDEX perps_fills_unplaced;
CREATE INDEX perps_fills_order
  ON perps_fills (sub_account_id, symbol, venue, kind, ts_ms, order_in_ms);
CREATE INDEX perps_fills_unplaced ON perps_fills (sub_account_id, symbol, venue, kind, ts_ms)
  WHERE order_in_ms IS NULL;

-- The exact amounts of a trip in its quote currency; empty in rows written before this step.
-- gross is empty too where nobody can say it. venue_gross is the venue's own figure. left_over is
-- what the last fill opened behind the trip, signed.
ALTER TABLE round_trips ADD COLUMN venue TEXT NOT NULL DEFAULT 'hyperliquid' CHECK (venue <> '');
ALTER TABLE round_trips ADD COLUMN kind TEXT NOT NULL DEFAULT 'perp'
  CHECK (kind IN ('spot', 'perp', 'future', 'option', 'stock', 'forex', 'cfd'));
ALTER TABLE round_trips ADD COLUMN quote TEXT NOT NULL DEFAULT 'USDC' CHECK (quote <> '');
ALTER TABLE round_trips ADD COLUMN multiplier TEXT NOT NULL DEFAULT '1';
ALTER TABLE round_trips ADD COLUMN notional TEXT;
ALTER TABLE round_trips ADD COLUMN gross TEXT;
ALTER TABLE round_trips ADD COLUMN venue_gross TEXT;
ALTER TABLE round_trips ADD COLUMN fees TEXT;
ALTER TABLE round_trips ADD COLUMN other_fees TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(other_fees));
ALTER TABLE round_trips ADD COLUMN net TEXT;
ALTER TABLE round_trips ADD COLUMN losing_adds INTEGER NOT NULL DEFAULT 0 CHECK (losing_adds >= 0);
ALTER TABLE round_trips ADD COLUMN left_over TEXT NOT NULL DEFAULT '0';
DROP INDEX round_trips_market;
CREATE INDEX round_trips_market ON round_trips (sub_account_id, symbol, venue, kind, closed_at)
  WHERE superseded_at IS NULL;

-- The files that fills came from, by what they hold. first_equal and last_equal: how often each
-- fill without an id stands at the first and the last moment of the file; two files that meet
-- there cannot tell a repeated fill from two equal ones.
CREATE TABLE history_files (
  id             INTEGER PRIMARY KEY,
  sub_account_id TEXT NOT NULL CHECK (sub_account_id <> ''),
  digest         TEXT NOT NULL CHECK (length(digest) = 64),
  layout         TEXT NOT NULL,
  fills          INTEGER NOT NULL CHECK (fills >= 0),
  closed_trades  INTEGER NOT NULL CHECK (closed_trades >= 0),
  first_ms       INTEGER,
  last_ms        INTEGER CHECK (last_ms >= first_ms),
  first_equal    TEXT NOT NULL CHECK (json_valid(first_equal)),
  last_equal     TEXT NOT NULL CHECK (json_valid(last_equal)),
  created_at     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX history_files_digest ON history_files (sub_account_id, digest);

-- Positions from entry to exit that a venue or a back-test reports without their fills. Where
-- fills of the same market cover the exit, these count: the row has covered_at and is a check
-- beside them. Amounts are exact text in the quote currency; empty where the file does not say.
CREATE TABLE closed_trades (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  trade_uid      TEXT NOT NULL CHECK (trade_uid <> ''),
  sub_account_id TEXT NOT NULL CHECK (sub_account_id <> ''),
  venue          TEXT NOT NULL CHECK (venue <> ''),
  symbol         TEXT NOT NULL CHECK (symbol <> ''),
  kind           TEXT NOT NULL
    CHECK (kind IN ('spot', 'perp', 'future', 'option', 'stock', 'forex', 'cfd')),
  direction      TEXT NOT NULL CHECK (direction IN ('long', 'short')),
  size           TEXT NOT NULL,
  multiplier     TEXT NOT NULL,
  quote          TEXT NOT NULL CHECK (quote <> ''),
  opened_at      INTEGER,
  closed_at      INTEGER NOT NULL,
  entry_px       TEXT,
  exit_px        TEXT,
  gross          TEXT,
  fees           TEXT,
  funding        TEXT,
  net            TEXT NOT NULL,
  net_is_after   TEXT NOT NULL CHECK (net_is_after IN ('fees', 'nothing', 'unknown')),
  trade_id       TEXT,
  label          TEXT NOT NULL,
  raw_json       TEXT NOT NULL CHECK (json_valid(raw_json)),
  trip_uid       TEXT NOT NULL,
  memory_id      INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  settled_at     INTEGER,
  covered_at     INTEGER,
  known_at       INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX closed_trades_uid ON closed_trades (sub_account_id, trade_uid);
CREATE INDEX closed_trades_market
  ON closed_trades (sub_account_id, symbol, venue, kind, closed_at);
CREATE INDEX closed_trades_memory ON closed_trades (memory_id);
CREATE INDEX closed_trades_unsettled ON closed_trades (id)
  WHERE settled_at IS NULL AND covered_at IS NULL;
CREATE INDEX closed_trades_uncovered ON closed_trades (id) WHERE covered_at IS NULL;
