-- What sessions read of the files of their workspace. The same text of a file is one row, whatever
-- the number of sessions; folder is empty for that of the home. body has its secrets masked, and
-- digest is of it.
CREATE TABLE workspace_files (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  folder    TEXT NOT NULL,
  name      TEXT NOT NULL,
  digest    TEXT NOT NULL CHECK (length(digest) = 64),
  body      TEXT NOT NULL,
  loaded_at INTEGER NOT NULL,
  UNIQUE (folder, name, digest)
) STRICT;

-- What the prompt of a session has of its workspace: the same bytes until the session is gone.
-- file_ids names the rows of workspace_files it was made of; cut_files of them are not whole in it.
CREATE TABLE workspace_sessions (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  prefix     TEXT NOT NULL,
  bootstrap  TEXT NOT NULL,
  block      TEXT NOT NULL,
  notes      TEXT NOT NULL CHECK (json_type(notes) = 'array'),
  identity   TEXT NOT NULL CHECK (json_type(identity) = 'object'),
  file_ids   TEXT NOT NULL CHECK (json_type(file_ids) = 'array'),
  cut_files  INTEGER NOT NULL CHECK (cut_files >= 0),
  faults     INTEGER NOT NULL CHECK (faults >= 0),
  loaded_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX workspace_sessions_loaded ON workspace_sessions (loaded_at, session_id);

-- The session that sees a BOOTSTRAP.md, for one turn: file_key is a digest of its path and content.
-- The row outlives the session, since the file is seen once; ended_at is when the turn was over.
CREATE TABLE workspace_bootstraps (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  file_key   TEXT NOT NULL UNIQUE CHECK (length(file_key) = 64),
  session_id INTEGER NOT NULL,
  claimed_at INTEGER NOT NULL,
  ended_at   INTEGER CHECK (ended_at >= claimed_at)
) STRICT;
