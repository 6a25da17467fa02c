-- What the first order of a trip put in, in its quote currency; empty in rows written before this
-- step. What is added later depends on the prices in between.
ALTER TABLE round_trips ADD COLUMN first_notional TEXT;
