-- Who may call the network door. The secret of a token is told once; its digest is kept here, also
-- an agent's: a lookup takes as long whether its group exists or not, and a copied group file opens
-- no door.
CREATE TABLE tokens (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  digest     TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  role       TEXT NOT NULL CHECK (role IN ('agent', 'owner', 'observer')),
  group_name TEXT CHECK (group_name <> ''),
  label      TEXT NOT NULL,
  issued_at  INTEGER NOT NULL,
  revoked_at INTEGER CHECK (revoked_at >= issued_at),
  CHECK ((role = 'agent') = (group_name IS NOT NULL))
) STRICT;
