-- What wallets did on chains, one row for each leg of a transaction: both sides as exact decimal
-- text, the from side in amount. One transaction can hold several swaps, two own wallets can share
-- one, and another chain can have the same hash. value_usd is set once, with what it is based on:
-- a leg in a dollar token, or a price that was known at that moment (price of one price_token, of
-- a bar that closed at price_at).
CREATE TABLE external_spot_activities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL CHECK (account <> ''),
  chain TEXT NOT NULL CHECK (chain <> ''),
  tx_hash TEXT NOT NULL CHECK (tx_hash <> ''),
  leg INTEGER NOT NULL CHECK (leg >= 0),
  ts_ms INTEGER NOT NULL CHECK (ts_ms >= 0),
  type TEXT NOT NULL CHECK (type <> ''),
  from_token TEXT CHECK (from_token <> ''),
  amount TEXT CHECK ((amount IS NULL) = (from_token IS NULL)),
  to_token TEXT CHECK (to_token <> ''),
  to_amount TEXT CHECK ((to_amount IS NULL) = (to_token IS NULL)),
  gas TEXT,
  status TEXT NOT NULL CHECK (status IN ('confirmed', 'failed')),
  raw_json TEXT NOT NULL CHECK (json_valid(raw_json)),
  created_at INTEGER NOT NULL,
  value_usd TEXT,
  basis TEXT CHECK (basis IN ('stable_leg', 'price')),
  price_token TEXT,
  price TEXT,
  price_at INTEGER,
  valued_at INTEGER,
  CHECK (from_token IS NOT NULL OR to_token IS NOT NULL),
  CHECK ((value_usd IS NULL) = (basis IS NULL) AND (basis IS NULL) = (valued_at IS NULL)),
  CHECK ((price IS NOT NULL) = (basis IS 'price') AND (price IS NULL) = (price_at IS NULL)
    AND (price IS NULL) = (price_token IS NULL))
) STRICT;
CREATE UNIQUE INDEX external_spot_activities_leg
  ON external_spot_activities (account, chain, tx_hash, leg);
CREATE INDEX external_spot_activities_time ON external_spot_activities (ts_ms, id);
