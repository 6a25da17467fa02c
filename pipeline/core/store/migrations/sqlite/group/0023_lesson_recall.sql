-- Lessons and a person's notes are found by what they are about, not only by when they were learned.
-- What may not be told any more is left out by the index alone.
CREATE INDEX role_memory_lesson_cells ON role_memory
  (role_id, asset_key, direction, reflected_at, id, superseded_at, lesson_superseded_at)
  WHERE lesson IS NOT NULL;
CREATE INDEX role_memory_note_cells ON role_memory
  (role_id, asset_key, direction, marked_at, id, superseded_at) WHERE mark_note IS NOT NULL;
