-- What markets cost, bar by bar, in the file of the group that judges by it: a backup or a replay of
-- that file is whole. A series is one market of one source at one interval; 0 is single prints.
CREATE TABLE price_series (
  id          INTEGER PRIMARY KEY,
  source      TEXT NOT NULL CHECK (source <> ''),
  symbol      TEXT NOT NULL CHECK (symbol <> ''),
  asset       TEXT NOT NULL CHECK (asset <> ''),
  interval_us INTEGER NOT NULL CHECK (interval_us >= 0),
  created_at  INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX price_series_key ON price_series (source, symbol, interval_us);
CREATE INDEX price_series_asset ON price_series (asset);

-- A bar may be used from t_open + interval on. A source that says otherwise later supersedes the
-- row by its next revision; nothing is overwritten. Prices are exact decimal text. first_known_at
-- is the known_at of revision 1: whoever reads as of a moment sees the revision of that moment,
-- and of a bar that was learned later (history brought in) the one that stands.
CREATE TABLE prices (
  series_id      INTEGER NOT NULL REFERENCES price_series (id) ON DELETE CASCADE,
  t_open         INTEGER NOT NULL,
  revision       INTEGER NOT NULL CHECK (revision > 0),
  open           TEXT NOT NULL,
  high           TEXT NOT NULL,
  low            TEXT NOT NULL,
  close          TEXT NOT NULL,
  volume         TEXT NOT NULL,
  first_known_at INTEGER NOT NULL,
  known_at       INTEGER NOT NULL CHECK (known_at >= first_known_at),
  superseded_at  INTEGER,
  PRIMARY KEY (series_id, t_open, revision)
) STRICT, WITHOUT ROWID;

-- Splits of markets whose bars are raw: from effective_at on, one old unit is `numerator` /
-- `denominator` new ones.
CREATE TABLE price_splits (
  id            INTEGER PRIMARY KEY,
  source        TEXT NOT NULL CHECK (source <> ''),
  symbol        TEXT NOT NULL CHECK (symbol <> ''),
  effective_at  INTEGER NOT NULL,
  numerator     INTEGER NOT NULL CHECK (numerator > 0),
  denominator   INTEGER NOT NULL CHECK (denominator > 0),
  known_at      INTEGER NOT NULL,
  superseded_at INTEGER
) STRICT;
CREATE UNIQUE INDEX price_splits_key ON price_splits (source, symbol, effective_at)
  WHERE superseded_at IS NULL;
