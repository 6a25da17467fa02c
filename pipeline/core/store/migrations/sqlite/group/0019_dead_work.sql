-- Whoever adds a job asks whether the same work is dead: by its payload, and by its key.
CREATE INDEX jobs_dead_work ON jobs (kind, payload) WHERE state = 'dead';
CREATE INDEX jobs_dead_key ON jobs (kind, key) WHERE state = 'dead' AND key IS NOT NULL;
