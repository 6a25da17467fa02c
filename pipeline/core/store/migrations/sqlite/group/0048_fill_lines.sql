-- The line of its file that a fill was imported from; NULL where there is none, and for fills that
-- were imported before lines were kept.
ALTER TABLE perps_fills ADD COLUMN file_line INTEGER CHECK (file_line > 0);
