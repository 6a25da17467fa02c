"""One call into the domain each; which kind runs which is in `afterword.workers.routes`."""
