-- What moved an account's money beside trades and funding, one row for each update of the venue's
-- ledger; exact decimal text, negative went out. usdc is what became of the account's dollars, its
-- fee taken off: empty where nobody can say, and 0 for a move inside the account.
CREATE TABLE transfers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sub_account_id TEXT NOT NULL CHECK (sub_account_id <> ''),
  venue TEXT NOT NULL CHECK (venue <> ''),
  transfer_uid TEXT NOT NULL CHECK (transfer_uid <> ''),
  ts_ms INTEGER NOT NULL CHECK (ts_ms >= 0),
  kind TEXT NOT NULL CHECK (kind <> ''),
  hash TEXT NOT NULL,
  usdc TEXT CHECK (usdc <> ''),
  fee TEXT NOT NULL CHECK (fee <> ''),
  token TEXT CHECK (token <> ''),
  amount TEXT CHECK (amount <> ''),
  other_party TEXT CHECK (other_party <> ''),
  raw_json TEXT NOT NULL CHECK (json_valid(raw_json)),
  known_at INTEGER NOT NULL,
  wallet_address TEXT NOT NULL CHECK (wallet_address <> ''),
  CHECK ((token IS NULL) = (amount IS NULL))
) STRICT;
CREATE UNIQUE INDEX transfers_uid
  ON transfers (sub_account_id, venue, wallet_address, transfer_uid);
CREATE INDEX transfers_moment ON transfers (sub_account_id, ts_ms);

-- What a venue says an account is worth at a moment: one row for each run of its mirror. The value
-- is asked before the rows of the run, so that every row up to ts_ms is mirrored once the run has
-- ended well for all sources: covered_at. Nothing is missing since whole_since_ms.
CREATE TABLE account_values (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sub_account_id TEXT NOT NULL CHECK (sub_account_id <> ''),
  venue TEXT NOT NULL CHECK (venue <> ''),
  ts_ms INTEGER NOT NULL CHECK (ts_ms >= 0),
  perps TEXT NOT NULL CHECK (perps <> ''),
  unrealised TEXT NOT NULL CHECK (unrealised <> ''),
  spot_usdc TEXT NOT NULL CHECK (spot_usdc <> ''),
  is_unified INTEGER NOT NULL CHECK (is_unified IN (0, 1)),
  positions TEXT NOT NULL CHECK (json_valid(positions)),
  tokens TEXT NOT NULL CHECK (json_valid(tokens)),
  asked_at INTEGER NOT NULL,
  known_at INTEGER NOT NULL,
  covered_at INTEGER CHECK (covered_at >= known_at),
  whole_since_ms INTEGER CHECK (whole_since_ms >= 0),
  wallet_address TEXT NOT NULL CHECK (wallet_address <> ''),
  CHECK ((covered_at IS NULL) = (whole_since_ms IS NULL))
) STRICT;
CREATE UNIQUE INDEX account_values_moment
  ON account_values (sub_account_id, venue, wallet_address, ts_ms);
