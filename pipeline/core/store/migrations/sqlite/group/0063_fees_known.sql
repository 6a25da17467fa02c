-- A file without a column of fees, or with an empty cell in it, does not say that a fill was free.
-- `fee` is 0 there; this tells it apart from a fee of 0 that the file states.
ALTER TABLE perps_fills ADD COLUMN fee_is_known INTEGER NOT NULL DEFAULT 1
  CHECK (fee_is_known IN (0, 1));
