-- How long after its decision the entry of an outcome was: it is the first price at or after it. Older
-- rules took the price before, and say nothing here. Whether the entry lay beyond the stop or the
-- target of a plan, so that the window alone decided.
ALTER TABLE outcomes ADD COLUMN entry_age_us INTEGER CHECK (entry_age_us >= 0);
ALTER TABLE outcomes ADD COLUMN plan_passed INTEGER NOT NULL DEFAULT 0
  CHECK (plan_passed = 0 OR (plan_passed = 1 AND plan IS NULL));

-- Who recorded a decision: what an agent records long after it says to have decided counts nowhere.
ALTER TABLE role_memory ADD COLUMN recorded_by TEXT NOT NULL DEFAULT 'agent'
  CHECK (recorded_by IN ('owner', 'agent', 'system'));
UPDATE role_memory SET recorded_by = audit.actor
FROM (SELECT object_id, actor FROM audit_log
  WHERE tool_call = 'role.record' AND object_table = 'role_memory' AND actor <> 'agent') AS audit
WHERE role_memory.id = audit.object_id;
CREATE TRIGGER role_memory_recorded_bu BEFORE UPDATE OF recorded_by ON role_memory BEGIN
  SELECT RAISE(ABORT, 'who recorded a decision never changes');
END;

-- What was measured by older rules is measured anew.
UPDATE role_memory SET measure_at = decided_at + 86400000000
WHERE asset_key IS NOT NULL
  AND id IN (SELECT subject_id FROM outcomes WHERE subject_kind = 'decision');
-- So is what cases show; and a citation that was late only for the age of its price counts.
UPDATE methodology_citations SET outcome_state = 'unresolved'
WHERE outcome_state IN ('right', 'wrong', 'noise');
UPDATE methodology_citations SET standing = 'counts'
FROM methodology_cases AS c JOIN role_memory AS m ON m.id = c.decision_id
WHERE methodology_citations.standing = 'late' AND c.id = methodology_citations.case_id
  AND m.known_at - m.decided_at <= methodology_citations.window_hours * 3600000000 / 288;
