-- How far the mirror of each source and account is. last_tried_at is when the last run began: the
-- pause of a mirror that fails counts from there, and last_synced_at is the last run that ended
-- well. last_synced_ts_ms is the newest row that is mirrored; nothing is missing since
-- whole_since_ms.
CREATE TABLE minara_history_sync_state (
  source TEXT NOT NULL CHECK (
    source IN ('perps_fills', 'funding', 'transfers', 'spot_activities')
  ),
  sub_account_id TEXT NOT NULL DEFAULT '',
  last_synced_ts_ms INTEGER,
  last_synced_at INTEGER,
  last_tried_at INTEGER,
  last_error TEXT CHECK (last_error <> ''),
  consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  whole_since_ms INTEGER,
  PRIMARY KEY (source, sub_account_id)
) STRICT;
