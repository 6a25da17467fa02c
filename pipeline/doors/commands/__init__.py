"""The commands of `afterword`: one file per command group, each on top of `doors/cli`."""
