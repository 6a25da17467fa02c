-- Since when this installation knows an entry of the schedule as it reads now: no earlier slot of
-- it fires in any group. A group's own `cron_entries` keeps which of its slots are settled.
CREATE TABLE cron_specs (
  entry TEXT PRIMARY KEY,
  spec  TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
