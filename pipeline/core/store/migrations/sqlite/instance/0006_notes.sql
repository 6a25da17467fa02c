-- The note of a change of a switch may be forgotten; everything else of the change stays.
DROP TRIGGER switch_changes_unchanged;
CREATE TRIGGER switch_changes_unchanged BEFORE UPDATE OF id, task, mode, changed_at
  ON switch_changes BEGIN
  SELECT RAISE(ABORT, 'switch_changes is append-only');
END;
CREATE TRIGGER switch_changes_note_bu BEFORE UPDATE OF note ON switch_changes WHEN new.note <> ''
BEGIN
  SELECT RAISE(ABORT, 'switch_changes is append-only; a note may only be forgotten');
END;
