-- How many decisions of a role stand in a way, and how many ever came to stand so. The triggers
-- below keep it in the transaction of the change itself, so that nobody has to count decisions. ''
-- is what a state does not have. A decision that was erased remains among those that ever were.
CREATE TABLE role_stats (
  role_id        TEXT NOT NULL,
  state          TEXT NOT NULL,
  reason         TEXT NOT NULL,
  outcome        TEXT NOT NULL,
  classification TEXT NOT NULL,
  classified_by  TEXT NOT NULL,
  decisions      INTEGER NOT NULL CHECK (decisions >= 0),
  ever           INTEGER NOT NULL CHECK (ever >= decisions),
  PRIMARY KEY (role_id, state, reason, outcome, classification, classified_by)
) STRICT, WITHOUT ROWID;

-- Every decision began as a pending one.
INSERT INTO role_stats
SELECT role_id, 'pending', '', '', '', '', count(*) FILTER (WHERE state = 'pending'), count(*)
FROM role_memory GROUP BY role_id;
INSERT INTO role_stats
SELECT role_id, state, coalesce(reason, ''), iif(state = 'reflected', outcome, ''),
  iif(state = 'reflected', coalesce(classification, ''), ''),
  iif(state = 'reflected', classified_by, ''), count(*), count(*)
FROM role_memory WHERE state <> 'pending' GROUP BY 1, 2, 3, 4, 5, 6;

CREATE TRIGGER role_stats_ai AFTER INSERT ON role_memory BEGIN
  INSERT INTO role_stats VALUES (new.role_id, new.state, coalesce(new.reason, ''),
    iif(new.state = 'reflected', new.outcome, ''),
    iif(new.state = 'reflected', coalesce(new.classification, ''), ''),
    iif(new.state = 'reflected', new.classified_by, ''), 1, 1)
  ON CONFLICT DO UPDATE SET decisions = decisions + 1, ever = ever + 1;
END;
-- A decision that was reflected on changes no more: only the new row can have an outcome.
CREATE TRIGGER role_stats_au AFTER UPDATE OF state, reason ON role_memory
WHEN new.state <> old.state OR new.reason IS NOT old.reason
BEGIN
  UPDATE role_stats SET decisions = decisions - 1
  WHERE role_id = old.role_id AND state = old.state AND reason = coalesce(old.reason, '')
    AND outcome = '' AND classification = '' AND classified_by = '';
  INSERT INTO role_stats VALUES (new.role_id, new.state, coalesce(new.reason, ''),
    iif(new.state = 'reflected', new.outcome, ''),
    iif(new.state = 'reflected', coalesce(new.classification, ''), ''),
    iif(new.state = 'reflected', new.classified_by, ''), 1, 1)
  ON CONFLICT DO UPDATE SET decisions = decisions + 1, ever = ever + 1;
END;
CREATE TRIGGER role_stats_ad AFTER DELETE ON role_memory BEGIN
  UPDATE role_stats SET decisions = decisions - 1
  WHERE role_id = old.role_id AND state = old.state AND reason = coalesce(old.reason, '')
    AND outcome = iif(old.state = 'reflected', old.outcome, '')
    AND classification = iif(old.state = 'reflected', coalesce(old.classification, ''), '')
    AND classified_by = iif(old.state = 'reflected', old.classified_by, '');
END;

-- Those that are asked about again: with role_memory_ripening, the oldest that nobody judged yet.
CREATE INDEX role_memory_asked_again ON role_memory (role_id, decided_at)
  WHERE state = 'pending' AND retry_at IS NOT NULL;
