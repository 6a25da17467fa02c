-- Crashes that count for nothing, because other workers died at the same time.
ALTER TABLE jobs ADD COLUMN excused INTEGER NOT NULL DEFAULT 0 CHECK (excused >= 0);

-- Of a run that crashed: its process, how that ended (an exit status, or a signal as a negative number),
-- whether the job ran by itself, and the other dead process that excuses it.
ALTER TABLE job_runs ADD COLUMN pid INTEGER;
ALTER TABLE job_runs ADD COLUMN exit_status INTEGER;
ALTER TABLE job_runs ADD COLUMN by_itself INTEGER CHECK (by_itself IN (0, 1));
ALTER TABLE job_runs ADD COLUMN excused_by TEXT;
CREATE INDEX job_runs_crashed ON job_runs (owner) WHERE outcome = 'crashed';
