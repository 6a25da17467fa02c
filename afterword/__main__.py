"""`python -m afterword`: the command `afterword`."""

from afterword.pipeline.doors.cli import main

main()
