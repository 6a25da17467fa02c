-- A trip may say something else after a late page, or be gone: the decision that was made from it is
-- corrected, once, and counts no more. Its later form is another decision of the same trip; the key of
-- a recording keeps two of one form apart.
ALTER TABLE role_memory ADD COLUMN corrected_at INTEGER
  CHECK (corrected_at IS NULL OR from_trip_uid IS NOT NULL);
CREATE TRIGGER role_memory_corrected_bu BEFORE UPDATE OF corrected_at ON role_memory
WHEN old.corrected_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a decision is corrected once');
END;
DROP INDEX role_memory_from_trip;
CREATE INDEX role_memory_from_trip ON role_memory (role_id, from_trip_uid)
  WHERE from_trip_uid IS NOT NULL;

-- Whether a vote was withdrawn is decided again, by the entry of its outcome.
UPDATE methodology_citations SET standing = 'counts' WHERE standing = 'withdrawn';
CREATE INDEX role_memory_superseded_at ON role_memory (superseded_at)
  WHERE superseded_at IS NOT NULL;
