-- Whether a venue states the day of an execution only: its moment is then the first of that day,
-- and hours and minutes mean nothing.
ALTER TABLE perps_fills ADD COLUMN is_day INTEGER NOT NULL DEFAULT 0 CHECK (is_day IN (0, 1));
ALTER TABLE closed_trades ADD COLUMN is_day INTEGER NOT NULL DEFAULT 0 CHECK (is_day IN (0, 1));
