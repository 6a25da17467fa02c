-- Who looks at the pages in a browser. A row begins as a link, which opens once and for a short
-- time, or as a token that was typed in; the secrets of link and cookie are kept as digests.
CREATE TABLE page_sessions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  role       TEXT NOT NULL CHECK (role IN ('owner', 'observer')),
  token_id   INTEGER REFERENCES tokens (id),
  link       TEXT UNIQUE CHECK (length(link) = 64),
  link_until INTEGER,
  cookie     TEXT UNIQUE CHECK (length(cookie) = 64),
  made_at    INTEGER NOT NULL,
  opened_at  INTEGER,
  seen_at    INTEGER,
  ended_at   INTEGER,
  CHECK ((link IS NULL) = (link_until IS NULL)),
  CHECK ((cookie IS NULL) = (opened_at IS NULL)),
  CHECK ((opened_at IS NULL) = (seen_at IS NULL)),
  CHECK ((link IS NULL) <> (token_id IS NULL))
) STRICT;

-- What was done on a page, and by whom. A row is written before its action, and gets its outcome
-- after it: one without an outcome was cut off, and the memory says whether it had its effect.
CREATE TABLE page_actions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES page_sessions (id),
  group_name TEXT NOT NULL CHECK (group_name <> ''),
  action     TEXT NOT NULL CHECK (action <> ''),
  began_at   INTEGER NOT NULL,
  outcome    TEXT CHECK (outcome IN ('done', 'refused', 'failed')),
  words      TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TRIGGER page_actions_unchanged BEFORE UPDATE ON page_actions
WHEN (NEW.id, NEW.session_id, NEW.group_name, NEW.began_at) IS NOT
     (OLD.id, OLD.session_id, OLD.group_name, OLD.began_at)
  OR NEW.action NOT IN (OLD.action, '-')
  OR OLD.outcome IS NOT NULL AND (NEW.outcome IS NOT OLD.outcome OR NEW.words NOT IN (OLD.words, ''))
BEGIN
  SELECT RAISE(ABORT, 'an action keeps its outcome; only its words can be taken out');
END;
CREATE TRIGGER page_actions_kept BEFORE DELETE ON page_actions BEGIN
  SELECT RAISE(ABORT, 'page_actions is append-only');
END;
