-- The class of assets that somebody says a market has: it counts before the one that the program
-- knows. The owner's word counts before that of an export; of equals, the later one.
CREATE TABLE price_classes (
  id            INTEGER PRIMARY KEY,
  asset         TEXT NOT NULL CHECK (asset <> ''),
  asset_class   TEXT NOT NULL CHECK (asset_class <> ''),
  told_by       TEXT NOT NULL CHECK (told_by IN ('owner', 'export')),
  known_at      INTEGER NOT NULL,
  superseded_at INTEGER CHECK (superseded_at >= known_at)
) STRICT;
CREATE UNIQUE INDEX price_classes_key ON price_classes (asset) WHERE superseded_at IS NULL;

-- Until version 4 a day with one price only entered at its open, which is its close: the move was 0.
-- What was measured before is measured anew, and so is what cases show.
UPDATE role_memory SET measure_at = decided_at + 86400000000
WHERE asset_key IS NOT NULL
  AND id IN (SELECT subject_id FROM outcomes WHERE subject_kind = 'decision');
UPDATE methodology_citations SET outcome_state = 'unresolved'
WHERE outcome_state IN ('right', 'wrong', 'noise');
-- A citation by a decision that an owner or a replay recorded afterwards was called late.
UPDATE methodology_citations SET standing = 'counts'
FROM methodology_cases AS c JOIN role_memory AS m ON m.id = c.decision_id
WHERE methodology_citations.standing = 'late' AND c.id = methodology_citations.case_id
  AND m.recorded_by <> 'agent';
