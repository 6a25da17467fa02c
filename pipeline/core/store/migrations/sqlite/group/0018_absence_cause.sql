-- Why a memory was away: it was deleted, or another one stood in its place until that was undone.
-- A read as of such a time that asks for superseded rows too shows the second ones.
ALTER TABLE memory_absences ADD COLUMN cause TEXT NOT NULL DEFAULT 'deleted'
  CHECK (cause IN ('deleted', 'superseded'));
UPDATE memory_absences SET cause = 'superseded'
WHERE (memory_id, back_at) IN (
  SELECT object_id, at FROM audit_log WHERE tool_call = 'memory.bring_back'
);
