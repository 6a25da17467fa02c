-- Which column of a table of trades holds what, as its owner said it once: the next file with the
-- same header needs no words. A row never changes but for its end.
CREATE TABLE export_mappings (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  name          TEXT NOT NULL CHECK (name <> ''),
  header        TEXT NOT NULL CHECK (json_valid(header)),
  columns       TEXT NOT NULL CHECK (columns <> ''),
  zone          TEXT CHECK (zone <> ''),
  time_unit     TEXT CHECK (time_unit IN ('s', 'ms', 'us')),
  decimal_mark  TEXT CHECK (decimal_mark IN ('.', ',')),
  time_format   TEXT CHECK (time_format <> ''),
  symbol        TEXT CHECK (symbol <> ''),
  known_at      INTEGER NOT NULL,
  superseded_at INTEGER
) STRICT;
CREATE UNIQUE INDEX export_mappings_name ON export_mappings (name) WHERE superseded_at IS NULL;
CREATE UNIQUE INDEX export_mappings_header ON export_mappings (header) WHERE superseded_at IS NULL;
CREATE TRIGGER export_mappings_bu BEFORE UPDATE OF id, name, header, columns, zone, time_unit,
  decimal_mark, time_format, symbol, known_at ON export_mappings
BEGIN
  SELECT RAISE(ABORT, 'a mapping gets a new row; only its end is written');
END;
CREATE TRIGGER export_mappings_superseded_bu BEFORE UPDATE OF superseded_at ON export_mappings
WHEN old.superseded_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a mapping ends once');
END;
