-- How asking a service goes, for each model and setup (address and key); no row: nothing failed.
CREATE TABLE circuits (
  service    TEXT NOT NULL CHECK (service <> ''),
  model      TEXT NOT NULL CHECK (model <> ''),
  setup      TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('closed', 'open', 'half_open')),
  failures   INTEGER NOT NULL CHECK (failures >= 0),
  refusals   INTEGER NOT NULL CHECK (refusals >= 0),
  openings   INTEGER NOT NULL CHECK (openings >= 0),
  reason     TEXT NOT NULL,
  epoch      INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  reopens_at INTEGER,
  PRIMARY KEY (service, model, setup),
  CHECK ((state = 'closed') = (reopens_at IS NULL))
) STRICT, WITHOUT ROWID;

-- Tasks that do not simply run; no row: on.
CREATE TABLE switches (
  task       TEXT PRIMARY KEY CHECK (task <> ''),
  mode       TEXT NOT NULL CHECK (mode IN ('on', 'off', 'shadow')),
  note       TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
