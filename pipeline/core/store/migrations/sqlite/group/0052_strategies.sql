-- Each time a strategy ran, from when it was enabled until it was disabled. realized_pnl_micro_usd
-- is what somebody said it brought; of a run with an account, its trades say so at each read.
CREATE TABLE strategy_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  strategy TEXT NOT NULL CHECK (strategy <> ''),
  symbols TEXT NOT NULL CHECK (json_valid(symbols)),
  account TEXT CHECK (account <> ''),
  allocated_capital_micro_usd INTEGER NOT NULL CHECK (allocated_capital_micro_usd > 0),
  started_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'stopped')),
  stopped_at INTEGER CHECK (stopped_at >= started_at),
  stop_reason TEXT CHECK (stop_reason IN (
    'user_manual', 'insufficient_balance', 'drawdown_protection', 'liquidated',
    'strategy_expired', 'other'
  )),
  realized_pnl_micro_usd INTEGER,
  CHECK ((status = 'stopped') = (stopped_at IS NOT NULL)),
  CHECK ((status = 'stopped') = (stop_reason IS NOT NULL)),
  CHECK (realized_pnl_micro_usd IS NULL OR (status = 'stopped' AND account IS NULL))
) STRICT;
CREATE UNIQUE INDEX strategy_runs_running ON strategy_runs (strategy) WHERE status = 'running';
