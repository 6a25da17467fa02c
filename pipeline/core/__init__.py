"""Files, the job ledger and events: what every area stands on."""
