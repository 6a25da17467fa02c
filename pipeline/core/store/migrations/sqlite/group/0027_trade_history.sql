-- A trade that an agent recorded in a session. Where its fills are mirrored too, the mirror counts
-- and this row says who made it and why: a read finds the link by the account and an id of the
-- venue, so it does not matter which of the two comes first.
-- Sizes, prices and fees are exact decimal text. What becomes of a trade supersedes its row by
-- another one of the same uid; a row never changes but for that.
CREATE TABLE trade_history (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  uid                TEXT NOT NULL CHECK (uid <> ''),
  record_key         TEXT CHECK (record_key <> ''),
  session_id         TEXT,
  decision_uid       TEXT REFERENCES role_memory (uid) ON DELETE SET NULL,
  closes_uid         TEXT CHECK (closes_uid <> uid),
  venue              TEXT NOT NULL CHECK (venue <> ''),
  account            TEXT NOT NULL CHECK (account <> ''),
  asset              TEXT NOT NULL CHECK (asset <> ''),
  asset_key          TEXT NOT NULL CHECK (asset_key <> ''),
  side               TEXT NOT NULL CHECK (side IN ('B', 'A')),
  size               TEXT NOT NULL CHECK (size <> ''),
  price              TEXT NOT NULL CHECK (price <> ''),
  fee                TEXT CHECK (fee <> ''),
  fee_token          TEXT CHECK (fee_token <> ''),
  oid                TEXT CHECK (oid <> ''),
  tid                TEXT CHECK (tid <> ''),
  cloid              TEXT CHECK (cloid <> ''),
  realised_micro_usd INTEGER,
  occurred_at        INTEGER NOT NULL,
  known_at           INTEGER NOT NULL CHECK (known_at >= occurred_at),
  superseded_at      INTEGER CHECK (superseded_at >= known_at),
  CHECK (fee_token IS NULL OR fee IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX trade_history_uid ON trade_history (uid) WHERE superseded_at IS NULL;
CREATE UNIQUE INDEX trade_history_key ON trade_history (record_key)
  WHERE superseded_at IS NULL AND record_key IS NOT NULL;
CREATE UNIQUE INDEX trade_history_tid ON trade_history (venue, account, asset_key, tid)
  WHERE superseded_at IS NULL AND tid IS NOT NULL;
CREATE INDEX trade_history_asset ON trade_history (asset_key, occurred_at);
CREATE INDEX trade_history_closes ON trade_history (closes_uid) WHERE closes_uid IS NOT NULL;
CREATE INDEX trade_history_decision ON trade_history (decision_uid)
  WHERE decision_uid IS NOT NULL;

-- By these a recorded trade finds its mirrored fills.
CREATE INDEX perps_fills_tid ON perps_fills (tid, sub_account_id) WHERE tid IS NOT NULL;
CREATE INDEX perps_fills_oid ON perps_fills (oid, sub_account_id) WHERE oid <> '';
CREATE INDEX perps_fills_cloid ON perps_fills (cloid, sub_account_id) WHERE cloid IS NOT NULL;
