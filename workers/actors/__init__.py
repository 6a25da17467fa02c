"""One call into the domain each; which kind runs which is in `workers.routes`."""
