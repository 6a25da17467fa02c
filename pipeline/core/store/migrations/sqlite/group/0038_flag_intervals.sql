-- A text may be flagged again after its flag was cleared or grew: each flag is an interval, so that a
-- read of the past sees the flag of then.
DROP TRIGGER injection_flags_memories_ad;
DROP TRIGGER injection_flags_roles_ad;
DROP TRIGGER injection_flags_profile_ad;
DROP TRIGGER injection_flags_ai;
DROP TRIGGER injection_flags_cleared_au;
ALTER TABLE injection_flags RENAME TO flags_before;

CREATE TABLE injection_flags (
  id           INTEGER PRIMARY KEY,
  object_table TEXT NOT NULL CHECK (object_table IN ('memories', 'role_memory', 'user_profile')),
  object_id    INTEGER NOT NULL,
  families     TEXT NOT NULL CHECK (families <> ''),
  flagged_at   INTEGER NOT NULL,
  cleared_at   INTEGER CHECK (cleared_at >= flagged_at)
) STRICT;
CREATE INDEX injection_flags_of ON injection_flags (object_table, object_id);
CREATE UNIQUE INDEX injection_flags_open ON injection_flags (object_table, object_id)
  WHERE cleared_at IS NULL;
INSERT INTO injection_flags (id, object_table, object_id, families, flagged_at, cleared_at)
SELECT id, object_table, object_id, families, flagged_at, cleared_at FROM flags_before;
DROP TABLE flags_before;

CREATE TRIGGER injection_flags_memories_ad AFTER DELETE ON memories BEGIN
  DELETE FROM injection_flags WHERE object_table = 'memories' AND object_id = old.id;
END;
CREATE TRIGGER injection_flags_roles_ad AFTER DELETE ON role_memory BEGIN
  DELETE FROM injection_flags WHERE object_table = 'role_memory' AND object_id = old.id;
END;
CREATE TRIGGER injection_flags_profile_ad AFTER DELETE ON user_profile BEGIN
  DELETE FROM injection_flags WHERE object_table = 'user_profile' AND object_id = old.id;
END;

-- A flagged text has no vector; once its flag is cleared it waits for one.
CREATE TRIGGER injection_flags_ai AFTER INSERT ON injection_flags BEGIN
  UPDATE memories SET embedding_state = 'skipped', embedding_error = NULL
  WHERE new.object_table = 'memories' AND id = new.object_id;
  DELETE FROM memory_vectors WHERE new.object_table = 'memories' AND memory_id = new.object_id;
  UPDATE role_memory SET embedding_state = 'skipped', embedding_error = NULL
  WHERE new.object_table = 'role_memory' AND id = new.object_id;
  DELETE FROM role_vectors
  WHERE new.object_table = 'role_memory' AND role_memory_id = new.object_id;
END;
CREATE TRIGGER injection_flags_cleared_au AFTER UPDATE OF cleared_at ON injection_flags
WHEN old.cleared_at IS NULL AND new.cleared_at IS NOT NULL BEGIN
  UPDATE memories SET embedding_state = 'pending'
  WHERE new.object_table = 'memories' AND id = new.object_id AND embedding_state = 'skipped';
  UPDATE role_memory SET embedding_state = 'pending'
  WHERE new.object_table = 'role_memory' AND id = new.object_id AND embedding_state = 'skipped';
END;
