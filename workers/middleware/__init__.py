"""What happens around a run, in this order: logs, metrics, budget, serial, ledger, the actor."""
