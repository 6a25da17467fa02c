"""Around a run, in this order: logs, metrics, budget, circuit, serial, ledger, the actor."""
