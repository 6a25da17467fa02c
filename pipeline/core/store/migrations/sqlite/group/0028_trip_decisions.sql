-- The round trip that a decision was made from, afterwards: known_at is when it was imported,
-- decided_at when the trip opened. It cites no method and saw no hint, so it can never become a
-- case; and it never stops being what it is.
ALTER TABLE role_memory ADD COLUMN from_trip_uid TEXT
  CHECK (from_trip_uid IS NULL
    OR (from_trip_uid <> '' AND json_array_length(methods) = 0 AND hint_hash IS NULL));
CREATE UNIQUE INDEX role_memory_from_trip ON role_memory (role_id, from_trip_uid)
  WHERE from_trip_uid IS NOT NULL;
CREATE TRIGGER role_memory_from_trip_bu BEFORE UPDATE OF from_trip_uid ON role_memory
WHEN OLD.from_trip_uid IS NOT NEW.from_trip_uid BEGIN
  SELECT RAISE(ABORT, 'the trip of a decision never changes');
END;
