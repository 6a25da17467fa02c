-- The chance of a subject without skill after a move like the one before it, as known at the entry,
-- and how many windows after such a move it was counted from. NULL for neutral ones and where the
-- trend is unknown.
ALTER TABLE outcomes ADD COLUMN setup_base_ppb INTEGER
  CHECK (setup_base_ppb BETWEEN 0 AND 1000000000);
ALTER TABLE outcomes ADD COLUMN setup_votes INTEGER CHECK (setup_votes >= 0);
