-- What each own account has at its venue, as it was last told: one row for each account and part.
-- A part without a value was never told. error is why the last look failed; the value stays.
CREATE TABLE capital_parts (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  part TEXT NOT NULL CHECK (part IN ('spot', 'perp')),
  value_micro_usd INTEGER,
  known_at INTEGER,
  unpriced TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(unpriced)),
  tried_at INTEGER NOT NULL,
  error TEXT CHECK (error <> ''),
  PRIMARY KEY (account_id, part),
  CHECK ((value_micro_usd IS NULL) = (known_at IS NULL)),
  CHECK (value_micro_usd IS NOT NULL OR error IS NOT NULL)
) STRICT;

-- The capital of all own accounts together; the newest row counts, older ones are the past. parts
-- says what it is the sum of, and since when a part that failed kept its value.
CREATE TABLE capital_metrics (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  spot_holdings_micro_usd INTEGER NOT NULL,
  perp_value_micro_usd INTEGER NOT NULL,
  capital_total_micro_usd INTEGER NOT NULL
    CHECK (capital_total_micro_usd = spot_holdings_micro_usd + perp_value_micro_usd),
  tier TEXT NOT NULL CHECK (
    tier IN ('tier_1', 'tier_2', 'tier_3', 'tier_4', 'tier_5', 'tier_6', 'tier_7', 'tier_8')
  ),
  parts TEXT NOT NULL CHECK (json_valid(parts)),
  computed_at INTEGER NOT NULL
) STRICT;
