-- The order in which turns ended, which is not the order of their ids: a turn may end after one that
-- began later. A turn has one place, taken when it is finished, or after busy_until when a reader
-- finds it abandoned; one that is finished after that keeps its place. Readers of chats have a
-- cursor here, so none misses a turn and none reads one twice.
CREATE TABLE ended_turns (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  turn_id INTEGER NOT NULL UNIQUE REFERENCES turns (id) ON DELETE CASCADE
) STRICT;
INSERT INTO ended_turns (turn_id)
SELECT id FROM turns WHERE outcome IS NOT NULL ORDER BY finished_at, id;
CREATE TRIGGER turns_ended_au AFTER UPDATE OF outcome ON turns
WHEN old.outcome IS NULL AND new.outcome IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM ended_turns WHERE turn_id = new.id)
BEGIN
  INSERT INTO ended_turns (turn_id) VALUES (new.id);
END;
CREATE TRIGGER turns_ended_ai AFTER INSERT ON turns WHEN new.outcome IS NOT NULL BEGIN
  INSERT INTO ended_turns (turn_id) VALUES (new.id);
END;

-- Where in the chats a memory about the user was said: one row for each turn and statement. quote:
-- the user's words. outcome: written (the memory was made of it), said_again (the memory stood
-- before), and deleted where its owner deleted or edited the memory: the statement is not taken
-- again, also after the memory is purged.
-- found_by: rules, or the model that found it.
CREATE TABLE chat_statements (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  turn_id     INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  memory_id   INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  kind        TEXT NOT NULL
    CHECK (kind IN ('preference', 'profile', 'constraint', 'goal', 'fact')),
  quote       TEXT NOT NULL CHECK (quote <> ''),
  fingerprint TEXT NOT NULL,
  outcome     TEXT NOT NULL CHECK (outcome IN ('written', 'said_again', 'deleted')),
  found_by    TEXT NOT NULL CHECK (found_by <> ''),
  found_at    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX chat_statements_turn ON chat_statements (turn_id, fingerprint);
CREATE INDEX chat_statements_memory ON chat_statements (memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX chat_statements_deleted ON chat_statements (id) WHERE outcome = 'deleted';
CREATE TRIGGER chat_statements_memories_bd BEFORE DELETE ON memories
WHEN old.deleted_at IS NOT NULL OR EXISTS (SELECT 1 FROM memories AS instead
  WHERE instead.id = old.superseded_by
    AND (instead.source IN ('user_manual', 'user_explicit') OR instead.origin = 'owner'))
BEGIN
  UPDATE chat_statements SET outcome = 'deleted' WHERE memory_id = old.id;
END;

-- What was found in chats is consolidated like what an agent recorded, and nothing else is.
DROP TRIGGER facts_bi;
CREATE TRIGGER facts_bi BEFORE INSERT ON facts WHEN NOT EXISTS (
  SELECT 1 FROM memories WHERE id = new.memory_id AND category = 'fact' AND type IS NULL
    AND source IN ('agent_recorded', 'chat_extracted') AND origin <> 'owner')
BEGIN
  SELECT RAISE(ABORT, 'only facts an agent recorded or chats hold are consolidated');
END;
