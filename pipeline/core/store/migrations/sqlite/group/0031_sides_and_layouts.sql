-- Which position of its market a fill moves, where an account holds a long and a short one at once
-- and its venue says which. Where nobody says it, there is one position, as before.
ALTER TABLE perps_fills ADD COLUMN position_side TEXT NOT NULL DEFAULT ''
  CHECK (position_side IN ('', 'long', 'short'));

-- The layout of the file that a fill came from; empty where no file brought it. Two layouts of one
-- venue may hold the same trade without an id in common.
ALTER TABLE perps_fills ADD COLUMN layout TEXT NOT NULL DEFAULT '';
ALTER TABLE history_files ADD COLUMN name TEXT NOT NULL DEFAULT '';
-- Fills of the file that were left out, since another layout tells of the same trades and the two
-- do not agree: market, first and last moment, count, the other layouts.
ALTER TABLE history_files ADD COLUMN set_aside TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(set_aside));
