-- Accounts whose trades a venue is asked for: the owner's own, and others that it wants to compare
-- with. Never a key: the address is public. A paused one is not asked for.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name <> ''),
  venue TEXT NOT NULL CHECK (venue <> ''),
  address TEXT NOT NULL CHECK (address <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('own', 'reference')),
  role TEXT NOT NULL CHECK (role IN ('user', 'vault', 'subAccount')),
  master TEXT CHECK (master <> ''),
  added_at INTEGER NOT NULL,
  paused_at INTEGER CHECK (paused_at >= added_at),
  removed_at INTEGER CHECK (removed_at >= added_at)
) STRICT;
CREATE UNIQUE INDEX accounts_name ON accounts (name) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX accounts_address ON accounts (venue, address) WHERE removed_at IS NULL;
