-- Accounts at exchanges that need a key: the address is the venue's number of the account. A venue
-- that tells trades of a market at a time is asked for the markets that are named, a JSON array.
ALTER TABLE accounts ADD COLUMN markets TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(markets));

-- Not every venue tells the position that a payment was for, nor its rate. The table is made anew,
-- since NOT NULL cannot be taken away.
ALTER TABLE funding_payments RENAME TO payments_before;
CREATE TABLE funding_payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sub_account_id TEXT NOT NULL CHECK (sub_account_id <> ''),
  venue TEXT NOT NULL CHECK (venue <> ''),
  symbol TEXT NOT NULL CHECK (symbol <> ''),
  ts_ms INTEGER NOT NULL CHECK (ts_ms >= 0),
  amount TEXT NOT NULL CHECK (amount <> ''),
  position TEXT CHECK (position <> ''),
  rate TEXT CHECK (rate <> ''),
  known_at INTEGER NOT NULL,
  wallet_address TEXT CHECK (wallet_address <> '')
) STRICT;
INSERT INTO funding_payments SELECT * FROM payments_before;
DROP TABLE payments_before;
CREATE UNIQUE INDEX funding_payments_moment
  ON funding_payments (sub_account_id, venue, symbol, ts_ms);
