-- Which position of its market a fill moves, where an account holds a long and a short one at once
-- and its venue says which. Where nobody says it, there is one position, as before.
ALTER TABLE perps_fills ADD COLUMN position_side TEXT NOT NULL DEFAULT ''
  CHECK (position_side IN ('', 'long', 'short'));
