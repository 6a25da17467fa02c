"""One call into the domain each; which actor runs which kind is in `workers.table`."""
