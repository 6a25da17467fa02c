"""The command `afterword`: a door that reads arguments, calls one verb and prints its answer.

Reading order: `lazy` (which commands there are), `root` (options every command has, errors as one
line), `call` (what a command gets to work with), `words` and `output` (how an answer looks), then a
file per command.
"""

from afterword.pipeline.doors.cli.root import main

__all__ = ["main"]
