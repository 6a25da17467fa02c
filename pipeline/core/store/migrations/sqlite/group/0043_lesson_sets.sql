-- The lessons that a prompt held, and those that a draw left out of it: names and numbers, no texts.
-- The same content is one row, under its digest.
CREATE TABLE lesson_sets (
  digest   TEXT PRIMARY KEY CHECK (length(digest) = 64),
  body     TEXT NOT NULL CHECK (json_valid(body)),
  known_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER lesson_sets_bu BEFORE UPDATE ON lesson_sets BEGIN
  SELECT RAISE(ABORT, 'a set of lessons never changes');
END;

-- What the next decision was told: by the key that it will be recorded under, or by its session.
-- `place` counts the decisions that the session had recorded when it asked.
CREATE TABLE lesson_prompts (
  role_id  TEXT NOT NULL CHECK (role_id <> ''),
  occasion TEXT NOT NULL CHECK (length(occasion) = 64),
  place    INTEGER NOT NULL CHECK (place >= 0),
  digest   TEXT NOT NULL REFERENCES lesson_sets (digest),
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (role_id, occasion)
) STRICT, WITHOUT ROWID;

ALTER TABLE role_memory ADD COLUMN lessons_hash TEXT CHECK (length(lessons_hash) = 64);
CREATE INDEX role_memory_lesson_sets ON role_memory (role_id, lessons_hash)
  WHERE lessons_hash IS NOT NULL;
