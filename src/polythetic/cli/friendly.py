"""A user's mistake ends in one clear line and exit code 2, an interruption in a word on how to go on; no traceback."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable
from functools import wraps
from threading import current_thread, main_thread
from typing import ParamSpec, TypeVar

import typer

from polythetic.errors import PolytheticError, StoppedError

P = ParamSpec("P")
T = TypeVar("T")


def friendly(command: Callable[P, T], *, keeps: bool = False) -> Callable[P, T]:
    """Wrap a command so that what a person can mend is said plainly.

    Args:
        command: what is run.
        keeps: what it has finished is kept when it is stopped, and the next time it goes on from there.
    """
    next_time = "what is finished is kept, and the same command goes on from there"
    if not keeps:
        next_time = "nothing is kept, and the same command begins anew"

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        warnings.showwarning = _say  # type: ignore[assignment]
        if current_thread() is main_thread():  # only there can signals be seen to
            signal.signal(signal.SIGTERM, _terminated)
        try:
            return command(*args, **kwargs)
        except StoppedError as error:
            raise _stop(str(error), code=130) from None
        except PolytheticError as error:
            raise _stop(str(error), code=2) from None
        except OSError as error:
            raise _stop(f"{error.filename or 'system'}: {error.strerror or error}", code=2) from None
        except MemoryError:
            raise _stop("not enough memory: ask for less, give fewer rows or columns, or free some", code=2) from None
        except KeyboardInterrupt:
            raise _stop(f"stopped; {next_time}", 130) from None

    return wrapped


def _terminated(*_: object) -> None:
    """Take `kill`, or a scheduler, for a Ctrl-C from elsewhere: what is under way is saved, and workers are ended."""
    if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):  # as for what a script has put in the background
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


_said: set[str] = set()


def _say(message: Warning | str, *_: object) -> None:
    """Say a warning once, as a note; Python forgets what it has said whenever a library touches its filters."""
    if str(message) not in _said:
        _said.add(str(message))
        typer.echo(f"polythetic: note: {message}", err=True)


def _stop(message: str, code: int) -> typer.Exit:
    typer.echo(f"polythetic: {message}", err=True)
    return typer.Exit(code)
