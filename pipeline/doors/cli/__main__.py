"""`python -m afterword.pipeline.doors.cli`."""

from afterword.pipeline.doors.cli import main

main()
