"""The outermost command: run one line, and turn an error into one line and an exit code."""

import errno
import io
import re
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from afterword.pipeline import descriptors
from afterword.pipeline.doors.cli.global_options import given, share
from afterword.pipeline.doors.cli.lazy import Lazy
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.rules.masking import told, trace
from afterword.pipeline.type_words import wanted
from afterword.pipeline.views.words import one_line

PROGRAM_NAME = "afterword"
"""The program, as a shell finds it."""

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130
"""Exit statuses; 130 is the shells' status for an interrupted program."""

STATUSES = {
    0: "done, or stopped as asked",
    FAILED: "failed, with one line on stderr that says what to do; or a check found a fault",
    BAD_INPUT: "bad input: one line on stderr for each mistake, with the field named",
    INTERRUPTED: "interrupted",
}
"""What each exit status of a command means."""

_UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of printing to a full or broken disk, or to `/dev/full`."""

_EXTRA = re.compile(r"Got unexpected extra argument.*\((?:\S+ ){3}")
"""A usage error that repeats more than three words."""

_MAX_ERRORS = 20
"""Errors of one call that are printed one by one, such as bad lines of a file."""


def main() -> None:
    """Run the command line of this process and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # it is None if a caller closed it
            # A terminal that cannot show a character gets its escape, not an error.
            stream.reconfigure(errors="backslashreplace")
    app()


class Root(Lazy):
    """Runs one line; an error becomes one line on stderr and an exit code, never a traceback."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        share(self)

    def main(self, *_args: Any, **given_to: Any) -> Any:
        """Run and exit: 0 success, 2 bad input, 1 any other failure."""
        # A shell that completes a line asks by a variable; the answer ends the process.
        self._main_shell_completion({}, PROGRAM_NAME)
        line = given_to.get("args")
        sys.exit(self._run(sys.argv[1:] if line is None else list(line), given_to.get("obj")))

    def _run(self, args: list[str], obj: object) -> int:
        ctx = None
        try:
            ctx = self.make_context(PROGRAM_NAME, args, obj=obj)
            with ctx:
                self.invoke(ctx)
            return 0
        except typer.Exit as done:
            return done.exit_code
        except BrokenPipeError:  # the reader, such as `head`, has stopped reading
            return FAILED
        except (KeyboardInterrupt, typer.Abort):
            return INTERRUPTED
        except Exception as error:
            if ctx is not None and given(ctx, "debug"):
                typer.echo(trace(error, args), err=True, nl=False)
            return report(error, args)


def report(error: Exception, given_texts: Sequence[str] = ()) -> int:
    """Print a line on stderr for each error and return the exit code.

    Args:
        given_texts: what the errors may repeat; the secrets in it are masked.
    """
    errors = error.exceptions if isinstance(error, ExceptionGroup) else (error,)
    for part in errors[:_MAX_ERRORS]:
        typer.echo(f"afterword: {one_line(_masked(_said(part), given_texts))}", err=True)
    if len(errors) > _MAX_ERRORS:
        typer.echo(f"afterword: and {len(errors) - _MAX_ERRORS:,} more", err=True)
    return max(map(_code, errors))


def _masked(text: str, given_texts: Sequence[str]) -> str:
    """Return a text without secrets; what masks them must be read first, from files."""
    try:
        return told(text, given_texts)
    except OSError as error:
        return _said(error)  # repeats nothing that was given


def _said(error: Exception) -> str:
    match error:
        case PipelineError():
            return str(error)
        case typer.TyperException():
            ctx = getattr(error, "ctx", None)
            where = f"; see `{ctx.command_path} --help`" if ctx else ""
            _reword(error)
            return error.format_message().rstrip(".") + where
        case OSError() if error.errno in descriptors.NONE_LEFT:
            return str(descriptors.none_left(error.filename or "a file or a connection"))
        case OSError() if error.errno in _UNWRITTEN:
            problem = f"the output could not be written completely ({error.strerror})"
            return f"{problem}; free some space, or print elsewhere"
    return f"unexpected {type(error).__name__}: {error}; --debug shows its traceback"


def _reword(error: typer.TyperException) -> None:
    """Say of a value of a wrong type what it should be; typer repeats pydantic's words."""
    if _EXTRA.match(error.message):  # words of a sentence, or of a recovery phrase
        error.message = "Got unexpected extra arguments; a text of several words needs quotes"
        return
    problems = getattr(error.__cause__, "errors", None)
    if problems is None:
        return
    first = problems(include_url=False)[0]
    right = wanted(first)
    if right is not None:
        error.message = f"{first['input']!a:.40} is not {right}"
    else:
        error.message = error.message.removeprefix("Value error, ")  # pydantic's prefix


def _code(error: Exception) -> int:
    if isinstance(error, typer.TyperException):
        return error.exit_code
    return BAD_INPUT if isinstance(error, InvalidInputError) else FAILED


app = typer.Typer(
    cls=Root,
    rich_markup_mode=None,  # plain help: it halves the start-up time and is readable in a pipe
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(f"afterword {version('afterword')}")
        raise typer.Exit


@app.callback()
def afterword(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    """The memory of a trading agent, and the workers behind it."""
