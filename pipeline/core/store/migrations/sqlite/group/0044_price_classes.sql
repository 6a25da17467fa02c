-- The class of assets that somebody says a market has: it counts before the one that the program
-- knows. The owner's word counts before that of an export; of equals, the later one.
CREATE TABLE price_classes (
  id            INTEGER PRIMARY KEY,
  asset         TEXT NOT NULL CHECK (asset <> ''),
  asset_class   TEXT NOT NULL CHECK (asset_class <> ''),
  told_by       TEXT NOT NULL CHECK (told_by IN ('owner', 'export')),
  known_at      INTEGER NOT NULL,
  superseded_at INTEGER CHECK (superseded_at >= known_at)
) STRICT;
CREATE UNIQUE INDEX price_classes_key ON price_classes (asset) WHERE superseded_at IS NULL;
