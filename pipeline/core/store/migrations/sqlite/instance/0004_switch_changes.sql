-- Who turned what off, when and why: every change of a switch is kept, the last one of a task holds.
CREATE TABLE switch_changes (
  id         INTEGER PRIMARY KEY,
  task       TEXT NOT NULL CHECK (task <> ''),
  mode       TEXT NOT NULL CHECK (mode IN ('on', 'off', 'shadow')),
  note       TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX switch_changes_task ON switch_changes (task, id);

INSERT INTO switch_changes (task, mode, note, changed_at)
SELECT task, mode, note, changed_at FROM switches ORDER BY changed_at;
DROP TABLE switches;

CREATE TRIGGER switch_changes_unchanged BEFORE UPDATE ON switch_changes BEGIN
  SELECT RAISE(ABORT, 'switch_changes is append-only');
END;
CREATE TRIGGER switch_changes_kept BEFORE DELETE ON switch_changes BEGIN
  SELECT RAISE(ABORT, 'switch_changes is append-only');
END;
