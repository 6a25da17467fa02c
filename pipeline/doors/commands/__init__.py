"""The commands of `afterword`, one file a command group."""
