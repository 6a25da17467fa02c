-- Where a fact stands in its life. The words are a row of memories; a retired fact is superseded
-- there by the one that stands for it. said_at is when it was last stated, by itself or by a
-- restatement; judged_to is up to where in that time it was compared with other facts. The
-- fingerprint is a digest of its normal form: no second copy of the words.
CREATE TABLE facts (
  memory_id   INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  state       TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'settled', 'retired')),
  version     INTEGER NOT NULL DEFAULT 1,
  said_at     INTEGER NOT NULL,
  judged_to   INTEGER,
  fingerprint TEXT,
  retired_by  INTEGER REFERENCES memories (id) ON DELETE SET NULL CHECK (retired_by <> memory_id),
  CHECK (state = 'pending' OR fingerprint IS NOT NULL),
  CHECK (state = 'retired' OR retired_by IS NULL)
) STRICT;
CREATE INDEX facts_pending ON facts (memory_id) WHERE state = 'pending';
CREATE INDEX facts_settled ON facts (fingerprint, memory_id) WHERE state = 'settled';
CREATE INDEX facts_unjudged ON facts (memory_id)
  WHERE state = 'settled' AND (judged_to IS NULL OR judged_to < said_at);
CREATE INDEX facts_retired_by ON facts (retired_by) WHERE retired_by IS NOT NULL;

-- Only what an agent derived is ever consolidated: nothing else can be made a fact of this table.
CREATE TRIGGER facts_bi BEFORE INSERT ON facts WHEN NOT EXISTS (
  SELECT 1 FROM memories WHERE id = new.memory_id AND category = 'fact' AND type IS NULL
    AND source = 'agent_recorded' AND origin <> 'owner')
BEGIN
  SELECT RAISE(ABORT, 'only facts an agent recorded are consolidated');
END;

-- Every decision about a fact, with what it was decided on. It only grows. detail holds words and
-- numbers of ours; said is what a judge gave as its reason, and may quote what is remembered: it
-- can be blanked, and goes with either row.
CREATE TABLE memory_consolidation_events (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN
               ('settled', 'retired', 'superseded', 'kept', 'refused', 'undone')),
  memory_id  INTEGER NOT NULL,
  other_id   INTEGER,
  version    INTEGER NOT NULL,
  decided_by TEXT NOT NULL CHECK (decided_by IN ('rule', 'judge', 'owner')),
  undoes     INTEGER REFERENCES memory_consolidation_events (id),
  detail     TEXT NOT NULL CHECK (json_valid(detail)),
  said       TEXT NOT NULL DEFAULT '',
  CHECK ((kind = 'undone') = (undoes IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX consolidation_undone ON memory_consolidation_events (undoes)
  WHERE undoes IS NOT NULL;
CREATE INDEX consolidation_memory ON memory_consolidation_events (memory_id);
CREATE INDEX consolidation_other ON memory_consolidation_events (other_id)
  WHERE other_id IS NOT NULL;
CREATE TRIGGER memory_consolidation_events_bu BEFORE UPDATE ON memory_consolidation_events
WHEN new.said <> '' OR (new.id, new.at, new.kind, new.memory_id, new.version, new.decided_by,
    new.detail) <> (old.id, old.at, old.kind, old.memory_id, old.version, old.decided_by,
    old.detail) OR new.other_id IS NOT old.other_id OR new.undoes IS NOT old.undoes
BEGIN
  SELECT RAISE(ABORT, 'memory_consolidation_events only grows');
END;
CREATE TRIGGER memory_consolidation_events_bd BEFORE DELETE ON memory_consolidation_events BEGIN
  SELECT RAISE(ABORT, 'memory_consolidation_events only grows');
END;
CREATE TRIGGER memories_consolidation_ad AFTER DELETE ON memories BEGIN
  UPDATE memory_consolidation_events SET said = ''
  WHERE said <> '' AND (memory_id = old.id OR other_id = old.id);
END;
