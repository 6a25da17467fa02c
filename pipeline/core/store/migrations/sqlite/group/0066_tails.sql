-- What is open in a market are its fills after the last one that closed a trip: both are found from
-- the end, so that the cost is that of the tail. Trips with missing fills are few, and found by
-- themselves when days are summed up.
DROP INDEX perps_fills_order;
CREATE INDEX perps_fills_order
  ON perps_fills (sub_account_id, symbol, venue, kind, position_side, ts_ms, order_in_ms);
CREATE INDEX round_trips_end ON round_trips (last_fill_id);
CREATE INDEX round_trips_flagged ON round_trips (
  (closed_at + 43200000000 * (instr(flags, '"days_only"') > 0)) / 86400000000, quote, flags
) WHERE superseded_at IS NULL AND flags <> '[]';
