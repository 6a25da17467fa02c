-- Decisions, trades and methodologies are counted apart from memories: an agent whose memories are
-- written for the day still records what it decides and trades.
ALTER TABLE sessions ADD COLUMN decisions INTEGER NOT NULL DEFAULT 0 CHECK (decisions >= 0);
ALTER TABLE sessions ADD COLUMN trades INTEGER NOT NULL DEFAULT 0 CHECK (trades >= 0);
ALTER TABLE sessions ADD COLUMN methodologies INTEGER NOT NULL DEFAULT 0 CHECK (methodologies >= 0);
