"""What became of a decision: outcome probes and evidence after the fact."""
