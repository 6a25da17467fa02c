"""The frame of the command line: parse arguments, call one command, print its answer.

Reading order: `lazy` (the list of commands), `loading` (their modules), `root` (global options, one
line per error), `global_options`, `options` (of several groups), `call` (settings, files and clock
for a command), `services` (budget, switches, model), `owner` (ask at a terminal), `moments`,
`json_text`, `json_lines`, `line_fields` and `text_file` (read arguments), `mistakes` (of a file,
each told once), `page_file` and `progress` (write answers). The commands are in `doors/commands`.
"""

import gc
import sys

from afterword.pipeline.errors import UnavailableError


def main() -> None:
    """Run the command line of this process and exit; one line where the system cannot run it.

    What a start loads is no garbage. To look for some in it, while it loads and again at the end,
    takes a third of a short command: the search is off until the command is loaded (`loading`).
    """
    gc.disable()
    try:
        from afterword.pipeline.doors.cli.root import main as run
    except UnavailableError as error:
        sys.exit(f"afterword: {error}")
    gc.freeze()
    run()


__all__ = ["main"]
