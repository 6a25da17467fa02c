-- What a waiting job waits for, in a word that can be asked: a budget or a circuit may open long
-- before its time comes. asked_micro_usd is what its last refusal asked for, a share of it for a
-- job that ran in a batch: jobs are let go on as far as there is room for that.
ALTER TABLE jobs ADD COLUMN gate TEXT;
ALTER TABLE jobs ADD COLUMN asked_micro_usd INTEGER NOT NULL DEFAULT 0
  CHECK (asked_micro_usd >= 0);
CREATE INDEX jobs_held ON jobs (gate, asked_micro_usd, id)
  WHERE state = 'later' AND gate IS NOT NULL;
-- What an older release held says only in words what it waits for: it is asked once, at its gate.
UPDATE jobs SET state = 'ready', waits_for = NULL
WHERE state = 'later' AND (waits_for LIKE 'budget:%' OR waits_for LIKE 'circuit:%');

-- Up to where a judge in the shadow has compared a fact. It moves judged_to no more: what was only
-- asked in the shadow is asked again, and counts, once the judge is switched on.
ALTER TABLE facts ADD COLUMN shadow_judged_to INTEGER;
CREATE INDEX facts_unjudged_in_shadow ON facts (memory_id)
  WHERE state = 'settled' AND (judged_to IS NULL OR judged_to < said_at)
    AND (shadow_judged_to IS NULL OR shadow_judged_to < said_at);
